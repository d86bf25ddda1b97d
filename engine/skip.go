package engine

import (
	"context"

	"excerpt/engine/internal/scan"
)

// Skip returns the span less its first n bytes, so that a line can be read on
// from where a cut has ended it. They must lie within its first line and not be
// all of that, its end included; else the error is an [ErrSelection]. The line
// keeps its number, and counts as one.
//
// It reads these n bytes, to see that no line ends among them.
func (s *Span) Skip(n int64) (*Span, error) {
	if n < 0 {
		return nil, invalid("skip of %d bytes: it takes 0 or more", n)
	}
	if err := s.settle(); err != nil {
		return nil, err
	}
	if n >= s.end-s.start { // so that no sum overflows
		return nil, invalid("skip of %d bytes: the span has %d", n, s.end-s.start)
	}
	err := s.look(s.ctx, func(ctx context.Context, p *pass) error {
		// One byte more: where a stream has an end is not known before.
		has, err := s.f.available(ctx, p.snapshot, s.start+n+1)
		if err != nil {
			return err
		}
		m, err := scan.Find(ctx, p.src, scan.Mark{Offset: s.start}, s.start+n, 1, s.f.plan)
		if err == nil && (m.Ends > 0 || has <= s.start+n) {
			err = invalid("skip of %d bytes: the line is not that long", n)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	rest := s.f.span(s.ctx, s.s, s.start+n, s.end, s.First(), s.lines)
	rest.fromEnd = s.fromEnd
	return rest, nil
}
