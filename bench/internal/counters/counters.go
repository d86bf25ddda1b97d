// Package counters counts what an operation reads. Its numbers are exact and
// the same on every machine, so that two versions can be told apart by them
// where times can't.
package counters

import (
	"io"
	"sync/atomic"
)

// A ReaderAt counts what is read through it. Given to engine.New, it sees all
// that the engine reads, also what of a file would be looked at in a mapping:
// the way through the file is the same. With one worker (engine.Options), the
// counts are exact: several look at a little more than they must, and that
// depends on who is first.
type ReaderAt struct {
	r      io.ReaderAt
	bytes  atomic.Int64
	blocks atomic.Int64
}

// NewReaderAt returns a ReaderAt that reads r and has counted nothing.
func NewReaderAt(r io.ReaderAt) *ReaderAt { return &ReaderAt{r: r} }

// ReadAt reads from the reader below, and counts.
func (r *ReaderAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.r.ReadAt(p, off)
	r.bytes.Add(int64(n))
	r.blocks.Add(1)
	return n, err
}

// A Count is what was read.
type Count struct {
	Bytes  int64 // that were touched, those touched twice counted twice
	Blocks int64 // calls of ReadAt
}

// Take returns what was read since the last call of Take.
func (r *ReaderAt) Take() Count {
	return Count{r.bytes.Swap(0), r.blocks.Swap(0)}
}
