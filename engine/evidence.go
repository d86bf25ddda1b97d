package engine

import (
	"github.com/cespare/xxhash/v2"

	"excerpt/engine/internal/index"
	"excerpt/engine/internal/source"
)

// evidence is what has to hold of a file for its index to be right.
type evidence struct {
	stamp stamp // when it was last found right
	at    int64 // the time before that look, in nanoseconds
	sample
}

// A sample stands for the first size bytes of a file.
type sample struct {
	size int64
	sum  uint64 // of pieces of them
}

// trust returns what of x is right by now, and the evidence for it.
func (p *pass) trust(x index.Index, e evidence) (index.Index, evidence) {
	now := evidence{stamp: p.stamp, at: p.began.UnixNano(), sample: e.sample}
	switch {
	case e.stamp == p.stamp && !e.fresh():
		return x, e
	case !e.stamp.mayPrecede(p.stamp) || !p.has(e.sample):
		return index.New(p.f.sizes.step), evidence{stamp: now.stamp, at: now.at}
	}
	return x.Cut(e.size), now
}

// How far apart two changes of a file must be to have different times, in
// nanoseconds: on systems of today, and on those that count seconds.
const (
	granularity = 20e6
	coarse      = 2e9 + granularity
)

// fresh reports whether the file may have changed since without a new stamp.
func (e *evidence) fresh() bool {
	switch last := e.stamp.changed; {
	case e.stamp == stamp{}: // nothing is known of it at all
		return false
	case last == 0: // a time of modification alone can be set back
		return true
	case last%1e9 == 0:
		return e.at-last < coarse
	default:
		return e.at-last < granularity
	}
}

// mayPrecede reports whether what a file had when it was old can be what it
// has now, and something behind it. The time of change alone is new after a
// file was renamed.
func (old stamp) mayPrecede(now stamp) bool {
	if now.size == old.size {
		return now.modified == old.modified
	}
	return now.size > old.size && now.modified >= old.modified
}

// A sample is of so many pieces, which are so long.
const (
	pieces = 128
	piece  = 64
)

// sampleOf samples the first size bytes of the file, evenly and at both ends.
func (p *pass) sampleOf(size int64) (sample, error) {
	digest := xxhash.New()
	buf := make([]byte, min(piece, size))
	last := size - int64(len(buf))
	for i := range int64(pieces) {
		off := last * i / (pieces - 1)
		if i == pieces-1 {
			off = last
		}
		b, err := source.ReadFull(p.file, buf, off, size)
		if err != nil {
			return sample{}, err
		}
		_, _ = digest.Write(b)
	}
	return sample{size, digest.Sum64()}, nil
}

// has reports whether the file has what s is of.
func (p *pass) has(s sample) bool {
	if s.size <= 0 || s.size > p.stamp.size {
		return s.size == 0
	}
	now, err := p.sampleOf(s.size)
	return err == nil && now == s
}

// prove samples what the pass has learned, unless most of it is sampled. It
// comes before the last look at the file.
func (p *pass) prove() {
	if p.learned == nil || p.knowledge == nil || p.info == nil {
		return
	}
	known := p.learned.Known().Offset
	if known >= p.proven.size+p.f.sizes.prove || p.asked && known > p.proven.size {
		if s, err := p.sampleOf(known); err == nil {
			p.proven = s
		}
	}
}

// content samples all of the snapshot. Before a pass over a file that is being
// written, that is what has to be there for what it counts to be right.
func (p *pass) content() sample {
	if p.knowledge == nil {
		return sample{} // nothing of it is kept
	}
	s, err := p.sampleOf(p.src.Size())
	if err != nil {
		return sample{}
	}
	return s
}
