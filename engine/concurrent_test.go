package engine_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"excerpt/engine"
	"excerpt/engine/internal/scan"
)

// Many read a log that is written to and refreshed all the while. What was
// located is right for the size that it was located at.
func TestConcurrentReaders(t *testing.T) {
	t.Parallel()
	for _, unmapped := range []bool{false, true} {
		const begin, end = 100_000, 160_000
		content := numbered(end)
		f, path := openFile(t, content[:begin], &engine.Options{Unmapped: unmapped})
		f.SetPlan(scan.Plan{Workers: 3, Alone: 8 << 10, Stripe: 8 << 10, Block: 4 << 10})
		var stop atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			defer stop.Store(true)
			for at := begin; at < end; at += 500 {
				if err := appendTo(path, content[at:min(end, at+500)]); err != nil {
					t.Error(err)
				}
				if _, err := f.Refresh(); err != nil {
					t.Error(err)
				}
			}
		})
		for i := range 4 {
			rnd := rand.New(rand.NewPCG(1, uint64(i)))
			wg.Go(func() {
				for !stop.Load() {
					sel := []selection{{"head", rnd.Int64N(4000), 0}, {"tail", rnd.Int64N(4000), 0}, {"lines", 1 + rnd.Int64N(3000), 3100}, {op: "all"}}[rnd.IntN(4)]
					span, err := sel.locate(ctx, f)
					if err != nil {
						t.Error(err)
						return
					}
					size := int64(end)
					if sel.op == "tail" || sel.op == "all" {
						_, at := span.Offsets()
						size = int64(at)
					}
					want, _ := sel.reference(content[:size])
					if err := (&answer{Selection: want}).writeTo(span); err != nil {
						t.Errorf("%s at %d bytes: %v", sel, size, err)
						return
					}
				}
			})
		}
		wg.Wait()
		checkFile(t, f, content, kind{name: "grown"}, tiny, selection{"tail", 100, 0}, nil)
	}
}

// Close in the middle of anything gives ErrClosed, and leaves nothing behind.
func TestCloseWhileRead(t *testing.T) {
	before := runtime.NumGoroutine()
	content := numbered(300_000)
	operations := map[string]func(f *engine.File) error{
		"Count": func(f *engine.File) error { _, err := f.Count(ctx); return err },
		"Tail":  func(f *engine.File) error { _, err := f.Tail(ctx, 3000); return err },
		"Lines": func(f *engine.File) error { _, err := f.Lines(ctx, 9000, 9001); return err },
		"WriteTo": func(f *engine.File) error {
			span, err := f.All(ctx)
			if err == nil {
				_, err = span.WriteTo(io.Discard)
			}
			return err
		},
		"All": func(f *engine.File) error {
			span, err := f.All(ctx)
			if err != nil {
				return err
			}
			for _, err := range span.All() {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"Refresh": func(f *engine.File) error { _, err := f.Refresh(); return err },
		"ReadAt":  func(f *engine.File) error { _, err := f.ReadAt(make([]byte, 10), 5); return err },
	}
	for name, operation := range operations {
		for _, k := range kinds(t.TempDir()) {
			if k.once || k.stream && k.name != "stream" {
				continue
			}
			f, err := k.open(content)
			if err != nil {
				t.Fatal(err)
			}
			f.SetPlan(scan.Plan{Workers: 3, Alone: 8 << 10, Stripe: 8 << 10, Block: 1 << 10, First: 1 << 10})
			if err := operation(f); err != nil {
				t.Fatalf("%s of %s: %v", name, k.name, err)
			}
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					for {
						if err := operation(f); errors.Is(err, engine.ErrClosed) {
							return
						} else if err != nil {
							t.Errorf("%s of %s: %v, want ErrClosed", name, k.name, err)
							return
						}
					}
				})
			}
			time.Sleep(time.Millisecond)
			soon(t, "Close", func() {
				if err := f.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
			soon(t, name, wg.Wait)
			if err := f.Close(); !errors.Is(err, engine.ErrClosed) {
				t.Errorf("Close once more: %v", err)
			}
		}
	}
	leaks(t, before)
}

// A scan that is under way ends, and not only the one after it.
func TestCloseEndsScan(t *testing.T) {
	before := runtime.NumGoroutine()
	content := numbered(600_000)
	for _, k := range kinds(t.TempDir()) {
		for _, workers := range []int{1, 3} {
			f := must(k.open(content))
			f.SetPlan(scan.Plan{Workers: workers, Alone: 8 << 10, Stripe: 8 << 10, Block: 1 << 10})
			reports := 0
			closing := engine.WithProgress(ctx, func(int64, int64) { reports++; f.Close() })
			if _, err := f.Count(closing); !errors.Is(err, engine.ErrClosed) || reports > 10 {
				t.Errorf("Count of %s by %d: %v, want ErrClosed, after %d reports", k.name, workers, err, reports)
			}
			f = must(k.open(content))
			out := &hookedWriter{at: func(int) { f.Close() }}
			n, err := must(f.All(ctx)).WriteTo(out)
			if !errors.Is(err, engine.ErrClosed) || n >= int64(len(content)) {
				t.Errorf("WriteTo of %s: %d bytes, %v; want ErrClosed", k.name, n, err)
			}
		}
	}
	leaks(t, before)
}

// A span is no use after its File was closed, and says so.
func TestSpanAfterClose(t *testing.T) {
	for _, k := range kinds(t.TempDir()) {
		f, done := k.openIn(t, []byte("one\ntwo\n"), tiny)
		span := must(f.Tail(ctx, 1))
		done()
		c := answer{kind: k}
		for _, r := range append(readings[1:4:4], textWithin(engine.Limits{})) {
			if err := r.of(&c, span); !errors.Is(err, engine.ErrClosed) {
				t.Errorf("%s of %s: %v, want ErrClosed", r.name, k.name, err)
			}
		}
		if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("ReadAt of %s: %v, want ErrClosed", k.name, err)
		}
	}
}

// One span can be read by several at once.
func TestOneSpanForAll(t *testing.T) {
	t.Parallel()
	content := numbered(200_000)
	for _, k := range kinds(t.TempDir()) {
		if k.once {
			continue
		}
		f, done := k.openIn(t, content, scan.Plan{Workers: 3, Alone: 8 << 10, Stripe: 8 << 10})
		sel := selection{"tail", 1000, 0}
		want, _ := sel.reference(content)
		span := must(f.Tail(ctx, 1000))
		var wg sync.WaitGroup
		for _, r := range []reading{readings[1], readings[3], readings[5], readings[1], textWithin(engine.Limits{Numbers: true})} {
			wg.Go(func() {
				if err := r.of(&answer{want, sel, k}, span); err != nil {
					t.Errorf("%s of %s: %v", r.name, k.name, err)
				}
			})
		}
		wg.Wait()
		done()
	}
}

func TestReadAt(t *testing.T) {
	content := numbered(10_000)
	for _, k := range kinds(t.TempDir()) {
		if k.stream {
			continue
		}
		f, done := k.openIn(t, content, tiny)
		for _, at := range []struct {
			off int64
			n   int
			err error
		}{{0, 10, nil}, {9_990, 10, nil}, {9_990, 11, io.EOF}, {10_000, 1, io.EOF}, {20_000, 1, io.EOF}, {5, 0, nil}} {
			p := bytes.Repeat([]byte{'#'}, at.n)
			n, err := f.ReadAt(p, at.off)
			want := content[min(at.off, 10_000):min(at.off+int64(at.n), 10_000)]
			if err != at.err || !bytes.Equal(p[:n], want) {
				t.Errorf("%s: %d bytes at %d: %q, %v", k.name, at.n, at.off, p[:n], err)
			}
		}
		if _, err := f.ReadAt(make([]byte, 1), -1); err == nil {
			t.Errorf("%s: a negative offset is no error", k.name)
		}
		done()
	}
}
