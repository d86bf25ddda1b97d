package compressed

import (
	"encoding/binary"
	"errors"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"excerpt/engine/internal/source"
)

// parallel is a decoder of a file whose members, frames or chunks stand alone:
// runs of them are decoded on several cores, each by a decoder of its own, and
// given in order.
//
// Where a run ends is only a guess, by what headers say. Its decoder finds out:
// if it is not between two members just there, it goes on to the end of the
// file, and nothing of the runs that were begun behind it is used.
type parallel struct {
	places        // those of what was given
	want   places // of each run, which begins with one
	f      *file
	runs   []*run // under way; what the first holds is given now
	off    int64  // where the next run begins
	most   int    // how many are under way at most
	read   int64  // of the compressed file, to where what was given ends
	base   int64  // decoded bytes before the first run

	piece output // what was not given yet
	left  []byte // of piece.buf

	stop    chan struct{}
	working sync.WaitGroup
}

type run struct {
	begin, end int64 // in the file; an end of -1: that of the file
	out        chan output
}

// An output is what a run gives at a time.
type output struct {
	buf   []byte
	marks []mark // offsets are of the run
	size  int64  // decoded so far
	in    int64
	err   error
	last  bool // the run ends where it was meant to
}

// The largest windows of zstd frames, and chunks of s2, that are decoded at once.
const (
	aheadWindow = 8 << 20
	aheadChunk  = 1 << 20
)

// mostFast is how many decoders of the fast formats are under way at most. Who
// learns from what they give keeps up with no more, and each takes memory.
const mostFast = 5

// newParallel returns nil if the file does not go on at offset from with what
// stands alone, or if there is one core.
func newParallel(f *file, from int64, want places) *parallel {
	_, size, ok := f.unit(from)
	if !ok || f.workers() < 2 {
		return nil
	}
	most := int(min(int64(f.workers()), 1+max(1, f.wide/max(size, f.run()))))
	if f.format != Gzip {
		most = min(most, mostFast)
	}
	want.last = -want.outside
	f.cache.keepFree(free0 + int(f.wide)/f.chunk0())
	return &parallel{want: want, f: f, off: from, most: most, stop: make(chan struct{})}
}

func (d *parallel) begin(*point, places) error { return errors.ErrUnsupported } // it is for a pass

func (d *parallel) in() int64 { return d.read }

func (d *parallel) between() bool { return false }

func (d *parallel) close() {
	close(d.stop)
	d.working.Wait()
	d.f.cache.keepFree(free0)
}

func (d *parallel) next(p []byte) (int, error) {
	if len(d.left) == 0 {
		if err := d.take(); err != nil {
			return 0, err
		}
	}
	n := copy(p, d.left)
	if d.left = d.left[n:]; len(d.left) > 0 {
		return n, nil
	}
	d.f.cache.giveBack(d.piece.buf)
	return n, d.piece.err
}

// whole is next without a copy: it returns a buffer, for the caller to keep.
func (d *parallel) whole() ([]byte, error) {
	if len(d.left) > 0 {
		b := append(d.f.cache.room(0), d.left...)
		d.left = nil
		d.f.cache.giveBack(d.piece.buf)
		return b, d.piece.err
	}
	if err := d.take(); err != nil {
		return nil, err
	}
	d.left = nil
	return d.piece.buf, d.piece.err
}

// take waits for what comes next.
func (d *parallel) take() error {
	if d.piece.err != nil {
		return d.piece.err
	}
	if d.piece.last {
		d.base += d.piece.size
		d.runs = d.runs[1:]
	}
	d.start()
	d.piece = <-d.runs[0].out
	d.left, d.read = d.piece.buf, d.piece.in
	for _, m := range d.piece.marks {
		m.out += d.base
		if m.point != nil {
			m.point.out += d.base
		}
		d.pending = append(d.pending, m)
	}
	return nil
}

// start begins as many runs as there may be. At first there is one: perhaps no
// more is wanted.
func (d *parallel) start() {
	most, room := d.most, max(1, int(d.f.wide)/(d.most-1)/d.f.chunk0())
	if d.base+d.piece.size < d.f.more {
		most, room = 1, 1
	}
	for len(d.runs) < most && d.off >= 0 {
		r := &run{d.off, d.f.extent(d.off), make(chan output, room)}
		d.off = r.end
		d.runs = append(d.runs, r)
		d.working.Go(func() { d.work(r) })
	}
}

// work decodes a run.
func (d *parallel) work(r *run) {
	f := d.f
	dec, err := f.decoder(&point{in: r.begin}, d.want)
	if err != nil {
		dec = nil
	}
	defer func() {
		if dec != nil {
			f.retire(dec)
		}
	}()
	var (
		o    output
		sums checksums
	)
	for idle := 0; ; idle++ {
		if o.buf == nil {
			o.buf = f.cache.room(0)
		}
		if err == nil && f.stopped.Load() {
			err = source.ErrClosed
		}
		if err == nil {
			var n int
			n, err = dec.next(o.buf[len(o.buf):cap(o.buf)])
			o.buf = o.buf[:len(o.buf)+n]
			o.size += int64(n)
			o.marks = append(o.marks, dec.marks()...)
			o.in = dec.in()
			o.last = err == nil && o.in == r.end && dec.between()
		}
		if o.err = err; err == nil && !o.last && len(o.buf) < f.chunk0() && idle%1024 != 1023 {
			continue
		}
		var wrong *mark
		start := o.size - int64(len(o.buf))
		if o.marks, wrong = sums.check(o.buf, start, o.marks); wrong != nil {
			o.buf, o.size, o.in = o.buf[:wrong.out-start], wrong.out, wrong.in
			o.marks = append(o.marks, *wrong) // who learns is to know before anybody reads it
			o.err, o.last = errChecksum, false
		}
		if o.last { // for the run that is begun next
			f.retire(dec)
			dec = nil
		}
		select {
		case r.out <- o:
		case <-d.stop:
			return
		}
		if o.last || o.err != nil {
			return
		}
		o.buf, o.marks = nil, nil
	}
}

// run is how many bytes are decoded together, where there is a choice.
func (f *file) run() int64 { return f.wide / 8 }

// extent returns where members and the like end that begin at off and are to be
// decoded together, or -1 if that is not known.
func (f *file) extent(off int64) int64 {
	begin, total := off, int64(0)
	for n := 0; off < f.c.Size && total < f.run() && n < 1024; n++ {
		end, size, ok := f.unit(off)
		if !ok {
			break
		}
		off = end
		total += size
	}
	if off == begin {
		return -1
	}
	return off
}

// unit returns where the member, frame or chunk that begins at off should end,
// and about how many bytes it holds. It is not ok where that is not known, or
// the unit is large.
func (f *file) unit(off int64) (end, size int64, ok bool) {
	b := make([]byte, 18)
	n, _ := f.c.ReadAt(b, off)
	b = b[:n]
	switch f.format {
	case Gzip:
		end, size, ok = bgzipBlock(b)
	case Zstd:
		return f.zstdFrame(b, off)
	case S2, Snappy:
		end, size, ok = s2Unit(b)
	}
	end += off
	return end, size, ok && end > off && end <= f.c.Size
}

// bgzipBlock knows a member by the extra field in which bgzip says how long it is.
func bgzipBlock(b []byte) (end, size int64, ok bool) {
	if len(b) < 18 || string(b[:4]) != "\x1f\x8b\x08\x04" || string(b[10:16]) != "\x06\x00BC\x02\x00" {
		return 0, 0, false
	}
	return int64(binary.LittleEndian.Uint16(b[16:])) + 1, 64 << 10, true
}

func s2Unit(b []byte) (end, size int64, ok bool) {
	if len(b) < 4 {
		return 0, 0, false
	}
	end = 4 + (int64(b[1]) | int64(b[2])<<8 | int64(b[3])<<16)
	switch {
	case b[0] == 0 && len(b) > 8:
		n, err := s2.DecodedLen(b[8:])
		return end, int64(n), err == nil && n <= aheadChunk
	case b[0] == 0, b[0] > 1 && b[0] < 0x80:
		return 0, 0, false
	case b[0] == 1:
		return end, end, true
	}
	return end, 0, true
}

// leastBlock is what a block counts for at least, on a walk from one to the next:
// they may be empty, and millions.
const leastBlock = 4 << 10

// zstdFrame walks from block to block of the frame at off, which begins with b.
func (f *file) zstdFrame(b []byte, off int64) (end, size int64, ok bool) {
	var h zstd.Header
	if h.Decode(b) != nil {
		return 0, 0, false
	}
	if h.Skippable {
		end = off + int64(h.HeaderSize) + int64(h.SkippableSize)
		return end, 0, end <= f.c.Size
	}
	most := 4 * f.wide
	window := h.WindowSize
	if h.SingleSegment {
		window = h.FrameContentSize
	}
	if h.DictionaryID != 0 || window > aheadWindow || h.HasFCS && h.FrameContentSize > uint64(most) {
		return 0, 0, false
	}
	off += int64(h.HeaderSize)
	blocks := int64(0)
	for last := false; !last; {
		var block [3]byte
		if n, _ := f.c.ReadAt(block[:], off); n < len(block) || size > most {
			return 0, 0, false
		}
		head := binary.LittleEndian.Uint32(append(block[:], 0))
		last = head&1 != 0
		switch head >> 1 & 3 {
		case 1:
			off++
		default:
			off += int64(head >> 3)
		}
		off += 3
		size += min(max(int64(window), leastBlock), 128<<10)
		blocks++
	}
	if h.HasCheckSum {
		off += 4
	}
	if h.HasFCS {
		size = max(int64(h.FrameContentSize), blocks*leastBlock/4)
	}
	return off, size, off <= f.c.Size
}
