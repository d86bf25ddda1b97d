package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"excerpt/cmd/internal/command"
	"excerpt/engine"
	"excerpt/engine/compressed"
)

// convert is the verb convert.
func convert(ctx context.Context, f *engine.File, c *command.Convert) (int64, error) {
	if compressed.FormatOf(f) == compressed.Plain {
		// Standard input is read as it comes.
		var b [10]byte
		n, _ := f.ReadAt(b[:], 0)
		if format := compressed.Detect(b[:n]); format != compressed.Plain {
			return 0, &fs.PathError{Op: "convert", Path: f.Name(), Err: fmt.Errorf("this is %s, and is read as it is: give the file's name, or what decompresses it", format)}
		}
	}
	n, err := compressed.Convert(ctx, f, c.Output, &compressed.ConvertOptions{Replace: c.Force, Like: c.Source, Cache: c.Cache()})
	var path *fs.PathError
	if errors.Is(err, fs.ErrExist) && errors.As(err, &path) {
		path.Err = errors.New("it is there already: name another OUTPUT, or replace it with --force")
	}
	return n, err
}
