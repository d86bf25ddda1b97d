package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"excerpt/engine"
	"excerpt/engine/internal/reference"
	"excerpt/engine/internal/scan"
)

// numbered is a content whose lines are all different, and have no NUL.
func numbered(size int) []byte {
	b := make([]byte, 0, size+32)
	for len(b) < size {
		b = fmt.Appendf(b, "line at %012d\n", len(b))
	}
	return b[:size]
}

// A change happens to the file at path, which had the content.
type change struct {
	name string
	make func(path string, content []byte) error
	size func(size int64) int64 // what is left of the bytes that were there
}

func truncateTo(name string, size func(int64) int64) change {
	return change{name, func(path string, content []byte) error {
		return os.Truncate(path, size(int64(len(content))))
	}, size}
}

func nothing(int64) int64         { return 0 }
func everything(n int64) int64    { return n }
func upper(content []byte) []byte { return bytes.ToUpper(content) }

var page = int64(os.Getpagesize())

var overwritten = change{"overwritten, as long", func(path string, content []byte) error {
	return os.WriteFile(path, upper(content), 0o600)
}, nothing}

var changes = []change{
	truncateTo("cut to nothing", nothing),
	truncateTo("cut to half a page", func(n int64) int64 { return n/2/page*page + page/2 }),
	truncateTo("cut to a page", func(n int64) int64 { return n / 2 / page * page }),
	truncateTo("cut by one byte", func(n int64) int64 { return n - 1 }),
	truncateTo("cut to 300 bytes", func(int64) int64 { return 300 }),
	{"overwritten, shorter", func(path string, content []byte) error {
		return os.WriteFile(path, upper(content[:len(content)/2]), 0o600)
	}, nothing},
	overwritten,
	{"overwritten, longer", func(path string, content []byte) error {
		return os.WriteFile(path, upper(append(content, content...)), 0o600)
	}, nothing},
	{"grown", func(path string, content []byte) error {
		return appendTo(path, upper(content))
	}, everything},
	{"replaced", func(path string, content []byte) error {
		return replace(path, upper(content))
	}, everything},
	{"deleted", func(path string, _ []byte) error { return os.Remove(path) }, everything},
	{"deleted and made again", func(path string, content []byte) error {
		return errors.Join(os.Remove(path), os.WriteFile(path, upper(content), 0o600))
	}, everything},
}

func appendTo(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

func replace(path string, b []byte) error {
	return errors.Join(os.WriteFile(path+".new", b, 0o600), os.Rename(path+".new", path))
}

// A moment is when the change comes: hooks are called at places of an
// operation, and the one that is meant makes the change.
type moment string

const (
	beforeLocate  moment = "before locating"
	whileLocate   moment = "in the middle of locating"    // when the context is looked at
	whileScanning moment = "in the middle of a long scan" // when it tells its progress
	beforeRead    moment = "between locating and reading"
	whileRead     moment = "in the middle of reading" // when the context is looked at
	atWrite       moment = "at the first write"
	atLastWrite   moment = "at the last write"
)

// askedContext calls back each time that it is asked for its error.
type askedContext struct {
	context.Context
	asked func()
}

func (c askedContext) Err() error { c.asked(); return nil }

// hookedWriter calls back at each write.
type hookedWriter struct {
	bytes.Buffer
	at func(written int)
}

func (w *hookedWriter) Write(p []byte) (int, error) {
	w.at(w.Len() + len(p))
	return w.Buffer.Write(p)
}

// TestChangeUnderRead makes each change at each moment of each operation.
func TestChangeUnderRead(t *testing.T) {
	t.Parallel()
	size := 400_000
	content := numbered(size)
	lines, _ := reference.Count(bytes.NewReader(content))
	small := scan.Plan{Workers: 3, Alone: 64 << 10, Stripe: 32 << 10, Block: 16 << 10, First: 4 << 10}
	selections := []selection{
		{op: "all"},
		{"head", 10, 0},
		{"head", lines / 2, 0},
		{"head", lines, 0},
		{"tail", 10, 0},
		{"tail", lines / 2, 0},
		{"tail", lines + 1, 0},
		{"lines", lines / 2, lines/2 + 100},
		{"lines", lines - 5, math.MaxInt64},
		{"lines", lines + 5, lines + 9},
		{"prefix", int64(size) / 2, 0},
		{"prefix", int64(size) - 1, 0},
		{"bytes", int64(size) / 2, math.MaxInt64},
		{"bytes", -300_000, int64(size)},
	}
	if quick() {
		selections = []selection{selections[2], selections[5], selections[7], selections[10]}
	}
	want := map[selection]reference.Selection{}
	for _, sel := range selections {
		want[sel], _ = sel.reference(content)
	}
	for name, mapAfter := range map[string]int64{"mapped": 0, "mapped on the way": 100_000, "unmapped": math.MaxInt64} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "app.log")
			for _, when := range []moment{beforeLocate, whileLocate, whileScanning, beforeRead, whileRead, atWrite, atLastWrite} {
				happened := 0
				for _, change := range changes {
					for _, sel := range selections {
						f := fault{path: path, content: content, mapAfter: mapAfter, plan: small, change: change, when: when, sel: sel}
						if err := f.run(want[sel]); err != nil {
							t.Errorf("%s, %s, %s: %v", change.name, when, sel, err)
						}
						if f.happened {
							happened++
						}
					}
				}
				if happened < len(changes) {
					t.Errorf("%s: that was only %d times", when, happened)
				}
			}
		})
	}
}

// A fault is one change in the middle of one operation.
type fault struct {
	path     string
	content  []byte
	mapAfter int64
	plan     scan.Plan
	change   change
	when     moment
	sel      selection

	happened bool
	failed   error // of the change itself
}

func (t *fault) at(when moment) {
	if t.when == when && !t.happened {
		t.happened = true
		t.failed = t.change.make(t.path, t.content)
	}
}

func (t *fault) run(want reference.Selection) error {
	if err := replace(t.path, t.content); err != nil {
		return err
	}
	f, err := engine.Open(t.path, nil)
	if err != nil {
		return err
	}
	defer f.Close()
	f.SetPlan(t.plan)
	f.SetMapAfter(t.mapAfter)
	t.at(beforeLocate)
	var reading atomic.Bool
	var asked atomic.Int32 // counted on several goroutines
	hooked := askedContext{ctx, func() {
		// Not the first time: something has been read then.
		if n := asked.Add(1); reading.Load() && n == 1 {
			t.at(whileRead)
		} else if !reading.Load() && n == 3 {
			t.at(whileLocate)
		}
	}}
	reporting := engine.WithProgress(hooked, func(int64, int64) { t.at(whileScanning) })
	span, err := t.sel.locate(reporting, f)
	var past *engine.RangeError
	switch {
	case errors.As(err, &past) && t.sel.op == "lines" && want.Lines == 0:
		return t.failed
	case err != nil:
		return errors.Join(t.failed, t.truncated(err))
	case t.sel.op == "lines" && want.Lines == 0:
		return errors.New("a range that is not there was found")
	}
	if start, end := span.Offsets(); int64(start) != want.Start || int64(end) != want.End {
		return fmt.Errorf("offsets %d, %d; want %d, %d", start, end, want.Start, want.End)
	}
	asked.Store(0)
	reading.Store(true)
	t.at(beforeRead)
	out := &hookedWriter{}
	out.at = func(written int) {
		t.at(atWrite)
		if written == len(want.Bytes) {
			t.at(atLastWrite)
		}
	}
	_, err = span.WriteTo(out)
	return errors.Join(t.failed, t.written(out.Bytes(), err, want))
}

// truncated says whether an error is the one that is wanted, and possible.
func (t *fault) truncated(err error) error {
	var path *fs.PathError
	if !t.happened || t.change.size(int64(len(t.content))) == int64(len(t.content)) {
		return fmt.Errorf("nothing is gone, and yet: %w", err)
	}
	if !errors.Is(err, engine.ErrTruncated) || !errors.As(err, &path) || path.Path != t.path {
		return fmt.Errorf("%T %w, want ErrTruncated with the path", err, err)
	}
	return nil
}

func (t *fault) written(got []byte, err error, want reference.Selection) error {
	if bytes.IndexByte(got, 0) >= 0 {
		return errors.New("it wrote NULs that the file never had")
	}
	left := t.change.size(int64(len(t.content)))
	if err != nil {
		if cut := left > 0 || t.change.name == "cut to nothing"; cut && !bytes.HasPrefix(want.Bytes, got) {
			return fmt.Errorf("wrote something else before %w", err)
		}
		return t.truncated(err)
	}
	if t.when != atLastWrite && t.when != atWrite && t.when != whileRead && t.happened && want.End > left && len(want.Bytes) > 0 {
		return fmt.Errorf("no error, and the file has only %d bytes of its %d", left, want.End)
	}
	return same(got, want.Bytes)
}

// TestTruncatedUnderEachRead cuts the file when it is found, and reads it in
// every way.
func TestTruncatedUnderEachRead(t *testing.T) {
	t.Parallel()
	content := numbered(700_000)
	long := bytes.Repeat([]byte("x"), 3<<20)
	reads := map[string]func(*engine.File, *engine.Span) error{
		"WriteTo":       func(_ *engine.File, s *engine.Span) error { _, err := s.WriteTo(io.Discard); return err },
		"WriteNumbered": func(_ *engine.File, s *engine.Span) error { _, err := s.WriteNumbered(io.Discard); return err },
		"Number":        func(_ *engine.File, s *engine.Span) error { _, err := s.Number(ctx); return err },
		"Text":          func(_ *engine.File, s *engine.Span) error { _, err := s.Text(engine.Limits{}); return err },
		"Text, all": func(_ *engine.File, s *engine.Span) error {
			_, err := s.Text(engine.Limits{Bytes: -1, Lines: -1})
			return err
		},
		"Count": func(f *engine.File, _ *engine.Span) error { _, err := f.Count(ctx); return err },
		"All": func(_ *engine.File, s *engine.Span) error {
			for line, err := range s.All() {
				if err != nil {
					return err
				}
				if bytes.IndexByte(line.Text, 0) >= 0 {
					return errors.New("a NUL")
				}
			}
			return nil
		},
	}
	for name, read := range reads {
		for _, opts := range []engine.Options{{}, {Unmapped: true}} {
			for _, content := range [][]byte{content, long} {
				for _, change := range []change{
					truncateTo("cut to nothing", nothing),
					truncateTo("cut to 300,000 bytes", func(int64) int64 { return 300_000 }),
					truncateTo("cut to a page", func(int64) int64 { return 500_000 / page * page }),
					truncateTo("cut before the span", func(int64) int64 { return 600_000 }),
					overwritten,
				} {
					f, path := openFile(t, content, &opts)
					span, err := f.Bytes(ctx, 600_001, engine.LastOffset)
					if err != nil {
						t.Fatal(err)
					}
					if err := change.make(path, content); err != nil {
						t.Fatal(err)
					}
					if err := read(f, span); !errors.Is(err, engine.ErrTruncated) {
						t.Errorf("%s, unmapped %t, %s: %v, want ErrTruncated", name, opts.Unmapped, change.name, err)
					}
				}
			}
		}
	}
}

// A loop over lines can last for hours: here the file changes in its middle.
func TestChangeUnderLoop(t *testing.T) {
	t.Parallel()
	content := numbered(2 << 20)
	want := reference.Split(content)
	for _, change := range []change{truncateTo("cut to 5,000 bytes", func(int64) int64 { return 5000 }), overwritten} {
		for _, opts := range []engine.Options{{}, {Unmapped: true}} {
			f, path := openFile(t, content, &opts)
			n := 0
			var failed error
			for line, err := range must(f.All(ctx)).All() {
				if failed = err; err != nil {
					break
				}
				if change.name != overwritten.name && !bytes.Equal(line.Text, want[n].Text) {
					t.Fatalf("%s: line %d is %q", change.name, n+1, line.Text)
				}
				if n++; n == 100 {
					must(0, change.make(path, content))
				}
			}
			if !errors.Is(failed, engine.ErrTruncated) {
				t.Errorf("%s, unmapped %t: %v after %d lines, want ErrTruncated", change.name, opts.Unmapped, failed, n)
			}
		}
	}
}
