package compressed

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"excerpt/engine/internal/describe"
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

// A pass decodes a file from its beginning, as far as somebody wants, and
// learns all that makes later reads fast.
type pass struct {
	f   *file
	dec decoder

	pos   int64 // decoded so far
	buf   []byte
	start int64  // buf has what is decoded from here on
	point *point // buf begins there, if it can be decoded from there
	marks []mark // that lie behind pos
	ends  []mark // that say what is verified, of buf

	alone bool    // nobody reads along, and one goroutine decodes
	batch []piece // to be handed over
	ended error   // why nothing more is decoded
	block []byte  // what was decoded last, which this core has in its cache

	learned  learned
	wrong    atomic.Pointer[mark] // where a checksum was
	reported int64                // where progress was reported last
	states   int                  // bytes of the states of the points
	refused  int                  // points that are none

	packer *zstd.Encoder
	packed []byte
}

// learned is what is gathered of the decoded bytes in order: one goroutine does
// it while another decodes.
type learned struct {
	offset   int64
	text     describe.Part
	tail     []byte // the last bytes
	sums     checksums
	verified int64
}

// A piece is a chunk on its way from who decodes to who learns.
type piece struct {
	buf   []byte
	start int64
	point *point
	ends  []mark
}

// A candidate is a point inside a member or a frame that was not tried yet, and
// what was decoded from there.
type candidate struct {
	point point
	want  []byte
}

// claim waits for the token of filling, which the caller gives back with yield.
func (f *file) claim(ctx context.Context) error {
	select {
	case <-f.filling:
	case <-ctx.Done():
		return ctx.Err()
	}
	err := f.check(ctx)
	if err != nil {
		f.yield()
	}
	return err
}

func (f *file) yield() { f.filling <- struct{}{} }

// Fill goes on with the pass.
func (f *file) Fill(ctx context.Context, to int64, report func(done, total int64)) (int64, error) {
	if err := f.claim(ctx); err != nil {
		return 0, err
	}
	defer f.yield()
	f.mu.RLock()
	limit, ended, verified, size := f.limit, f.err, f.verified, f.size
	f.mu.RUnlock()
	for ended == nil && (limit < to || limit >= size) {
		if limit >= size { // which a table has told: to the very end, then all is verified
			to = source.Unknown
		}
		if err := f.fill(ctx, limit, verified, to, report); err != nil {
			return 0, err
		}
		f.mu.RLock()
		limit, ended, verified = f.limit, f.err, f.verified
		f.mu.RUnlock()
	}
	if limit < to && ended != nil && ended != io.EOF {
		return limit, ended
	}
	return limit, nil
}

func (f *file) fill(ctx context.Context, limit, verified, to int64, report func(done, total int64)) error {
	if f.pass == nil {
		p, err := f.newPass()
		if err != nil {
			return err
		}
		f.pass = p
	}
	goal := to
	if to < source.Unknown-f.more {
		more := f.more
		if limit == 0 {
			more = f.first
		}
		goal = max(to, limit+more)
	}
	p := f.pass
	if to == source.Unknown {
		// Nobody reads along: buffers that are used again soon stay in the
		// processor's cache.
		f.cache.keep(f.sizes.cache / 16)
		defer f.cache.keep(f.sizes.cache)
	}
	err := p.advance(ctx, goal, report)
	if err == nil && goal < source.Unknown && p.learned.verified < to {
		// It may be verified before it is given.
		err = p.advance(ctx, min(goal, source.Unknown-f.more)+f.more, report)
	}
	if err == nil || isContext(err) || err == source.ErrClosed {
		return err
	}
	f.finish(p, err)
	return nil
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func (f *file) newPass() (*pass, error) {
	at := f.table.points[0]
	want := places{outside: f.outside, inside: f.inside, windows: f.windows, watch: &f.endings.boundary, sums: f.format == Zstd}
	if f.format == Zstd {
		want.inside = f.frame
	}
	if dec := newParallel(f, at.in, want); dec != nil {
		return &pass{f: f, dec: dec}, nil
	}
	dec, err := f.decoder(&at, want)
	if err != nil {
		return nil, err
	}
	return &pass{f: f, dec: dec}, nil
}

// reached returns a compressed offset that the pass has not come by yet, nor a
// decoder that is ahead of it.
func (p *pass) reached() int64 {
	dec, ok := p.dec.(*parallel)
	switch {
	case !ok:
		return p.dec.in()
	case dec.off < 0:
		return p.f.c.Size
	}
	return dec.off
}

// close gives back what the pass has.
func (p *pass) close() {
	if dec, ok := p.dec.(*parallel); ok {
		dec.close()
	} else {
		p.f.retire(p.dec)
	}
}

// finish ends the pass, for which err is the reason.
func (f *file) finish(p *pass, err error) {
	read, at := p.dec.in(), p.pos
	if wrong := p.wrong.Load(); wrong != nil {
		read, at = wrong.in, wrong.out
	}
	if f.finished != nil {
		f.finished(p)
	}
	p.close()
	f.pass = nil
	if err == io.EOF {
		f.confirm(p.pos)
		f.mu.Lock()
		f.err, f.size, f.limit, f.verified = io.EOF, p.pos, p.pos, p.pos
		f.table.tail = bytes.Clone(p.learned.tail[max(0, len(p.learned.tail)-tailOf(f.c.Size)):])
		text := p.learned.text.Finish()
		f.text = &text
		f.mu.Unlock()
		if p.pos >= f.keep {
			_ = f.Keep() // it would have been for later: nobody waits for it
		}
		return
	}
	f.mu.Lock()
	f.verified = min(p.learned.verified, at)
	if !(errors.Is(err, io.ErrUnexpectedEOF) && read >= f.c.Size) {
		// Something in what is not verified is wrong. That a file was cut is
		// seen where it is.
		f.limit = min(f.limit, f.verified)
	}
	f.mu.Unlock()
	err = f.damage(err, read, at)
	if damage, ok := err.(*DamageError); ok {
		damage.readable = f.limit
	}
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
}

// advance decodes at least as far as to. At the end of the file the error is
// io.EOF. While it decodes, another goroutine learns from what was decoded, and
// a third tries points, which takes as long as decoding some megabytes. What
// nobody has learned from when ctx is done waits for the next time.
func (p *pass) advance(ctx context.Context, to int64, report func(done, total int64)) error {
	switch {
	case p.wrong.Load() != nil:
		return errChecksum
	case p.pos >= to && len(p.buf) == 0 && len(p.batch) == 0:
		return nil
	}
	_, parallel := p.dec.(*parallel)
	p.alone = to == source.Unknown && !parallel
	pieces := make(chan []piece, 1)
	candidates := make(chan candidate)
	var left []piece
	var learning sync.WaitGroup
	learning.Go(func() {
		defer close(candidates)
		for batch := range pieces {
			for len(batch) > 0 && p.f.check(ctx) == nil {
				p.learn(batch[0], candidates)
				batch = batch[1:]
			}
			left = append(left, batch...)
		}
	})
	learning.Go(func() {
		for c := range candidates {
			p.try(c)
		}
	})
	if p.ended == nil {
		if err := p.decode(ctx, to, pieces, report); !isContext(err) {
			p.ended = err
		}
	}
	if len(p.batch) > 0 {
		p.handOver(pieces)
	}
	close(pieces)
	learning.Wait()
	p.batch = left
	p.f.mu.Lock()
	p.f.verified = min(p.learned.verified, p.f.limit)
	p.f.mu.Unlock()
	if p.wrong.Load() != nil {
		return errChecksum
	}
	if err := p.f.check(ctx); err != nil {
		return err
	}
	return p.ended
}

func (p *pass) decode(ctx context.Context, to int64, pieces chan<- []piece, report func(done, total int64)) error {
	f := p.f
	for p.wrong.Load() == nil && (p.pos < to || len(p.buf) > 0) {
		if err := f.check(ctx); err != nil {
			return err
		}
		n, err := p.next()
		p.pos += int64(n)
		p.marks = append(p.marks, p.dec.marks()...)
		p.cut(pieces)
		if len(p.buf) >= f.chunk0() || len(p.ends) >= mostEnds || err != nil || p.pos >= to {
			p.flush(pieces, len(p.buf), nil)
		}
		if err != nil {
			return err
		}
		if report != nil && p.pos-p.reported >= 4<<20 {
			p.reported = p.pos
			report(p.dec.in(), f.c.Size)
		}
	}
	return nil
}

// mostEnds is how many ends of frames a piece has at most: they can be many in
// few bytes.
const mostEnds = 32 << 10

// next adds what is decoded next to the buffer.
func (p *pass) next() (n int, err error) {
	if dec, ok := p.dec.(*parallel); ok && len(p.buf) == 0 {
		if p.buf != nil {
			p.f.cache.giveBack(p.buf)
		}
		p.buf, err = dec.whole()
		return len(p.buf), err
	}
	if p.buf == nil {
		p.buf = p.f.cache.room(0)
	}
	room := p.buf[len(p.buf):cap(p.buf)]
	if !p.alone {
		n, err = p.dec.next(room)
		p.buf = p.buf[:len(p.buf)+n]
		return n, err
	}
	if p.block == nil {
		p.block = make([]byte, slack+1) // more than a block: its end is seen
	}
	n, err = p.dec.next(p.block[:min(len(p.block), len(room))])
	p.buf = appendNonTemporal(p.buf, p.block[:n])
	return n, err
}

func (f *file) chunk0() int { return f.sizes.chunk }

// cut takes in the marks that were passed.
func (p *pass) cut(pieces chan<- []piece) {
	for len(p.marks) > 0 && p.marks[0].out <= p.pos {
		m := p.marks[0]
		p.marks = p.marks[1:]
		if n := len(p.ends); m.verified && !m.compare && n > 0 && p.ends[n-1].verified && !p.ends[n-1].compare {
			p.ends[n-1].out = m.out
		} else if m.verified || m.begins {
			p.ends = append(p.ends, m)
		}
		if m.passed {
			p.f.endings.boundary.out.Store(m.out)
		}
		if m.point == nil || m.out < p.start {
			continue
		}
		p.flush(pieces, int(m.out-p.start), m.point)
	}
}

// flush sends the first n bytes of the buffer on. What follows begins at next.
func (p *pass) flush(pieces chan<- []piece, n int, next *point) {
	switch {
	case n > 0:
		rest := p.buf[n:]
		whole := p.buf[:n]
		var buf []byte
		if len(rest) > 0 {
			buf = append(p.f.cache.room(0), rest...)
		}
		p.hand(pieces, piece{whole, p.start, p.point, p.ends})
		p.buf, p.point, p.ends = buf, nil, nil
		p.start += int64(n)
	case len(p.ends) > 0 && next == nil:
		p.hand(pieces, piece{start: p.start, ends: p.ends})
		p.ends = nil
	}
	if next != nil {
		p.point = next
	}
}

// fullBatch is how many pieces are handed over at a time when nobody reads along:
// to wake another core takes long.
const fullBatch = 4

// hand hands a piece over, or keeps it until there are more.
func (p *pass) hand(pieces chan<- []piece, next piece) {
	p.batch = append(p.batch, next)
	if !p.alone || len(p.batch) >= fullBatch {
		p.handOver(pieces)
	}
}

func (p *pass) handOver(pieces chan<- []piece) {
	pieces <- p.batch
	p.batch = nil
}

// learn takes in a chunk, or only what ends before it.
func (p *pass) learn(piece piece, candidates chan<- candidate) {
	f := p.f
	if p.wrong.Load() != nil {
		return
	}
	ends, wrong := p.learned.sums.check(piece.buf, piece.start, piece.ends)
	if n := len(ends); n > 0 {
		p.learned.verified = ends[n-1].out
	}
	if len(piece.buf) > 0 {
		p.keep(piece, candidates)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.limit = f.table.known()
	f.verified = min(p.learned.verified, f.limit)
	if wrong != nil {
		f.limit = f.verified
		p.wrong.Store(wrong)
	}
}

// keep puts a chunk, and the point that it may begin at, into the table.
func (p *pass) keep(piece piece, candidates chan<- candidate) {
	f := p.f
	at := piece.point
	if at != nil && at.inside {
		candidates <- candidate{*at, bytes.Clone(piece.buf[:min(f.trial(), len(piece.buf))])}
		at = nil
	}
	p.learned.remember(piece.buf, tailOf(f.c.Size))
	sum := sumOf(piece.buf)
	marks := p.learned.add(piece.buf, f.line)
	f.mu.Lock()
	if at != nil && at.out > 0 {
		f.table.add(*at)
	}
	c := len(f.table.chunks)
	f.table.chunks = append(f.table.chunks, chunk{piece.start + int64(len(piece.buf)), sum})
	for _, m := range marks {
		f.table.lines.Add(m)
	}
	f.mu.Unlock()
	f.cache.release(f.cache.put(c, piece.buf))
}

// add takes in what comes next.
func (l *learned) add(b []byte, step int64) (marks []scan.Mark) {
	for len(b) > 0 {
		n := min(int64(len(b)), step-l.offset%step)
		l.text.Add(b[:n])
		l.offset += n
		marks = append(marks, scan.Mark{Offset: l.offset, Ends: l.text.Ends})
		b = b[n:]
	}
	return marks
}

// remember has the tail be that of what was learned: n bytes of it, or more.
func (l *learned) remember(b []byte, n int) {
	switch {
	case len(b) >= n:
		l.tail = append(l.tail[:0], b[len(b)-n:]...)
		return
	case len(l.tail) >= 2*n:
		l.tail = append(l.tail[:0], l.tail[len(l.tail)-n:]...)
	}
	l.tail = append(l.tail, b...)
}

// try keeps a point if it is one.
func (p *pass) try(c candidate) {
	f := p.f
	if !f.resumes(&c.point, c.want) {
		p.refused++
		return
	}
	state := c.point.state
	c.point.state = p.pack(state)
	if f.format == Zstd {
		states.Put(&state)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.table.add(c.point)
	if p.states += len(c.point.state); p.states > f.states {
		f.table.thin()
		p.states = 0
		for _, point := range f.table.points {
			p.states += len(point.state)
		}
	}
}

// trial returns how many bytes are decoded to see that a point is one. In zstd,
// where there are few, more are: a block, and the beginning of the next.
func (f *file) trial() int {
	if f.format == Zstd {
		return slack + 1<<10
	}
	return 1 << 10
}

// resumes reports whether what is decoded from a point is what was decoded.
func (f *file) resumes(at *point, want []byte) bool {
	dec, err := f.decoder(at, places{})
	if err != nil {
		return false
	}
	defer f.retire(dec)
	got := make([]byte, len(want))
	for n := 0; n < len(got); {
		m, err := dec.next(got[n:])
		if n += m; err != nil && n < len(got) {
			return false
		}
	}
	return bytes.Equal(got, want)
}

// pack compresses the state of a point. Those of zstd are large, and there are
// few: that it is quick is worth more than that they are small.
func (p *pass) pack(b []byte) []byte {
	if p.f.format == Zstd {
		p.packed = s2.Encode(p.packed[:cap(p.packed)], b)
		return bytes.Clone(p.packed)
	}
	if p.packer == nil {
		var err error
		p.packer, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
			zstd.WithWindowSize(2<<20), zstd.WithEncoderCRC(false))
		if err != nil {
			panic(err) // the options are constants
		}
	}
	p.packed = p.packer.EncodeAll(b, p.packed[:0])
	return bytes.Clone(p.packed)
}

var unpacker = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err)
	}
	return d
})

// mostState is the most bytes that a state has.
const mostState = largestState + 64<<10

func (f *file) unpack(b []byte) ([]byte, error) {
	if f.format == Zstd {
		if n, err := s2.DecodedLen(b); err != nil || n > mostState {
			return nil, errChanged
		}
		return s2.Decode(nil, b)
	}
	var h zstd.Header
	if err := h.Decode(b); err != nil {
		return nil, err
	}
	size := uint64(255) // the frame of a shorter state does not say it
	if h.HasFCS {
		size = h.FrameContentSize
	}
	if size > mostState {
		return nil, errChanged
	}
	return unpacker().DecodeAll(b, make([]byte, 0, size))
}
