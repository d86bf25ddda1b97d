package readfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"excerpt/engine"
	"excerpt/internal/args"
)

// explain returns the sentence for an error of the system or of the engine. It
// says nothing of what the system says of its paths.
func explain(name string, err error) error {
	var said *refusal
	if errors.As(err, &said) {
		return said
	}
	q := args.Quote(name)
	var errno syscall.Errno
	var damaged damage
	switch {
	case errors.As(err, &damaged):
		return explainDamage(q, damaged)
	case errors.Is(err, context.DeadlineExceeded):
		return refusef(err, "reading %s took too long: ask for less of it, or for a part nearer to its beginning or its end", q)
	case errors.Is(err, context.Canceled):
		return refusef(err, "reading %s was cancelled", q)
	case escapes(err):
		return refusef(ErrOutside, "%s leads outside the workspace by a link: only files inside it can be read", q)
	case errors.Is(err, syscall.ELOOP), strings.HasSuffix(err.Error(), "too many symbolic links"), strings.HasSuffix(err.Error(), "too many levels of symbolic links"):
		return refusef(err, "%s is a link that leads to no file, but round in a loop: send the path of a file", q)
	case errors.Is(err, syscall.ENOTDIR):
		return refusef(fs.ErrNotExist, "there is no file %s in the workspace: a part of its path is a file, not a directory", q)
	case errors.Is(err, syscall.EISDIR):
		return refusef(err, "%s is a directory: send the path of a file in it", q)
	case errors.Is(err, engine.ErrNotRegular), errors.Is(err, syscall.ENXIO):
		return refusef(engine.ErrNotRegular, "%s is a FIFO, a socket or a device: only regular files are read", q)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return refusef(fs.ErrNotExist, "there is no file %s in the workspace: its name is too long", q)
	case errors.Is(err, fs.ErrNotExist):
		return refusef(fs.ErrNotExist, "there is no file %s in the workspace: check the path, which is relative to the workspace", q)
	case errors.Is(err, fs.ErrPermission):
		return refusef(fs.ErrPermission, "there is no permission to read %s", q)
	case errors.Is(err, engine.ErrTruncated), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errSwapped):
		return refusef(engine.ErrTruncated, "%s was cut short or replaced while it was read: send the same request again", q)
	case errors.Is(err, errors.ErrUnsupported):
		return refusef(err, "%s can't be read: %s", q, reason(err))
	case errors.As(err, &errno):
		return refusef(err, "%s can't be read: %s", q, errno.Error())
	}
	return refusef(err, "%s can't be read", q)
}

// escapes tells our error, and that of os.Root, which has no name.
func escapes(err error) bool {
	var at *fs.PathError
	return errors.Is(err, errEscapes) || errors.As(err, &at) && at.Err.Error() == "path escapes from parent"
}
