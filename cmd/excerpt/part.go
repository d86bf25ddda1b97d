package main

import (
	"context"

	"github.com/jessevdk/go-flags"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

// form is how a part of a file is written.
type form struct {
	Number bool `short:"N" long:"number" description:"number the lines"`
	JSON   bool `long:"json" description:"a JSON object for each line"`
}

const formHelp = `  -N, --number       number the lines: "12: text"
      --json         a JSON object for each line, with its number
`

// A selection locates a part of a file.
type selection func(context.Context, *engine.File) (*engine.Span, error)

// write writes what sel selects of the only one of files. far says that it is
// found by a long scan.
func (f *form) write(ctx context.Context, out *output, files []flags.Filename, far bool, sel selection) error {
	name, err := one(files)
	if err != nil {
		return err
	}
	in, err := open(name, far || f.Number || f.JSON)
	if err != nil {
		return err
	}
	defer in.Close()
	span, err := sel(ctx, in.File)
	if err != nil {
		return err
	}
	switch {
	case f.JSON:
		err = writeJSON(ctx, out, span)
	case f.Number && out.colours():
		_, err = span.WriteNumbered(&dimmer{w: out})
	case f.Number:
		_, err = span.WriteNumbered(out)
	default:
		_, err = span.WriteTo(out)
	}
	if err != nil {
		return err
	}
	_, end := span.Offsets()
	in.consume(end)
	return nil
}

// span is how head and tail say what they want.
type span struct {
	Lines *amount `short:"n" long:"lines" unquote:"false" description:"how many lines"`
	Bytes *amount `short:"c" long:"bytes" unquote:"false" description:"how many bytes"`
	form
	Args files `positional-args:"yes"`
}

const spanHelp = `  -n, --lines N      how many lines, 10 if not said
  -c, --bytes BYTES  bytes instead of lines: 100, 64K (1024), 10MB (1000 * 1000)
` + formHelp

// few lines are found without a scan that is worth a mapping.
const few = 1000

// parse returns how many lines are wanted, or how many bytes; the other is -1.
func (s *span) parse() (lines, bytes int64, err error) {
	lines, bytes = 10, -1
	switch {
	case s.Lines != nil && s.Bytes != nil:
		err = cli.Usage("-n and -c are both given: lines or bytes?")
	case s.Lines != nil:
		lines, err = s.Lines.parse("-n", "lines")
	case s.Bytes != nil:
		lines = -1
		bytes, err = s.Bytes.parse("-c", "bytes")
	}
	return lines, bytes, err
}
