package compressed

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"excerpt/engine/internal/source"
)

// The end of a file that was never decoded is known by what decodes to it: from
// some member, frame or chunk on, all that follows is whole, has its checksums
// right, and ends where the file does. A file can be made so that something
// inside a member looks like this. So the pass that decodes the file later looks
// out for the same place, and what was read of the end is an error if it does
// not come by it.

// endings is what was found out of the end of a file. Who holds the token of
// filling changes it.
type endings struct {
	found    atomic.Pointer[ending]
	boundary boundary // where the one found begins
	wrong    atomic.Bool
	all      []*file // that were found: somebody may read one still
	searched int64   // compressed bytes of the end
	done     bool    // there is no longer one
}

// An ending is a part of a file, up to its end.
type ending struct {
	from int64 // its compressed offset
	held *file // what it holds, decoded once
}

func (e *ending) size() int64 {
	if e == nil {
		return 0
	}
	return e.held.Size()
}

// A boundary is a compressed offset that decoding is to come by, between members,
// frames or chunks, and how many bytes were decoded when it did.
type boundary struct{ in, out atomic.Int64 }

func (b *boundary) set(in int64) {
	b.in.Store(in)
	b.out.Store(-1)
}

// What is searched and decoded, at most. To decode half of a file would be no
// better than to decode it all, and know it.
const (
	farthestEnding = 32 << 20  // compressed bytes that are searched
	farthestChunks = 8 << 20   // of s2: more than its largest chunk
	mostEnding     = 512 << 20 // decoded bytes
	mostTries      = 200       // places where something only looks like a beginning
	endingWindow   = 16 << 20  // of zstd
)

var errNoEnding = errors.New("all of the file has to be decoded")

// Ending implements decoded.Source.
func (f *file) Ending(ctx context.Context, want int64) (int64, error) {
	if err := f.claim(ctx); err != nil {
		return 0, err
	}
	defer f.yield()
	f.mu.RLock()
	size, err := f.size, f.err
	f.mu.RUnlock()
	switch {
	case size != source.Unknown:
		return size, nil
	case err != nil: // all was decoded that can be
		return 0, err
	}
	e := &f.endings
	tries := &tries{decoded: mostEnding, left: mostTries, steps: 1 << 20}
	for e.found.Load().size() < want && want <= mostEnding && !e.done {
		if err := f.lengthen(ctx, tries); err != nil {
			return 0, err
		}
	}
	return e.found.Load().size(), nil
}

// tries is what may still be spent on a search.
type tries struct {
	decoded int64 // bytes
	left    int
	steps   int // from one header to the next
}

func (t *tries) over() bool { return t.decoded <= 0 || t.left <= 0 || t.steps <= 0 }

// lengthen searches more of the end of the file.
func (f *file) lengthen(ctx context.Context, tries *tries) error {
	e := &f.endings
	size := f.c.Size
	lowest := max(size/2, size-farthestEnding)
	window := max(f.sizes.ending, 4*e.searched)
	if f.format == S2 {
		lowest, window = max(size/2, size-farthestChunks), farthestChunks
	}
	if f.pass != nil {
		lowest = max(lowest, f.pass.reached()+1)
	}
	high := size - e.searched
	low := max(lowest, size-window)
	if size < f.sizes.ending || low >= high || f.format == Zstd && e.searched == 0 && !f.hasChecksum(0) {
		e.done = true
		return nil
	}
	places, err := f.beginnings(ctx, low, high)
	if err != nil {
		return err
	}
	if e.searched > 0 && f.format != S2 && f.format != Snappy {
		slices.Reverse(places) // the nearest is far enough
	}
	places = places[:min(len(places), mostTries)]
	e.searched = size - low
	e.done = low == lowest
	for _, from := range places {
		if tries.over() {
			e.done = true
			break
		}
		found, err := f.endingFrom(ctx, from, tries)
		if err == nil {
			if old := e.found.Load(); old != nil {
				old.held.cache.keep(0)
			}
			e.boundary.set(from)
			e.found.Store(found)
			e.all = append(e.all, found.held)
			break
		}
		if isContext(err) || err == source.ErrClosed {
			return err
		}
		tries.left--
	}
	return nil
}

// endingFrom decodes what begins at from, to the end of the file.
func (f *file) endingFrom(ctx context.Context, from int64, tries *tries) (*ending, error) {
	if f.format == Zstd && !f.framesFrom(ctx, from, tries) {
		return nil, errNoEnding
	}
	c := f.c
	c.ReaderAt, c.Name = unstopped{f}, ""
	s := f.sizes
	s.cache /= 2
	held := newSource(c, f.format, s)
	held.table.points[0].in = from
	old := f.endings.found.Load()
	if old != nil {
		held.endings.boundary.set(old.from)
	}
	has, err := held.Fill(ctx, tries.decoded, nil)
	tries.decoded -= max(has, 1<<10)
	switch size := held.Size(); {
	case err != nil:
	case size == source.Unknown:
		err = errNoEnding
		tries.decoded = 0
	case old != nil && held.endings.boundary.out.Load() != size-old.size():
		err = errNoEnding
	default:
		return &ending{from, held}, nil
	}
	_ = held.Close()
	return nil, err
}

// confirm looks whether the pass, which has found the size, has come by the
// beginning of the ending.
func (f *file) confirm(size int64) {
	e := &f.endings
	if found := e.found.Load(); found != nil {
		e.wrong.Store(e.boundary.out.Load() != size-found.size())
		found.held.cache.keep(0)
	}
}

// endingAt returns what off, which is below 0 and counts from the end, is an
// offset of.
func (f *file) endingAt(off int64) (of *file, at int64, err error) {
	found := f.endings.found.Load()
	switch size := f.Size(); {
	case size == source.Unknown && -off <= found.size():
		return found.held, found.size() + off, nil
	case size == source.Unknown, -off > size:
		return nil, 0, errors.New("an offset before what is known of the end")
	case f.endings.wrong.Load():
		return nil, 0, &DamageError{
			Format: f.format, Compressed: found.from, Decoded: max(size-found.size(), 0),
			Err: errors.New("its end is not what it looked like before all of it was decoded"),
		}
	default:
		return f, size + off, nil
	}
}

// beginnings returns where members, frames or chunks may begin, from low to
// before high, in order.
func (f *file) beginnings(ctx context.Context, low, high int64) ([]int64, error) {
	switch f.format {
	case Gzip:
		return f.magic(ctx, "\x1f\x8b\x08", low, high)
	case Zstd:
		return f.magic(ctx, "\x28\xb5\x2f\xfd", low, high)
	case S2, Snappy:
		return f.chunks(ctx, low, high)
	}
	return nil, nil
}

// magic returns where the bytes are that something begins with, the first and
// the last of them if they are very many.
func (f *file) magic(ctx context.Context, magic string, low, high int64) ([]int64, error) {
	const header = 4
	var found []int64
	buf := make([]byte, 256<<10)
	for at := low; at < high; {
		if err := f.check(ctx); err != nil {
			return nil, err
		}
		b := buf[:min(int64(len(buf)), f.c.Size-at)]
		if _, err := f.c.ReadAt(b, at); err != nil && err != io.EOF {
			return nil, err
		}
		for i := 0; ; i++ {
			next := bytes.Index(b[i:], []byte(magic))
			if next < 0 {
				break
			}
			i += next
			if at+int64(i) < high && i+header <= len(b) && (f.format != Gzip || b[i+3]&0xe0 == 0) {
				found = append(found, at+int64(i))
			}
			if len(found) == 2*mostTries { // of which some are needed: those at either end
				found = slices.Delete(found, mostTries/2, mostTries+mostTries/2)
			}
		}
		if int64(len(b)) < int64(len(buf)) || len(b) <= header {
			break
		}
		at += int64(len(b)) - (header - 1)
	}
	return found, nil
}

// chunks returns where chunks of s2 or snappy with data may begin, from which
// one follows the other to the end of the file.
func (f *file) chunks(ctx context.Context, low, high int64) ([]int64, error) {
	b := make([]byte, f.c.Size-low)
	for n := 0; n < len(b); {
		if err := f.check(ctx); err != nil {
			return nil, err
		}
		m, err := f.c.ReadAt(b[n:min(n+1<<20, len(b))], low+int64(n))
		if n += m; err != nil && n < len(b) {
			return nil, noEOF(err)
		}
	}
	leads := make([]bool, len(b)+1) // to the end
	leads[len(b)] = true
	var found []int64
	for i := len(b) - 4; i >= 0; i-- {
		kind := b[i]
		next := i + 4 + int(b[i+1]) + int(b[i+2])<<8 + int(b[i+3])<<16
		if next > len(b) || !leads[next] || kind > 1 && kind < 0x80 {
			continue
		}
		leads[i] = true
		if kind <= 1 && low+int64(i) < high {
			found = append(found, low+int64(i))
		}
	}
	slices.Reverse(found)
	return found, nil
}

// frameAt reads the header of the zstd frame at off.
func (f *file) frameAt(off int64) (h zstd.Header, ok bool) {
	b := make([]byte, min(zstd.HeaderMaxSize, f.c.Size-off))
	if _, err := f.c.ReadAt(b, off); err != nil && err != io.EOF {
		return h, false
	}
	return h, h.Decode(b) == nil
}

// hasChecksum reports whether the first frame from off on that has data has a
// checksum. If not, the blocks of another zstd file might lie in it as they are,
// and end where it does.
func (f *file) hasChecksum(off int64) bool {
	for range 100 {
		h, ok := f.frameAt(off)
		if !ok || !h.Skippable {
			return ok && h.HasCheckSum
		}
		off += int64(h.HeaderSize) + int64(h.SkippableSize)
	}
	return false
}

// framesFrom reports whether from off on, frames with checksums follow each
// other to the end of the file. It does not decode them.
func (f *file) framesFrom(ctx context.Context, off int64, tries *tries) bool {
	for off < f.c.Size {
		h, ok := f.frameAt(off)
		if !ok {
			return false
		}
		tries.steps--
		off += int64(h.HeaderSize)
		if h.Skippable {
			off += int64(h.SkippableSize)
			continue
		}
		if !h.HasCheckSum || h.DictionaryID != 0 || h.WindowSize > endingWindow || h.SingleSegment && h.FrameContentSize > endingWindow {
			return false
		}
		for last := false; !last; {
			var b [4]byte
			if _, err := f.c.ReadAt(b[:3], off); err != nil || tries.over() || f.check(ctx) != nil {
				return false
			}
			tries.steps--
			block := binary.LittleEndian.Uint32(b[:])
			last = block&1 != 0
			size := int64(block >> 3)
			switch block >> 1 & 3 {
			case 1: // a byte, repeated
				size = 1
			case 3:
				return false
			}
			off += 3 + size
		}
		off += 4
	}
	return off == f.c.Size
}
