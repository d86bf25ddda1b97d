package engine

import (
	"context"
	"io"

	"excerpt/engine/internal/decoded"
	"excerpt/engine/internal/source"
	"excerpt/engine/reverse"
)

// tailOfEnding locates a tail in what can be decoded of a file's end without
// the rest. It returns nil if the tail may begin before that.
func (f *File) tailOfEnding(ctx context.Context, p *pass, n int64) (*Span, error) {
	switch {
	case p.decoded == nil:
		return nil, nil
	case n == 0 && p.src.Size() == source.Unknown: // the end, wherever that is
		return f.span(ctx, p.snapshot, source.Unknown, source.Unknown, 0, 0), nil
	}
	for want := f.sizes.ending; p.src.Size() == source.Unknown; want = max(4*want, 4<<10) {
		have, err := p.decoded.Ending(ctx, want)
		if err != nil || have == 0 {
			return nil, err
		}
		start, lines, err := reverse.Start(ctx, ending{ctx, p.decoded, have}, have, n)
		switch {
		case err != nil:
			return nil, err
		case start > 0: // where it is 0, nobody has seen that a line begins there
			span := f.span(ctx, p.snapshot, start-have, 0, 0, lines)
			span.fromEnd = true
			return span, nil
		case have < want:
			return nil, nil
		}
	}
	return nil, nil
}

// bytesOfEnding locates bytes there in the same way.
func (f *File) bytesOfEnding(ctx context.Context, p *pass, start int64, end Offset) (*Span, error) {
	if p.decoded == nil || p.src.Size() != source.Unknown || end != LastOffset {
		return nil, nil
	}
	have, err := p.decoded.Ending(ctx, -max(start, -source.Unknown))
	if err != nil || start < -have {
		return nil, err
	}
	return f.span(ctx, p.snapshot, start, 0, 0, -1), nil
}

// ending is the last size bytes of a file.
type ending struct {
	ctx  context.Context
	src  decoded.Source
	size int64
}

func (e ending) ReadAt(p []byte, off int64) (int, error) {
	left := e.size - off
	if left <= 0 {
		return 0, io.EOF
	}
	n, err := e.src.ReadAtContext(e.ctx, p[:min(int64(len(p)), left)], off-e.size)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// LastData is that of source.Source.
func (e ending) LastData(end int64) int64 {
	return max(0, e.src.LastData(end-e.size)+e.size)
}

// offset returns an offset of the span for who asks: from the beginning of the
// file, if that is known.
func (s *Span) offset(off int64) Offset {
	if s.start >= 0 && off != source.Unknown {
		return Offset(off)
	}
	size := s.s.src.Size()
	switch {
	case off == source.Unknown && s.bound == nil:
		return Offset(size) // it may be known by now
	case s.start < 0 && size != source.Unknown:
		off += size
	}
	return Offset(off)
}

// before returns what lies before the end of the span, as a reader that begins
// at offset from: all, if from is 0.
func (s *Span) before(p *pass) (from int64, r io.ReaderAt, size int64) {
	if s.start >= 0 {
		return 0, p.src, s.end
	}
	return s.start, ending{s.ctx, p.decoded, -s.start}, s.end - s.start
}

// counted returns where the span begins, from the beginning of the file.
func (s *Span) counted(ctx context.Context, p *pass) (int64, error) {
	if s.start >= 0 {
		return s.start, nil
	}
	size, err := s.f.fill(ctx, p.snapshot, source.Unknown)
	return size + s.start, err
}

// acquire returns the snapshot to read from. When a file has grown, its end is
// not where it was.
func (s *Span) acquire() (*snapshot, error) {
	now, err := s.f.acquireSince(s.s)
	if err == nil && s.start < 0 && now != s.s {
		s.f.release(now)
		return nil, s.f.wrap("read", errReplaced)
	}
	return now, err
}
