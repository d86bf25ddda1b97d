package compressed

import (
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/s2"
)

// s2Decoder decodes the chunks of an s2 or snappy stream, each of which stands
// alone.
type s2Decoder struct {
	places
	*input
	out int64

	largest int    // decoded bytes that a chunk may have
	src     []byte // compressed
	buf     []byte // decoded
	left    []byte // of buf
	first   bool   // no chunk was seen yet
}

// The largest chunks of the formats, decoded.
const (
	s2Chunk     = 4 << 20
	snappyChunk = 64 << 10
)

func newS2(in *input, format Format) *s2Decoder {
	d := &s2Decoder{input: in, largest: s2Chunk}
	if format == Snappy {
		d.largest = snappyChunk
	}
	return d
}

func (d *s2Decoder) begin(at *point, want places) error {
	d.seek(at.in)
	d.places, d.out, d.left, d.first = want, at.out, nil, at.in == 0
	return nil
}

func (d *s2Decoder) in() int64 { return d.pos() }

func (d *s2Decoder) between() bool { return len(d.left) == 0 }

func (d *s2Decoder) close() {}

func (d *s2Decoder) next(p []byte) (int, error) {
	if len(d.left) == 0 {
		if err := d.chunk(); err != nil {
			return 0, err
		}
	}
	n := copy(p, d.left)
	d.left = d.left[n:]
	return n, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// chunk reads the next chunk.
func (d *s2Decoder) chunk() error {
	start := d.pos()
	if d.ended() && !d.first {
		return io.EOF
	}
	var h [8]byte
	if _, err := io.ReadFull(d, h[:4]); err != nil {
		return noEOF(err)
	}
	kind, size := h[0], int(h[1])|int(h[2])<<8|int(h[3])<<16
	if size > int(d.s.size-d.pos()) {
		_, _ = d.skip(d.s.size - d.pos())
		return io.ErrUnexpectedEOF
	}
	switch {
	case kind == 0xff: // a stream begins
		body := make([]byte, min(size, 7))
		if _, err := io.ReadFull(d, body); err != nil {
			return noEOF(err)
		}
		if s := string(body); s != "S2sTwO" && s != "sNaPpY" {
			return errHeader
		}
		d.first = false
		return nil
	case kind >= 0x80: // to be skipped
		d.first = false
		_, err := d.skip(int64(size))
		return noEOF(err)
	case kind > 1, size < 4:
		return errHeader
	}
	if _, err := io.ReadFull(d, h[4:]); err != nil {
		return noEOF(err)
	}
	size -= 4
	if kind == 1 && size > d.largest || size > s2.MaxEncodedLen(d.largest) {
		return errHeader
	}
	if kind == 1 {
		d.buf = grow(d.buf, size)
		if _, err := io.ReadFull(d, d.buf); err != nil {
			return noEOF(err)
		}
	} else {
		d.src = grow(d.src, size)
		if _, err := io.ReadFull(d, d.src); err != nil {
			return noEOF(err)
		}
		n, err := s2.DecodedLen(d.src)
		if err != nil {
			return err
		}
		if n > d.largest {
			return errHeader
		}
		d.buf = grow(d.buf, n)
		if d.buf, err = s2.Decode(d.buf, d.src); err != nil {
			return err
		}
	}
	c := crc32.Checksum(d.buf, castagnoli)
	if (c>>15|c<<17)+0xa282ead8 != binary.LittleEndian.Uint32(h[4:]) {
		return errChecksum
	}
	d.offer(d.out, start)
	d.out += int64(len(d.buf))
	d.verified(d.out)
	d.left = d.buf
	return nil
}
