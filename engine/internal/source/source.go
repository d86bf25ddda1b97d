// Package source reads files by blocks, and hides where the blocks come from:
// from a mapping without a copy, from a descriptor, from any io.ReaderAt, or
// from a stream that is kept as far as it was read.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
)

// Unknown is the size of a stream whose end was not seen yet. It is larger
// than any offset, so that it serves as an upper bound as it is.
const Unknown = math.MaxInt64

// Errors of all sources. The engine exports them under the same names.
var (
	ErrClosed    = errors.New("the file is closed")
	ErrTruncated = errors.New("the file was cut short or overwritten")
)

// A Source is what is read: bytes from 0 to Size.
// Its methods can be called from several goroutines at once.
type Source interface {
	io.ReaderAt
	Viewer

	// Size returns the size in bytes, or Unknown.
	Size() int64

	// Extent returns where the run of data or of hole ends that the byte at
	// off lies in, which it is, and true if holes are told apart at all.
	Extent(off int64) (end int64, hole, known bool)

	// LastData returns the end of the last data before end, or 0 if there is
	// only hole. It returns end where holes are not told apart.
	LastData(end int64) int64

	// Workers returns how many goroutines it pays to scan with, of at most n.
	Workers(n int) int

	// Stop ends reads under way at their next block, and all later ones, with
	// ErrClosed.
	Stop()

	// Close frees what the source holds. Nothing may be under way.
	Close() error
}

// A Viewer lends blocks of bytes.
type Viewer interface {
	// View calls fn with a view for its own use, on its own goroutine.
	// A block that is gone when fn looks at it ends fn, and is the error.
	View(ctx context.Context, fn func(View) error) error
}

// A View lends blocks of a source to one goroutine.
type View interface {
	// Block returns the n bytes at off. It may return fewer, and none only
	// where the source ends; up to BlockSize bytes of a file it returns all.
	// They may be read until the next call, and not be kept or changed.
	Block(off int64, n int) ([]byte, error)
}

type unmapped struct{}

// Unmapped returns a context for views that read, though the source is mapped.
func Unmapped(ctx context.Context) context.Context {
	return context.WithValue(ctx, unmapped{}, true)
}

// BlockSize is the largest block that is copied: it stays in the processor's
// cache between the copy and the look at it.
const BlockSize = 256 << 10

// buffers has buffers of BlockSize bytes.
var buffers = sync.Pool{New: func() any { b := make([]byte, BlockSize); return &b }}

// Buffer lends a buffer of BlockSize bytes; the caller gives it back by
// calling the function when nothing refers to it any more.
func Buffer() ([]byte, func()) {
	b := buffers.Get().(*[]byte)
	return *b, func() { buffers.Put(b) }
}

// ViewOf calls fn with a view of r: r's own if it is a Viewer, else blocks
// that are read from the first size bytes of r.
func ViewOf(ctx context.Context, r io.ReaderAt, size int64, fn func(View) error) error {
	if v, ok := r.(Viewer); ok {
		return v.View(ctx, fn)
	}
	return readView(ctx, r, size, fn)
}

// copied is a view of what has to be read before it can be looked at.
type copied struct {
	ctx  context.Context
	r    io.ReaderAt
	size int64
	buf  []byte
}

func readView(ctx context.Context, r io.ReaderAt, size int64, fn func(View) error) error {
	buf, done := Buffer()
	defer done()
	return fn(&copied{ctx, r, size, buf})
}

func (c *copied) Block(off int64, n int) ([]byte, error) {
	if err := c.ctx.Err(); err != nil {
		return nil, err
	}
	n = int(max(0, min(int64(n), c.size-off, int64(len(c.buf)))))
	return ReadFull(c.r, c.buf[:n], off, c.size)
}

// ReadFull reads len(p) bytes at off. Only at the end of a source of unknown
// size may there be fewer: a source that ends before its size was cut short.
func ReadFull(r io.ReaderAt, p []byte, off, size int64) ([]byte, error) {
	n := 0
	for n < len(p) {
		m, err := r.ReadAt(p[n:], off+int64(n))
		if m < 0 || m > len(p)-n {
			return nil, fmt.Errorf("its ReadAt says that it has read %d bytes of %d", m, len(p)-n)
		}
		n += m
		switch {
		case n == len(p):
		case err == io.EOF && size == Unknown:
			return p[:n], nil
		case err == io.EOF:
			return nil, &OffsetError{off + int64(n), ErrTruncated}
		case err != nil:
			return nil, err
		case m == 0:
			return nil, io.ErrNoProgress
		}
	}
	return p, nil
}

// An OffsetError is an error at an offset of a file.
type OffsetError struct {
	Offset int64
	Err    error
}

func (e *OffsetError) Error() string { return e.Err.Error() }
func (e *OffsetError) Unwrap() error { return e.Err }
