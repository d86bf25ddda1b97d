package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// ErrForgotten is the error for bytes of a stream that were let go of.
var ErrForgotten = errors.New("this part of the stream was not kept: it can be read once only")

// memory is how much of a stream is kept in memory, in chunks; what is kept
// beyond that goes to a temporary file.
const memory = 16 * BlockSize

// A Stream is a source over an io.Reader. It reads no further than it is asked
// to, and keeps what it has read.
type Stream struct {
	// Once makes a stream forget what it is told to.
	Once bool

	stopped context.Context // ends when the stream is not to be read any more
	stop    func()
	end     atomic.Int64 // the size, Unknown before r has ended

	mu     sync.Mutex // held while r is waited for
	r      io.Reader
	err    error    // why r ended, nil until then; io.EOF is the plain end
	size   int64    // bytes read from r
	kept   int64    // bytes before it are forgotten
	chunks []chunk  // the last bytes, all full but the last: at most memory
	file   *os.File // the bytes of [kept, first chunk), at their own offsets
	punch  int64    // file has nothing before it

	unlinked bool // file has no name any more: some systems keep it while it is open
}

type chunk struct {
	off int64
	buf []byte
}

// NewStream returns the source of what r gives. It does not close r.
func NewStream(r io.Reader) *Stream {
	s := &Stream{r: r}
	s.stopped, s.stop = context.WithCancel(context.Background())
	s.end.Store(Unknown)
	return s
}

// Fill reads until the stream has at least to bytes, or has ended, and returns
// how many it has.
func (s *Stream) Fill(ctx context.Context, to int64) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.fill(ctx, to)
	return s.size, err
}

func (s *Stream) fill(ctx context.Context, to int64) error {
	for s.size < to && s.err == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.stopped.Err() != nil {
			return ErrClosed
		}
		last := len(s.chunks) - 1
		if last < 0 || len(s.chunks[last].buf) == BlockSize {
			buf, err := s.room()
			if err != nil {
				return err
			}
			s.chunks = append(s.chunks, chunk{s.size, buf})
			last = len(s.chunks) - 1
		}
		c := &s.chunks[last]
		n, err := s.readChunk(ctx, c.buf[len(c.buf):BlockSize])
		if n < 0 || n > BlockSize-len(c.buf) {
			n, err = 0, fmt.Errorf("its Read says that it has read %d bytes of %d", n, BlockSize-len(c.buf))
		}
		c.buf = c.buf[:len(c.buf)+n]
		s.size += int64(n)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			if s.stopped.Err() != nil {
				return ErrClosed
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		s.err = err
		if err == io.EOF {
			s.end.Store(s.size)
		}
	}
	if s.err != nil && s.err != io.EOF && s.size < to {
		return s.err
	}
	return nil
}

// readChunk reads once, unless ctx or the stream ends first and r can be told
// to stop waiting.
func (s *Stream) readChunk(ctx context.Context, p []byte) (n int, err error) {
	if r, ok := s.r.(deadliner); ok {
		defer interrupt(ctx, r)()
		defer interrupt(s.stopped, r)()
	}
	for range 100 {
		if n, err = s.r.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

type deadliner interface{ SetReadDeadline(time.Time) error }

// interrupt ends reads of r when ctx ends, until the function is called that
// it returns. That one leaves r without a deadline.
func interrupt(ctx context.Context, r deadliner) (finish func()) {
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = r.SetReadDeadline(time.Unix(1, 0))
		close(done)
	})
	return func() {
		if !stop() {
			<-done
			_ = r.SetReadDeadline(time.Time{})
		}
	}
}

// room returns an empty chunk, taking the oldest out of memory if need be.
func (s *Stream) room() ([]byte, error) {
	if len(s.chunks) < memory/BlockSize {
		return make([]byte, 0, BlockSize), nil
	}
	if s.file == nil {
		file, err := os.CreateTemp("", "excerpt-*")
		if err != nil {
			return nil, fmt.Errorf("keep a stream on disk (TMPDIR says where): %w", err)
		}
		s.file = file
		s.unlinked = os.Remove(file.Name()) == nil
	}
	oldest := s.chunks[0]
	if _, err := s.file.WriteAt(oldest.buf, oldest.off); err != nil {
		return nil, fmt.Errorf("keep a stream on disk (TMPDIR says where): %w", err)
	}
	s.chunks = append(s.chunks[:0], s.chunks[1:]...)
	return oldest.buf[:0], nil
}

// Forget lets go of the bytes before off, if the stream is to be read once.
func (s *Stream) Forget(off int64) {
	if !s.Once {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = max(s.kept, min(off, s.size))
	whole := 0
	for whole < len(s.chunks) && s.chunks[whole].off+BlockSize <= s.kept {
		whole++
	}
	s.chunks = append(s.chunks[:0], s.chunks[whole:]...)
	if s.file != nil && s.kept-s.punch >= memory {
		punch(s.file, s.punch, s.kept)
		s.punch = s.kept
	}
}

// readAt copies what lies at off, after a fill.
func (s *Stream) readAt(p []byte, off int64) (int, error) {
	if off < s.kept {
		return 0, ErrForgotten
	}
	n := 0
	for n < len(p) && off+int64(n) < s.size {
		at := off + int64(n)
		if len(s.chunks) == 0 || at < s.chunks[0].off {
			want := p[n:]
			if len(s.chunks) > 0 {
				want = want[:min(int64(len(want)), s.chunks[0].off-at)]
			}
			m, err := s.file.ReadAt(want, at)
			n += m
			if m == 0 {
				return n, fmt.Errorf("read back a stream kept on disk: %w", err)
			}
			continue
		}
		c := s.chunks[(at-s.chunks[0].off)/BlockSize]
		n += copy(p[n:], c.buf[at-c.off:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// ReadSome reads what there is at off, and waits for one byte of it.
func (s *Stream) ReadSome(ctx context.Context, p []byte, off int64) (int, error) {
	return s.readFilled(ctx, p, off, off+1)
}

// ReadAtContext is ReadAt until ctx ends.
func (s *Stream) ReadAtContext(ctx context.Context, p []byte, off int64) (int, error) {
	return s.readFilled(ctx, p, off, off+int64(len(p)))
}

// readFilled reads what lies at off when the stream has at least to bytes.
func (s *Stream) readFilled(ctx context.Context, p []byte, off, to int64) (int, error) {
	if s.stopped.Err() != nil {
		return 0, ErrClosed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fill(ctx, to); err != nil {
		return 0, err
	}
	return s.readAt(p, off)
}

// ReadAt reads on in the stream as far as it must.
func (s *Stream) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	return s.ReadAtContext(context.Background(), p, off)
}

// View lends copies.
func (s *Stream) View(ctx context.Context, fn func(View) error) error {
	buf, done := Buffer()
	defer done()
	return fn(&streamed{ctx, s, buf})
}

// streamed is a view of a stream. It waits for no more than one byte, since
// that may end the line that is wanted.
type streamed struct {
	ctx context.Context
	s   *Stream
	buf []byte
}

func (v *streamed) Block(off int64, n int) ([]byte, error) {
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	n, err := v.s.ReadSome(v.ctx, v.buf[:min(n, len(v.buf))], off)
	if err == io.EOF {
		err = nil
	}
	return v.buf[:n], err
}

// Size returns the bytes of the stream once it has ended, and Unknown before.
func (s *Stream) Size() int64 { return s.end.Load() }

func (s *Stream) Extent(int64) (int64, bool, bool) { return Unknown, false, false }
func (s *Stream) LastData(end int64) int64         { return end }

// Workers is one: a stream comes in order.
func (s *Stream) Workers(int) int { return 1 }

// Stop does not wait for the stream. A read that does ends at once if its
// reader knows deadlines, and else when that has given something.
func (s *Stream) Stop() { s.stop() }

// Close gives back what was kept.
func (s *Stream) Close() error {
	s.chunks = nil
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if !s.unlinked {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
