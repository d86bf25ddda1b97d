package engine

import (
	"bufio"
	"bytes"
	"io"
	"strconv"

	"excerpt/engine/internal/source"
)

// WriteTo writes the bytes of the span to w as they are, and returns how many.
// It holds 256 KiB of memory. Before an error it may have written a part, and
// never bytes that the file did not have.
func (s *Span) WriteTo(w io.Writer) (int64, error) {
	var written int64
	err := s.each(func(b []byte, _ bool) error {
		n, err := w.Write(b)
		written += int64(n)
		return err
	})
	return written, err
}

// zeros is what a hole reads as. Nothing is ever written to it, so it takes no memory.
var zeros [8 << 20]byte

// each calls fn with the bytes of the span, a block after the other, and says
// of those in a hole that they are NULs.
func (s *Span) each(fn func(b []byte, hole bool) error) error {
	buf, done := source.Buffer()
	defer done()
	report := s.f.progress(s.ctx, s.s)
	runEnd, hole, reported := s.start, false, s.start
	for off := s.start; off < s.end; {
		if off >= runEnd {
			runEnd, hole = s.extent(off)
		}
		b, err := s.block(buf, off, runEnd, hole)
		if len(b) > 0 { // also before an error: it can be read
			if err := fn(b, hole); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		if len(b) == 0 {
			break // the end of a stream
		}
		off += int64(len(b))
		if off-reported >= 16*source.BlockSize {
			report(max(off, 0))
			reported = off
		}
	}
	return s.check()
}

// block returns bytes at off that lie before end.
func (s *Span) block(buf []byte, off, end int64, hole bool) ([]byte, error) {
	if !hole {
		return s.readOn(buf, off)
	}
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil { // a file that was cut short looks like a hole
		return nil, err
	}
	return zeros[:min(int64(len(zeros)), end-off)], nil
}

// extent returns where the run of data or of hole ends that off lies in. Only
// a hole that is long counts as one.
func (s *Span) extent(off int64) (end int64, hole bool) {
	now, err := s.acquire()
	if err != nil {
		return s.end, false // the read that follows says why
	}
	defer s.f.release(now)
	end, hole, known := now.src.Extent(off)
	switch end = min(end, s.end); {
	case !known:
		return s.end, false
	case hole && end-off < source.BlockSize:
		return min(off+source.BlockSize, s.end), false
	}
	return end, hole
}

// WriteNumbered writes the span as WriteTo does, with the number of each line
// before it: "12: text". Where the numbers are not known, it counts first, as
// [Span.Number] does.
func (s *Span) WriteNumbered(w io.Writer) (int64, error) {
	first, err := s.Number(s.ctx)
	if err != nil {
		return 0, err
	}
	counter := &countWriter{w: w}
	out := bufio.NewWriterSize(counter, source.BlockSize)
	number := int64(first)
	atStart := true
	err = s.each(func(b []byte, hole bool) error {
		live := len(b) < source.BlockSize // or the end
		for len(b) > 0 {
			if atStart {
				if _, err := out.Write(appendNumber(out.AvailableBuffer(), number)); err != nil {
					return err
				}
				number++
			}
			n := len(b)
			atStart = false
			if !hole {
				if i := bytes.IndexByte(b, '\n'); i >= 0 {
					n, atStart = i+1, true
				}
			}
			if _, err := out.Write(b[:n]); err != nil {
				return err
			}
			b = b[n:]
		}
		if live {
			return out.Flush()
		}
		return nil
	})
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	return counter.n, err
}

// appendNumber appends what stands before a numbered line.
func appendNumber(dst []byte, number int64) []byte {
	return append(strconv.AppendInt(dst, number, 10), ": "...)
}

type countWriter struct {
	w io.Writer
	n int64
}

func (c *countWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
