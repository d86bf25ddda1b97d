package command

import (
	"context"
	"io"
	"math"

	"excerpt/cmd/internal/cli"
)

type outline struct {
	json bool
	reading
}

const outlineHelp = `usage: excerpt outline [--json] FILE

Print the headings of FILE, which is Markdown, or the declarations of a file of
Go, TypeScript, JavaScript or Python, by its extension: the first and last line
of each, its kind, its name.

      --json         one JSON object
`

func (o *outline) define(f *flags) {
	o.full = f.full
	f.bool(&o.json, "", "json")
}

func (o *outline) run(ctx context.Context, out *output, files []string) error {
	if len(files) == 0 {
		return cli.Usage("FILE is missing: its extension says how it is read")
	}
	name, err := one(files)
	if err != nil {
		return err
	}
	if o.full == nil {
		return errElsewhere
	}
	in, err := o.open(ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	return o.full.Outline(ctx, name, io.NewSectionReader(in.File, 0, math.MaxInt64), o.json, out)
}
