package engine_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"excerpt/engine"
	"excerpt/engine/internal/scan"
)

// soon fails the test if fn does not return.
func soon(t testing.TB, what string, fn func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute): // a machine that does much else is slow
		t.Fatalf("%s does not return", what)
	}
}

// Streams longer than what is kept in memory go to a file, of which nothing
// is left.
func TestLongStream(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	content := numbered(9<<20 + 777)
	selections := []selection{{"tail", 5, 0}, {"tail", 300_000, 0}, {"lines", 400_000, 400_003}, {"head", 250_000, 0}, {op: "all"}, {"bytes", -5 << 20, int64(len(content))}, {"lines", 1 << 30, 1 << 30}}
	if quick() {
		selections = selections[:2]
	}
	for _, once := range []bool{false, true} {
		for _, sel := range selections {
			k := kind{"stream", true, once, func(content []byte) (*engine.File, error) {
				return engine.NewStream("stream", bytes.NewReader(content), &engine.Options{Once: once}), nil
			}}
			checkText(t, content, k, scan.Plan{}, sel, readings[1:2])
			if sel.op == "lines" {
				check(t, content, k, scan.Plan{}, sel)
			}
		}
	}
	if left := must(os.ReadDir(dir)); len(left) > 0 {
		t.Errorf("%s was left behind", left[0].Name())
	}
}

// What a stream has is given at once, and not when a block of it is full.
func TestLiveStream(t *testing.T) {
	readings := map[string]func(*engine.Span, io.Writer) error{
		"WriteTo":       func(s *engine.Span, w io.Writer) error { _, err := s.WriteTo(w); return err },
		"WriteNumbered": func(s *engine.Span, w io.Writer) error { _, err := s.WriteNumbered(w); return err },
		"All": func(s *engine.Span, w io.Writer) error {
			for line, err := range s.All() {
				if err != nil {
					return err
				}
				if _, err := w.Write(line.Text); err != nil {
					return err
				}
			}
			return nil
		},
	}
	for name, read := range readings {
		t.Run(name, func(t *testing.T) {
			in, feed := io.Pipe()
			drain, out := io.Pipe()
			f := engine.NewStream("stream", in, &engine.Options{Once: true})
			defer f.Close()
			go func() {
				span, err := f.Lines(ctx, 2, engine.LastLine)
				if err == nil {
					err = read(span, out)
				}
				out.CloseWithError(err)
			}()
			soon(t, name, func() {
				io.WriteString(feed, "one\n")
				for _, line := range []string{"two", "three"} {
					io.WriteString(feed, line+"\n")
					got := make([]byte, 100)
					n, err := drain.Read(got)
					if err != nil || !strings.Contains(string(got[:n]), line) {
						t.Errorf("%q, %v, want %q", got[:n], err, line)
					}
					if strings.HasSuffix(string(got[:n]), ": ") { // the text comes by itself
						drain.Read(got)
					}
				}
				feed.Close()
				io.Copy(io.Discard, drain)
			})
		})
	}
}

func TestStreamWithoutDisk(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	content := numbered(9 << 20)
	open := func(opts *engine.Options) *engine.File {
		f := engine.NewStream("stream", bytes.NewReader(content), opts)
		t.Cleanup(func() { f.Close() })
		return f
	}
	if _, err := open(nil).Count(ctx); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("Count: %v, want an error that names TMPDIR", err)
	}
	// What is read once, and let go of, needs no disk.
	once := &engine.Options{Once: true}
	checkCount(t, open(once), content)
	for _, sel := range []selection{{op: "all"}, {"tail", 10, 0}, {"tail", 30_000, 0}, {"lines", 300_000, 1 << 40}, {"bytes", -1 << 20, int64(len(content))}} {
		f := open(once)
		want, _ := sel.reference(content)
		span, err := sel.locate(ctx, f)
		if err == nil {
			err = (&answer{Selection: want, sel: sel}).writeTo(span)
		}
		if err != nil {
			t.Errorf("%s, once: %v", sel, err)
		}
	}
}

func TestForgotten(t *testing.T) {
	f := engine.NewStream("stream", bytes.NewReader(numbered(1<<20)), &engine.Options{Once: true})
	defer f.Close()
	span := must(f.All(ctx))
	must(span.WriteTo(io.Discard))
	if _, err := span.WriteTo(io.Discard); !errors.Is(err, engine.ErrForgotten) {
		t.Errorf("read again: %v, want ErrForgotten", err)
	}
	if _, err := f.Tail(ctx, 5); !errors.Is(err, engine.ErrForgotten) {
		t.Errorf("selected again: %v, want ErrForgotten", err)
	}
}

// A reader that fails in its middle has given what came before.
func TestStreamFails(t *testing.T) {
	content := numbered(700_000)
	f := engine.NewStream("stream", io.MultiReader(bytes.NewReader(content), iotest.ErrReader(errDisk)), nil)
	defer f.Close()
	checkFile(t, f, content, kind{name: "failing", stream: true}, scan.Plan{}, selection{"head", 1000, 0}, nil)
	if _, err := f.Count(ctx); !errors.Is(err, errDisk) {
		t.Errorf("Count: %v", err)
	}
	if _, err := f.Tail(ctx, 1); !errors.Is(err, errDisk) {
		t.Errorf("Tail: %v", err)
	}
	var b bytes.Buffer
	if _, err := must(f.All(ctx)).WriteTo(&b); !errors.Is(err, errDisk) || !bytes.HasPrefix(content, b.Bytes()) {
		t.Errorf("WriteTo: %v after %d bytes", err, b.Len())
	}
	if f.Size() != -1 {
		t.Errorf("Size = %d of a stream that has not ended", f.Size())
	}
	checkFile(t, f, content, kind{name: "failing", stream: true}, scan.Plan{}, selection{"lines", 3, 9}, nil)
}

type lazy struct{}

func (lazy) Read([]byte) (int, error) { return 0, nil }

func TestStreamThatGivesNothing(t *testing.T) {
	f := engine.NewStream("stream", lazy{}, nil)
	defer f.Close()
	soon(t, "a scan", func() {
		if _, err := f.Head(ctx, 1); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%v, want io.ErrNoProgress", err)
		}
	})
}

// A stream is read no further than it must.
func TestStreamIsReadNoFurther(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go w.Write([]byte("one\ntwo\nthree"))
	f := engine.NewStream("pipe", r, nil)
	defer f.Close()
	soon(t, "a head of what is there", func() {
		checkText(t, []byte("one\ntwo\n"), kind{name: "pipe", open: func([]byte) (*engine.File, error) { return f, nil }}, scan.Plan{}, selection{"head", 2, 0}, readings[:1])
	})
}

// blocked gives nothing until it is told to.
type blocked struct{ release chan struct{} }

func (b blocked) Read(p []byte) (int, error) {
	<-b.release
	return copy(p, "late\n"), nil
}

// While one waits for a stream, nobody else has to who does not want to read.
func TestBlockedStream(t *testing.T) {
	r := blocked{make(chan struct{})}
	f := engine.NewStream("blocked", r, nil)
	headed := make(chan error)
	go func() {
		_, err := f.Head(ctx, 1)
		headed <- err
	}()
	time.Sleep(20 * time.Millisecond) // until it waits
	soon(t, "Size", func() {
		if f.Size() != -1 {
			t.Errorf("Size = %d", f.Size())
		}
	})
	soon(t, "Close", func() { must(0, f.Close()) })
	close(r.release)
	soon(t, "Head", func() {
		if err := <-headed; err != nil && !errors.Is(err, engine.ErrClosed) {
			t.Errorf("Head: %v, want ErrClosed or an answer", err)
		}
	})
}

// slowDeadline takes its time to be told to stop, as a loaded system does.
type slowDeadline struct {
	*os.File
}

func (r slowDeadline) SetReadDeadline(at time.Time) error {
	if !at.IsZero() {
		time.Sleep(20 * time.Millisecond)
	}
	return r.File.SetReadDeadline(at)
}

// A context that ends while a stream is waited for ends that wait, and no
// other one.
func TestContextEndsWait(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f := engine.NewStream("pipe", slowDeadline{r}, nil)
	defer f.Close()
	for range 3 {
		short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		soon(t, "a wait", func() {
			if _, err := f.Head(short, 1); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want that of the context", err)
			}
		})
		cancel()
	}
	// A read that is done just when its context ends.
	short, cancel := context.WithCancel(ctx)
	go func() {
		time.Sleep(10 * time.Millisecond)
		cancel()
		w.Write([]byte("one\n"))
	}()
	f.Head(short, 1)
	go func() {
		time.Sleep(50 * time.Millisecond)
		w.Write([]byte("two\n"))
		w.Close()
	}()
	soon(t, "a count", func() {
		if n, err := f.Count(ctx); n != 2 || err != nil {
			t.Errorf("Count = %d, %v; want 2", n, err)
		}
	})
}

func leaks(t *testing.T, before int) {
	t.Helper()
	var now int
	for range 200 {
		if now = runtime.NumGoroutine(); now <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines, before %d:\n%s", now, before, stacks[:runtime.Stack(stacks, true)])
}

// A long line that comes byte by byte takes time in proportion to its length.
func TestLineByteByByte(t *testing.T) {
	if raceEnabled {
		t.Skip("of one goroutine")
	}
	content := strings.Repeat("x", engine.MaxText-1) + "\n"
	f := engine.NewStream("stream", iotest.OneByteReader(strings.NewReader(content)), nil)
	defer f.Close()
	soon(t, "All", func() {
		for line, err := range must(f.All(ctx)).All() {
			if err != nil || len(line.Text) != engine.MaxText-1 || line.Cut {
				t.Errorf("%d bytes of text, cut: %t, %v", len(line.Text), line.Cut, err)
			}
		}
	})
}

// TestTextOfFarEnd: a span that ends far past the end of its stream takes no
// more memory than there is text.
func TestTextOfFarEnd(t *testing.T) {
	t.Parallel()
	content := numbered(1000)
	for _, end := range []engine.Offset{1001, 1 << 40, engine.LastOffset - 1, engine.LastOffset} {
		for _, limits := range []engine.Limits{{}, {Lines: -1, Bytes: -1}, {Bytes: 100}} {
			f := engine.NewStream("stream", bytes.NewReader(content), &engine.Options{Once: true})
			span, err := f.Bytes(ctx, 0, end)
			if err != nil {
				t.Fatal(err)
			}
			text, err := span.Text(limits)
			if err != nil || !bytes.HasPrefix(content, text.Data) || limits.Bytes != 100 && len(text.Data) != len(content) {
				t.Errorf("to %d, %+v: %d bytes, %v", end, limits, len(text.Data), err)
			}
			f.Close()
		}
	}
}

// The end of a span is known when that of the stream was seen.
func TestStreamOffsets(t *testing.T) {
	t.Parallel()
	f := engine.NewStream("stream", strings.NewReader("one\ntwo"), nil)
	defer f.Close()
	span := must(f.All(ctx))
	if _, end := span.Offsets(); end != engine.LastOffset {
		t.Errorf("before it was read, it ends at %d", end)
	}
	must(span.WriteTo(io.Discard))
	if start, end := span.Offsets(); start != 0 || end != 7 {
		t.Errorf("it is from %d to %d, not from 0 to 7", start, end)
	}
}
