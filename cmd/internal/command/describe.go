package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

type describe struct {
	json bool
	reading
}

const describeHelp = `usage: excerpt describe [--rotated] [--json] [FILE]

Say what FILE, or standard input, is like: its lines, the longest of them, its
line ends and its encoding, and of a log its first and last time stamp and how
many lines have which level. All of it is read, once.

      --json         one JSON object
` + rotatedHelp

func (d *describe) define(f *flags) {
	d.defineRotated(f)
	f.bool(&d.json, "", "json")
}

func (d *describe) run(ctx context.Context, out *output, files []string) error {
	name, err := one(files)
	if err != nil {
		return err
	}
	var found *engine.Description
	err = d.again(nil, func() error {
		in, err := d.open(ctx, name)
		if err != nil {
			return err
		}
		if found, err = in.Describe(ctx); err == nil {
			in.consume(engine.Offset(found.Bytes))
		}
		return d.finish(out, in, err)
	})
	if err != nil && (err != cli.ErrSaid || found == nil) {
		return err
	}
	if printed := d.print(out, name, found); printed != nil {
		return printed
	}
	return err
}

func (d *describe) print(out *output, name string, found *engine.Description) error {
	if d.json {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return enc.Encode(struct {
			File string `json:"file"`
			*engine.Description
		}{name, found})
	}
	for row := range strings.Lines(found.String()) {
		if _, err := fmt.Fprintln(out, cli.Printable(strings.TrimSuffix(row, "\n"))); err != nil {
			return err
		}
	}
	return nil
}
