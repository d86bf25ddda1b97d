package compressed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the largest window that a zstd frame may demand.
const maxWindow = 128 << 20

// zstdDecoder decodes the frames of a zstd file.
type zstdDecoder struct {
	places
	*input
	out int64

	dec    *zstd.Decoder
	frame  *frameReader // nil between frames
	first  bool         // no frame was seen yet
	window int64        // the largest so far
}

func newZstd(in *input, at *point, want places) (*zstdDecoder, error) {
	dec, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1), // more is slower
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow),
	)
	if err != nil {
		return nil, err
	}
	return &zstdDecoder{places: want, input: in, out: at.out, dec: dec, first: at.in == 0}, nil
}

func (d *zstdDecoder) in() int64 { return d.pos() }

func (d *zstdDecoder) close() { d.dec.Close() }

func (d *zstdDecoder) next(p []byte) (int, error) {
	if d.frame == nil {
		return 0, d.header()
	}
	n, err := d.dec.Read(p)
	d.out += int64(n)
	switch {
	case err == io.EOF && !d.frame.ended:
		err = io.ErrUnexpectedEOF
	case err == io.EOF:
		// What has no checksum is right as far as anybody can tell.
		d.frame, err = nil, nil
		d.verified(d.out)
	case err != nil && d.frame.err != nil:
		err = d.frame.err // the decoder has its own words for it
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		err = fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return n, err
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
	d.window = max(d.window, int64(window))
	d.between(d.out, start)
	d.frame = &frameReader{r: d.input, header: h.HeaderSize, checksum: h.HasCheckSum}
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

	block [3]byte // the header of a block
	have  int     // bytes of it
	left  int     // bytes of the block, or of the checksum, that are left
	last  bool    // the block is the last one
	ended bool
	err   error
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
		want = len(f.block) - f.have
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
		f.have += copy(f.block[f.have:], p[:n])
		if f.have == len(f.block) {
			f.begin()
		}
	default:
		f.left -= n
		f.end()
	}
	return n, nil
}

// begin takes in the header of a block.
func (f *frameReader) begin() {
	h := binary.LittleEndian.Uint32(append(f.block[:], 0))
	f.have, f.last, f.left = 0, h&1 != 0, int(h>>3)
	if h>>1&3 == 1 { // one byte, repeated
		f.left = 1
	}
	f.end()
}

// end ends the frame if the last byte of its last block was read, and of its
// checksum if it has one.
func (f *frameReader) end() {
	switch {
	case f.left > 0 || !f.last:
	case f.checksum:
		f.checksum, f.left = false, 4
	default:
		f.ended = true
	}
}
