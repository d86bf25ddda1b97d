package main

import (
	"context"
	"errors"
	"io/fs"

	"excerpt/cmd/internal/command"
	"excerpt/engine"
	"excerpt/engine/compressed"
)

// convert is the verb convert.
func convert(ctx context.Context, f *engine.File, c *command.Convert) (int64, error) {
	n, err := compressed.Convert(ctx, f, c.Output, &compressed.ConvertOptions{Replace: c.Force, Like: c.Source, Cache: c.Cache()})
	var path *fs.PathError
	if errors.Is(err, fs.ErrExist) && errors.As(err, &path) {
		path.Err = errors.New("it is there already: name another OUTPUT, or replace it with --force")
	}
	return n, err
}
