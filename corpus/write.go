package corpus

import (
	"context"
	"io"
	"math/rand/v2"
	"sync"
)

const (
	blockSize  = 256 << 10 // bytes of a block, give or take maxShift
	maxShift   = 4 << 10   // a block begins less than this after a multiple of blockSize
	maxWorkers = 8         // more would not be faster than a disk, and each has two buffers

	// bufferSize holds the longest block, which has taken over a rest of less
	// than minLine, and the record that turned out not to fit into it.
	bufferSize = blockSize + maxShift + minLine + maxRecord
)

// plan divides a corpus into blocks. A block depends on the format, the seed
// and its index alone, except for the last, which ends where the corpus ends.
type plan struct {
	*format
	seed uint64
	size int64 // bytes to plan for: one more than are written if the format trims
	last int64 // index of the last block
}

// block is what a layout has to fill.
type block struct {
	index int64
	size  int // bytes; at least minLine unless the block is the only one
	last  bool
}

func newPlan(f *format, seed uint64, size int64) *plan {
	if f.trim {
		size++
	}
	p := &plan{format: f, seed: seed, size: size}
	p.last = size / blockSize
	if p.last > 0 && size-p.offset(p.last) < minLine {
		p.last--
	}
	return p
}

// offset returns where block i begins. The shift is what keeps the borders of
// blocks, which are line ends, away from round offsets.
func (p *plan) offset(i int64) int64 {
	if i == 0 {
		return 0
	}
	shift := maker{pcg: *rand.NewPCG(p.seed, uint64(i))}
	return i*blockSize + int64(shift.below(maxShift))
}

// make makes block i in the buffer, and returns it.
func (p *plan) make(m *maker, buf []byte, i int64) []byte {
	begin, end := p.offset(i), p.size
	if i < p.last {
		end = p.offset(i + 1)
	}
	m.begin(p.format, p.seed, i, begin)
	buf = p.layout(p.format, m, buf[:0], block{index: i, size: int(end - begin), last: i == p.last})
	if p.trim && i == p.last {
		buf = buf[:len(buf)-1]
	}
	return buf
}

// write lets worker k make the blocks k, k+workers, k+2*workers… and collects
// them in turn. Two buffers a worker: one is written while the other is made.
func write(ctx context.Context, w io.Writer, kind Kind, seed uint64, size int64, workers int) error {
	f, err := check(kind, size)
	if err != nil || size == 0 {
		return err
	}
	p := newPlan(f, seed, size)
	workers = int(min(int64(workers), maxWorkers, p.last+1))

	var group sync.WaitGroup
	defer group.Wait()
	stop := make(chan struct{})
	defer close(stop)

	type lane struct{ free, full chan []byte }
	lanes := make([]lane, workers)
	for k := range lanes {
		l := lane{free: make(chan []byte, 2), full: make(chan []byte, 2)}
		lanes[k] = l
		for range min(2, p.last+1) {
			l.free <- make([]byte, 0, min(bufferSize, p.size+maxRecord))
		}
		group.Go(func() {
			var m maker
			for i := int64(k); i <= p.last; i += int64(workers) {
				select {
				case buf := <-l.free:
					l.full <- p.make(&m, buf, i)
				case <-stop:
					return
				}
			}
		})
	}

	for i := int64(0); i <= p.last; i++ {
		l := lanes[i%int64(workers)]
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case buf := <-l.full:
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := writeAll(w, buf); err != nil {
				return err
			}
			l.free <- buf
		}
	}
	return nil
}

// writeAll is w.Write, but does not trust w to give an error with a short count.
func writeAll(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}
