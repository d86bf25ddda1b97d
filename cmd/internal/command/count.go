package command

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"excerpt/cmd/internal/cli"
)

type count struct {
	json bool
	reading
}

const countHelp = `usage: excerpt count [--json] [--rotated] [--no-index] [FILE...]

Print how many lines each FILE has, and their total, as wc -l does; but a last
line without a line end is a line.

      --json         a JSON object for each file, with its lines and bytes
` + rotatedHelp + readingHelp

func (c *count) define(f *flags) {
	f.bool(&c.json, "", "json")
	c.defineRotated(f)
	c.reading.define(f)
}

func (c *count) run(ctx context.Context, out *output, names []string) error {
	stdin := 0
	for _, name := range names {
		if name == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return cli.Usage("standard input (-) is given %d times: it can be read once", stdin)
	}
	named := len(names) > 0
	if !named {
		names = []string{"-"}
	}
	if c.elsewhere(names) {
		return errElsewhere
	}
	var failed error
	var total int64
	width := columnWidth(names)
	for _, name := range names {
		lines, bytes, err := c.lines(ctx, out, name)
		if err != nil {
			out.bar.hide()
			cli.Complain("count", err)
			failed = cli.ErrSaid
			if err != cli.ErrSaid {
				continue
			}
		}
		total += lines
		switch {
		case c.json:
			object := appendString([]byte(`{"file":`), []byte(name))
			_, err = fmt.Fprintf(out, "%s,\"lines\":%d,\"bytes\":%d}\n", object, lines, bytes)
		case !named:
			_, err = fmt.Fprintf(out, "%d\n", lines)
		default:
			_, err = fmt.Fprintf(out, "%*d %s\n", width, lines, cli.Printable(name))
		}
		if err != nil {
			return err
		}
	}
	if len(names) > 1 && !c.json {
		if _, err := fmt.Fprintf(out, "%*d total\n", width, total); err != nil {
			return err
		}
	}
	return failed
}

// lines also returns what it has counted of a rotated log of which something is
// lost; then the error is cli.ErrSaid.
func (c *count) lines(ctx context.Context, out *output, name string) (lines, bytes int64, err error) {
	err = c.again(nil, func() error {
		in, err := c.open(ctx, name)
		if err != nil {
			return err
		}
		lines, bytes, err = c.linesOf(ctx, in)
		return c.finish(out, in, err)
	})
	return lines, bytes, err
}

func (c *count) linesOf(ctx context.Context, in *input) (lines, bytes int64, err error) {
	lines, err = in.Count(ctx)
	if err != nil {
		return 0, 0, err
	}
	end, err := in.All(ctx)
	if err != nil {
		return 0, 0, err
	}
	_, offset := end.Offsets()
	in.consume(offset)
	return lines, int64(offset), nil
}

// columnWidth is that of wc: room for the sum of the sizes, since wc sizes its
// columns before it counts.
func columnWidth(names []string) int {
	if len(names) == 1 {
		return 1
	}
	var sum int64
	width := 1
	for _, name := range names {
		stat := func() (os.FileInfo, error) { return os.Stat(name) }
		if name == "-" {
			stat = os.Stdin.Stat
		}
		info, err := stat()
		switch {
		case err != nil:
		case info.Mode().IsRegular():
			sum += info.Size()
		default:
			width = 7
		}
	}
	return max(width, len(strconv.FormatInt(sum, 10)))
}
