package source

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"
)

// A ReaderAt is a source that is read with ReadAt.
type ReaderAt struct {
	r      io.ReaderAt
	size   int64
	closed atomic.Bool
}

// NewReaderAt returns the source of the first size bytes of r.
func NewReaderAt(r io.ReaderAt, size int64) *ReaderAt { return &ReaderAt{r: r, size: size} }

// ReadAt reads as io.ReaderAt demands, within the size.
func (s *ReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if s.closed.Load() {
		return 0, ErrClosed
	}
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	if off >= s.size {
		return 0, io.EOF
	}
	short := int64(len(p)) > s.size-off
	if short {
		p = p[:s.size-off]
	}
	n, err := s.r.ReadAt(p, off)
	switch {
	case n == len(p) && !short:
		return n, nil
	case n == len(p):
		return n, io.EOF
	case errors.Is(err, os.ErrClosed):
		err = ErrClosed
	}
	return n, err
}

// View lends copies.
func (s *ReaderAt) View(ctx context.Context, fn func(View) error) error {
	return readView(ctx, s, s.size, fn)
}

func (s *ReaderAt) Size() int64                      { return s.size }
func (s *ReaderAt) Extent(int64) (int64, bool, bool) { return s.size, false, false }
func (s *ReaderAt) LastData(end int64) int64         { return end }
func (s *ReaderAt) Workers(n int) int                { return n }
func (s *ReaderAt) Stop()                            { s.closed.Store(true) }
func (s *ReaderAt) Close() error                     { return nil }
