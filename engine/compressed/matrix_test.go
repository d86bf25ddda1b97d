package compressed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"excerpt/corpus"
	"excerpt/engine"
	"excerpt/engine/internal/decoded"
	"excerpt/engine/internal/reference"
	"excerpt/engine/internal/source"
)

// small makes short files take long ways.
var small = sizes{
	chunk: 8 << 10, outside: 8 << 10, inside: 24 << 10, frame: 24 << 10, windows: 1, first: 4 << 10, more: 24 << 10, wide: 64 << 10,
	cache: 400 << 10, states: 200 << 10, keep: 1, line: 4 << 10,
	ending: 1 << 10,
}

// More tests at once than cores: half of their time is waiting for the disk.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0)))
	os.Exit(m.Run())
}

// store writes a file for a test, and returns its path and its cache folder.
func store(t testing.TB, b []byte) (path string, opts *engine.Options) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "log") // by its bytes, not by its name
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, &engine.Options{Cache: filepath.Join(dir, "cache"), Workers: 2}
}

func mustOpen(t testing.TB, path string, opts *engine.Options, s sizes) *engine.File {
	t.Helper()
	f, err := open(path, opts, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func sourceOf(f *engine.File) *file {
	src, _ := decoded.SourceOf(f).(*file)
	return src
}

// compare makes n random selections of f, and compares each with the reference.
func compare(t *testing.T, f *engine.File, plain []byte, rng *rand.Rand, n int) {
	t.Helper()
	ctx := context.Background()
	lines := int64(bytes.Count(plain, []byte{'\n'})) + 1
	for range n {
		var (
			what string
			got  *engine.Span
			want reference.Selection
			err  error
		)
		r := bytes.NewReader(plain)
		size := int64(len(plain))
		some := rng.Int64N(min(lines, 50) + 1)
		switch rng.IntN(7) {
		case 0:
			what = fmt.Sprint("head ", some)
			got, err = f.Head(ctx, some)
			want, _ = reference.Head(r, some)
		case 1:
			what = fmt.Sprint("tail ", some)
			got, err = f.Tail(ctx, some)
			want, _ = reference.Tail(r, some)
		case 2, 3:
			first := 1 + rng.Int64N(lines+1)
			what = fmt.Sprint("lines ", first, " ", first+some)
			got, err = f.Lines(ctx, engine.LineNumber(first), engine.LineNumber(first+some))
			want, _ = reference.Lines(r, first, first+some)
			if errors.As(err, new(*engine.RangeError)) && want.Lines == 0 {
				continue
			}
		case 4:
			from := rng.Int64N(size + 10)
			what = fmt.Sprint("bytes ", from, " ", from+some*100)
			got, err = f.Bytes(ctx, engine.Offset(from), engine.Offset(from+some*100))
			want, _ = reference.Bytes(r, from, from+some*100)
		case 5:
			to := rng.Int64N(size + 10)
			what = fmt.Sprint("prefix ", to)
			got, err = f.Prefix(ctx, to)
			want, _ = reference.Prefix(r, to)
		case 6:
			what = "count"
			count, err := f.Count(ctx)
			if want, _ := reference.Count(r); err != nil || count != want {
				t.Fatalf("count: %d, %v; want %d", count, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(what, err)
		}
		var b bytes.Buffer
		if _, err := got.WriteTo(&b); err != nil {
			t.Fatal(what, err)
		}
		start, end := got.Offsets()
		if start < 0 || start == engine.LastOffset { // of a file that was not decoded yet
			if _, err := got.Number(ctx); err != nil {
				t.Fatal(what, err)
			}
			start, end = got.Offsets()
		}
		if !bytes.Equal(b.Bytes(), want.Bytes) || int64(start) != want.Start || int64(end) != want.End {
			t.Fatalf("%s: %d bytes at %d to %d; want %d at %d to %d", what, b.Len(), start, end, len(want.Bytes), want.Start, want.End)
		}
		if len(want.Bytes) > 0 {
			if number, err := got.Number(ctx); err != nil || int64(number) != want.First {
				t.Fatalf("%s: begins in line %d, %v; want %d", what, number, err, want.First)
			}
		}
	}
}

func whole(t *testing.T, f *engine.File) []byte {
	t.Helper()
	span, err := f.All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := span.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestMatrix: what every producer makes of every kind of text reads like the
// text: on a first read and a second, with the sidecar, and from each point.
func TestMatrix(t *testing.T) {
	t.Parallel()
	texts := map[string][]byte{"empty": {}, "byte": []byte("x"), "line": []byte("one line\n"), "zeros": make([]byte, 300_000)}
	kinds := []corpus.Kind{"app", "json", "script", "long", "oneline"}
	switch {
	case *every:
		kinds = corpus.Kinds()
	case raceEnabled:
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		size := int64(50_000)
		if kind == "app" {
			size = 300_000
		}
		if testing.Short() {
			size /= 2
		}
		texts[string(kind)] = content(t, kind, size)
	}
	for _, p := range chosen() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			for name, plain := range texts {
				b := p.make(t, plain)
				if len(b) == 0 && len(plain) == 0 {
					continue // s2 of nothing
				}
				if b == nil {
					t.SkipNow()
				}
				t.Run(name, func(t *testing.T) { checkFile(t, b, p.format, plain, small) })
			}
		})
	}
}

func checkFile(t *testing.T, b []byte, format Format, plain []byte, small sizes) {
	t.Helper()
	if got := Detect(b[:min(len(b), sniff)]); got != format {
		t.Fatalf("it is %v, and taken for %v", format, got)
	}
	rng := rand.New(rand.NewPCG(uint64(len(plain)), uint64(len(b))))
	path, opts := store(t, b)
	first := mustOpen(t, path, opts, small)
	sourceOf(first).finished = func(p *pass) {
		if p.refused > 0 {
			t.Errorf("%d points are none", p.refused)
		}
	}
	compare(t, first, plain, rng, 12)
	if got := whole(t, first); !bytes.Equal(got, plain) {
		t.Fatalf("the whole file: %d bytes, want %d", len(got), len(plain))
	}
	if !Verified(first) || first.Size() != int64(len(plain)) {
		t.Errorf("verified: %v, size: %d", Verified(first), first.Size())
	}
	compare(t, first, plain, rng, 12)

	second := mustOpen(t, path, opts, small)
	if got := second.Size(); len(plain) > 0 && got != int64(len(plain)) {
		t.Errorf("the sidecar says nothing: size %d", got)
	}
	compare(t, second, plain, rng, 12)
	described(t, plain, first, second)
	src := sourceOf(second)
	if src == nil {
		t.Fatal("it is read as plain")
	}
	all, inside := points(second)
	t.Logf("%d bytes of %d, %d points, %d inside", len(b), len(plain), all, inside)
	for i := range src.table.points {
		off := src.table.points[i].out
		got := make([]byte, min(100_000, int64(len(plain))-off))
		fresh := mustOpen(t, path, opts, small)
		if n, err := fresh.ReadAt(got, off); len(got) > 0 && (err != nil || !bytes.Equal(got[:n], plain[off:][:len(got)])) {
			t.Fatalf("from point %d, at %d: %d bytes, %v", i, off, n, err)
		}
		_ = fresh.Close()
	}
	if got := whole(t, mustOpen(t, path, opts, small)); !bytes.Equal(got, plain) {
		t.Fatalf("the whole file, the second time: %d bytes, want %d", len(got), len(plain))
	}

	alone := mustOpen(t, path, &engine.Options{Cache: engine.NoCache, Workers: 1}, small)
	if got := whole(t, alone); !bytes.Equal(got, plain) {
		t.Fatalf("the whole file, on one core: %d bytes, want %d", len(got), len(plain))
	}

	usually := mustOpen(t, path, &engine.Options{Cache: engine.NoCache}, usual)
	compare(t, usually, plain, rng, 6)
	if usually.Size() == source.Unknown {
		t.Error("the size is unknown")
	}
}

// described compares what files are found to be like with what the same bytes
// are that are not compressed. Nothing has to be decoded for that.
func described(t *testing.T, plain []byte, files ...*engine.File) {
	t.Helper()
	ctx := context.Background()
	want, err := engine.New("plain", bytes.NewReader(plain), int64(len(plain)), nil).Describe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		want.Compressed = f.Stored()
		wanted, _ := json.Marshal(want)
		if len(plain) > 0 && sourceOf(f).Description() == nil {
			t.Errorf("file %d: it is not described", i)
		}
		got, err := f.Describe(ctx)
		if a, _ := json.Marshal(got); err != nil || !bytes.Equal(a, wanted) {
			t.Errorf("file %d is found to be\n%v, %v\nit is\n%v", i, got, err, want)
		}
	}
}

// points returns how many places of a file can be begun at, and how many of
// them lie inside a member or a frame.
func points(f *engine.File) (all, inside int) {
	for _, p := range sourceOf(f).table.points {
		all++
		if p.inside {
			inside++
		}
	}
	return all, inside
}

// TestSecondTail: the last lines of what was decoded once are there without
// decoding anything, and so is how many there are.
func TestSecondTail(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, end := range []string{"\n", " and no line end"} {
		plain := append(content(t, "app", 300_000), "the last line"+end...)
		want, err := reference.Tail(bytes.NewReader(plain), 5)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := reference.Count(bytes.NewReader(plain))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range chosen() {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				b := p.make(t, plain)
				if b == nil {
					t.SkipNow()
				}
				path, opts := store(t, b)
				if _, err := mustOpen(t, path, opts, small).Count(ctx); err != nil {
					t.Fatal(err)
				}
				f := mustOpen(t, path, opts, small)
				var got bytes.Buffer
				tail, err := f.Tail(ctx, 5)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := tail.WriteTo(&got); err != nil || !bytes.Equal(got.Bytes(), want.Bytes) {
					t.Errorf("%q, %v", got.String(), err)
				}
				if n, err := f.Count(ctx); n != lines || err != nil {
					t.Errorf("%d lines, %v", n, err)
				}
				if number, err := tail.Number(ctx); int64(number) != lines-4 || err != nil {
					t.Errorf("from line %d, %v", number, err)
				}
				src := sourceOf(f)
				if n := len(src.cache.entries) + len(src.reading.parked) + len(src.reading.retired); n > 0 {
					t.Errorf("something was decoded: %d", n)
				}
			})
		}
	}
}
