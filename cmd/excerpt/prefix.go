package main

import (
	"context"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

type prefix struct {
	Bytes *amount `short:"c" long:"bytes" unquote:"false" description:"how many bytes at most"`
	form
	Args files `positional-args:"yes"`
}

const prefixHelp = `usage: excerpt prefix -c BYTES [-N] [--json] [FILE]

Print the first bytes of FILE, or of standard input, and not a part of a
character: up to 3 bytes less than BYTES, if those begin one.

  -c, --bytes BYTES  at most: 100, 64K (1024), 10MB (1000 * 1000)
` + formHelp

func (p *prefix) run(ctx context.Context, out *output) error {
	if p.Bytes == nil {
		return cli.Usage("-c BYTES is missing: how long a prefix?")
	}
	bytes, err := p.Bytes.parse("-c", "bytes")
	if err != nil {
		return err
	}
	return p.write(ctx, out, p.Args.Files, false, func(ctx context.Context, f *engine.File) (*engine.Span, error) {
		return f.Prefix(ctx, bytes)
	})
}
