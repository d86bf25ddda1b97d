package counting_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"excerpt/bench/gate/counting"
)

func TestReader(t *testing.T) {
	p := make([]byte, 100)
	got := testing.Benchmark(func(b *testing.B) {
		r := counting.NewReader(strings.NewReader(strings.Repeat("x", 250)))
		_, _ = r.ReadAt(p, 0)
		r.Reset()
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
