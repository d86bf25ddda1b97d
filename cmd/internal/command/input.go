package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
	"excerpt/internal/magic"
)

// input is a file that is read for one command.
type input struct {
	*engine.File
	stdin *os.File // if it is standard input and can be repositioned
	base  int64    // where reading began

	report Report // of a rotated log, else nil
}

// reading is what all have that read a file.
type reading struct {
	without bool // an index
	rotated bool // FILE is the live one of a rotated log
	full    *Full
	verb    string
}

func (r *reading) define(f *flags) {
	f.bool(&r.without, "", "no-index")
	r.full, r.verb = f.full, f.verb
}

// defineRotated is for verbs that read rotated logs.
func (r *reading) defineRotated(f *flags) {
	f.bool(&r.rotated, "", "rotated")
	r.full, r.verb = f.full, f.verb
}

const (
	readingHelp = `      --no-index     neither use nor keep what is known of the file's lines
`
	rotatedHelp = `      --rotated      read FILE and what logrotate has made of it (FILE.1, FILE.2.gz,
                     FILE-20261130) as one file, the oldest first
`
)

// cache is the engine's option for it.
func (r *reading) cache() string {
	if r.without {
		return engine.NoCache
	}
	return ""
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

// open opens a file, or standard input for "-".
func (r *reading) open(ctx context.Context, name string) (*input, error) {
	switch {
	case r.rotated:
		return r.openRotated(ctx, name)
	case name == "-":
		return r.openStdin()
	case name == os.DevNull: // a device, but an empty file to all who name it
		return &input{File: engine.New(name, strings.NewReader(""), 0, nil)}, nil
	case name == "":
		return nil, cli.Usage("FILE is an empty name (leave it out for standard input)")
	}
	stream := isDescriptor(name)
	if info, err := os.Stat(name); stream && err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		return &input{File: openStream(name, file)}, nil
	}
	f, err := r.openFile(name, &engine.Options{Once: true, Stream: stream, Cache: r.cache()})
	if err == errElsewhere {
		return nil, err
	}
	return &input{File: f}, hint(err)
}

// openFile opens a file for what it holds.
func (r *reading) openFile(name string, opts *engine.Options) (*engine.File, error) {
	if r.full != nil {
		return r.full.Open(name, opts)
	}
	f, err := engine.Open(name, opts)
	if err == nil && isCompressed(f) {
		f.Close()
		return nil, errElsewhere
	}
	return f, err
}

// beforeDamage returns what of a compressed file can be read, if err is that
// no more can: a DamageError of package compressed, which would bring the codecs
// along.
func beforeDamage(f *engine.File, err error) (*engine.File, bool) {
	var damage interface {
		error
		Readable() (bytes, verified int64)
	}
	if !errors.As(err, &damage) {
		return nil, false
	}
	bytes, _ := damage.Readable()
	return engine.New(f.Name(), f, bytes, nil), bytes > 0
}

// elsewhere reports whether one of the files is for excerpt-full: before there
// is an answer for another.
func (r *reading) elsewhere(names []string) bool {
	if r.full != nil || r.rotated {
		return r.full == nil
	}
	for _, name := range names {
		if name == "-" && stdinElsewhere() {
			return true
		}
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		in, err := r.open(context.Background(), name)
		if err == errElsewhere {
			return true
		}
		if err == nil {
			in.Close()
		}
	}
	return false
}

// openStdin reads standard input as a file if it is one, and otherwise as it
// comes.
func (r *reading) openStdin() (*input, error) {
	const name = "standard input"
	in := &input{}
	info, err := os.Stdin.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		in.File = openStream(name, os.Stdin)
		return in, nil
	}
	if err == nil && info.Mode().IsRegular() {
		if off, err := os.Stdin.Seek(0, io.SeekCurrent); err == nil {
			in.stdin, in.base = os.Stdin, off
		}
		switch rest := info.Size() - in.base; {
		case in.base == 0:
		case !sizeIsTrue(os.Stdin, info.Size()):
			in.stdin = nil
			in.File = openStream(name, os.Stdin)
			return in, nil
		default: // who came before us has read the rest
			rest = max(0, rest)
			part := io.NewSectionReader(os.Stdin, in.base, rest)
			in.File = engine.New(name, part, rest, nil)
			b := make([]byte, magic.Len)
			n, _ := part.ReadAt(b, 0)
			if err := refuse(b[:n]); err != nil {
				return nil, &fs.PathError{Op: "read", Path: name, Err: err}
			}
			return in, nil
		}
	}
	if r.full == nil && stdinElsewhere() { // before it is closed
		return nil, errElsewhere
	}
	in.File, err = r.openFile(name, &engine.Options{
		Open:   func(string, int, fs.FileMode) (*os.File, error) { return os.Stdin, nil },
		Stream: true,
		Once:   true,
		Cache:  r.cache(),
	})
	return in, err
}

// stdinElsewhere reports whether standard input is a file that is for
// excerpt-full.
func stdinElsewhere() bool {
	info, err := os.Stdin.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	off, err := os.Stdin.Seek(0, io.SeekCurrent)
	return err == nil && off == 0 && isCompressed(os.Stdin)
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
// the next command that reads it. There is no such place in what is compressed,
// but the end.
func (in *input) consume(end engine.Offset) {
	switch {
	case in.stdin == nil:
	case in.Stored() != in.Size():
		_, _ = in.stdin.Seek(0, io.SeekEnd)
	case end != engine.LastOffset:
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
