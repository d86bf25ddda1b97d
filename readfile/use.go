package readfile

import (
	"context"
	"io"

	"excerpt/engine"
)

// Use opens a file of the workspace for fn and closes it behind it. What is
// refused, be it the path or what the file is, binary among it, has the
// sentence that [Tool.Read] has; an error of fn is taken for one of reading.
//
// It returns soon after the context has ended, also if fn does not: fn goes on
// then, and the caller must not look at what it sets. It costs what fn does.
func (t *Tool) Use(ctx context.Context, path string, fn func(*engine.File) error) error {
	return t.bounded(ctx, path, func() Result {
		f, err := t.open(path)
		if err == nil {
			defer f.close()
			if err = checkText(path, f.File); err == nil {
				err = fn(f.File)
			}
		}
		if err != nil {
			err = explain(path, err)
		}
		return Result{Err: err}
	}).Err
}

// checkText refuses a file whose first bytes are those of a binary type.
func checkText(path string, f *engine.File) error {
	sample := make([]byte, sampleSize)
	n, err := f.ReadAt(sample, 0)
	if err != nil && err != io.EOF {
		return err
	}
	if knownType(sample[:n]) != "" {
		return binary(path, sample[:n], f.Size())
	}
	return nil
}
