package counting_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"excerpt/bench/gate/counting"
	"excerpt/engine"
)

func TestReader(t *testing.T) {
	p := make([]byte, 100)
	got := testing.Benchmark(func(b *testing.B) {
		r := counting.NewReader(strings.NewReader(strings.Repeat("x", 250)))
		_, _ = r.ReadAt(p, 0)
		r.Take()
		for b.Loop() {
			_, _ = r.ReadAt(p, 0)
			_, _ = r.ReadAt(p, 200) // gives half of it
		}
		r.Report(b)
	})
	if reads, bytes := got.Extra[counting.Reads], got.Extra[counting.Bytes]; reads != 2 || bytes != 150 {
		t.Errorf("%v reads and %v bytes, want 2 and 150", reads, bytes)
	}
}

func TestProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux counts the reads of a process")
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, make([]byte, 250), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := make([]byte, 100)
	got := testing.Benchmark(func(b *testing.B) {
		c := counting.StartProcess()
		for b.Loop() {
			_, _ = f.ReadAt(p, 0)
			_, _ = f.ReadAt(p, 200)
		}
		c.Report(b)
	})
	// The second read comes to the end, which takes another one.
	if reads, bytes := got.Extra[counting.Reads], got.Extra[counting.Bytes]; reads != 3 || bytes != 150 {
		t.Errorf("%v reads and %v bytes, want 3 and 150", reads, bytes)
	}
}

// What the engine reads is exact.
func TestEngine(t *testing.T) {
	text := strings.Repeat("a line\n", 100_000)
	r := counting.NewReader(strings.NewReader(text))
	f := engine.New("text", r, int64(len(text)), &engine.Options{Workers: 1})
	defer f.Close()
	if _, err := f.Count(context.Background()); err != nil {
		t.Fatal(err)
	}
	// The last byte is read once more: it says whether the last line has ended.
	if got := r.Take(); got.Bytes != int64(len(text))+1 || got.Reads < 3 {
		t.Errorf("a count has read %+v of %d bytes", got, len(text))
	}
	if _, err := f.Tail(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if got := r.Take(); got != (counting.Count{Bytes: 4<<10 + 1, Reads: 2}) {
		t.Errorf("the tail of a line has read %+v", got)
	}
	if got := r.Take(); got != (counting.Count{}) {
		t.Errorf("nothing has read %+v", got)
	}
}
