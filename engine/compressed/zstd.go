package compressed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// largestState is the largest window that points inside a frame keep.
const largestState = 16 << 20

// maxWindow is the largest window that a zstd frame may demand.
const maxWindow = 128 << 20

// zstdDecoder decodes the frames of a zstd file.
type zstdDecoder struct {
	places
	*input
	out int64

	dec   *zstd.Decoder
	frame *frameReader // nil between frames
	first bool         // no frame was seen yet
	large bool         // dec has a window that is too large to be kept for others

	drop int    // decoded bytes that are still to be dropped
	junk []byte // where they go

	// Of the frame, where points inside it are wanted.
	window  int64
	every   int64    // decoded bytes between points
	history []byte   // what was decoded last: a window at least when a point is due
	due     int64    // where the next point may be
	perhaps *restart // the end of the last block, if it may be one
}

// A restart is a place inside a frame that is a point if the next block uses no
// table of those before it.
type restart struct {
	out, in int64
	repeat  [3]int
}

// zstdDecoders are those of files that were closed, for the next: their windows
// are large.
var zstdDecoders sync.Pool

func newZstd(in *input) (*zstdDecoder, error) {
	if dec, ok := zstdDecoders.Get().(*zstd.Decoder); ok {
		return &zstdDecoder{input: in, dec: dec}, nil
	}
	dec, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1), // more is slower
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow),
		zstd.IgnoreChecksum(true), // see checksums
	)
	if err != nil {
		return nil, err
	}
	return &zstdDecoder{input: in, dec: dec}, nil
}

func (d *zstdDecoder) begin(at *point, want places) error {
	d.seek(at.in)
	*d = zstdDecoder{places: want, input: d.input, out: at.out, dec: d.dec, first: at.in == 0, large: d.large, junk: d.junk}
	if !at.inside {
		return nil
	}
	// What follows goes on with a frame that was begun for it.
	if len(at.state) < stateHeader {
		return errChanged
	}
	d.large = d.large || len(at.state) > aheadWindow+window0
	d.places.inside = 0 // what blocks before it have said is not known
	d.drop = int(binary.LittleEndian.Uint32(at.state[1:]))
	if d.junk == nil {
		d.junk = make([]byte, 64<<10)
	}
	d.frame = &frameReader{r: d.input, tail: int(at.state[0])}
	return d.dec.Reset(io.MultiReader(bytes.NewReader(at.state[stateHeader:]), d.frame))
}

// stateHeader is how many bytes a state has before the beginning of a frame: the
// length of the checksum of the frame that it stands for, and how many bytes
// are decoded from it.
const stateHeader = 1 + 4

func (d *zstdDecoder) in() int64 { return d.pos() }

func (d *zstdDecoder) between() bool { return d.frame == nil }

func (d *zstdDecoder) close() {
	if d.large || d.dec.Reset(nil) != nil {
		d.dec.Close()
		return
	}
	zstdDecoders.Put(d.dec)
}

func (d *zstdDecoder) next(p []byte) (int, error) {
	n, err := d.read(p)
	if err == nil && n < len(p) && d.frame != nil && d.frame.ended {
		// The end comes with the last bytes: they are verified before they are given.
		var more int
		more, err = d.read(p[n:])
		n += more
	}
	return n, err
}

func (d *zstdDecoder) read(p []byte) (int, error) {
	if d.frame == nil {
		return 0, d.header()
	}
	dropped := d.drop > 0
	if dropped {
		p = d.junk[:min(d.drop, len(d.junk))]
	}
	if d.every > 0 && d.soon() {
		d.frame.watched = true
	}
	n, err := d.dec.Read(p)
	if dropped {
		d.drop -= n
		n = 0
	}
	d.out += int64(n)
	switch {
	case err == io.EOF && !d.frame.ended:
		err = io.ErrUnexpectedEOF
	case err == io.EOF:
		_, err = d.Discard(d.frame.tail)
		if err == nil && d.sums && d.frame.summed {
			sum := binary.LittleEndian.Uint32(d.frame.sum[:])
			d.pending = append(d.pending, mark{out: d.out, verified: true, compare: true, sum: sum, in: d.pos()})
		} else if err == nil { // it is right as far as anybody can tell
			d.verified(d.out)
		}
		d.frame, d.history, d.perhaps = nil, nil, nil
		err = noEOF(err)
	case err != nil && d.frame.err != nil:
		err = d.frame.err // the decoder has its own words for it
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		err = fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if err == nil && d.every > 0 && d.frame != nil && n < len(p) {
		d.blockEnd(p[:n])
	}
	return n, err
}

// blockEnd is called when b, which ends where a block does, was decoded. A
// point needs a window of history: that is gathered when one will be due soon.
func (d *zstdDecoder) blockEnd(b []byte) {
	if at := d.perhaps; at != nil && d.frame.state.alone {
		history := d.history[max(0, int64(len(d.history))-d.window):]
		var state []byte
		if used, ok := states.Get().(*[]byte); ok && cap(*used) > len(history) {
			state = (*used)[:stateHeader]
		} else {
			state = make([]byte, stateHeader, stateHeader+len(history)+len(history)/512+1<<10)
		}
		state, size := resumption(state, d.window, at.repeat, history)
		state[0] = 0
		if d.frame.checksum {
			state[0] = 4
		}
		binary.LittleEndian.PutUint32(state[1:], uint32(size))
		d.last = at.out
		d.pending = append(d.pending, mark{out: at.out, point: &point{out: at.out, in: at.in, inside: true, state: state}})
		d.history = d.history[:0]
		for d.due <= d.out {
			d.due += d.every
		}
	} else if at != nil {
		d.due += d.every / 256
	}
	d.perhaps = nil
	if !d.soon() {
		d.frame.unwatch()
		return
	}
	if len(d.history)+len(b) > cap(d.history) {
		kept := d.history[max(0, int64(len(d.history))-d.window):]
		if int64(cap(d.history)) < d.window+window0 {
			d.history = make([]byte, 0, d.window+window0)
		}
		d.history = append(d.history[:0], kept...)
	}
	d.history = append(d.history, b...)
	if d.out < d.due || d.frame.last {
		return
	}
	if repeat, ok := d.frame.state.offsets(); ok {
		d.perhaps = &restart{d.out, d.pos(), repeat}
		return
	}
	d.due += d.every / 256 // not here, nor at many of the next blocks
}

// states are used again: they are large.
var states sync.Pool

// soon reports whether a point may be due before another window was decoded.
func (d *zstdDecoder) soon() bool { return d.out >= d.due-d.window }

// window0 is by how much more than a window the history may have: blocks.
const window0 = 1 << 20

// windowByte returns what the header of a frame says of a window that is at
// least so large.
func windowByte(window int64) byte {
	return byte(max(bits.Len64(uint64(window-1)), 10)-10) << 3
}

// header begins the next frame, behind those that are to be skipped.
func (d *zstdDecoder) header() error {
	start := d.pos()
	b, err := d.Peek(zstd.HeaderMaxSize)
	if len(b) == 0 && err == io.EOF && !d.first {
		return io.EOF
	}
	if err != nil && err != io.EOF {
		return err
	}
	var h zstd.Header
	if err := h.Decode(b); err != nil {
		switch {
		case !d.first && len(b) > 0 && b[0] == 0 && d.zerosOnly():
			return io.EOF
		case errors.Is(err, io.ErrUnexpectedEOF):
			return io.ErrUnexpectedEOF
		case errors.Is(err, zstd.ErrMagicMismatch):
			return errGarbage
		}
		return err
	}
	d.first = false
	if h.Skippable {
		size := int64(h.HeaderSize) + int64(h.SkippableSize)
		if size > d.s.size-start {
			_, _ = d.skip(d.s.size - start)
			return io.ErrUnexpectedEOF
		}
		_, err := d.skip(size)
		return noEOF(err)
	}
	window := h.WindowSize
	if h.SingleSegment {
		window = h.FrameContentSize
	}
	switch {
	case h.DictionaryID != 0:
		return fmt.Errorf("%w: dictionary %d", ErrUnsupported, h.DictionaryID)
	case window > maxWindow:
		return fmt.Errorf("%w: a window of %d bytes, of which there may be %d", ErrUnsupported, window, maxWindow)
	}
	d.offer(d.out, start)
	d.frame = &frameReader{r: d.input, header: h.HeaderSize, checksum: h.HasCheckSum}
	if d.sums && h.HasCheckSum {
		d.pending = append(d.pending, mark{out: d.out, begins: true})
	}
	d.large = d.large || window > aheadWindow
	d.every = 0
	if d.window = int64(window); d.inside > 0 && d.window <= largestState {
		d.every = max(d.inside, d.windows*d.window)
		d.due = d.out + d.every
		if h.HasFCS && h.FrameContentSize < 1<<60 {
			// So that the last one is not far from the end.
			d.due = d.out + (max(int64(h.FrameContentSize)-d.every/32, 0)+d.every/2)%d.every + d.every/2
		}
	}
	return d.dec.Reset(d.frame)
}

// skip passes over n bytes without reading them.
func (in *input) skip(n int64) (int64, error) {
	if buffered := int64(in.Buffered()); n > buffered {
		in.s.off += n - buffered
		in.Reader.Reset(&in.s)
		return n, nil
	}
	m, err := in.Discard(int(n))
	return int64(m), err
}

// frameReader reads one frame, and ends where that does.
type frameReader struct {
	r        *input
	header   int // bytes of the frame's header that are left
	checksum bool

	summed bool // it has a checksum, which is read now or was
	sum    [4]byte

	start [3]byte // the header of a block
	have  int     // bytes of it
	left  int     // bytes of the block, or of the checksum, that are left
	last  bool    // the block is the last one
	ended bool
	err   error

	tail    int  // bytes of a checksum that the decoder is not to see
	watched bool // somebody wants the state
	kind    uint32
	block   []byte
	state   zstdState
}

// unwatch forgets the state, which is found anew from any block on.
func (f *frameReader) unwatch() {
	f.watched, f.block, f.state = false, f.block[:0], zstdState{}
}

func (f *frameReader) Read(p []byte) (int, error) {
	if f.ended {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	want := f.left
	switch {
	case f.header > 0:
		want = f.header
	case f.left == 0:
		want = len(f.start) - f.have
	}
	n, err := f.r.Read(p[:min(want, len(p))])
	if err != nil {
		f.err = noEOF(err)
		return n, f.err
	}
	switch {
	case f.header > 0:
		f.header -= n
	case f.left == 0:
		f.have += copy(f.start[f.have:], p[:n])
		if f.have == len(f.start) {
			f.begin()
		}
	case f.summed:
		copy(f.sum[len(f.sum)-f.left:], p[:n])
		f.left -= n
		f.end()
	default:
		if f.watched && f.kind == 2 {
			f.block = append(f.block, p[:n]...)
		}
		f.left -= n
		f.end()
	}
	return n, nil
}

// begin takes in the header of a block.
func (f *frameReader) begin() {
	h := binary.LittleEndian.Uint32(append(f.start[:], 0))
	f.have, f.last, f.left, f.kind, f.block = 0, h&1 != 0, int(h>>3), h>>1&3, f.block[:0]
	f.state.alone = false
	if f.kind == 1 { // one byte, repeated
		f.left = 1
	}
	f.end()
}

// end ends the frame if the last byte of its last block was read, and of its
// checksum if it has one.
func (f *frameReader) end() {
	if f.left > 0 {
		return
	}
	if f.watched && f.kind == 2 && len(f.block) > 0 {
		if !f.state.block(f.block) {
			f.state = zstdState{}
		}
		f.block = f.block[:0]
	}
	switch {
	case !f.last:
	case f.checksum:
		f.checksum, f.summed, f.left = false, true, len(f.sum)
	default:
		f.ended = true
	}
}
