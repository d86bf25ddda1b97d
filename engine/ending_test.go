package engine_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"excerpt/engine"
	"excerpt/engine/internal/decoded"
	description "excerpt/engine/internal/describe"
	"excerpt/engine/internal/index"
	"excerpt/engine/internal/reference"
	"excerpt/engine/internal/source"
)

// An endless source holds content, and says how much only when it was read to
// its end. Of its end it gives pieces before.
type endless struct {
	content []byte
	pieces  []int64 // how much of the end can be read, in turn
	have    int64
	known   bool
	filled  bool
}

func (e *endless) Size() int64 {
	if e.known {
		return int64(len(e.content))
	}
	return source.Unknown
}

func (e *endless) Fill(_ context.Context, to int64, _ func(done, total int64)) (int64, error) {
	e.filled = true
	e.known = e.known || to > int64(len(e.content))
	return int64(len(e.content)), nil
}

func (e *endless) Ending(_ context.Context, want int64) (int64, error) {
	for _, piece := range e.pieces {
		if piece <= int64(len(e.content)) {
			e.have = max(e.have, piece)
		}
		if e.have >= want {
			break
		}
	}
	return e.have, nil
}

func (e *endless) ReadAtContext(_ context.Context, p []byte, off int64) (int, error) {
	if off < 0 {
		if !e.known && off < -e.have {
			panic("it was not said that this can be read")
		}
		off += int64(len(e.content))
	}
	return bytes.NewReader(e.content).ReadAt(p, off)
}

func (e *endless) ReadAt(p []byte, off int64) (int, error) {
	return e.ReadAtContext(context.Background(), p, off)
}

func (e *endless) View(ctx context.Context, fn func(source.View) error) error {
	return source.ViewOf(ctx, struct{ io.ReaderAt }{e}, e.Size(), fn)
}
func (e *endless) Extent(int64) (int64, bool, bool) { return e.Size(), false, false }
func (e *endless) LastData(end int64) int64         { return end }
func (e *endless) Workers(int) int                  { return 1 }
func (e *endless) Index() index.Index               { return index.New(16) }
func (e *endless) Verified() bool                   { return e.filled }
func (e *endless) VerifiedTo() int64                { return 0 }
func (e *endless) Description() *description.Result { return nil }
func (e *endless) Keep() error                      { return nil }
func (e *endless) Stop()                            {}
func (e *endless) Close() error                     { return nil }

// A tail that lies in what can be read of the end is what the reference gives,
// without the rest, and so are its cuts and its numbers.
func TestEnding(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	name := filepath.Join(t.TempDir(), "app.log")
	must(0, os.WriteFile(name, []byte("compressed"), 0o600))
	without := 0
	for range 2000 {
		content := make([]byte, random.IntN(120))
		for i := range content {
			content[i] = "ab\r\n\n"[random.IntN(5)]
		}
		e := &endless{content: content}
		for piece := int64(0); random.IntN(3) > 0; e.pieces = append(e.pieces, piece) {
			piece += random.Int64N(40)
		}
		opened, err := decoded.OpenFile(name, (*engine.Options)(nil), func(decoded.File) (decoded.Source, error) { return e, nil })
		if err != nil {
			t.Fatal(err)
		}
		f := opened.(*engine.File)
		f.SetSizes(16, 16, 1<<40)
		n := random.Int64N(12)
		want := must(reference.Tail(bytes.NewReader(content), n))
		span, err := f.Tail(ctx, n)
		size := int64(len(content))
		if random.IntN(2) == 0 {
			n = random.Int64N(100)
			want = must(reference.Bytes(bytes.NewReader(content), max(0, size-n), size))
			if span, err = f.Bytes(ctx, engine.Offset(-n), engine.LastOffset); n == 0 {
				span, err = f.Bytes(ctx, engine.Offset(size), engine.LastOffset)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if !e.filled {
			without++
			start, end := span.Offsets()
			if nowhere := engine.LastOffset; n == 0 && start == nowhere && end == nowhere {
				start, end = 0, 0
			}
			if int64(start) != want.Start-size || end != 0 {
				t.Errorf("%q: %d to %d before the size is known, not %d to 0", content, start, end, want.Start-size)
			}
		}
		var out bytes.Buffer
		if _, err := span.WriteTo(&out); err != nil || !bytes.Equal(out.Bytes(), want.Bytes) {
			t.Fatalf("%q, pieces %v: the tail is %q, %v, not %q", content, e.pieces, out.Bytes(), err, want.Bytes)
		}
		filled := e.filled
		limits := engine.Limits{Lines: 1 + random.Int64N(4), Bytes: 1 + random.Int64N(20)}
		if text := must(span.Text(limits)); !bytes.Contains(want.Bytes, text.Data) {
			t.Errorf("%q: a cut of the tail is %q", want.Bytes, text.Data)
		} else if e.filled != filled {
			t.Errorf("%q: a cut takes the whole file", content)
		} else if e.known && (int64(text.Start) < 0 || !bytes.Equal(content[text.Start:text.End], text.Data)) {
			t.Errorf("%q: a cut is said to be from %d to %d", content, text.Start, text.End)
		}
		first, err := span.Number(ctx)
		if err != nil || want.First > 0 && int64(first) != want.First {
			t.Errorf("%q: the tail begins in line %d, %v, not %d", content, first, err, want.First)
		}
		if start, end := span.Offsets(); want.Lines > 0 && (int64(start) != want.Start || int64(end) != want.End) {
			t.Errorf("%q: %d to %d when the size is known, not %d to %d", content, start, end, want.Start, want.End)
		}
		out.Reset()
		if _, err := span.WriteTo(&out); err != nil || !bytes.Equal(out.Bytes(), want.Bytes) {
			t.Fatalf("%q: when the size is known, the tail is %q, %v, not %q", content, out.Bytes(), err, want.Bytes)
		}
		f.Close()
	}
	if without < 500 {
		t.Errorf("only %d of 2000 tails were found without the rest", without)
	}
}

// Where the end of a file is, is another place after it has grown.
func TestEndingOfGrown(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "app.log")
	must(0, os.WriteFile(name, []byte("one\n"), 0o600))
	opened, err := decoded.OpenFile(name, (*engine.Options)(nil), func(decoded.File) (decoded.Source, error) {
		return &endless{content: []byte("one\ntwo\n"), pieces: []int64{6}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f := opened.(*engine.File)
	defer f.Close()
	f.SetSizes(16, 16, 1<<40)
	span := must(f.Tail(ctx, 1))
	must(0, os.WriteFile(name, []byte("one\ntwo\n"), 0o600))
	if change := must(f.Refresh()); change != engine.Grown {
		t.Fatalf("it is %v", change)
	}
	if _, err := span.WriteTo(io.Discard); err == nil {
		t.Error("a tail of what the file was is read from what it is")
	}
}
