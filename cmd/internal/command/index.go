package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

type index struct {
	status, drop, json bool
	reading
}

const indexHelp = `usage: excerpt index [--status | --drop] [--json] FILE...

Count the lines of each FILE, and keep in the user's cache folder where they
are, so that any of them is found at once. The other verbs use that, and keep
it themselves of 64 MiB and more, unless they are told --no-index.

      --status       say what is kept, and make nothing
      --drop         remove what is kept
      --json         a JSON object for each file
`

func (x *index) define(f *flags) {
	x.full = f.full
	f.bool(&x.status, "", "status")
	f.bool(&x.drop, "", "drop")
	f.bool(&x.json, "", "json")
}

func (x *index) run(ctx context.Context, out *output, names []string) error {
	switch {
	case x.status && x.drop:
		return cli.Usage("--status and --drop are both given: look, or remove?")
	case len(names) == 0:
		return cli.Usage("FILE is missing: an index of which file?")
	}
	if x.elsewhere(names) {
		return errElsewhere
	}
	var failed error
	for _, name := range names {
		if err := x.one(ctx, out, name); err != nil {
			out.bar.hide()
			cli.Complain("index", err)
			failed = cli.ErrSaid
		}
	}
	return failed
}

func (x *index) one(ctx context.Context, out *output, name string) error {
	in, err := x.open(ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	var found engine.Index
	switch {
	case x.drop:
		if err := in.DropIndex(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	case x.status:
		if found, err = in.StatIndex(); errors.Is(err, fs.ErrNotExist) {
			err = &fs.PathError{Op: "index", Path: name, Err: errors.New("there is no index of it")}
		}
	default:
		found, err = in.BuildIndex(ctx)
	}
	if err != nil {
		return err
	}
	if x.json {
		object := appendString([]byte(`{"file":`), []byte(name))
		object = appendString(append(object, `,"index":`...), []byte(found.Path))
		object = fmt.Appendf(object, `,"indexBytes":%d,"lineEnds":%d,"covers":%d,"bytes":%d,"step":%d,"stale":%t}`,
			found.Bytes, found.Ends, found.Covers, in.Size(), found.Step, found.Stale)
		_, err = fmt.Fprintf(out, "%s\n", object)
		return err
	}
	if in.Size() < 0 {
		_, err = fmt.Fprintf(out, "nothing is known of %s as it is by now: what is kept, %d bytes in %s, is of what it was\n",
			cli.Printable(name), found.Bytes, cli.Printable(found.Path))
		return err
	}
	covers := "all " + strconv.FormatInt(in.Size(), 10)
	if int64(found.Covers) != in.Size() {
		covers = fmt.Sprintf("%d of %d", found.Covers, in.Size())
	}
	stale := ""
	if found.Stale {
		stale = ", but the file is another by now"
	}
	_, err = fmt.Fprintf(out, "%d line ends in %s bytes of %s: %d bytes in %s%s\n",
		found.Ends, covers, cli.Printable(name), found.Bytes, cli.Printable(found.Path), stale)
	return err
}
