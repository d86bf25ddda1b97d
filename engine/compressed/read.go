package compressed

import (
	"context"
	"errors"
	"io"
	"sync"

	"excerpt/engine/internal/source"
)

// reading is how chunks that are not cached are decoded again.
type reading struct {
	mu      sync.Mutex
	busy    map[int64]chan struct{} // the points that are decoded from just now
	parked  []*cursor               // the last used last
	retired []decoder               // that can begin anywhere
	last    int                     // the chunk that was read last
	ahead   sync.WaitGroup
	closed  bool
}

// A cursor is a decoder on its way from a point to the next.
type cursor struct {
	point int64 // where it began
	chunk int   // that comes next
	off   int64 // where that begins
	dec   decoder
}

// mostParked is how many decoders wait for somebody to read on.
const mostParked = 2

func (r *reading) close() {
	r.mu.Lock()
	r.closed = true
	parked, retired := r.parked, r.retired
	r.parked, r.retired = nil, nil
	r.mu.Unlock()
	r.ahead.Wait()
	for _, c := range parked {
		c.dec.close()
	}
	for _, dec := range retired {
		dec.close()
	}
}

// chunk returns a chunk, from the cache if it is there. Who reads in order has
// what follows decoded on other cores.
func (f *file) chunk(ctx context.Context, c int) (*entry, error) {
	for {
		e := f.cache.get(c)
		if e != nil {
			f.lookAhead(c)
			return e, nil
		}
		f.mu.RLock()
		p := f.table.points[f.table.pointAt(f.table.start(c))].out
		f.mu.RUnlock()
		if wait := f.begin(p); wait != nil {
			select {
			case <-wait:
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		e, err := f.decode(ctx, p, c)
		f.end(p)
		if err == errLost {
			continue // from the point before it
		}
		if err == nil {
			f.lookAhead(c)
		}
		return e, err
	}
}

// begin claims a point. If somebody has it, it returns what ends with that.
func (f *file) begin(p int64) chan struct{} {
	r := &f.reading
	r.mu.Lock()
	defer r.mu.Unlock()
	if wait := r.busy[p]; wait != nil {
		return wait
	}
	r.busy[p] = make(chan struct{})
	return nil
}

func (f *file) end(p int64) {
	r := &f.reading
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.busy[p])
	delete(r.busy, p)
}

// lookAhead has what follows a chunk decoded, if the one before it was read last.
func (f *file) lookAhead(c int) {
	r := &f.reading
	r.mu.Lock()
	inOrder := c == r.last+1
	r.last = c
	r.mu.Unlock()
	workers := f.workers()
	if !inOrder || workers < 2 {
		return
	}
	f.mu.RLock()
	from := f.table.pointAt(f.table.start(c)) + 1
	var parts []int64
	room := int64(f.sizes.cache) * 3 / 4
	for p := from; p < len(f.table.points) && len(parts) < workers; p++ {
		start, end := f.table.points[p].out, f.table.end(p)
		if room -= end - start; room < 0 || end > f.limit || end == start { // a pass has not come further yet
			break
		}
		parts = append(parts, start)
	}
	f.mu.RUnlock()
	for _, p := range parts {
		f.ahead(p)
	}
}

// ahead decodes all from a point to the next, unless that is done or under way.
func (f *file) ahead(p int64) {
	f.mu.RLock()
	first := f.table.chunkAt(p)
	last := f.table.chunkAt(f.table.end(f.table.pointAt(p)) - 1)
	f.mu.RUnlock()
	if f.cache.has(last) || f.cache.has(first) || f.begin(p) != nil {
		return
	}
	r := &f.reading
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		f.end(p)
		return
	}
	r.ahead.Add(1)
	r.mu.Unlock()
	go func() {
		defer r.ahead.Done()
		defer f.end(p)
		if e, err := f.decode(context.Background(), p, last); err == nil {
			f.cache.release(e)
		} // else who reads it will see
	}()
}

// decode decodes from a point on as far as a chunk, and returns that.
func (f *file) decode(ctx context.Context, p int64, c int) (*entry, error) {
	cur, err := f.cursor(p, c)
	if err != nil {
		return nil, err
	}
	for {
		f.mu.RLock()
		end, sum := f.table.chunks[cur.chunk].end, f.table.chunks[cur.chunk].sum
		done := f.table.end(f.table.pointAt(p))
		f.mu.RUnlock()
		e, err := f.decodeChunk(ctx, cur, int(end-cur.off), sum)
		if err != nil {
			f.retire(cur.dec)
			return nil, err
		}
		cur.off = end
		cur.chunk++
		if cur.chunk > c {
			if end == done {
				f.retire(cur.dec)
			} else {
				f.park(cur)
			}
			return e, nil
		}
		f.cache.release(e)
	}
}

// decodeChunk decodes the chunk that comes next, and checks it.
func (f *file) decodeChunk(ctx context.Context, cur *cursor, size int, sum uint32) (*entry, error) {
	buf := f.cache.room(size)[:size]
	for n := 0; n < size; {
		if err := f.check(ctx); err != nil {
			f.cache.giveBack(buf)
			return nil, err
		}
		m, err := cur.dec.next(buf[n:])
		if n += m; err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil && n < size {
			f.cache.giveBack(buf)
			return nil, f.changed(err, cur.dec.in(), cur.off+int64(n))
		}
	}
	if sumOf(buf) != sum {
		f.cache.giveBack(buf)
		return nil, f.changed(errChanged, cur.dec.in(), cur.off)
	}
	return f.cache.put(cur.chunk, buf), nil
}

var errChanged = errors.New("it is not what it was when it was decoded first")

// changed says what is wrong with what was right once: more than damage, the
// file may be another one.
func (f *file) changed(err error, read, decoded int64) error {
	if now, nobody := f.c.Now(); nobody == nil && now != f.c.Identity {
		return &source.OffsetError{Offset: read, Err: source.ErrTruncated}
	}
	return f.damage(err, read, decoded)
}

// cursor returns one that is at a chunk or before it.
func (f *file) cursor(p int64, c int) (*cursor, error) {
	r := &f.reading
	r.mu.Lock()
	for i, cur := range r.parked {
		if cur.point == p && cur.chunk <= c {
			r.parked = append(r.parked[:i], r.parked[i+1:]...)
			r.mu.Unlock()
			return cur, nil
		}
	}
	r.mu.Unlock()
	f.mu.RLock()
	at := f.table.points[f.table.pointAt(p)]
	first := f.table.chunkAt(at.out)
	f.mu.RUnlock()
	if at.inside {
		state, err := f.state(&at)
		if err == nil {
			state, err = f.unpack(state)
		}
		if err == errLost {
			f.lose(at.out)
		}
		if err != nil {
			return nil, err
		}
		at.state = state
	}
	dec, err := f.decoder(&at, places{})
	if err != nil {
		return nil, err
	}
	return &cursor{point: at.out, chunk: first, off: at.out, dec: dec}, nil
}

// park keeps a cursor for who reads on.
func (f *file) park(c *cursor) {
	r := &f.reading
	r.mu.Lock()
	r.parked = append(r.parked, c)
	var out *cursor
	if r.closed || len(r.parked) > mostParked {
		out = r.parked[0]
		r.parked = r.parked[1:]
	}
	r.mu.Unlock()
	if out != nil {
		f.retire(out.dec)
	}
}
