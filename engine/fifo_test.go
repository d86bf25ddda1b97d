//go:build unix

package engine_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"excerpt/engine"
)

func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no FIFO: %v", err)
	}
	return path
}

func TestFIFOIsRefused(t *testing.T) {
	path := fifo(t)
	soon(t, "Open", func() {
		_, err := engine.Open(path, nil)
		var at *fs.PathError
		if !errors.As(err, &at) || !strings.Contains(err.Error(), "FIFO") {
			t.Errorf("%v, want a refusal of a FIFO", err)
		}
	})
}

// openFIFO opens both ends.
func openFIFO(t *testing.T) (*engine.File, *os.File) {
	t.Helper()
	path := fifo(t)
	writer := make(chan *os.File)
	go func() { writer <- must(os.OpenFile(path, os.O_WRONLY, 0)) }()
	f, err := engine.Open(path, &engine.Options{Stream: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, <-writer
}

func TestFIFO(t *testing.T) {
	f, w := openFIFO(t)
	content := numbered(600_000)
	go func() {
		w.Write(content)
		w.Close()
	}()
	k := kind{name: "FIFO", stream: true}
	for _, sel := range []selection{{"head", 3, 0}, {"tail", 9, 0}, {op: "all"}, {"lines", 50, 60}} {
		checkFile(t, f, content, k, tiny, sel, nil)
	}
}

func TestContextEndsWaitForFIFO(t *testing.T) {
	f, w := openFIFO(t)
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	soon(t, "Tail", func() {
		if _, err := f.Tail(short, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want that of the context", err)
		}
	})
	go func() {
		w.Write([]byte("one\ntwo\n"))
		w.Close()
	}()
	soon(t, "Tail", func() {
		var b bytes.Buffer
		if _, err := must(f.Tail(ctx, 1)).WriteTo(&b); err != nil || b.String() != "two\n" {
			t.Errorf("%q, %v", b.String(), err)
		}
	})
}

func TestCloseEndsWaitForFIFO(t *testing.T) {
	f, w := openFIFO(t)
	defer w.Close()
	tailed := make(chan error)
	go func() {
		_, err := f.Tail(ctx, 1)
		tailed <- err
	}()
	time.Sleep(20 * time.Millisecond) // until it waits
	soon(t, "Close", func() { must(0, f.Close()) })
	soon(t, "Tail after Close", func() {
		if err := <-tailed; !errors.Is(err, engine.ErrClosed) {
			t.Errorf("%v, want ErrClosed", err)
		}
	})
}
