package engine

import (
	"context"
	"errors"
	"io"
	"math"
	"unicode/utf8"

	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
	"excerpt/engine/reverse"
	"excerpt/engine/utf8safe"
)

// A LineNumber is the 1-based number of a line in its file. 0 says that it is
// not known.
type LineNumber int64

// LastLine is the end of a range that goes to the last line of a file.
const LastLine LineNumber = math.MaxInt64

// An Offset is a 0-based place in a file, in bytes.
type Offset int64

// LastOffset stands for the end of a file, whatever its size.
const LastOffset Offset = math.MaxInt64

// Head locates the first n lines, or all if there are fewer; n is 0 or more.
// It reads them, and nothing behind them.
func (f *File) Head(ctx context.Context, n int64) (*Span, error) {
	if n < 0 {
		return nil, invalid("head of %d lines: it takes 0 or more", n)
	}
	return f.locate(ctx, func(ctx context.Context, p *pass) (*Span, error) {
		return f.spanOfLines(ctx, p, 0, 1, n)
	})
}

// Tail locates the last n lines, or all if there are fewer; n is 0 or more.
// It reads them, backwards from the end, and at most as much again before
// them; a stream it reads to its end. For no lines at all it decodes nothing.
//
// The number of its first line is not known unless it was free to know:
// [Span.Number] counts it.
func (f *File) Tail(ctx context.Context, n int64) (*Span, error) {
	if n < 0 {
		return nil, invalid("tail of %d lines: it takes 0 or more", n)
	}
	return f.locate(ctx, func(ctx context.Context, p *pass) (*Span, error) {
		if span, err := f.tailOfEnding(ctx, p, n); span != nil || err != nil {
			return span, err
		}
		ends, err := f.drain(ctx, p.snapshot, n, 0)
		if err != nil {
			return nil, err
		}
		size := p.src.Size()
		start, lines, err := reverse.Start(ctx, p.src, size, n)
		if err != nil {
			return nil, err
		}
		first, err := f.lineAt(ctx, p.snapshot, start, ends)
		span := f.span(ctx, p.snapshot, start, size, first, lines)
		span.fromEnd = true
		return span, err
	})
}

// Lines locates the lines from first to last, both included. A last line that
// the file does not have means its end, and so does [LastLine]. A range that
// lies wholly past the end is a [RangeError], which tells how many lines there
// are.
//
// It counts the lines before the range, on several cores if they are many, and
// reads nothing behind it.
func (f *File) Lines(ctx context.Context, first, last LineNumber) (*Span, error) {
	switch {
	case first < 1:
		return nil, invalid("lines from %d: the first line is 1", first)
	case last < first:
		return nil, invalid("lines %d to %d: the range ends before it begins", first, last)
	}
	return f.locate(ctx, func(ctx context.Context, p *pass) (*Span, error) {
		start, before, err := f.find(ctx, p, scan.Mark{}, int64(first)-1, true)
		if err != nil {
			return nil, err
		}
		if has, err := f.available(ctx, p.snapshot, start.Offset+1); err != nil {
			return nil, err
		} else if has <= start.Offset {
			return nil, &RangeError{f.name, first, before}
		}
		if last == LastLine {
			return f.span(ctx, p.snapshot, start.Offset, p.src.Size(), first, -1), nil
		}
		return f.spanOfLines(ctx, p, start.Offset, first, int64(last-first)+1)
	})
}

// Prefix locates the first n bytes, less a character that this would cut, or
// all if there are fewer; n is 0 or more. It reads six bytes at most.
func (f *File) Prefix(ctx context.Context, n int64) (*Span, error) {
	if n < 0 {
		return nil, invalid("a prefix of %d bytes: it takes 0 or more", n)
	}
	return f.locate(ctx, func(ctx context.Context, p *pass) (*Span, error) {
		const after = utf8.UTFMax - 1 // to see whether a character goes on
		size, err := f.available(ctx, p.snapshot, min(n, math.MaxInt64-after)+after)
		if err != nil {
			return nil, err
		}
		end, err := utf8safe.PrefixAt(p.src, size, n)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = &source.OffsetError{Offset: n, Err: ErrTruncated}
		}
		return f.span(ctx, p.snapshot, 0, end, 1, -1), err
	})
}

// Bytes locates the bytes from start to before end, and cuts characters and
// lines where it must. A start below 0 counts from the end of the file: the
// last 100 bytes are Bytes(ctx, -100, LastOffset). What lies outside the file
// is left out. It reads nothing, but a stream that it counts from the end of.
func (f *File) Bytes(ctx context.Context, start, end Offset) (*Span, error) {
	if end < max(start, 0) {
		return nil, invalid("bytes %d to %d: the range ends before it begins", start, end)
	}
	return f.locate(ctx, func(ctx context.Context, p *pass) (*Span, error) {
		from, ends := int64(start), int64(-1)
		if from < 0 {
			if span, err := f.bytesOfEnding(ctx, p, from, end); span != nil || err != nil {
				return span, err
			}
			var err error
			if ends, err = f.drain(ctx, p.snapshot, 0, -max(from, -math.MaxInt64)); err != nil {
				return nil, err
			}
			from = max(0, p.src.Size()+from)
		}
		to := int64(end)
		once := p.once() // where it ends will be seen when it is read
		known := to
		if once {
			known = from
		}
		size, err := f.available(ctx, p.snapshot, known)
		if err != nil {
			return nil, err
		}
		if !once {
			to = min(to, size)
		}
		from = min(from, size, to)
		first, err := f.lineAt(ctx, p.snapshot, from, ends)
		return f.span(ctx, p.snapshot, from, to, first, -1), err
	})
}

// spanOfLines returns the span of n lines, or fewer, from start on.
func (f *File) spanOfLines(ctx context.Context, p *pass, start int64, first LineNumber, n int64) (*Span, error) {
	if p.once() && n > 0 {
		span := f.span(ctx, p.snapshot, start, source.Unknown, first, -1)
		span.bound = &bound{n, start}
		return span, nil
	}
	from := scan.Mark{Offset: start, Ends: int64(first) - 1}
	end, lines, err := f.find(ctx, p, from, from.Ends+min(n, scan.All-from.Ends), false)
	return f.span(ctx, p.snapshot, start, end.Offset, first, lines-from.Ends), err
}

// All locates the whole file. It reads nothing.
func (f *File) All(ctx context.Context) (*Span, error) {
	return f.locate(ctx, func(ctx context.Context, p *pass) (*Span, error) {
		return f.span(ctx, p.snapshot, 0, p.src.Size(), 1, -1), nil
	})
}

// Count returns how many lines the file has. It reads all of it, on several
// cores if it is long.
func (f *File) Count(ctx context.Context) (int64, error) {
	var lines int64
	_, err := f.locate(ctx, func(ctx context.Context, p *pass) (*Span, error) {
		end, n, err := f.find(ctx, p, scan.Mark{}, scan.All, true)
		lines = n
		return f.span(ctx, p.snapshot, end.Offset, end.Offset, 0, 0), err
	})
	if err != nil {
		return 0, err
	}
	return lines, nil
}
