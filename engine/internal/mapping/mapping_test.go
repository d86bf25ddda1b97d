package mapping

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
)

var page = int64(os.Getpagesize())

func mapped(t *testing.T, pages int64) (*Mapping, *os.File) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), int(pages*page)), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Open(file, true, pages*page)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(m.Close(), file.Close()); err != nil {
			t.Error(err)
		}
	})
	return m, file
}

// TestView says loudly that golang.org/x/exp/mmap has changed, and that
// everything would be read with a copy from now on.
func TestView(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m, err := Open(file, true, int64(len("content")))
	switch runtime.GOOS {
	case "linux", "darwin", "windows":
		if err != nil {
			t.Fatalf("NO VIEW OF A MAPPING on %s: %v. Files are read, at two thirds of the speed. Has the field of mmap.ReaderAt changed?", runtime.GOOS, err)
		}
	default:
		if err != nil {
			t.Skip(err)
		}
	}
	if got := string(m.Bytes(0, int(m.Size()))); got != "content" {
		t.Errorf("the view is %q", got)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenOnlyMapsFiles(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if m, err := Open(dir, true, page); err == nil {
		m.Close()
		t.Error("a folder was mapped")
	}
}

// touches are the ways in which a mapping is read.
var touches = map[string]func(b []byte){
	"Count":     func(b []byte) { bytes.Count(b, []byte("\n")) },
	"IndexByte": func(b []byte) { bytes.IndexByte(b, '\n') },
	"copy":      func(b []byte) { copy(make([]byte, len(b)), b) },
	"index":     func(b []byte) { sink.Store(b[0], b[len(b)-1]) },
}

var sink sync.Map

func TestGuardRecoversFaults(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file can't be cut short here")
	}
	const pages = 8
	for name, touch := range touches {
		m, file := mapped(t, pages)
		for _, left := range []int64{pages - 1, pages / 2, 0} {
			if err := file.Truncate(left * page); err != nil {
				t.Fatal(err)
			}
			guarded := func() error {
				return Guard(&m, func() error {
					touch(m.Bytes(0, int(m.Size())))
					return nil
				})
			}
			errs := make(chan error)
			go func() { errs <- guarded() }()
			for where, err := range map[string]error{"here": guarded(), "on another goroutine": <-errs} {
				var fault *Fault
				if !errors.As(err, &fault) || fault.Offset < left*page || fault.Offset >= pages*page {
					t.Errorf("%s %s, with %d pages left: %v", name, where, left, err)
				}
			}
			if left > 0 {
				if err := Guard(&m, func() error { touch(m.Bytes(0, int(left*page))); return nil }); err != nil {
					t.Errorf("%s of the %d pages that are left: %v", name, left, err)
				}
			}
		}
	}
}

func TestGuardGivesErrors(t *testing.T) {
	m, _ := mapped(t, 1)
	want := errors.New("an error")
	if err := Guard(&m, func() error { return want }); err != want {
		t.Errorf("%v, want that of the function", err)
	}
	if err := Guard(&m, func() error { return nil }); err != nil {
		t.Error(err)
	}
}

// Panics of others are theirs: also faults, outside of the mapping.
func TestGuardPassesOnPanics(t *testing.T) {
	m, _ := mapped(t, 1)
	other, file := mapped(t, 2)
	if err := file.Truncate(0); err != nil {
		t.Fatal(err)
	}
	var none *Mapping
	for name, fn := range map[string]func(){
		"a value":               func() { panic("mine") },
		"a nil pointer":         func() { _ = none.view },
		"an index out of range": func() { _ = m.Bytes(page-1, 2) },
		"another mapping":       func() { sink.Store(0, other.Bytes(page, 1)[0]) },
	} {
		if runtime.GOOS == "windows" && name == "another mapping" {
			continue
		}
		func() {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the panic was swallowed", name)
				}
			}()
			_ = Guard(&m, func() error { fn(); return nil })
		}()
	}
}

// The setting of the goroutine is as it was, whatever happened.
func TestGuardRestores(t *testing.T) {
	m, _ := mapped(t, 1)
	for _, setting := range []bool{true, false} {
		before := debug.SetPanicOnFault(setting)
		_ = Guard(&m, func() error { return nil })
		if got := debug.SetPanicOnFault(setting); got != setting {
			t.Errorf("%t became %t", setting, got)
		}
		func() {
			defer func() { _ = recover() }()
			_ = Guard(&m, func() error { panic("mine") })
		}()
		if got := debug.SetPanicOnFault(before); got != setting {
			t.Errorf("%t became %t after a panic", setting, got)
		}
	}
}

// Advice changes no byte, wherever it is given.
func TestAdvice(t *testing.T) {
	m, _ := mapped(t, 4)
	m.Scan()
	for _, from := range []int64{0, 1, page - 1, page, 2*page + 5} {
		for _, to := range []int64{0, 1, page, 2 * page, 3*page + 7, 4 * page} {
			m.Forget(from, to)
		}
	}
	if n := bytes.Count(m.Bytes(0, int(m.Size())), []byte("x")); int64(n) != 4*page {
		t.Errorf("%d bytes are left of %d", n, 4*page)
	}
}
