package engine

import (
	"bytes"
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
