package command

import (
	"context"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

type prefix struct {
	bytes amount
	form
}

const prefixHelp = `usage: excerpt prefix -c BYTES [-N] [--json] [--rotated] [FILE]

Print the first bytes of FILE, or of standard input, and not a part of a
character: up to 3 bytes less than BYTES, if those begin one.

  -c, --bytes BYTES  at most: 100, 64K (1024), 10MB (1000 * 1000)
` + formHelp

func (p *prefix) define(f *flags) {
	f.value(&p.bytes, "c", "bytes")
	p.form.define(f)
}

func (p *prefix) run(ctx context.Context, out *output, files []string) error {
	if !p.bytes.given {
		return cli.Usage("-c BYTES is missing: how long a prefix?")
	}
	bytes, err := p.bytes.parse("-c", "bytes")
	if err != nil {
		return err
	}
	return p.write(ctx, out, files, func(ctx context.Context, f *engine.File) (*engine.Span, error) {
		return f.Prefix(ctx, bytes)
	})
}
