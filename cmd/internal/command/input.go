package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

// input is a file that is read for one command.
type input struct {
	*engine.File
	stdin *os.File // if it is standard input and can be repositioned
	base  int64    // where reading began
}

// one returns the only FILE, "-" if there is none.
func one(files []string) (string, error) {
	switch len(files) {
	case 0:
		return "-", nil
	case 1:
		return files[0], nil
	}
	return "", cli.Usage("one FILE is wanted, but there are %d: %q", len(files), files)
}

// open opens a file, or standard input for "-". cache is that of engine.Options.
func open(name, cache string) (*input, error) {
	switch {
	case name == "-":
		return openStdin(cache)
	case name == os.DevNull: // a device, but an empty file to all who name it
		return &input{File: engine.New(name, strings.NewReader(""), 0, nil)}, nil
	case name == "":
		return nil, cli.Usage("FILE is an empty name (leave it out for standard input)")
	}
	f, err := engine.Open(name, &engine.Options{Once: true, Stream: isDescriptor(name), Cache: cache})
	return &input{File: f}, hint(err)
}

// openStdin reads standard input as a file if it is one, and otherwise as it
// comes.
func openStdin(cache string) (*input, error) {
	const name = "standard input"
	in := &input{}
	if info, err := os.Stdin.Stat(); err == nil && info.Mode().IsRegular() {
		if off, err := os.Stdin.Seek(0, io.SeekCurrent); err == nil {
			in.stdin, in.base = os.Stdin, off
		}
		switch rest := info.Size() - in.base; {
		case in.base == 0:
		case !sizeIsTrue(os.Stdin, info.Size()):
			in.stdin = nil
			in.File = engine.NewStream(name, os.Stdin, &engine.Options{Once: true})
			return in, nil
		default: // who came before us has read the rest
			rest = max(0, rest)
			in.File = engine.New(name, io.NewSectionReader(os.Stdin, in.base, rest), rest, nil)
			return in, nil
		}
	}
	f, err := engine.Open(name, &engine.Options{
		Open:   func(string, int, fs.FileMode) (*os.File, error) { return os.Stdin, nil },
		Stream: true,
		Once:   true,
		Cache:  cache,
	})
	in.File = f
	return in, err
}

// sizeIsTrue reports whether a file has as many bytes as it says: those of
// /proc say 0, those of /sys 4096.
func sizeIsTrue(file *os.File, size int64) bool {
	if size == 0 {
		return false
	}
	n, _ := file.ReadAt(make([]byte, 1), size-1)
	return n == 1
}

// consume leaves standard input behind what was read of it, as head does: for
// the next command that reads it.
func (in *input) consume(end engine.Offset) {
	if in.stdin != nil && end != engine.LastOffset {
		_, _ = in.stdin.Seek(in.base+int64(end), io.SeekStart)
	}
}

// isDescriptor reports whether name is one for an open file: shells write
// these for <(command).
func isDescriptor(name string) bool {
	if name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") {
		return true
	}
	pid, ok := strings.CutPrefix(name, "/proc/")
	_, number, fd := strings.Cut(pid, "/fd/")
	return ok && fd && !strings.Contains(number, "/")
}

// hint says how a FIFO or a device is read, which the engine refuses.
func hint(err error) error {
	var path *fs.PathError
	if errors.Is(err, engine.ErrNotRegular) && errors.As(err, &path) {
		path.Err = fmt.Errorf("%w (to read it to its end, write: - < %s)", path.Err, path.Path)
	}
	return err
}
