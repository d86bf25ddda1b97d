package command

import (
	"context"
	"errors"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

func (r *reading) openRotated(ctx context.Context, name string) (*input, error) {
	switch {
	case name == "" || name == "-":
		return nil, cli.Usage("--rotated takes the name of a log, like app.log")
	case r.full == nil:
		return nil, errElsewhere
	}
	f, report, err := r.full.Rotated(ctx, name, &engine.Options{Cache: r.cache()})
	return &input{File: f, report: report}, err
}

// again has fn, which opens a file and reads it, begin anew if that is a rotated
// log that was cut short meanwhile, and nothing was printed. out is nil if fn
// prints nothing.
func (r *reading) again(out *output, fn func() error) error {
	const most = 5
	for try := 0; ; try++ {
		err := fn()
		if !r.rotated || !errors.Is(err, engine.ErrTruncated) || out != nil && out.begun || try == most {
			return err
		}
	}
}

// finish closes in, which was read. It says what is wrong with a rotated log: if
// something of it is lost, that is an error.
func (r *reading) finish(out *output, in *input, err error) error {
	defer in.Close()
	if in.report == nil || errors.Is(err, engine.ErrTruncated) {
		return err
	}
	said, lost := in.report()
	for _, sentence := range said {
		out.bar.hide()
		cli.Complain(r.verb, errors.New(sentence))
	}
	if lost && err == nil {
		return cli.ErrSaid
	}
	return err
}
