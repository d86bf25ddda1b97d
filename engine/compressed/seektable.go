package compressed

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"sort"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"excerpt/engine/internal/source"
)

// A seekTable is the table of a seekable file: any part can be decoded with it
// that no pass has come to yet. Anybody can write anything into one, so it is
// used only where the headers of all frames and blocks say the same: then
// every frame that is whole has the bytes that the table says.
type seekTable struct {
	frames []seekFrame // and where what follows them begins
	summed bool
}

// A seekFrame is where a frame begins.
type seekFrame struct {
	out, in int64
	sum     uint32 // the low half of an XXH64 of what it holds
}

func (t *seekTable) size() int64 { return t.frames[len(t.frames)-1].out }

// Bounds of what is worth it, and of the memory that it takes.
const (
	mostFrames   = 512 << 10 // in a table
	largestFrame = 16 << 20  // decoded
)

var errTable = errors.New("the table at its end is of something else")

// seeking is the table of a file, once somebody has looked for it.
type seeking struct {
	mu    sync.Mutex // held while it is looked for
	tried bool
	table *seekTable // guarded by the mutex of the file
}

// Measure finds the size of a file from the table at its end, if there is one
// and is right, and if that is cheaper than to decode what lies before to.
func (f *file) Measure(ctx context.Context, to int64) error {
	f.mu.RLock()
	limit, settled := f.limit, f.err != nil || f.size != source.Unknown
	f.mu.RUnlock()
	if settled || f.format != Zstd || to-limit < f.far {
		return nil
	}
	f.seek.mu.Lock()
	defer f.seek.mu.Unlock()
	if f.seek.tried {
		return nil
	}
	t, err := f.findTable()
	if err == nil {
		err = f.compareTable(ctx, t)
	}
	if isContext(err) || err == source.ErrClosed {
		return err
	}
	f.seek.tried = true
	if err == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.err == nil && f.limit < t.size() { // else the pass is about to know
			f.seek.table, f.size = t, t.size()
		}
	}
	return nil // without a table, the file is decoded
}

// findTable reads the table.
func (f *file) findTable() (*seekTable, error) {
	var footer [tableFooter]byte
	if err := f.readFull(footer[:], f.c.Size-tableFooter); err != nil {
		return nil, err
	}
	n, flags := int64(binary.LittleEndian.Uint32(footer[:])), footer[4]
	entry := int64(8)
	if flags&tableChecksums != 0 {
		entry = 12
	}
	size := n*entry + tableFooter
	if binary.LittleEndian.Uint32(footer[5:]) != tableMagic || flags&^(tableChecksums|3) != 0 || n > mostFrames {
		return nil, errTable
	}
	start := f.c.Size - tableHeader - size
	b := make([]byte, tableHeader+n*entry)
	if err := f.readFull(b, start); err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(b) != tableFrame || int64(binary.LittleEndian.Uint32(b[4:])) != size {
		return nil, errTable
	}
	t := &seekTable{frames: make([]seekFrame, 0, n+1), summed: entry == 12}
	at := seekFrame{}
	for b = b[tableHeader:]; len(b) > 0; b = b[entry:] {
		if t.summed {
			at.sum = binary.LittleEndian.Uint32(b[8:])
		}
		t.frames = append(t.frames, at)
		at.in += int64(binary.LittleEndian.Uint32(b))
		decoded := int64(binary.LittleEndian.Uint32(b[4:]))
		if at.out += decoded; decoded > largestFrame {
			return nil, errTable
		}
	}
	t.frames = append(t.frames, seekFrame{out: at.out, in: at.in})
	if at.in != start || at.out == 0 {
		return nil, errTable
	}
	return t, nil
}

func (f *file) readFull(p []byte, off int64) error {
	if off < 0 {
		return errTable
	}
	n, err := f.c.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	return noEOF(err)
}

// compareTable compares the table with the headers of frames and blocks.
func (f *file) compareTable(ctx context.Context, t *seekTable) error {
	for i := range t.frames[:len(t.frames)-1] {
		if err := f.check(ctx); err != nil {
			return err
		}
		if err := f.compareFrame(t.frames[i], t.frames[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) compareFrame(frame, next seekFrame) error {
	b := make([]byte, min(zstd.HeaderMaxSize, next.in-frame.in))
	if err := f.readFull(b, frame.in); err != nil {
		return err
	}
	var h zstd.Header
	if err := h.Decode(b); err != nil {
		return err
	}
	size := next.out - frame.out
	switch {
	case h.Skippable || h.DictionaryID != 0 || h.WindowSize > maxWindow:
		return errTable
	case h.HasFCS && h.FrameContentSize != uint64(size):
		return errTable
	case !h.HasFCS && size >= 256: // some do not say the size of less
		return errTable
	case !h.HasFCS:
		if _, err := f.decodeFrame(frame, next, false, make([]byte, 0, size)); err != nil {
			return err
		}
	}
	at, tail := frame.in+int64(h.HeaderSize), int64(0)
	if h.HasCheckSum {
		tail = 4
	}
	for last := false; !last; {
		if at+tail >= next.in {
			return errTable
		}
		var b [4]byte
		if err := f.readFull(b[:3], at); err != nil {
			return err
		}
		block := binary.LittleEndian.Uint32(b[:])
		last = block&1 != 0
		at += 3
		if block>>1&3 == 1 { // one byte, repeated
			at++
		} else {
			at += int64(block >> 3)
		}
	}
	if at+tail != next.in {
		return errTable
	}
	return nil
}

// firstFrame is the number that the cache knows the first frame by.
const firstFrame = math.MinInt

// readSeekable reads what one frame has at off.
func (f *file) readSeekable(t *seekTable, p []byte, off int64) (int, error) {
	if off >= t.size() {
		return 0, io.EOF
	}
	i := sort.Search(len(t.frames), func(i int) bool { return t.frames[i].out > off }) - 1
	e := f.cache.get(firstFrame + i)
	if e == nil {
		frame, next := t.frames[i], t.frames[i+1]
		buf, err := f.decodeFrame(frame, next, t.summed, f.cache.room(int(next.out-frame.out)))
		if err != nil {
			f.cache.giveBack(buf)
			return 0, f.changed(err, frame.in, frame.out)
		}
		e = f.cache.put(firstFrame+i, buf)
	}
	n := copy(p, e.buf[off-t.frames[i].out:])
	f.cache.release(e)
	return n, nil
}

// frameDecoder decodes whole frames, into memory that is there.
var frameDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
})

// decodeFrame decodes a frame into buf, which has room for it, and checks it.
func (f *file) decodeFrame(frame, next seekFrame, summed bool, buf []byte) ([]byte, error) {
	size := next.out - frame.out
	if next.in-frame.in > size+size/2+1<<10 { // no compressor makes it so much larger
		return buf, errTable
	}
	src := make([]byte, next.in-frame.in)
	if err := f.readFull(src, frame.in); err != nil {
		return buf, err
	}
	got, err := frameDecoder().DecodeAll(src, buf[:0:size])
	switch {
	case err != nil:
	case int64(len(got)) != size:
		err = io.ErrUnexpectedEOF
	case summed && uint32(xxhash.Sum64(got)) != frame.sum:
		err = errChecksum
	}
	return buf[:size], err
}
