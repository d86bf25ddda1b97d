package command

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/term"

	"excerpt/cmd/internal/cli"
)

// output is standard output.
type output struct {
	file     *os.File
	terminal bool
	bar      bar
	begun    bool
	grown    bool
}

func newOutput(file *os.File) *output {
	out := &output{file: file, terminal: term.IsTerminal(int(file.Fd()))}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		out.bar.w = os.Stderr
	}
	return out
}

// colours reports whether the output may have some.
func (o *output) colours() bool {
	return o.terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Write writes to standard output, which its errors name.
func (o *output) Write(p []byte) (int, error) {
	if !o.begun {
		o.begun = true
		// A pipe may lead to a pager, on the same terminal.
		if info, err := o.file.Stat(); err != nil || !info.Mode().IsRegular() {
			o.bar.stop()
		}
	}
	if !o.grown && len(p) >= manyBytes {
		o.grown = true
		cli.GrowPipe(o.file)
	}
	n, err := o.file.Write(p)
	return n, o.wrap(err)
}

// manyBytes is what makes a larger pipe worth while.
const manyBytes = 64 << 10

// close is where some file systems say that they are full. A verb may have
// closed it before.
func (o *output) close() error {
	if err := o.file.Close(); !errors.Is(err, os.ErrClosed) {
		return o.wrap(err)
	}
	return nil
}

func (o *output) wrap(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return &fs.PathError{Op: path.Op, Path: "standard output", Err: path.Err}
	}
	return err
}
