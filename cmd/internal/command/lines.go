package command

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

type lines struct{ form }

const linesHelp = `usage: excerpt lines A-B | A- | A+N | A [-N] [--json] [--rotated] [FILE]

Print a range of lines of FILE, or of standard input.

  A-B                the lines from A to B, both included; the first line is 1
  A-                 the lines from A on
  A+N                N lines, from A on
  A                  that line
` + formHelp

func (l *lines) run(ctx context.Context, out *output, operands []string) error {
	if len(operands) == 0 {
		return cli.Usage("RANGE is missing: which lines? (A-B, A-, A+N or A)")
	}
	first, last, err := parseRange(operands[0])
	if err != nil {
		return err
	}
	return l.write(ctx, out, operands[1:], func(ctx context.Context, f *engine.File) (*engine.Span, error) {
		return f.Lines(ctx, first, last)
	})
}

// parseRange reads A-B, A-, A+N or A.
func parseRange(s string) (first, last engine.LineNumber, err error) {
	malformed := cli.Usage("RANGE %q: want A-B, A-, A+N or A, like 120-220", s)
	digits := strings.TrimLeft(s, "0123456789")
	a, tail := s[:len(s)-len(digits)], digits
	n, err := number(a)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, 0, tooLarge(s)
	case err != nil:
		return 0, 0, malformed
	case n == 0:
		return 0, 0, cli.Usage("RANGE %s: the first line is 1", s)
	case tail == "":
		return n, n, nil
	case tail == "-":
		return n, engine.LastLine, nil
	}
	m, err := number(tail[1:])
	switch sign := tail[0]; {
	case sign != '-' && sign != '+':
		return 0, 0, malformed
	case errors.Is(err, strconv.ErrRange):
		return 0, 0, tooLarge(s)
	case err != nil:
		return 0, 0, malformed
	case sign == '-' && m < n:
		return 0, 0, cli.Usage("RANGE %s: it ends before it begins (to read them in order: %d-%d)", s, max(m, 1), n)
	case sign == '-':
		return n, m, nil
	case m == 0:
		return 0, 0, cli.Usage("RANGE %s: no lines (A+N is N lines from A on: N is 1 or more)", s)
	}
	return n, n + min(m-1, engine.LastLine-n), nil
}

// number reads digits, and nothing else.
func number(s string) (engine.LineNumber, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	return engine.LineNumber(n), err
}

func tooLarge(s string) error {
	return cli.Usage("RANGE %s: too large, the last line that there can be is %d", s, int64(math.MaxInt64))
}
