package compressed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

var (
	errChecksum = errors.New("wrong checksum")
	errGarbage  = errors.New("something else follows")
	errHeader   = errors.New("invalid header")
)

// gzipDecoder decodes the members of a gzip file.
type gzipDecoder struct {
	places
	*input
	out int64

	member io.ReadCloser // nil between members
	began  int64         // where its deflate stream begins, in the file
	drift  int64         // by how many bytes its offsets are too large
	whole  bool          // it was decoded from its beginning
	sum    uint32        // the CRC of what it has
	length uint32        // modulo 2^32
	first  bool          // no member was seen yet
	late   bool          // there is a point near the end of the file

	reader io.ReadCloser // of flate, to be used again
}

// longestName is the most bytes of a name or a comment. Nothing looks at the
// context while they are read.
const longestName = 1 << 20

// resumer is what a flate reader can do besides.
type resumer interface {
	ResetCP(r io.Reader, cp flate.InflateCheckpoint) error
}

func (d *gzipDecoder) begin(at *point, want places) error {
	d.seek(at.in)
	*d = gzipDecoder{places: want, input: d.input, out: at.out, first: at.in == 0, reader: d.reader}
	if !at.inside {
		return nil
	}
	d.places.inside = 0 // its offsets would not be those of the member
	return d.resume(flate.InflateCheckpoint{BitOffset: at.bit, Window: at.state})
}

// resume has a deflate stream be decoded from a place on.
func (d *gzipDecoder) resume(at flate.InflateCheckpoint) error {
	if d.reader == nil {
		d.reader = flate.NewReader(d.Reader)
	}
	d.member = d.reader
	return d.reader.(resumer).ResetCP(d.Reader, at)
}

func (d *gzipDecoder) in() int64 { return d.pos() }

func (d *gzipDecoder) between() bool { return d.member == nil }

func (d *gzipDecoder) close() {}

func (d *gzipDecoder) next(p []byte) (int, error) {
	if d.member == nil {
		return 0, d.header()
	}
	n, err := d.member.Read(p)
	d.out += int64(n)
	if d.whole {
		d.sum = crc32.Update(d.sum, crc32.IEEETable, p[:n])
		d.length += uint32(n)
	}
	if err == io.EOF {
		d.member = nil
		err = d.trailer()
	}
	return n, err
}

// header begins the next member.
func (d *gzipDecoder) header() error {
	start := d.pos()
	if d.ended() && !d.first {
		return io.EOF
	}
	var h [10]byte
	if n, err := io.ReadFull(d, h[:]); err != nil {
		if !d.first && zeros(h[:n]) && d.zerosOnly() {
			return io.EOF
		}
		if !d.first && !bytes.HasPrefix([]byte("\x1f\x8b"), h[:min(n, 2)]) {
			return errGarbage
		}
		return noEOF(err)
	}
	if h[0] != 0x1f || h[1] != 0x8b {
		if !d.first && zeros(h[:]) && d.zerosOnly() {
			return io.EOF
		}
		return errGarbage
	}
	flags := h[3]
	if h[2] != 8 || flags&0xe0 != 0 {
		return errHeader
	}
	sum := crc32.ChecksumIEEE(h[:])
	read := func() (byte, error) {
		c, err := d.ReadByte()
		sum = crc32.Update(sum, crc32.IEEETable, []byte{c})
		return c, noEOF(err)
	}
	if flags&4 != 0 { // extra fields
		lo, err := read()
		if err != nil {
			return err
		}
		hi, err := read()
		if err != nil {
			return err
		}
		for range int(hi)<<8 | int(lo) {
			if _, err := read(); err != nil {
				return err
			}
		}
	}
	for _, flag := range []byte{8, 16} { // a name, a comment
		for c, n := byte(1), 0; flags&flag != 0 && c != 0; n++ {
			if n > longestName {
				return errHeader
			}
			var err error
			if c, err = read(); err != nil {
				return err
			}
		}
	}
	if flags&2 != 0 {
		want := uint16(sum)
		if _, err := io.ReadFull(d, h[:2]); err != nil {
			return noEOF(err)
		}
		if binary.LittleEndian.Uint16(h[:2]) != want {
			return errChecksum
		}
	}
	d.offer(d.out, start)
	return d.deflate()
}

func zeros(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// deflate begins the deflate stream of a member.
func (d *gzipDecoder) deflate() error {
	d.first, d.whole, d.sum, d.length = false, true, 0, 0
	d.began, d.drift = d.pos(), 0
	if err := d.resume(flate.InflateCheckpoint{}); err != nil || d.inside == 0 {
		return err
	}
	start := d.out
	configure(d.reader, flate.WithEobCallback(func(cp flate.InflateCheckpoint) { d.blockEnd(start, cp) }))
	return nil
}

// configure sets an option of a reader that was made before: files of very many
// members would be slow, and leave much to collect, with a new one for each. D is
// the type of all readers of flate, which has no name elsewhere.
func configure[D io.ReadCloser](reader io.ReadCloser, option func(D)) { option(reader.(D)) }

// blockEnd is called at the end of each deflate block.
//
// Each stored block has the package count 0 to 3 bytes twice, in all offsets
// from there on. Where it has read to is known better: from the input. It has
// read at least the bits that it has used, and just these after a stored block.
func (d *gzipDecoder) blockEnd(start int64, cp flate.InflateCheckpoint) {
	read := d.pos()
	left := (read-d.began+d.drift)*8 - (cp.CompressedOffset*8 + int64(cp.BitOffset)) // bits read, but not used
	if left < 0 {
		d.drift -= left / 8
		left = 0
	}
	out := start + cp.UncompressedOffset
	// One more point not far from the end of the file: the last lines are read
	// more often than others.
	late := !d.late && d.s.size-read <= d.inside/32
	if cp.Final || out-d.last < d.inside && !late {
		return
	}
	d.late = d.late || late
	d.last = out
	bits := read*8 - left
	d.pending = append(d.pending, mark{out: out, point: &point{
		out: out, in: bits / 8, bit: uint8(bits % 8), inside: true,
		state: append([]byte(nil), cp.Window...),
	}})
}

// trailer ends a member.
func (d *gzipDecoder) trailer() error {
	var t [8]byte
	if _, err := io.ReadFull(d, t[:]); err != nil {
		return noEOF(err)
	}
	if !d.whole {
		return nil
	}
	if binary.LittleEndian.Uint32(t[:]) != d.sum || binary.LittleEndian.Uint32(t[4:]) != d.length {
		return errChecksum
	}
	d.verified(d.out)
	return nil
}
