// Package reverse reads files from the end backwards, by chunks: where the
// last lines begin ([Start]), and line after line, newest first ([Reader]).
//
// It works on any [io.ReaderAt] of known size. What it costs depends on what
// it returns and not on the size of the file, and is linear in the length of
// the lines, which has no limit.
//
// A line ends with LF, which belongs to it; a last line without LF is a line,
// and a file that ends with LF has no empty line behind it.
package reverse

import (
	"bytes"
	"context"
	"errors"
	"io"
	"unicode/utf8"

	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
	"excerpt/engine/utf8safe"
)

// Chunks are read from the end: the first is small, since most tails are, and
// each next twice as long.
const (
	firstChunk = 4 << 10
	lastChunk  = source.BlockSize
)

// Start returns the offset at which the last n lines of the first size bytes
// of r begin, and how many lines there are from it to the end. There are fewer
// than n only if the file has fewer; then the offset is 0.
//
// It reads at most about twice the bytes of those lines. It returns the error
// of r or of ctx, and an error if r ends before size or if n is negative.
func Start(ctx context.Context, r io.ReaderAt, size, n int64) (offset, lines int64, err error) {
	if n < 0 || size < 0 {
		return 0, 0, errors.New("reverse: the size and the number of lines can't be negative")
	}
	if n == 0 || size == 0 {
		return size, 0, nil
	}
	err = source.ViewOf(ctx, r, size, func(v source.View) error {
		c := chunks{v: v, r: r, pos: size}
		last, err := v.Block(size-1, 1)
		if err != nil {
			return err
		}
		// The last line's own end is not the end of a line before it.
		unended := int64(1)
		if last[0] == '\n' {
			unended = 0
		}
		ends, want := int64(0), n
		if unended == 0 && want < scan.All {
			want++
		}
		for c.pos > 0 {
			b, err := c.next()
			if err != nil {
				return err
			}
			found := int64(scan.Count(b))
			if ends+found >= want {
				offset = c.pos + int64(scan.Nth(b, int(ends+found-want+1)))
				lines = n
				return nil
			}
			ends += found
		}
		lines = ends + unended
		return nil
	})
	return offset, lines, err
}

// chunks reads the bytes before pos, nearest first.
type chunks struct {
	v    source.View
	r    io.ReaderAt
	pos  int64 // all before it is still to be read
	size int   // of the chunk read last
}

// next returns the chunk that ends where the last one began. It is the
// caller's until the call after. A hole is skipped: there is no line end in it.
func (c *chunks) next() ([]byte, error) {
	if s, ok := c.r.(interface{ LastData(end int64) int64 }); ok {
		c.pos = s.LastData(c.pos)
	}
	c.size = min(max(2*c.size, firstChunk), lastChunk)
	n := int(min(int64(c.size), c.pos))
	b, err := c.v.Block(c.pos-int64(n), n)
	c.pos -= int64(len(b))
	return b, err
}

// MaxText is the most bytes of a line that a [Reader] returns as its text.
const MaxText = 1 << 20

// A Line is the place of a line in its file, and its text.
type Line struct {
	Start, End int64 // half-open byte offsets, the line end included

	// Text is the line without its LF and without a CR just before it, or the
	// first MaxText bytes of that, less a character that this would cut. It belongs to the Reader, and holds until
	// its next call.
	Text []byte
}

// A Reader reads lines backwards. It is for one goroutine.
type Reader struct {
	ctx context.Context
	r   io.ReaderAt
	end int64 // of the line that comes next
	err error

	buf  []byte // the bytes of the file before bufEnd
	from int64  // where buf begins in the file
	ends []int  // offsets in buf just past each line end before the line at end
	long []byte // the text of the last line that was longer than buf
}

// NewReader returns a Reader of the lines in the first size bytes of r.
// ctx ends its reads. It needs no closing.
func NewReader(ctx context.Context, r io.ReaderAt, size int64) *Reader {
	return &Reader{ctx: ctx, r: r, end: size, from: size}
}

// Next returns the line before the one that it returned last, at first the
// file's last line. At the beginning of the file the error is io.EOF; an error
// of r or of the context comes again at each further call.
func (r *Reader) Next() (Line, error) {
	if r.err != nil {
		return Line{}, r.err
	}
	if r.end <= 0 {
		return Line{}, io.EOF
	}
	if len(r.ends) == 0 && r.from > 0 {
		if r.err = r.fill(); r.err != nil {
			return Line{}, r.err
		}
	}
	line := Line{End: r.end}
	switch last := len(r.ends) - 1; {
	case last >= 0:
		line.Start = r.from + int64(r.ends[last])
		r.ends = r.ends[:last]
	case r.from > 0:
		if line, r.err = r.longLine(); r.err != nil {
			return Line{}, r.err
		}
		r.end, r.from = line.Start, line.Start
		return line, nil
	}
	line.Text = scan.Text(r.buf[line.Start-r.from : line.End-r.from])
	r.end = line.Start
	return line, nil
}

// fill reads the bytes before r.end, and finds the line ends in them.
func (r *Reader) fill() error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if r.buf == nil {
		r.buf = make([]byte, 0, lastChunk)
	}
	n := int(min(lastChunk, r.end))
	r.from = r.end - int64(n)
	var err error
	if r.buf, err = source.ReadFull(r.r, r.buf[:n], r.from, r.end); err != nil {
		return err
	}
	for off := 0; ; {
		i := bytes.IndexByte(r.buf[off:n-1], '\n')
		if i < 0 {
			return nil
		}
		off += i + 1
		r.ends = append(r.ends, off)
	}
}

// longLine finds the beginning of a line that is longer than the buffer, and
// reads its text from there.
func (r *Reader) longLine() (Line, error) {
	start, _, err := Start(r.ctx, r.r, r.end, 1)
	if err != nil {
		return Line{}, err
	}
	line := Line{Start: start, End: r.end}
	if r.long == nil {
		r.long = make([]byte, MaxText+utf8.UTFMax)
	}
	n := min(line.End-line.Start, int64(len(r.long)))
	if line.Text, err = source.ReadFull(r.r, r.long[:n], start, r.end); err != nil {
		return Line{}, err
	}
	if n == line.End-line.Start {
		line.Text = scan.Text(line.Text)
	}
	line.Text = line.Text[:utf8safe.Prefix(line.Text, MaxText)]
	return line, nil
}
