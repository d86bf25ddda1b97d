package command

import (
	"context"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

// form is how a part of a file is written.
type form struct {
	number, json bool
	reading
}

func (f *form) define(flags *flags) {
	flags.bool(&f.number, "N", "number")
	flags.bool(&f.json, "", "json")
	f.reading.defineRotated(flags)
	f.reading.define(flags)
}

const formHelp = `  -N, --number       number the lines: "12: text"
      --json         a JSON object for each line, with its number
` + rotatedHelp + readingHelp

// A selection locates a part of a file.
type selection func(context.Context, *engine.File) (*engine.Span, error)

// write writes what sel selects of the only one of files.
func (f *form) write(ctx context.Context, out *output, files []string, sel selection) error {
	name, err := one(files)
	if err != nil {
		return err
	}
	return f.again(out, func() error {
		in, err := f.open(ctx, name)
		if err != nil {
			return err
		}
		return f.finish(out, in, f.writeOf(ctx, out, in, sel))
	})
}

func (f *form) writeOf(ctx context.Context, out *output, in *input, sel selection) error {
	span, err := sel(ctx, in.File)
	if part, ok := beforeDamage(in.File, err); ok {
		// As gzip and zstd do, what there is comes before the error.
		defer part.Close()
		before, none := sel(ctx, part)
		if none != nil {
			return err
		}
		if wrong := f.print(ctx, out, before); wrong != nil {
			return wrong
		}
		return err
	}
	if err != nil {
		return err
	}
	if err := f.print(ctx, out, span); err != nil {
		return err
	}
	_, end := span.Offsets()
	in.consume(end)
	return nil
}

func (f *form) print(ctx context.Context, out *output, span *engine.Span) (err error) {
	switch {
	case f.json:
		err = writeJSON(ctx, out, span)
	case f.number && out.colours():
		_, err = span.WriteNumbered(&dimmer{w: out})
	case f.number:
		_, err = span.WriteNumbered(out)
	default:
		_, err = span.WriteTo(out)
	}
	return err
}

// span is how head and tail say what they want.
type span struct {
	lines, bytes amount
	form
}

func (s *span) define(f *flags) {
	f.value(&s.lines, "n", "lines")
	f.value(&s.bytes, "c", "bytes")
	s.form.define(f)
}

const spanHelp = `  -n, --lines N      how many lines, 10 if not said
  -c, --bytes BYTES  bytes instead of lines: 100, 64K (1024), 10MB (1000 * 1000)
` + formHelp

// parse returns how many lines are wanted, or how many bytes; the other is -1.
func (s *span) parse() (lines, bytes int64, err error) {
	lines, bytes = 10, -1
	switch {
	case s.lines.given && s.bytes.given:
		err = cli.Usage("-n and -c are both given: lines or bytes?")
	case s.lines.given:
		lines, err = s.lines.parse("-n", "lines")
	case s.bytes.given:
		lines = -1
		bytes, err = s.bytes.parse("-c", "bytes")
	}
	return lines, bytes, err
}
