package engine_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"excerpt/engine"
	"excerpt/engine/reverse"
)

var big = flag.Bool("big", false, "test memory with files of 8 GiB (they take as much of the disk)")

// peak returns the most that measure gave while fn ran, above what it gave before.
func peak(measure func() int64, fn func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	debug.FreeOSMemory()
	before := measure()
	most := before
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(200 * time.Microsecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				most = max(most, measure())
			}
		}
	})
	fn()
	close(stop)
	wg.Wait()
	return max(most, measure()) - before
}

// heap is what is allocated, garbage included.
func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// oneLine makes a file that is one line, between two short ones.
func oneLine(t *testing.T, size int64, dense bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "line.log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if dense {
		w := bufio.NewWriter(file)
		fmt.Fprint(w, "first\n")
		block := bytes.Repeat([]byte("\u4e16 "), 1<<18)
		for left := size; left > 0; left -= int64(len(block)) {
			w.Write(block)
		}
		fmt.Fprint(w, "\nlast\n")
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	must(file.WriteString("first\n"))
	must(file.WriteAt([]byte("\nlast\n"), size))
	return path
}

// No operation's heap grows with the file, nor with its longest line.
func TestHeap(t *testing.T) {
	size := int64(64 << 20)
	switch {
	case *big:
		size = 8 << 30
	case quick():
		size = 32 << 20
	}
	const most = 16 << 20
	for _, dense := range []bool{true, false} {
		path := oneLine(t, size, dense)
		for _, opts := range []engine.Options{{}, {Unmapped: true}} {
			f := must(engine.Open(path, &opts))
			operations := map[string]func(){
				"Count":    func() { must(f.Count(ctx)) },
				"Describe": func() { must(f.Describe(ctx)) },
				"Lines":    func() { must(must(f.Lines(ctx, 2, 3)).WriteTo(io.Discard)) },
				"Head":     func() { must(must(f.Head(ctx, 2)).WriteTo(io.Discard)) },
				"Tail":     func() { must(must(f.Tail(ctx, 2)).WriteNumbered(io.Discard)) },
				"Text":     func() { must(must(f.Tail(ctx, 2)).Text(engine.Limits{Numbers: true, Valid: true})) },
				"All": func() {
					for _, err := range must(f.All(ctx)).All() {
						must(0, err)
					}
				},
				"reverse": func() {
					r := reverse.NewReader(ctx, f, f.Size())
					for {
						if _, err := r.Next(); err == io.EOF {
							return
						} else if err != nil {
							panic(err)
						}
					}
				},
			}
			for name, operation := range operations {
				if got := peak(heap, operation); got > most {
					t.Errorf("%s, dense %t, unmapped %t: %d MiB of heap", name, dense, opts.Unmapped, got>>20)
				}
			}
			f.Close()
		}
		if !dense {
			continue
		}
		for _, once := range []bool{false, true} {
			streamed := func() {
				file := must(os.Open(path))
				defer file.Close()
				f := engine.NewStream("stream", file, &engine.Options{Once: once})
				defer f.Close()
				must(must(f.Tail(ctx, 1)).WriteTo(io.Discard))
			}
			if got := peak(heap, streamed); got > most {
				t.Errorf("the tail of a stream, once %t: %d MiB of heap", once, got>>20)
			}
		}
	}
}

// A whole-file scan does not leave the file in the process's memory.
func TestResident(t *testing.T) {
	resident := func() int64 {
		statm, err := os.ReadFile("/proc/self/statm")
		if err != nil {
			t.Skip("no /proc/self/statm here")
		}
		pages := must(strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64))
		return pages * int64(os.Getpagesize())
	}
	size := int64(192 << 20)
	if *big {
		size = 8 << 30
	}
	path := oneLine(t, size, true)
	f := must(engine.Open(path, nil))
	defer f.Close()
	const most = 96 << 20
	for name, scan := range map[string]func(){
		"Count":    func() { must(f.Count(ctx)) },
		"Describe": func() { must(f.Describe(ctx)) },
		"Tail":     func() { must(f.Tail(ctx, 2)) },
		"WriteTo":  func() { must(must(f.All(ctx)).WriteTo(io.Discard)) },
	} {
		if got := peak(resident, scan); got > most {
			t.Errorf("%s of %d MiB: %d MiB became resident", name, size>>20, got>>20)
		}
	}
	runtime.KeepAlive(f)
}
