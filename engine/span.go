package engine

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"iter"
	"strconv"
	"sync/atomic"

	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
	"excerpt/engine/reverse"
	"excerpt/engine/utf8safe"
)

// A Span is a part of a file that was located and not yet read: a half-open
// range of bytes. Its reads end when the context does that it was located
// with. It holds nothing but offsets, can be used as long as its File is open,
// and needs no closing.
type Span struct {
	f   *File
	s   *snapshot // that its offsets were found in
	ctx context.Context

	start, end int64        // end is source.Unknown if it is that of a stream
	first      atomic.Int64 // the number of the line that start lies in, or 0
	lines      int64        // the lines that it has a part of, or -1

	fromEnd bool // what matters most is its end: a cut keeps that
}

func (f *File) span(ctx context.Context, s *snapshot, start, end int64, first LineNumber, lines int64) *Span {
	span := &Span{f: f, s: s, ctx: ctx, start: start, end: end, lines: lines}
	if start == end {
		span.lines = 0
	}
	span.first.Store(int64(first))
	return span
}

// Offsets returns where the span begins, and where what follows it begins. The
// end is [LastOffset] if it is the end of a stream that was not seen yet.
func (s *Span) Offsets() (start, end Offset) { return Offset(s.start), Offset(s.end) }

// Lines returns how many lines the span has, a line of which it has a part
// included, and whether that is known: it is, unless the span was given by its
// bytes or goes to the end of the file by wish.
func (s *Span) Lines() (int64, bool) { return max(s.lines, 0), s.lines >= 0 }

// First returns the number of the line that the span begins in, or 0 if it is
// not known. It costs nothing.
func (s *Span) First() LineNumber { return LineNumber(s.first.Load()) }

// Number returns the number of the line that the span begins in. Where it is
// not known, it counts the lines before the span, on several cores if they are
// many, and the span knows it from then on.
func (s *Span) Number(ctx context.Context) (LineNumber, error) {
	if first := s.First(); first != 0 {
		return first, nil
	}
	_, err := s.f.locate(ctx, func(now *snapshot) (*Span, error) {
		if now.generation != s.s.generation {
			return nil, errReplaced
		}
		m, err := scan.Find(ctx, now.src, 0, s.start, scan.All, s.f.scanPlan(ctx, now, false))
		if err == nil {
			s.first.Store(m.Ends + 1)
		}
		return s, err
	})
	return s.First(), err
}

// read fills p from offset off on, as far as the span goes.
func (s *Span) read(p []byte, off int64) ([]byte, error) {
	return s.readWith(p, off, (*source.Stream).ReadAtContext)
}

// readOn is read in order: of a stream, it does not wait to fill p, and what
// lies before off is not wanted any more.
func (s *Span) readOn(p []byte, off int64) ([]byte, error) {
	return s.readWith(p, off, func(stream *source.Stream, ctx context.Context, p []byte, off int64) (int, error) {
		stream.Forget(off)
		return stream.ReadSome(ctx, p, off)
	})
}

func (s *Span) readWith(p []byte, off int64, readStream func(*source.Stream, context.Context, []byte, int64) (int, error)) ([]byte, error) {
	now, err := s.f.acquireSince(s.s)
	if err != nil {
		return nil, err
	}
	defer s.f.release(now)
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	p = p[:max(0, min(int64(len(p)), s.end-off))]
	if stream, ok := now.src.(*source.Stream); ok {
		n, err := readStream(stream, s.ctx, p, off)
		if err == io.EOF {
			err = nil
		}
		return p[:n], s.f.wrap("read", err)
	}
	p, err = source.ReadFull(now.src, p, off, now.src.Size())
	return p, s.f.wrap("read", err)
}

// verify says whether what was read was the file that the span was found in.
func (s *Span) verify(read int64) error {
	now, err := s.f.acquireSince(s.s)
	if err != nil {
		return err
	}
	defer s.f.release(now)
	return s.f.wrap("read", now.verify(read))
}

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
		if err != nil {
			return err
		}
		if len(b) == 0 {
			break // the end of a stream
		}
		if err := fn(b, hole); err != nil {
			return err
		}
		off += int64(len(b))
		if off-reported >= 16*source.BlockSize {
			report(off)
			reported = off
		}
	}
	return s.verify(s.end)
}

// block returns bytes at off that lie before end.
func (s *Span) block(buf []byte, off, end int64, hole bool) ([]byte, error) {
	if !hole {
		return s.readOn(buf, off)
	}
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	b := zeros[:min(int64(len(zeros)), end-off)]
	// A file that was cut short looks like a hole.
	return b, s.verify(off + int64(len(b)))
}

// extent returns where the run of data or of hole ends that off lies in. Only
// a hole that is long counts as one.
func (s *Span) extent(off int64) (end int64, hole bool) {
	now, err := s.f.acquireSince(s.s)
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

// MaxText is the most bytes of a line that [Span.All] returns as its text.
const MaxText = reverse.MaxText

// A Line is a line of a file.
type Line struct {
	Number LineNumber // 0 if the span does not know its numbers
	Offset Offset     // of its first byte
	Bytes  int64      // its length, the line end included

	// Text is the line without its LF, without a CR just before that, and
	// without a byte order mark at the beginning of the file; or the first
	// MaxText bytes of that, less a character that this would cut, and then
	// Cut is true. It holds until the next line, and must not be changed.
	Text []byte
	Cut  bool
}

// All returns the lines of the span, in order. A span that begins or ends
// inside a line gives that part as a line. An error ends them, and comes with
// a Line that is empty. It holds 1 MiB of memory, however long the lines are.
func (s *Span) All() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		if err := s.eachLine(func(line Line) bool { return yield(line, nil) }); err != nil {
			yield(Line{}, err)
		}
	}
}

func (s *Span) eachLine(yield func(Line) bool) error {
	var (
		buf    = make([]byte, min(source.BlockSize, s.end-s.start))
		b      []byte // bytes read and not yet returned
		off    = s.start
		number = s.First()
	)
	for off < s.end {
		i := bytes.IndexByte(b, '\n')
		if i < 0 && len(b) < MaxText+slack {
			// The line goes on behind b.
			if len(b) == len(buf) {
				buf = append(buf, make([]byte, len(buf))...)
				b = buf[:len(b)]
			}
			kept := copy(buf, b)
			more, err := s.readOn(buf[kept:], off+int64(kept))
			if err != nil {
				return err
			}
			b = buf[:kept+len(more)]
			if len(more) > 0 {
				continue
			}
			if len(b) == 0 {
				break
			}
		}
		line := Line{Number: number, Offset: Offset(off), Bytes: int64(i + 1)}
		text := b
		switch {
		case i >= 0:
			text = b[:i+1]
			b = b[i+1:]
		case len(b) < MaxText+slack:
			line.Bytes = int64(len(b))
			b = nil
		default:
			end, err := s.lineEnd(off + int64(len(b)))
			if err != nil {
				return err
			}
			line.Bytes = end - off
			line.Cut = true
			b = nil
		}
		line.Text = scan.Text(text)
		if off == 0 {
			line.Text = bytes.TrimPrefix(line.Text, []byte(byteOrderMark))
		}
		if len(line.Text) > MaxText {
			line.Text = line.Text[:utf8safe.Prefix(line.Text, MaxText)]
			line.Cut = true
		}
		off += line.Bytes
		if number != 0 {
			number++
		}
		if !yield(line) {
			return nil
		}
	}
	return s.verify(off)
}

// slack is how much longer than its text a line can be.
const slack = len(byteOrderMark + "\r\n")

const byteOrderMark = "\ufeff"

// lineEnd returns the offset just past the line end that comes next, or the
// end of the span.
func (s *Span) lineEnd(off int64) (int64, error) {
	now, err := s.f.acquireSince(s.s)
	if err != nil {
		return 0, err
	}
	defer s.f.release(now)
	m, err := scan.Find(s.ctx, now.src, off, s.end, 1, s.f.scanPlan(s.ctx, now, true))
	return m.Offset, s.f.wrap("read", err)
}
