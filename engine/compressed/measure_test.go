//go:build unix

package compressed

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"excerpt/engine"
)

var (
	measured = flag.String("measure", "", "measure this compressed file, a large one")
	rounds   = flag.Int("rounds", 5, "how often each side of -measure has its turn")
)

// TestMeasure prints how the passes over a large file compare with plain
// decoding by the same package: a reader of one goroutine, to nowhere, in reads
// of a megabyte. What the sides give is compared first. Then they take turns,
// and the least time of each counts, on a clock and of all processors.
//
//	go test ./engine/compressed -run Measure -v -measure FILE
func TestMeasure(t *testing.T) {
	if *measured == "" {
		t.Skip("no -measure FILE")
	}
	ctx := context.Background()
	dir := t.TempDir()
	opts := &engine.Options{Cache: filepath.Join(dir, "cache")}
	timed := func(least *cost, fn func() error) cost {
		runtime.GC()
		start, used := time.Now(), processorTime()
		if err := fn(); err != nil {
			t.Fatal(err)
		}
		d := cost{time.Since(start), processorTime() - used}
		if least.wall == 0 || d.wall < least.wall {
			least.wall = d.wall
		}
		if least.used == 0 || d.used < least.used {
			least.used = d.used
		}
		return d
	}
	var plain, first, write, tail, again, describe cost
	var sidecar, size int64
	want, got := crc32.New(castagnoli), crc32.New(castagnoli)
	if err := decodePlainly(*measured, want); err != nil {
		t.Fatal(err)
	}
	f := mustOpen(t, *measured, opts, usual)
	for range 2 { // the first read, and the second
		got.Reset()
		if err := writeAll(ctx, f, got); err != nil || got.Sum32() != want.Sum32() {
			t.Fatal("it does not read like what is plainly decoded", err)
		}
	}
	for range *rounds {
		p := timed(&plain, func() error { return decodePlainly(*measured, nil) })
		f1 := timed(&first, func() error {
			_ = os.RemoveAll(opts.Cache)
			f, err := Open(*measured, opts)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.Tail(ctx, 10)
			return err
		})
		w1 := timed(&write, func() error {
			f, err := Open(*measured, &engine.Options{Cache: engine.NoCache})
			if err != nil {
				return err
			}
			defer f.Close()
			return writeAll(ctx, f, io.Discard)
		})
		t1 := timed(&tail, func() error {
			f, err := Open(*measured, opts)
			if err != nil {
				return err
			}
			defer f.Close()
			span, err := f.Tail(ctx, 10)
			if err != nil {
				return err
			}
			_, err = span.WriteTo(io.Discard)
			return err
		})
		a1 := timed(&again, func() error {
			f, err := Open(*measured, opts)
			if err != nil {
				return err
			}
			defer f.Close()
			size = f.Size()
			return writeAll(ctx, f, io.Discard)
		})
		d1 := timed(&describe, func() error {
			f, err := Open(*measured, opts)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.Describe(ctx)
			return err
		})
		if files, _ := filepath.Glob(filepath.Join(opts.Cache, "*")); len(files) == 1 {
			info, _ := os.Stat(files[0])
			sidecar = info.Size()
		}
		t.Logf("plain %v, first tail %v, first write %v, second tail %v, second write %v, second description %v", p, f1, w1, t1, a1, d1)
	}
	info, err := os.Stat(*measured)
	if err != nil {
		t.Fatal(err)
	}
	ratio := func(a, b cost) string {
		return fmt.Sprintf("%.3f × (%.3f × of processor time)", float64(a.wall)/float64(b.wall), float64(a.used)/float64(b.used))
	}
	t.Logf("%s, %d bytes of %d", filepath.Base(*measured), info.Size(), size)
	t.Logf("first tail / plain decoding: %s", ratio(first, plain))
	t.Logf("first write / plain decoding: %s", ratio(write, plain))
	t.Logf("plain decoding / second write: %s", ratio(plain, again))
	t.Logf("first write / second write: %s", ratio(write, again))
	t.Logf("second tail: %v; second description: %v", tail, describe)
	t.Logf("sidecar: %d bytes, %.2f %% of the file", sidecar, 100*float64(sidecar)/float64(info.Size()))
}

// A cost is what something takes: on a clock, and of all processors.
type cost struct{ wall, used time.Duration }

func (c cost) String() string {
	return fmt.Sprintf("%.1f ms (%.1f ms of processor time)", 1e3*c.wall.Seconds(), 1e3*c.used.Seconds())
}

func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func writeAll(ctx context.Context, f *engine.File, w io.Writer) error {
	span, err := f.All(ctx)
	if err != nil {
		return err
	}
	_, err = span.WriteTo(onlyWriter{w})
	return err
}

type onlyWriter struct{ io.Writer }

// decodePlainly decodes a file, to w if there is one.
func decodePlainly(path string, w io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, inputBlock)
	b, _ := in.Peek(sniff)
	var r io.Reader
	switch Detect(b) {
	case Gzip:
		r, err = gzip.NewReader(in)
	case Zstd:
		r, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
	default:
		r = s2.NewReader(in)
	}
	if err != nil {
		return err
	}
	buf := make([]byte, 1<<20)
	for {
		n, err := r.Read(buf)
		if w != nil {
			_, _ = w.Write(buf[:n])
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
