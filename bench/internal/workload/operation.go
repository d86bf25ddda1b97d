package workload

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"

	"excerpt/bench/gate/counting"
	"excerpt/engine"
)

// A State is what a file is in when an operation begins.
type State int

const (
	Fresh   State = iota // not open: opening and closing it is a part of the operation
	Opened               // open, and no more known of it than the operation has learned before
	Indexed              // open, and all of its lines known
)

// An Operation is something that the engine does with a corpus. It has Run, or
// Named.
type Operation struct {
	State State

	// Run does it, and returns what it has found. What it reads besides it
	// writes to w.
	Run func(ctx context.Context, f *engine.File, w io.Writer) (Found, error)

	// Named does it with the name of a file. It looks itself whether the result
	// is right.
	Named func(ctx context.Context, path string) error

	// Want is what it must find, and Writes that it writes the bytes of that.
	// Where it may find less of it, AtMost is how many bytes.
	Want   Found
	Writes bool
	AtMost int64

	// Unread says that it reads nothing of what can be counted.
	Unread bool
}

// Found is a part of a file: its bytes, and its lines or -1.
type Found struct{ Start, End, Lines int64 }

// A Task is an operation that was found to be right, ready to be run again.
type Task struct {
	op   Operation
	ctx  context.Context
	c    *Corpus
	opts *engine.Options
	f    *engine.File // nil if the operation begins with opening it
}

// Prepare runs the operation and checks what it finds. The caller closes the
// task. Workers are those of engine.Options.
func (o Operation) Prepare(ctx context.Context, c *Corpus, workers int) (*Task, error) {
	t := &Task{op: o, ctx: ctx, c: c, opts: unindexed(workers)}
	if o.Named != nil {
		return t, t.Run()
	}
	f, err := engine.Open(c.Path, t.opts)
	if err != nil {
		return nil, err
	}
	if err := o.check(ctx, c, f); err != nil {
		_ = f.Close()
		return nil, err
	}
	if o.State == Fresh {
		return t, f.Close()
	}
	t.f = f
	return t, nil
}

// check runs the operation for the first time.
func (o Operation) check(ctx context.Context, c *Corpus, f *engine.File) error {
	if o.State == Indexed {
		if n, err := f.Count(ctx); err != nil || n != c.Lines {
			return fmt.Errorf("%d lines in %v, which has %d: %w", n, c, c.Lines, err)
		}
	}
	sum := xxhash.New()
	got, err := o.Run(ctx, f, sum)
	switch {
	case err != nil:
		return err
	case o.AtMost > 0 && o.Want.End-o.Want.Start > o.AtMost:
		if got.Start != o.Want.Start || got.End <= got.Start || got.End-got.Start > o.AtMost {
			return fmt.Errorf("it found %+v in %v, and not the first of %+v", got, c, o.Want)
		}
	case got != o.Want:
		return fmt.Errorf("it found %+v in %v, and not %+v", got, c, o.Want)
	}
	if !o.Writes {
		return nil
	}
	if want, err := c.sum(got.Start, got.End); err != nil || sum.Sum64() != want {
		return fmt.Errorf("it wrote other bytes than those of %+v in %v: %w", got, c, err)
	}
	return nil
}

// Run runs the operation once.
func (t *Task) Run() error {
	switch {
	case t.op.Named != nil:
		return t.op.Named(t.ctx, t.c.Path)
	case t.f != nil:
		_, err := t.op.Run(t.ctx, t.f, io.Discard)
		return err
	}
	f, err := engine.Open(t.c.Path, t.opts)
	if err != nil {
		return err
	}
	if _, err := t.op.Run(t.ctx, f, io.Discard); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// Close closes what Prepare has opened.
func (t *Task) Close() error {
	if t.f != nil {
		return t.f.Close()
	}
	return nil
}

// Count returns what the operation touches, on one core. It is known of those
// that have Run and are not Unread.
func (o Operation) Count(ctx context.Context, c *Corpus) (count counting.Count, known bool, err error) {
	if o.Run == nil || o.Unread {
		return count, false, nil
	}
	file, err := os.Open(c.Path)
	if err != nil {
		return count, false, err
	}
	defer file.Close()
	r := counting.NewReader(file)
	f := engine.New(c.Path, r, c.Size, unindexed(1))
	defer f.Close()
	if o.State == Indexed {
		if _, err := f.Count(ctx); err != nil {
			return count, false, err
		}
	}
	r.Take()
	if _, err := o.Run(ctx, f, io.Discard); err != nil {
		return count, false, err
	}
	return r.Take(), true, nil
}
