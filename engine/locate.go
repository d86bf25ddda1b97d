package engine

import (
	"context"
	"errors"
	"time"

	"excerpt/engine/internal/decoded"
	"excerpt/engine/internal/index"
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

// A pass is one go of an operation at a snapshot.
type pass struct {
	*snapshot
	f     *File
	began time.Time
	stamp stamp // of the file then

	learned *index.Index // what is known of its line ends; nil: nobody has asked
	proven  sample       // of what is known
	sought  bool         // the sidecar was looked for
	kept    int64        // what of the file it covers
	asked   bool         // for a sidecar
	written Index        // what was asked for
}

// locate is look for what gives a span.
func (f *File) locate(ctx context.Context, fn func(context.Context, *pass) (*Span, error)) (span *Span, err error) {
	s, err := f.acquire()
	if err != nil {
		return nil, err
	}
	defer f.release(s)
	err = f.look(ctx, s, func(ctx context.Context, p *pass) error {
		var err error
		span, err = fn(ctx, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	return span, nil
}

// look calls fn, which looks into s, and sees to it that s is still what the
// file has.
//
// The last page of a mapping reads as zeros where a file was cut short, if only
// for a moment. So if the file was touched meanwhile, fn is called once more,
// to read the file and not its mapping; what it found before is void.
func (f *File) look(ctx context.Context, s *snapshot, fn func(context.Context, *pass) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.decoded != nil {
		if report := reportOf(ctx); report != nil {
			ctx = decoded.WithReport(ctx, report)
		}
	}
	p := &pass{snapshot: s, f: f, began: time.Now()}
	var err error
	if p.stamp, err = s.check(); err != nil {
		return f.wrap("read", err)
	}
	err = fn(ctx, p)
	if err != nil && !errors.Is(err, ErrSelection) && !isContext(err) {
		return f.wrap("read", err)
	}
	p.prove()
	now := time.Now()
	after, checked := s.check()
	if checked == nil && after != p.stamp {
		p = &pass{snapshot: s, f: f, began: now, stamp: after}
		content := p.content()
		err = fn(source.Unmapped(ctx), p)
		p.proven = content
		_, checked = s.check()
	}
	if checked != nil {
		return f.wrap("read", checked)
	}
	if kept := p.keep(); err == nil && kept != nil {
		return f.wrap("index", kept)
	}
	return f.wrap("read", err)
}

// find returns the mark just past the n-th line end of the file, or that at
// its end, and how many lines lie before it. It goes on from a mark that is
// known to be right. If passed, what lies before the mark is not wanted any more.
func (f *File) find(ctx context.Context, p *pass, from scan.Mark, n int64, passed bool) (m scan.Mark, lines int64, err error) {
	m, err = p.count(ctx, from, p.src.Size(), n, passed)
	if err != nil || m.Ends == n || m.Offset == from.Offset {
		return m, m.Ends, err
	}
	var last [1]byte
	if _, err := source.ReadFull(p.src, last[:], m.Offset-1, p.src.Size()); err != nil {
		return m, 0, err
	}
	lines = m.Ends
	if last[0] != '\n' {
		lines++
	}
	return m, lines, nil
}

// count returns the mark just past the n-th line end of the file, or that at
// to, or at the end of the file. It goes on from a mark that is known to be
// right, or from a better one, and what it counts is learned.
func (p *pass) count(ctx context.Context, from scan.Mark, to, n int64, passed bool) (scan.Mark, error) {
	if j := p.joined(); j != nil {
		if n <= from.Ends || from.Offset >= to {
			return from, nil
		}
		return j.Find(ctx, to, n, reportOf(ctx))
	}
	if p.decoded != nil && n == scan.All {
		if _, err := p.f.learn(ctx, p.snapshot, to); err != nil {
			return scan.Mark{}, err
		}
		to = min(to, p.src.Size())
	}
	plan := p.f.scanPlan(ctx, p.snapshot, passed)
	if p.lines() == nil {
		return scan.Find(ctx, p.src, from, to, n, plan)
	}
	m := p.nearest(from, to, n)
	if to-m.Offset > p.f.sizes.near && p.decoded == nil && p.cached() {
		if n < scan.All { // it may not be far
			var err error
			m, err = p.scan(ctx, m, m.Offset+p.f.sizes.near, n, plan)
			if err != nil || m.Ends == n {
				return m, err
			}
		}
		p.seekSidecar()
		m = p.nearest(m, to, n)
	}
	return p.scan(ctx, m, to, n, plan)
}

// scanPlan returns how to scan s. If passed, the scan has a stream forget what
// it has looked at.
func (f *File) scanPlan(ctx context.Context, s *snapshot, passed bool) scan.Plan {
	plan := f.plan
	plan.Progress = f.progress(ctx, s)
	if stream, ok := s.src.(*source.Stream); ok && passed {
		report := plan.Progress
		plan.Stripe = source.BlockSize
		plan.Progress = func(done int64) {
			stream.Forget(done - 1)
			report(done)
		}
	}
	return plan
}

// available returns the size of the file, or of what a stream has after it was
// read to offset to.
func (f *File) available(ctx context.Context, s *snapshot, to int64) (int64, error) {
	if s.decoded != nil {
		return f.fill(ctx, s, to)
	}
	if stream, ok := s.src.(*source.Stream); ok {
		return stream.Fill(ctx, to)
	}
	return s.src.Size(), nil
}

// drain reads a stream to its end and returns how many line ends it has; of no
// other source it knows that, and returns -1. What lies before both the last n
// lines and the last size bytes is not wanted any more.
func (f *File) drain(ctx context.Context, s *snapshot, n, size int64) (ends int64, err error) {
	if s.decoded != nil {
		_, err := f.fill(ctx, s, source.Unknown)
		return -1, err
	}
	stream, ok := s.src.(*source.Stream)
	if !ok {
		return -1, nil
	}
	type piece struct{ off, ends int64 }
	var (
		wanted []piece // the last blocks
		inThem int64   // line ends in them
		off    int64
		report = f.progress(ctx, s)
	)
	err = stream.View(ctx, func(v source.View) error {
		for {
			// In whole blocks, of which there are few.
			if _, err := stream.Fill(ctx, off+source.BlockSize); err != nil {
				return err
			}
			b, err := v.Block(off, source.BlockSize)
			if err != nil || len(b) == 0 {
				return err
			}
			inBlock := int64(scan.Count(b))
			wanted = append(wanted, piece{off, inBlock})
			inThem += inBlock
			ends += inBlock
			off += int64(len(b))
			// The end of the line before the wanted ones must stay, and what a
			// chunk that is read backwards may have before it.
			for len(wanted) > 1 && (n == 0 || inThem-wanted[0].ends > n) {
				inThem -= wanted[0].ends
				wanted = wanted[1:]
			}
			stream.Forget(min(wanted[0].off-source.BlockSize, off-size))
			report(off)
		}
	})
	return ends, err
}

// lineAt returns the number of the line that offset off lies in, if a stream
// was drained and has ends line ends in all, and else 0.
func (f *File) lineAt(ctx context.Context, s *snapshot, off, ends int64) (LineNumber, error) {
	switch {
	case off == 0:
		return 1, nil
	case ends < 0:
		return 0, nil
	}
	m, err := scan.Find(ctx, s.src, scan.Mark{Offset: off}, s.src.Size(), scan.All, f.scanPlan(ctx, s, false))
	return LineNumber(ends - m.Ends + 1), err
}

type progressKey struct{}

// WithProgress returns a context whose long operations report how far they
// are: report is called now and then, by one goroutine at a time, with the
// bytes of the file that are done and how many there are in all, -1 if that is
// not known. It should return soon, and can cancel the context.
func WithProgress(ctx context.Context, report func(done, total int64)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// reportOf returns what ctx has long operations report to, or nil.
func reportOf(ctx context.Context) func(done, total int64) {
	report, _ := ctx.Value(progressKey{}).(func(done, total int64))
	return report
}

func (f *File) progress(ctx context.Context, s *snapshot) func(done int64) {
	report := reportOf(ctx)
	if report == nil || s.decoded != nil && s.src.Size() == source.Unknown { // what decodes reports
		return func(int64) {}
	}
	return func(done int64) {
		total := s.src.Size()
		if total == source.Unknown {
			total = -1
		}
		report(done, total)
	}
}
