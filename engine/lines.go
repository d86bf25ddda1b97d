package engine

import (
	"bytes"
	"context"
	"iter"

	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
	"excerpt/engine/reverse"
	"excerpt/engine/utf8safe"
)

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
// a Line that is empty. It holds 2 MiB of memory at most, however long lines are.
func (s *Span) All() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		if err := s.eachLine(func(line Line) bool { return yield(line, nil) }); err != nil {
			yield(Line{}, err)
		}
	}
}

func (s *Span) eachLine(yield func(Line) bool) error {
	r := lineReader{s: s, off: s.start, buf: make([]byte, min(source.BlockSize, s.end-s.start))}
	number := s.First()
	for {
		line := Line{Number: number, Offset: Offset(r.off)}
		text, size, err := r.next()
		if err != nil {
			return err
		}
		if size == 0 {
			return s.check()
		}
		line.Bytes = size
		line.Cut = size > int64(len(text))
		line.Text = scan.Text(text)
		if line.Offset == 0 {
			line.Text = bytes.TrimPrefix(line.Text, []byte(byteOrderMark))
		}
		if len(line.Text) > MaxText {
			line.Text = line.Text[:utf8safe.Prefix(line.Text, MaxText)]
			line.Cut = true
		}
		if number != 0 {
			number++
		}
		if !yield(line) {
			return nil
		}
	}
}

// slack is how much longer than its text a line can be.
const slack = len(byteOrderMark + "\r\n")

const byteOrderMark = "\ufeff"

// lineReader reads the lines of a span.
type lineReader struct {
	s   *Span
	off int64 // where the next line begins

	buf        []byte
	start, end int // buf[start:end] has what was read from off on
	last       bool
}

// next returns the next line, or MaxText+slack of its bytes or some more, and
// how many it has: none at the end of the span.
func (r *lineReader) next() (line []byte, size int64, err error) {
	for searched := 0; ; {
		b := r.buf[r.start:r.end]
		if i := bytes.IndexByte(b[searched:], '\n'); i >= 0 {
			line = b[:searched+i+1]
			size = int64(len(line))
			r.start += len(line)
			break
		}
		searched = len(b)
		if r.last || searched >= MaxText+slack {
			line, size = b, int64(len(b))
			if !r.last {
				end, err := r.s.lineEnd(r.off + size)
				if err != nil {
					return nil, 0, err
				}
				size = end - r.off
			}
			r.start = r.end
			break
		}
		if err := r.fill(); err != nil {
			return nil, 0, err
		}
	}
	r.off += size
	return line, size, nil
}

// fill reads on behind what the buffer has.
func (r *lineReader) fill() error {
	if r.end == len(r.buf) {
		to := r.buf
		if r.start == 0 {
			to = make([]byte, 2*len(r.buf))
		}
		r.end = copy(to, r.buf[r.start:r.end])
		r.buf, r.start = to, 0
	}
	more, err := r.s.readOn(r.buf[r.end:], r.off+int64(r.end-r.start))
	r.end += len(more)
	r.last = len(more) == 0
	return err
}

// lineEnd returns the offset just past the line end that comes next, or the
// end of the span.
func (s *Span) lineEnd(off int64) (int64, error) {
	var m scan.Mark
	err := s.look(s.ctx, func(ctx context.Context, p *pass) error {
		var err error
		m, err = scan.Find(ctx, p.src, scan.Mark{Offset: off}, s.end, 1, s.f.scanPlan(ctx, p.snapshot, true))
		return err
	})
	if s.bound != nil {
		s.bound.lines -= m.Ends
		s.bound.at = m.Offset
		if s.bound.lines == 0 {
			s.end, s.bound = m.Offset, nil
		}
	}
	return m.Offset, err
}
