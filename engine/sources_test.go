package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"excerpt/engine"
	"excerpt/engine/internal/scan"
)

// Files that do not say how long they are, or not truly.
func TestSystemFiles(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/proc/cpuinfo", "/proc/self/maps", "/proc/self/cmdline", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/devices/system/cpu/online"} {
		want, err := os.ReadFile(path)
		if err != nil {
			continue // not on this system
		}
		for _, opts := range []engine.Options{{}, {Unmapped: true}, {Stream: true}} {
			f, err := engine.Open(path, &opts)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if path == "/proc/self/maps" { // never twice the same
				if n, err := f.Count(ctx); err != nil || n < 3 {
					t.Errorf("%s: %d lines, %v", path, n, err)
				}
			} else if path != "/proc/cpuinfo" {
				checkFile(t, f, want, kind{name: path, stream: true}, scan.Plan{}, selection{op: "all"}, nil)
				checkFile(t, f, want, kind{name: path, stream: true}, scan.Plan{}, selection{"tail", 1, 0}, nil)
			} else if head, err := f.Head(ctx, 1); err != nil {
				t.Errorf("%s: %v", path, err)
			} else { // it has the current speed of each processor
				first, _, _ := bytes.Cut(want, []byte("\n"))
				if text, err := head.Text(engine.Limits{}); err != nil || string(text.Data) != string(first)+"\n" {
					t.Errorf("%s: %+v, %v", path, text, err)
				}
			}
			f.Close()
		}
	}
}

func TestNoRegularFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing")
	for _, test := range []struct {
		path string
		want error
	}{{dir, syscall.EISDIR}, {missing, fs.ErrNotExist}, {filepath.Join(missing, "x"), fs.ErrNotExist}} {
		_, err := engine.Open(test.path, nil)
		var path *fs.PathError
		if !errors.Is(err, test.want) || !errors.As(err, &path) || path.Path != test.path {
			t.Errorf("%s: %v, want %v with the path", test.path, err, test.want)
		}
		if _, err := engine.Open(test.path, &engine.Options{Stream: true}); !errors.Is(err, test.want) {
			t.Errorf("%s as a stream: %v, want %v", test.path, err, test.want)
		}
	}
	if _, err := os.Stat("/dev/null"); err == nil {
		if _, err := engine.Open("/dev/null", nil); err == nil || !strings.Contains(err.Error(), "device") {
			t.Errorf("/dev/null: %v", err)
		}
		f, err := engine.Open("/dev/null", &engine.Options{Stream: true})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		checkFile(t, f, nil, kind{name: "/dev/null", stream: true}, scan.Plan{}, selection{"tail", 3, 0}, nil)
	}
}

// A root confines: what leads out of it is not opened.
func TestRoot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inside := filepath.Join(dir, "inside")
	must(0, errors.Join(
		os.Mkdir(inside, 0o700),
		os.WriteFile(filepath.Join(dir, "secret"), []byte("secret\n"), 0o600),
		os.WriteFile(filepath.Join(inside, "app.log"), []byte("one\ntwo\n"), 0o600),
	))
	if err := os.Symlink("../secret", filepath.Join(inside, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	opts := &engine.Options{Open: root.OpenFile}
	for _, name := range []string{"link", "../secret", filepath.Join(dir, "secret")} {
		if f, err := engine.Open(name, opts); err == nil {
			f.Close()
			t.Errorf("%s was opened", name)
		}
	}
	f, err := engine.Open("app.log", opts)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	checkFile(t, f, []byte("one\ntwo\n"), kind{name: "root"}, tiny, selection{"tail", 1, 0}, nil)
	must(0, replace(filepath.Join(inside, "app.log"), []byte("new\n")))
	if c, err := f.Refresh(); c != engine.Replaced || err != nil {
		t.Errorf("Refresh: %v, %v", c, err)
	}
	checkFile(t, f, []byte("new\n"), kind{name: "root"}, tiny, selection{op: "all"}, nil)
}

func TestInvalidSelections(t *testing.T) {
	for _, sel := range []selection{{"head", -1, 0}, {"tail", -1, 0}, {"prefix", -1, 0}, {"lines", 0, 1}, {"lines", -1, 1}, {"lines", 3, 2}, {"bytes", 3, 2}, {"bytes", -1, -1}} {
		check(t, []byte("a\n"), readerAt, tiny, sel)
	}
}

func TestRangeErrorSays(t *testing.T) {
	for content, want := range map[string]string{
		"":       "mem: no line 5: the file is empty",
		"a":      "mem: no line 5: the file has 1 line",
		"a\nb\n": "mem: no line 5: the file has 2 lines",
	} {
		f := engine.New("mem", strings.NewReader(content), int64(len(content)), nil)
		if _, err := f.Lines(ctx, 5, 6); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
		f.Close()
	}
}

// failing fails at an offset.
type failing struct {
	io.ReaderAt
	at int64
}

var errDisk = errors.New("the disk is on fire")

func (r failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > r.at {
		return 0, errDisk
	}
	return r.ReaderAt.ReadAt(p, off)
}

// An error of the source is that of each operation that comes to it.
func TestSourceFails(t *testing.T) {
	t.Parallel()
	content := numbered(1 << 20)
	for _, at := range []int64{0, 1 << 19} {
		f := engine.New("disk", failing{bytes.NewReader(content), at}, int64(len(content)), nil)
		f.SetPlan(scan.Plan{Workers: 3, Alone: 1 << 16, Stripe: 1 << 16, Block: 1 << 15})
		failures := map[string]func() error{
			"Count": func() error { _, err := f.Count(ctx); return err },
			"Tail":  func() error { _, err := f.Tail(ctx, 3); return err },
			"Lines": func() error { _, err := f.Lines(ctx, 1<<40, engine.LastLine); return err },
			"WriteTo": func() error {
				_, err := must(f.All(ctx)).WriteTo(io.Discard)
				return err
			},
			"All": func() error {
				for _, err := range must(f.All(ctx)).All() {
					if err != nil {
						return err
					}
				}
				return nil
			},
			"Text":   func() error { _, err := must(f.Bytes(ctx, -1000, engine.LastOffset)).Text(engine.Limits{}); return err },
			"Number": func() error { _, err := must(f.Bytes(ctx, -1000, engine.LastOffset)).Number(ctx); return err },
		}
		for name, fn := range failures {
			var path *fs.PathError
			if err := fn(); !errors.Is(err, errDisk) || !errors.As(err, &path) || path.Path != "disk" {
				t.Errorf("%s: %v, want that of the source with the path", name, err)
			}
		}
		f.Close()
	}
}

// A reader that has less than was said.
func TestShortReaderAt(t *testing.T) {
	f := engine.New("short", bytes.NewReader([]byte("a\nb\n")), 10, nil)
	defer f.Close()
	if _, err := f.Count(ctx); !errors.Is(err, engine.ErrTruncated) {
		t.Errorf("Count: %v, want ErrTruncated", err)
	}
	if _, err := f.Tail(ctx, 1); !errors.Is(err, engine.ErrTruncated) {
		t.Errorf("Tail: %v, want ErrTruncated", err)
	}
	if _, err := f.Prefix(ctx, 6); !errors.Is(err, engine.ErrTruncated) {
		t.Errorf("Prefix: %v, want ErrTruncated", err)
	}
}

// A context that ends before, and in the middle of, an operation.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	content := numbered(1 << 20)
	for _, k := range kinds(t.TempDir()) {
		if k.once || k.name == "stream of one byte" {
			continue
		}
		f, done := k.openIn(t, content, scan.Plan{Workers: 3, Alone: 1 << 16, Stripe: 1 << 16, Block: 1 << 15})
		ended, cancel := context.WithCancel(ctx)
		span := must(f.All(ended))
		counting := engine.WithProgress(ended, func(done, total int64) { cancel() })
		if _, err := f.Count(counting); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: Count: %v", k.name, err)
		}
		for _, sel := range selections(1)[2:] {
			if _, err := sel.locate(ended, f); !errors.Is(err, context.Canceled) && !errors.Is(err, engine.ErrSelection) {
				t.Errorf("%s: %s: %v", k.name, sel, err)
			}
		}
		if n, err := span.WriteTo(io.Discard); n > 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: WriteTo: %d, %v", k.name, n, err)
		}
		for line, err := range span.All() {
			if err == nil {
				t.Errorf("%s: All: %d", k.name, line.Number)
			}
			break
		}
		checkCount(t, f, content) // the File goes on
		done()
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	content := numbered(1 << 20)
	f := engine.New("mem", bytes.NewReader(content), int64(len(content)), nil)
	defer f.Close()
	f.SetPlan(scan.Plan{Workers: 3, Alone: 1 << 16, Stripe: 1 << 16, Block: 1 << 14})
	var last int64
	reports := 0
	_, err := f.Count(engine.WithProgress(ctx, func(done, total int64) {
		if done <= last || done > total || total != int64(len(content)) {
			err := fmt.Sprintf("%d after %d, of %d", done, last, total)
			t.Error(err)
		}
		last = done
		reports++
	}))
	if err != nil || reports < 10 || last != int64(len(content)) {
		t.Errorf("%d reports, the last of %d, %v", reports, last, err)
	}
}
