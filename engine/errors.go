package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"excerpt/engine/internal/source"
)

// Sentinels, for errors.Is. I/O errors are *fs.PathError and say the path.
var (
	// ErrClosed is the error of a File or Span that is used after Close.
	ErrClosed = source.ErrClosed

	// ErrTruncated says that bytes which the File had when it was opened are
	// gone: the file was cut short, overwritten, or replaced. Call
	// [File.Refresh] and select again.
	ErrTruncated = source.ErrTruncated

	// ErrForgotten says that a part of a stream was wanted again that
	// [Options.Once] let go of.
	ErrForgotten = source.ErrForgotten

	// ErrNotRegular is the error of [Open] for FIFOs, sockets and devices, which
	// [Options.Stream] allows.
	ErrNotRegular = errors.New("not a regular file")

	// ErrSelection is the error of a selection that no file can satisfy: a
	// negative number of lines, line 0, a range that ends before it begins.
	ErrSelection = errors.New("invalid selection")
)

// A RangeError is the error of a range that lies wholly past the end of its
// file. It is an [ErrSelection] too.
type RangeError struct {
	Path  string
	First LineNumber // the first line that was asked for
	Lines int64      // the lines that the file has
}

// Error says how many lines there are.
func (e *RangeError) Error() string {
	switch e.Lines {
	case 0:
		return fmt.Sprintf("%s: no line %d: the file is empty", e.Path, e.First)
	case 1:
		return fmt.Sprintf("%s: no line %d: the file has 1 line", e.Path, e.First)
	}
	return fmt.Sprintf("%s: no line %d: the file has %d lines", e.Path, e.First, e.Lines)
}

// Is makes a RangeError an ErrSelection.
func (e *RangeError) Is(target error) bool { return target == ErrSelection }

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSelection, fmt.Sprintf(format, args...))
}

// wrap gives err the path of f, unless it has one or is a context's.
func (f *File) wrap(op string, err error) error {
	var at *source.OffsetError
	var path *fs.PathError
	switch {
	case err == nil, isContext(err), errors.Is(err, ErrSelection):
		return err
	case errors.Is(err, os.ErrClosed):
		return &fs.PathError{Op: op, Path: f.name, Err: ErrClosed}
	case errors.As(err, &at):
		return &fs.PathError{Op: op, Path: f.name, Err: fmt.Errorf("%w (at offset %d)", at.Err, at.Offset)}
	case errors.As(err, &path):
		return err
	}
	return &fs.PathError{Op: op, Path: f.name, Err: err}
}
