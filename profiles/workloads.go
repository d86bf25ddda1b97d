package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"

	"excerpt/engine"
	"excerpt/engine/compressed"
	"excerpt/engine/reverse"
	"excerpt/readfile"
)

// A workload is what a profile is taken of.
type workload struct {
	name string

	// start prepares it. once is then called again and again, and done at last.
	start func(ctx context.Context, log string) (once func() error, done func(), err error)
}

func names() (names []string) {
	for _, w := range workloads {
		names = append(names, w.name)
	}
	return names
}

// unknown are the options of a file whose lines nobody knows of.
var unknown = &engine.Options{Cache: engine.NoCache}

var workloads = []workload{
	{"count", anew(func(ctx context.Context, f *engine.File) error {
		_, err := f.Count(ctx)
		return err
	})},
	{"lines", anew(func(ctx context.Context, f *engine.File) error {
		const deep = 1_000_000
		span, err := f.Lines(ctx, deep, deep+999)
		var beyond *engine.RangeError
		if errors.As(err, &beyond) { // a small log
			return nil
		}
		return discard(span, err)
	})},
	{"tail", anew(func(ctx context.Context, f *engine.File) error {
		span, err := f.Tail(ctx, 1_000_000)
		return discard(span, err)
	})},
	{"short-tail", kept(func(ctx context.Context, f *engine.File) error {
		for range 1000 {
			if _, err := f.Tail(ctx, 100); err != nil {
				return err
			}
		}
		return nil
	})},
	{"numbered", anew(func(ctx context.Context, f *engine.File) error {
		span, err := f.Head(ctx, 1_000_000)
		if err != nil {
			return err
		}
		_, err = span.WriteNumbered(io.Discard)
		return err
	})},
	{"walk", kept(func(ctx context.Context, f *engine.File) error {
		span, err := f.Head(ctx, 1_000_000)
		if err != nil {
			return err
		}
		for _, err := range span.All() {
			if err != nil {
				return err
			}
		}
		return nil
	})},
	{"reverse", kept(func(ctx context.Context, f *engine.File) error {
		lines := reverse.NewReader(ctx, f, f.Size())
		for range 100_000 {
			if _, err := lines.Next(); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
		}
		return nil
	})},
	{"describe", anew(func(ctx context.Context, f *engine.File) error {
		_, err := f.Describe(ctx)
		return err
	})},
	{"gzip-first", gzipped(anew(func(ctx context.Context, f *engine.File) error {
		_, err := f.Count(ctx)
		return err
	}))},
	{"gzip-again", gzipped(kept(func(ctx context.Context, f *engine.File) error {
		return discard(f.All(ctx))
	}))},
	{"readfile", readFile},
}

func discard(span *engine.Span, err error) error {
	if err != nil {
		return err
	}
	_, err = span.WriteTo(io.Discard)
	return err
}

// anew opens the log each time, and closes it.
func anew(do func(context.Context, *engine.File) error) func(context.Context, string) (func() error, func(), error) {
	return func(ctx context.Context, log string) (func() error, func(), error) {
		return func() error {
			f, err := compressed.Open(log, unknown)
			if err != nil {
				return err
			}
			return errors.Join(do(ctx, f), f.Close())
		}, func() {}, nil
	}
}

// kept has the log open all the time.
func kept(do func(context.Context, *engine.File) error) func(context.Context, string) (func() error, func(), error) {
	return func(ctx context.Context, log string) (func() error, func(), error) {
		f, err := compressed.Open(log, unknown)
		if err != nil {
			return nil, nil, err
		}
		return func() error { return do(ctx, f) }, func() { _ = f.Close() }, nil
	}
}

// gzipped does it with the log compressed, in a file beside it.
func gzipped(start func(context.Context, string) (func() error, func(), error)) func(context.Context, string) (func() error, func(), error) {
	return func(ctx context.Context, log string) (func() error, func(), error) {
		if err := makeGzip(log, log+".gz"); err != nil {
			return nil, nil, err
		}
		return start(ctx, log+".gz")
	}
}

func makeGzip(log, name string) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	in, err := os.Open(log)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(name + ".part")
	if err != nil {
		return err
	}
	w := gzip.NewWriter(out)
	_, err = io.Copy(w, in)
	if err := errors.Join(err, w.Close(), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), name)
}

// readFile calls the tool as an agent does: a beginning, an end, ranges.
func readFile(ctx context.Context, log string) (func() error, func(), error) {
	root, err := os.OpenRoot(filepath.Dir(log))
	if err != nil {
		return nil, nil, err
	}
	cache, err := os.MkdirTemp("", "index-*")
	if err != nil {
		return nil, nil, err
	}
	tool, err := readfile.New(root, &readfile.Options{Cache: cache})
	if err != nil {
		return nil, nil, err
	}
	var calls []json.RawMessage
	for _, selection := range []string{`"head": 1000`, `"tail": 1000`, `"start_line": 90000, "end_line": 90099`, `"tail": 20, "show_line_numbers": true`} {
		calls = append(calls, json.RawMessage(fmt.Sprintf(`{"path": %q, %s}`, filepath.Base(log), selection)))
	}
	return func() error {
		for _, arguments := range calls {
			if err := tool.Call(ctx, arguments).Err; err != nil {
				return err
			}
		}
		return nil
	}, func() { _, _ = root.Close(), os.RemoveAll(cache) }, nil
}
