package command

import (
	"errors"
	"os"
	"syscall"

	"excerpt/cmd/internal/cli"
	"excerpt/readfile"
)

// Workspace are the flags of what is read for an agent, and how much of it.
type Workspace struct {
	Root  string // the folder that is read, and nothing outside it
	Lines int64  // most of an answer
	Bytes int64  // most of an answer
	reading
}

func (w *Workspace) define(f *flags) {
	f.string(&w.Root, "root")
	f.Int64Var(&w.Lines, "max-lines", w.Lines, "")
	f.Int64Var(&w.Bytes, "max-bytes", w.Bytes, "")
	w.reading.define(f)
}

const workspaceHelp = `      --root DIR       the folder that is read, and nothing outside it
      --max-lines N    most lines of an answer, 1000 if not said
      --max-bytes N    most bytes of an answer, 131072 if not said
      --no-index       neither use nor keep what is known of lines
`

// check says what is wrong with the flags or with the folder.
func (w *Workspace) check() error {
	switch {
	case w.Root == "":
		return cli.Usage("--root DIR is missing: which folder may be read?")
	case w.Lines < 0:
		return cli.Usage("--max-lines %d: want a number of lines", w.Lines)
	case w.Bytes < 0:
		return cli.Usage("--max-bytes %d: want a number of bytes", w.Bytes)
	}
	// Before it is opened: opening a FIFO would wait.
	info, err := os.Stat(w.Root)
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "open", Path: w.Root, Err: syscall.ENOTDIR}
	}
	return w.explain(err)
}

// Open returns the tool, and what ends its use.
func (w *Workspace) Open() (tool *readfile.Tool, end func() error, err error) {
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		return nil, nil, w.explain(err)
	}
	tool, err = readfile.New(root, &readfile.Options{Lines: w.Lines, Bytes: w.Bytes, Cache: w.cache(), Open: w.openFile})
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return tool, root.Close, nil
}

// explain names the flag that an error of the system is about.
func (w *Workspace) explain(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return &os.PathError{Op: path.Op, Path: "--root " + w.Root, Err: path.Err}
	}
	return err
}
