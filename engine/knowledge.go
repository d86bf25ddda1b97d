package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"excerpt/engine/internal/index"
	"excerpt/engine/internal/scan"
)

// sizes of what is learned, in bytes. Tests make them small.
type sizes struct {
	step  int64 // between checkpoints
	near  int64 // a way that is counted sooner than a sidecar is found
	prove int64 // how much more is worth sampling the file anew
	keep  int64 // how much more than the sidecar has is worth writing it anew

	ending int64 // how much of the end of a compressed file is asked for first
}

var usual = sizes{step: index.Step, near: 256 << 10, prove: 8 << 20, keep: 64 << 20, ending: 1 << 20}

// knowledge is what was learned of the line ends of a file. All who read the
// file share it. It can be of what the file had once: evidence tells.
type knowledge struct {
	mu sync.Mutex
	evidence
	index  index.Index
	sought bool  // the sidecar was looked for
	kept   int64 // how much of the file the sidecar covers

	bytes atomic.Int64 // that the index takes
}

// lines returns what is known of the line ends of the file, for the pass to
// add to. It is nil where nothing is kept: of streams.
func (p *pass) lines() *index.Index {
	if p.decoded != nil {
		if p.learned == nil {
			p.learned = new(index.Index)
		}
		if x := p.decoded.Index(); x.Known().Offset > p.learned.Known().Offset {
			*p.learned = x.Copy()
		}
		return p.learned
	}
	if p.learned == nil && p.knowledge != nil {
		k := p.knowledge
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.index.Known().Offset == 0 {
			k.index = index.New(p.f.sizes.step)
		}
		k.index, k.evidence = p.trust(k.index, k.evidence)
		k.kept = min(k.kept, k.index.Known().Offset)
		known := k.index.Copy()
		p.learned, p.proven = &known, k.sample
	}
	return p.learned
}

// nearest returns the last mark before the n-th line end and at or before to
// that is known, or from.
func (p *pass) nearest(from scan.Mark, to, n int64) scan.Mark {
	m := p.learned.Before(n)
	if m.Offset > to {
		m = p.learned.At(to)
	}
	if m.Offset < from.Offset {
		return from
	}
	return m
}

// scan is scan.Find that learns.
func (p *pass) scan(ctx context.Context, from scan.Mark, to, n int64, plan scan.Plan) (scan.Mark, error) {
	if from.Offset <= p.learned.Known().Offset {
		plan.Record, plan.Step = p.learned.Add, p.learned.Step()
	}
	m, err := scan.Find(ctx, p.src, from, to, n, plan)
	if err == nil && plan.Record != nil {
		p.learned.Add(m)
	}
	return m, err
}

// keep makes what a pass has learned known to all. The file was found to be
// what it was when the pass began. An error is of a sidecar that was asked for.
func (p *pass) keep() error {
	if p.learned == nil || p.knowledge == nil {
		return nil
	}
	k, known := p.knowledge, p.learned.Known().Offset
	k.mu.Lock()
	k.sought = k.sought || p.sought
	k.kept = max(k.kept, p.kept)
	if known >= k.index.Known().Offset {
		k.index = *p.learned
		k.evidence = evidence{p.stamp, p.began.UnixNano(), p.proven}
		k.bytes.Store(known / k.index.Step() * 8)
	}
	save := p.asked || p.cached() && known-k.kept >= p.f.sizes.keep
	if save {
		k.kept = known // if it can't be written, it is not tried again soon
	}
	k.mu.Unlock()
	if p.info != nil && known >= p.f.sizes.near {
		p.f.memorize(p.info, k)
	}
	if !save {
		return nil
	}
	err := p.writeSidecar()
	if !p.asked {
		return nil // it would have been for later
	}
	return err
}
