package command

import (
	"context"

	"excerpt/engine"
)

type head struct{ span }

const headHelp = `usage: excerpt head [-n N | -c BYTES] [-N] [--json] [--rotated] [FILE]

Print the first lines of FILE, or of standard input.

` + spanHelp

func (h *head) run(ctx context.Context, out *output, files []string) error {
	lines, bytes, err := h.parse()
	if err != nil {
		return err
	}
	return h.write(ctx, out, files, func(ctx context.Context, f *engine.File) (*engine.Span, error) {
		if bytes >= 0 {
			return f.Bytes(ctx, 0, engine.Offset(bytes))
		}
		return f.Head(ctx, lines)
	})
}
