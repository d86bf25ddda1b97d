package readfile

import (
	"context"

	"excerpt/engine"
)

// Use opens a file of the workspace for fn, binary ones too, and closes it
// behind it. A path that is refused has the sentence that [Tool.Read] has; an
// error of fn is taken for one of reading.
//
// It returns soon after the context has ended, also if fn does not: fn goes on
// then, and the caller must not look at what it sets. It costs what fn does.
func (t *Tool) Use(ctx context.Context, path string, fn func(*engine.File) error) error {
	return t.bounded(ctx, path, func() Result {
		f, err := t.open(path)
		if err == nil {
			defer f.close()
			if err = t.claim(ctx, f); err == nil {
				err = fn(f.File)
			}
		}
		if err != nil {
			err = explain(path, err)
		}
		return Result{Err: err}
	}).Err
}
