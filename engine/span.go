package engine

import (
	"context"
	"io"
	"sync/atomic"

	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

// A Span is a part of a file that was located and not yet read: a half-open
// range of bytes. Its reads end when the context does that it was located
// with. It holds nothing but offsets, can be used as long as its File is open,
// and needs no closing.
type Span struct {
	f   *File
	s   *snapshot // that its offsets were found in
	ctx context.Context

	// end is source.Unknown if it is that of a stream. Where start is below 0,
	// both count from the end of the file, which is 0 then.
	start, end int64
	first      atomic.Int64 // the number of the line that start lies in, or 0
	lines      int64        // the lines that it has a part of, or -1

	fromEnd bool   // what matters most is its end: a cut keeps that
	bound   *bound // not nil while end is known only as a number of lines
}

// bound ends a span of a stream that is read once where it is found to end
// while it is read: to look for that before would be to keep all of it.
type bound struct {
	lines int64 // from at on
	at    int64
}

// pass counts the line ends in b, which was read at off, and cuts b at the end
// of the span.
func (s *Span) pass(b []byte, off int64) []byte {
	if s.bound == nil || off != s.bound.at {
		return b
	}
	if ends := int64(scan.Count(b)); ends < s.bound.lines {
		s.bound.lines -= ends
		s.bound.at += int64(len(b))
		return b
	}
	b = b[:scan.Nth(b, int(s.bound.lines))]
	s.end, s.bound = off+int64(len(b)), nil
	return b
}

// settle finds the end of the span, for what does not read it in order.
func (s *Span) settle() error {
	if s.bound == nil {
		return nil
	}
	return s.look(s.ctx, func(ctx context.Context, p *pass) error {
		end, lines, err := s.f.find(ctx, p, scan.Mark{Offset: s.bound.at}, s.bound.lines, false)
		if err == nil {
			s.end, s.bound = end.Offset, nil
			if s.lines < 0 {
				s.lines = lines
			}
		}
		return err
	})
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
// end is [LastOffset] if it was not seen yet, that of a stream or in one that is
// read once; that of bytes in such a stream may lie past the stream's own.
//
// They count from the end of the file, as -100 and 0 do for its last 100 bytes,
// while nobody knows how much a compressed file holds before them; both are
// [LastOffset] for none of its bytes.
func (s *Span) Offsets() (start, end Offset) { return s.offset(s.start), s.offset(s.end) }

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
	var before scan.Mark
	err := s.look(ctx, func(ctx context.Context, p *pass) error {
		to, err := s.counted(ctx, p)
		if err == nil {
			before, err = p.count(ctx, scan.Mark{}, to, scan.All, false)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	s.first.Store(before.Ends + 1)
	return s.First(), nil
}

// look calls fn with the snapshot to look into for more of the span, as
// [File.look] does.
func (s *Span) look(ctx context.Context, fn func(context.Context, *pass) error) error {
	now, err := s.acquire()
	if err != nil {
		return err
	}
	defer s.f.release(now)
	return s.f.look(ctx, now, fn)
}

// read fills p from offset off on, as far as the span goes.
func (s *Span) read(p []byte, off int64) ([]byte, error) {
	return s.readWith(p, off, (*source.Stream).ReadAtContext)
}

// readOn is read in order: of a stream, it does not wait to fill p, and what
// lies before off is not wanted any more.
func (s *Span) readOn(p []byte, off int64) ([]byte, error) {
	b, err := s.readWith(p, off, func(stream *source.Stream, ctx context.Context, p []byte, off int64) (int, error) {
		stream.Forget(off)
		return stream.ReadSome(ctx, p, off)
	})
	return s.pass(b, off), err
}

func (s *Span) readWith(p []byte, off int64, readStream func(*source.Stream, context.Context, []byte, int64) (int, error)) ([]byte, error) {
	now, err := s.acquire()
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
	if now.decoded != nil {
		n, err := now.decoded.ReadAtContext(s.ctx, p, off)
		if err == io.EOF {
			err = nil
		}
		return p[:n], s.f.wrap("read", err)
	}
	p, err = source.ReadFull(now.src, p, off, now.src.Size())
	return p, s.f.wrap("read", err)
}

// check says whether the file still has what the span was found in.
func (s *Span) check() error {
	now, err := s.acquire()
	if err != nil {
		return err
	}
	defer s.f.release(now)
	_, err = now.check()
	return s.f.wrap("read", err)
}
