package logset

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"excerpt/engine"
	"excerpt/engine/internal/decoded"
	"excerpt/engine/internal/describe"
	"excerpt/engine/internal/index"
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

// joined is the bytes of all parts, the oldest first, as package engine reads
// them.
type joined struct {
	parts   []*part
	workers int
	stopped atomic.Bool

	mu   sync.Mutex
	used []use // of compressed parts, the last one last
	uses int
}

// A use is when a part was used last.
type use struct {
	part *part
	at   int
}

var _ decoded.Joined = (*joined)(nil)

// Compressed parts keep in memory what they have decoded: so many of them at
// most, and only while they are used. Who reads in order leaves them behind; who
// reads in two of them at once needs both.
const (
	mostUsed = 3
	idle     = 16 // uses of others
)

// use has the parts that were not used for long rest.
func (j *joined) use(p *part) {
	if p.src == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.uses++
	j.used = append(slices.DeleteFunc(j.used, func(u use) bool { return u.part == p }), use{p, j.uses})
	for len(j.used) > mostUsed || j.used[0].at < j.uses-idle {
		j.used[0].part.rest()
		j.used = j.used[1:]
	}
}

// Size is known once that of every part is.
func (j *joined) Size() int64 {
	total := int64(0)
	for _, p := range j.parts {
		size := p.known()
		if size == source.Unknown {
			return source.Unknown
		}
		total += size
	}
	return total
}

// at returns the part that the byte at off lies in, where that begins, and how
// much of it is known: nil behind the end.
func (j *joined) at(ctx context.Context, off int64) (p *part, start, has int64, err error) {
	for _, p := range j.parts {
		has, err := p.fill(ctx, off-start+1, nil)
		if err != nil {
			return nil, 0, 0, err
		}
		if off-start < has {
			return p, start, has, nil
		}
		start += has
	}
	return nil, 0, 0, nil
}

// fromEnd is at for an offset below 0, which counts from the end. It returns how
// much there is behind the part.
func (j *joined) fromEnd(off int64) (p *part, after int64) {
	for _, p := range slices.Backward(j.parts) {
		size := p.known()
		if size == source.Unknown || -off-after <= size {
			return p, after
		}
		after += size
	}
	return nil, after
}

// Fill has the parts decoded, several at once if all of them are to be.
func (j *joined) Fill(ctx context.Context, to int64, report func(done, total int64)) (int64, error) {
	if err := j.check(ctx); err != nil {
		return 0, err
	}
	done := j.progress(report)
	if to == source.Unknown {
		if err := j.fillAll(ctx, done); err != nil {
			return 0, err
		}
	}
	start := int64(0)
	for i, p := range j.parts {
		has, err := p.fill(ctx, max(to-start, 0), done.of(i))
		if err != nil {
			return 0, err
		}
		if start += has; start >= to {
			break
		}
	}
	return start, nil
}

func (j *joined) fillAll(ctx context.Context, done *progress) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		wg    sync.WaitGroup
		next  atomic.Int64
		mu    sync.Mutex
		first error
	)
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(j.parts); i = int(next.Add(1)) - 1 {
			p := j.parts[i]
			if p.known() != source.Unknown {
				continue
			}
			if _, err := p.fill(ctx, source.Unknown, done.of(i)); err != nil {
				mu.Lock()
				if first == nil {
					first = err
				}
				mu.Unlock()
				cancel()
				return
			}
			done.end(i)
			if p.src != nil && len(j.parts) > 1 {
				p.rest()
			}
		}
	}
	for range j.workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return first
}

// Ending decodes no part that is older than it must.
func (j *joined) Ending(ctx context.Context, want int64) (int64, error) {
	if err := j.check(ctx); err != nil {
		return 0, err
	}
	total := int64(0)
	for _, p := range slices.Backward(j.parts) {
		have, all, err := p.end(ctx, want-total)
		if err != nil {
			return 0, err
		}
		if total += have; total >= want || !all {
			break
		}
	}
	return total, nil
}

// Find looks into one part after the other. What was counted of each is known.
func (j *joined) Find(ctx context.Context, to, n int64, report func(done, total int64)) (scan.Mark, error) {
	done := j.progress(report)
	if n == scan.All && to == source.Unknown {
		if err := j.fillAll(ctx, done); err != nil {
			return scan.Mark{}, err
		}
	}
	var at scan.Mark
	for i, p := range j.parts {
		if err := j.check(ctx); err != nil {
			return at, err
		}
		if at.Offset >= to {
			break
		}
		ctx := ctx
		if of := done.of(i); of != nil {
			ctx = engine.WithProgress(ctx, of)
		}
		left := int64(source.Unknown)
		if to != source.Unknown {
			left = to - at.Offset
		}
		want := int64(scan.All)
		if n != scan.All {
			want = n - at.Ends
		}
		m, all, err := p.find(ctx, left, want)
		if err != nil {
			return at, err
		}
		at.Offset += m.Offset
		at.Ends += m.Ends
		if !all {
			j.use(p)
			break
		}
		done.end(i)
	}
	return at, nil
}

// Check looks at the files that something was read of.
func (j *joined) Check() error {
	for _, p := range j.parts {
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

func (j *joined) check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if j.stopped.Load() {
		return source.ErrClosed
	}
	return nil
}

// ReadAt reads as io.ReaderAt demands.
func (j *joined) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	return j.ReadAtContext(context.Background(), b, off)
}

// ReadAtContext reads across the ends of parts.
func (j *joined) ReadAtContext(ctx context.Context, b []byte, off int64) (int, error) {
	n := 0
	for n < len(b) {
		if err := j.check(ctx); err != nil {
			return n, err
		}
		m, err := j.readPart(ctx, b[n:], off+int64(n), off < 0)
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// readPart reads what one part has at off. Backwards, off counts from the end,
// at which it is 0.
func (j *joined) readPart(ctx context.Context, b []byte, off int64, backwards bool) (int, error) {
	if backwards {
		if off >= 0 {
			return 0, io.EOF
		}
		p, after := j.fromEnd(off)
		if p == nil {
			return 0, io.EOF
		}
		return j.read(ctx, p, b[:min(int64(len(b)), -off-after)], off+after)
	}
	p, start, has, err := j.at(ctx, off)
	switch {
	case err != nil:
		return 0, err
	case p == nil:
		return 0, io.EOF
	}
	return j.read(ctx, p, b[:min(int64(len(b)), start+has-off)], off-start)
}

func (j *joined) read(ctx context.Context, p *part, b []byte, off int64) (int, error) {
	if err := p.read(ctx, b, off); err != nil {
		return 0, err
	}
	j.use(p)
	return len(b), nil
}

// View lends copies: who counts lines asks the parts.
func (j *joined) View(ctx context.Context, fn func(source.View) error) error {
	return source.ViewOf(ctx, withContext{ctx, j}, j.Size(), fn)
}

type withContext struct {
	ctx context.Context
	j   *joined
}

func (r withContext) ReadAt(p []byte, off int64) (int, error) {
	return r.j.ReadAtContext(r.ctx, p, off)
}

// Extent tells of no run that goes on in the next part.
func (j *joined) Extent(off int64) (end int64, hole, known bool) {
	if off < 0 {
		p, after := j.fromEnd(off)
		if p == nil || p.known() == source.Unknown {
			return 0, false, false
		}
		size := p.known()
		end, hole, _ = p.extent(off + after + size)
		return min(end, size) - size - after, hole, true
	}
	start := int64(0)
	for _, p := range j.parts {
		size := p.known()
		switch {
		case size == source.Unknown:
			return source.Unknown, false, false
		case off-start < size:
			end, hole, _ = p.extent(off - start)
			return start + min(end, size), hole, true
		}
		start += size
	}
	return start, false, false
}

func (j *joined) LastData(end int64) int64 {
	if end <= 0 {
		return j.lastDataFromEnd(end)
	}
	start := int64(0)
	for i, p := range j.parts {
		size := p.known()
		switch {
		case size == source.Unknown:
			return end
		case end-start <= size:
			for ; ; i-- { // a hole may go on before it
				if last := j.parts[i].lastData(end - start); last > 0 || i == 0 {
					return start + last
				}
				end = start
				start -= j.parts[i-1].known()
			}
		}
		start += size
	}
	return end
}

// lastDataFromEnd is LastData with offsets that count from the end.
func (j *joined) lastDataFromEnd(end int64) int64 {
	after := int64(0)
	for _, p := range slices.Backward(j.parts) {
		size := p.known()
		if size == source.Unknown {
			break
		}
		if end+after > -size {
			if last := p.lastData(end + after + size); last > 0 {
				return last - size - after
			}
			end = -size - after // all of it is hole
		}
		after += size
	}
	return end
}

func (j *joined) Workers(n int) int {
	if j.Size() == source.Unknown {
		return 1
	}
	return n
}

// Index knows nothing: the parts do.
func (j *joined) Index() index.Index { return index.Index{} }

func (j *joined) Verified() bool {
	for _, p := range j.parts {
		p.mu.Lock()
		right := p.state == Whole && p.f != nil && (p.src == nil || p.src.Verified())
		p.mu.Unlock()
		if !right {
			return false
		}
	}
	return true
}

func (j *joined) VerifiedTo() int64 {
	total := int64(0)
	for _, p := range j.parts {
		p.mu.Lock()
		size, src, whole := p.size, p.src, p.state == Whole
		p.mu.Unlock()
		switch {
		case src != nil && !src.Verified():
			return total + src.VerifiedTo()
		case !whole || size == source.Unknown:
			return total
		}
		total += size
	}
	return total
}

// Description is not kept: a line may lie in two files.
func (j *joined) Description() *describe.Result { return nil }

func (j *joined) Keep() error { return errors.New("what is kept is kept of each file") }

func (j *joined) Stop() {
	j.stopped.Store(true)
	for _, p := range j.parts {
		p.stop()
	}
}

func (j *joined) Close() error { return nil }

// progress adds up what is done of the parts.
type progress struct {
	report func(done, total int64)
	weight []int64

	mu   sync.Mutex
	done []int64
}

func (j *joined) progress(report func(done, total int64)) *progress {
	p := &progress{report: report}
	if report == nil {
		return p
	}
	p.done = make([]int64, len(j.parts))
	for i, part := range j.parts {
		p.weight = append(p.weight, part.weight())
		if part.name.packed() && part.known() != source.Unknown {
			p.done[i] = p.weight[i] // what is left to do of it is little
		}
	}
	return p
}

// of returns what part i tells how far it is, nil if nobody asks.
func (p *progress) of(i int) func(done, total int64) {
	if p.report == nil {
		return nil
	}
	return func(done, total int64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if total > 0 {
			p.done[i] = max(p.done[i], int64(float64(min(done, total))/float64(total)*float64(p.weight[i])))
		}
		sum, all := int64(0), int64(0)
		for i := range p.done {
			sum += p.done[i]
			all += p.weight[i]
		}
		p.report(sum, all)
	}
}

// end says that all of part i is done.
func (p *progress) end(i int) {
	if of := p.of(i); of != nil {
		of(1, 1)
	}
}

// workersOf is how many parts are decoded at once.
func workersOf(opts engine.Options) int {
	const most = 4 // each takes some megabytes, and two goroutines
	if opts.Workers > 0 {
		return min(opts.Workers, most)
	}
	return min(runtime.GOMAXPROCS(0), most)
}
