package command

import (
	"context"

	"excerpt/engine"
)

type tail struct{ span }

const tailHelp = `usage: excerpt tail [-n N | -c BYTES] [-N] [--json] [--rotated] [FILE]

Print the last lines of FILE, or of standard input. This takes as long as what
is printed, whatever the size of the file; with -N or --json, the lines before
are counted. A compressed file is decoded for it, the first time; of one that
has several members or frames only the last, which are checked by themselves.

` + spanHelp

func (t *tail) run(ctx context.Context, out *output, files []string) error {
	lines, bytes, err := t.parse()
	if err != nil {
		return err
	}
	return t.write(ctx, out, files, func(ctx context.Context, f *engine.File) (*engine.Span, error) {
		switch {
		case bytes == 0: // -0 would count from the beginning
			return f.Tail(ctx, 0)
		case bytes > 0:
			return f.Bytes(ctx, engine.Offset(-bytes), engine.LastOffset)
		}
		return f.Tail(ctx, lines)
	})
}
