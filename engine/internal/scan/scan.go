// Package scan finds lines by counting line ends, block by block, and looks
// inside only the block where a wanted one lies.
package scan

import (
	"bytes"
	"context"
	"math"
	"runtime"
	"sync"

	"excerpt/engine/internal/source"
)

// All is more line ends than any file has.
const All = math.MaxInt64

var lineEnd = []byte{'\n'}

// Count returns how many line ends b has.
func Count(b []byte) int { return bytes.Count(b, lineEnd) }

// Nth returns the offset in b just past its n-th line end, counted from 1.
// There must be that many. It halves b until few line ends are left to pass.
func Nth(b []byte, n int) int {
	past := 0
	for n > 4 && len(b) > 1<<10 {
		half := len(b) / 2
		if c := Count(b[:half]); c >= n {
			b = b[:half]
		} else {
			n -= c
			past += half
			b = b[half:]
		}
	}
	for ; n > 0; n-- {
		i := bytes.IndexByte(b, '\n') + 1
		past += i
		b = b[i:]
	}
	return past
}

// Text returns a line without its LF and without a CR just before it.
func Text(line []byte) []byte {
	if body, ok := bytes.CutSuffix(line, lineEnd); ok {
		return bytes.TrimSuffix(body, []byte{'\r'})
	}
	return line
}

// A Plan says how a scan goes about its work; the zero value is a good one.
// Its sizes are in bytes. Tests make them small.
type Plan struct {
	Workers int   // goroutines at most; 0: one for each processor, up to 8
	Alone   int64 // what one goroutine does before others are called in; 0: 4 MiB
	Stripe  int64 // what a goroutine takes at a time; 0: 8 MiB
	Block   int   // what is counted at a time; 0: 1 MiB; less of it is copied at a time
	First   int   // the first block, each next being twice as long; 0: 16 KiB

	Progress func(done int64) // called by one goroutine at a time; nil: nobody asks

	// Record is called in the order of the file, by one goroutine at a time,
	// with the mark at each multiple of Step that is passed, and with those at
	// both ends of a hole. nil: nobody asks.
	Record func(Mark)
	Step   int64
}

// WithDefaults returns p with a value for each that is 0.
func (p Plan) WithDefaults() Plan {
	set := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	block, first := int64(p.Block), int64(p.First)
	set(&p.Alone, 4<<20)
	set(&p.Stripe, 8<<20)
	set(&block, 1<<20)
	set(&first, 16<<10)
	p.Block, p.First = int(block), int(first)
	if p.Workers <= 0 {
		// More would not be faster: memory is not. Each keeps 8 MiB resident.
		p.Workers = min(runtime.GOMAXPROCS(0), 8)
	}
	if p.Progress == nil {
		p.Progress = func(int64) {}
	}
	if p.Record == nil {
		p.Record, p.Step = func(Mark) {}, math.MaxInt64
	}
	return p
}

// A Mark is a place in a file and the number of line ends between where the
// scan began and it.
type Mark struct {
	Offset int64
	Ends   int64
}

// Find returns the mark just past the n-th line end of src, or the mark at to,
// or at the end of src, if there are fewer. It goes on from a mark.
// It reads little more than it must, on several cores where the way is long.
func Find(ctx context.Context, src source.Source, from Mark, to, n int64, plan Plan) (Mark, error) {
	plan = plan.WithDefaults()
	at := from
	if n <= at.Ends || at.Offset >= to {
		return at, nil
	}
	// No more than there are stripes, or than make sense anywhere.
	workers := src.Workers(int(min(int64(plan.Workers), (to-at.Offset)/plan.Stripe+1, 64)))
	alone := to
	if workers > 1 && to-at.Offset > plan.Alone {
		alone = at.Offset + plan.Alone
	}
	var ended bool
	err := src.View(ctx, func(v source.View) error {
		s := serial{src: src, v: v, plan: plan, block: min(plan.First, plan.Block)}
		var err error
		at, ended, err = s.find(at, alone, n)
		return err
	})
	if err != nil || ended || at.Ends == n || at.Offset >= to {
		return at, err
	}
	return parallel(ctx, src, at, to, n, workers, plan)
}

// serial scans on one goroutine.
type serial struct {
	src   source.Source
	v     source.View
	plan  Plan
	block int

	dataEnd int64 // up to here there is no hole
}

// find goes on from at. It reports whether src ended before to.
func (s *serial) find(at Mark, to, n int64) (Mark, bool, error) {
	reported := at.Offset
	for at.Offset < to {
		if skipped := s.skipHole(at.Offset, to); skipped > at.Offset {
			s.plan.Record(at)
			at.Offset = skipped
			s.plan.Record(at)
			continue
		}
		// Blocks end at multiples of their length: pages that are large are
		// mapped at once only if they are touched whole.
		want := int(min(int64(s.block)-at.Offset%int64(s.block), to-at.Offset))
		b, err := s.v.Block(at.Offset, want)
		if err != nil || len(b) == 0 {
			return at, true, err
		}
		for len(b) > 0 {
			step := b[:min(int64(len(b)), s.plan.Step-at.Offset%s.plan.Step)]
			b = b[len(step):]
			c := Count(step)
			if at.Ends+int64(c) >= n {
				at.Offset += int64(Nth(step, int(n-at.Ends)))
				at.Ends = n
				return at, false, nil
			}
			at.Ends += int64(c)
			at.Offset += int64(len(step))
			if at.Offset%s.plan.Step == 0 {
				s.plan.Record(at)
			}
		}
		if at.Offset-reported >= s.plan.Stripe {
			reported = at.Offset
			s.plan.Progress(reported)
		}
		s.block = min(2*s.block, s.plan.Block)
	}
	return at, false, nil
}

// skipHole returns where the hole ends that off lies in: a hole reads as NULs.
func (s *serial) skipHole(off, to int64) int64 {
	if off < s.dataEnd {
		return off
	}
	end, hole, known := s.src.Extent(off)
	switch {
	case !known:
		s.dataEnd = math.MaxInt64
	case hole:
		return min(end, to)
	default:
		s.dataEnd = end
	}
	return off
}

// parallel deals out stripes of [at, to) and adds up their counts in order, so
// that no stripe is begun once the n-th line end is behind.
func parallel(ctx context.Context, src source.Source, at Mark, to, n int64, workers int, plan Plan) (Mark, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := deal{at: at, from: at.Offset, next: at.Offset, to: to, n: n, stripe: plan.Stripe, block: int64(plan.Block), done: map[int64]stripe{}, progress: plan.Progress, record: plan.Record}
	var wg sync.WaitGroup
	work := func() {
		err := src.View(ctx, func(v source.View) error {
			for {
				from, end, ok := d.take()
				if !ok {
					return nil
				}
				s := serial{src: src, v: v, plan: plan, block: plan.Block}
				s.plan.Progress = func(int64) {}
				var marks []Mark
				s.plan.Record = func(m Mark) { marks = append(marks, m) }
				m, _, err := s.find(Mark{Offset: from}, end, All)
				if err != nil {
					return err
				}
				d.put(from, stripe{end, m.Ends, marks})
			}
		})
		if d.fail(err) {
			cancel()
		}
	}
	for range workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if d.err != nil || d.at.Offset >= to {
		return d.at, d.err
	}
	// The stripe at d.at has the n-th line end.
	at = d.at
	err := src.View(ctx, func(v source.View) error {
		s := serial{src: src, v: v, plan: plan, block: plan.Block}
		var err error
		at, _, err = s.find(at, to, n)
		return err
	})
	return at, err
}

// deal hands out stripes and gathers their counts.
type deal struct {
	from, to, n   int64
	stripe, block int64
	progress      func(int64)
	record        func(Mark)

	mu   sync.Mutex
	next int64            // where the next stripe begins
	at   Mark             // all before it is counted
	done map[int64]stripe // counted stripes behind a gap, by their beginning
	over bool             // the n-th line end lies in the stripe at at, or a worker failed
	err  error            // the first failure
}

// A stripe has the line ends up to its end, and marks that count from its
// beginning.
type stripe struct {
	end, ends int64
	marks     []Mark
}

// take returns the next stripe. The first are short, so that what is read past
// the n-th line end is in proportion to what had to be read.
func (d *deal) take() (from, end int64, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over || d.next >= d.to {
		return 0, 0, false
	}
	from = d.next
	length := min(max((from-d.from)/4, d.stripe/8, 1), d.stripe)
	if length >= 2*d.block {
		length -= (from + length) % d.block
	}
	d.next = min(d.to, from+length)
	return from, d.next, true
}

func (d *deal) put(from int64, s stripe) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done[from] = s
	for !d.over {
		s, ok := d.done[d.at.Offset]
		if !ok {
			break
		}
		if d.at.Ends+s.ends >= d.n {
			d.over = true
			break
		}
		delete(d.done, d.at.Offset)
		for _, m := range s.marks {
			d.record(Mark{m.Offset, d.at.Ends + m.Ends})
		}
		d.at = Mark{s.end, d.at.Ends + s.ends}
		d.progress(d.at.Offset)
	}
}

// fail keeps the first error and reports whether this is one.
func (d *deal) fail(err error) bool {
	if err == nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err == nil {
		d.err = err
	}
	d.over = true
	return true
}
