package compressed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"runtime"

	"github.com/cespare/xxhash/v2"
	"github.com/ulikunitz/xz/lzma"
)

// xzDecoder decodes the streams of an xz file. The library decodes LZMA2; the
// container is read here, since the library takes as much memory as a header
// demands, and would begin nowhere but at the beginning.
type xzDecoder struct {
	places
	*input
	out   int64
	first bool // no stream was seen yet

	stream bool // between its header and its index
	check  byte // what its blocks are checked with
	part   bool // not all of its blocks were seen
	blocks int64
	seen   *xxhash.Digest // what the index has to say of them

	block  *lzma.Reader2 // nil between blocks
	sum    hash.Hash
	header int64 // bytes of its header
	began  int64 // where its data begin
	size   int64 // decoded so far
	sizes  [2]int64

	garbage int64 // bytes of dictionaries that were made
}

// What a block header may say of the sizes of a block.
const (
	xzCompressed = iota
	xzDecoded
)

// The checks of blocks that are known.
const (
	xzNone   = 0
	xzCRC32  = 1
	xzCRC64  = 4
	xzSHA256 = 10
)

const (
	largestDict = 64 << 20 // that a block may demand: xz -9 does
	pointDict   = 8 << 20  // with which several are decoded at once: xz -6 has it
)

var ecma = crc64.MakeTable(crc64.ECMA)

func (d *xzDecoder) begin(at *point, want places) error {
	d.seek(at.in)
	*d = xzDecoder{places: want, input: d.input, out: at.out, first: at.in == 0, garbage: d.garbage}
	if len(at.state) == 1 { // at a block
		return d.streamBegins(at.state[0], true)
	}
	return nil
}

func (d *xzDecoder) in() int64 { return d.pos() }

func (d *xzDecoder) between() bool { return !d.stream }

func (d *xzDecoder) close() {}

func (d *xzDecoder) next(p []byte) (int, error) {
	switch {
	case !d.stream:
		return 0, d.streamHeader()
	case d.block == nil:
		return 0, d.blockHeader()
	}
	n, err := d.block.Read(p[:min(len(p), slack)])
	_, _ = d.sum.Write(p[:n])
	d.out += int64(n)
	d.size += int64(n)
	switch {
	case err == io.EOF && !d.block.EOS():
		return n, io.ErrUnexpectedEOF
	case err == io.EOF:
		d.block = nil
		return n, d.blockEnd()
	}
	return n, err
}

// full reads all of p, or it is an error.
func (d *xzDecoder) full(p []byte) error {
	_, err := io.ReadFull(d, p)
	return noEOF(err)
}

// streamHeader begins the next stream.
func (d *xzDecoder) streamHeader() error {
	start := d.pos()
	if d.ended() && !d.first {
		return io.EOF
	}
	var h [12]byte
	if err := d.full(h[:4]); err != nil {
		return err
	}
	if !d.first && zeros(h[:4]) {
		return nil // padding, in fours
	}
	if err := d.full(h[4:]); err != nil {
		return err
	}
	switch {
	case string(h[:6]) != "\xfd7zXZ\x00" && !d.first:
		return errGarbage
	case string(h[:6]) != "\xfd7zXZ\x00" || h[6] != 0 || h[7] > 15:
		return errHeader
	case crc32.ChecksumIEEE(h[6:8]) != binary.LittleEndian.Uint32(h[8:]):
		return errChecksum
	}
	d.first = false
	d.offer(d.out, start)
	return d.streamBegins(h[7], false)
}

func (d *xzDecoder) streamBegins(check byte, part bool) error {
	d.stream, d.check, d.part, d.blocks, d.seen = true, check, part, 0, xxhash.New()
	switch check {
	case xzNone:
		d.sum = noSum{}
	case xzCRC32:
		d.sum = crc32.NewIEEE()
	case xzCRC64:
		d.sum = crc64.New(ecma)
	case xzSHA256:
		d.sum = sha256.New()
	default:
		return fmt.Errorf("%w: check %d of xz", ErrUnsupported, check)
	}
	return nil
}

// noSum is the hash of a stream without checks.
type noSum struct{ hash.Hash }

func (noSum) Write(p []byte) (int, error) { return len(p), nil }
func (noSum) Sum(b []byte) []byte         { return b }
func (noSum) Reset()                      {}
func (noSum) Size() int                   { return 0 }

// blockHeader begins the next block, or goes on with the index.
func (d *xzDecoder) blockHeader() error {
	start := d.pos()
	var h [1024]byte
	if err := d.full(h[:1]); err != nil {
		return err
	}
	if h[0] == 0 {
		return d.index()
	}
	end := int(h[0]) * 4
	if err := d.full(h[1 : end+4]); err != nil {
		return err
	}
	if crc32.ChecksumIEEE(h[:end]) != binary.LittleEndian.Uint32(h[end:]) {
		return errChecksum
	}
	flags := h[1]
	r := bytes.NewReader(h[2:end])
	if flags&0x3c != 0 {
		return errHeader
	}
	for i, has := range []bool{flags&0x40 != 0, flags&0x80 != 0} {
		d.sizes[i] = -1
		if has {
			var err error
			if d.sizes[i], err = xzNumber(r, nil); err != nil {
				return errHeader
			}
		}
	}
	// One filter is wanted: LZMA2, with a byte that says how large a dictionary is.
	filter, err := xzNumber(r, nil)
	if err != nil {
		return errHeader
	}
	if filter != 0x21 || flags&3 != 0 {
		return fmt.Errorf("%w: filter %#x of xz", ErrUnsupported, filter)
	}
	var properties [2]byte
	if _, err := io.ReadFull(r, properties[:]); err != nil || properties[0] != 1 || !zeros(h[end-r.Len():end]) {
		return errHeader
	}
	dict, err := lzma.DecodeDictCap(properties[1])
	if err != nil {
		return errHeader
	}
	if dict > largestDict {
		return fmt.Errorf("%w: a dictionary of %d bytes, of which there may be %d", ErrUnsupported, dict, largestDict)
	}
	// It needs no more than is decoded; a byte gives less than 8 KiB.
	dict = min(dict, (d.s.size-start)<<13)
	if size := d.sizes[xzDecoded]; size >= 0 {
		dict = min(dict, size)
	}
	if d.outside > 0 && d.out-d.last >= d.outside && dict <= pointDict {
		d.last = d.out
		d.pending = append(d.pending, mark{out: d.out, point: &point{out: d.out, in: start, state: []byte{d.check}}})
	}
	d.sum.Reset()
	d.header, d.began, d.size = int64(end+4), d.pos(), 0
	if d.garbage += dict; d.garbage > 2*pointDict { // the collector would wait for as much again
		runtime.GC()
		d.garbage = dict
	}
	d.block, err = lzma.Reader2Config{DictCap: int(max(dict, lzma.MinDictCap))}.NewReader2(d.input)
	return noEOF(err)
}

// blockEnd checks a block.
func (d *xzDecoder) blockEnd() error {
	compressed := d.pos() - d.began
	var b [3 + sha256.Size]byte
	padding := int(-compressed & 3)
	rest := b[:padding+d.sum.Size()]
	if err := d.full(rest); err != nil {
		return err
	}
	want := d.sum.Sum(nil)
	if d.check == xzCRC32 || d.check == xzCRC64 { // these are written the other way round
		for i, j := 0, len(want)-1; i < j; i, j = i+1, j-1 {
			want[i], want[j] = want[j], want[i]
		}
	}
	switch {
	case !bytes.Equal(rest[padding:], want):
		return errChecksum
	case !zeros(rest[:padding]),
		d.sizes[xzCompressed] >= 0 && d.sizes[xzCompressed] != compressed,
		d.sizes[xzDecoded] >= 0 && d.sizes[xzDecoded] != d.size:
		return errHeader
	}
	d.blocks++
	d.record(d.header+compressed+int64(d.sum.Size()), d.size)
	d.verified(d.out)
	return nil
}

// record takes in what the index has to say of a block.
func (d *xzDecoder) record(unpadded, decoded int64) {
	b := binary.AppendUvarint(nil, uint64(unpadded))
	_, _ = d.seen.Write(binary.AppendUvarint(b, uint64(decoded)))
}

var errIndex = errors.New("the index is of something else")

// index reads the index, whose first byte was read, and the footer. Of a stream
// that it has not seen all of, it only finds their end.
func (d *xzDecoder) index() error {
	start := d.pos() - 1
	sum := crc32.NewIEEE()
	_, _ = sum.Write([]byte{0})
	blocks, err := xzNumber(d, sum)
	if err == nil && blocks != d.blocks && !d.part {
		err = errIndex
	}
	seen := d.seen
	d.seen = xxhash.New()
	for i := int64(0); i < blocks && err == nil; i++ {
		var unpadded, decoded int64
		if unpadded, err = xzNumber(d, sum); err == nil {
			decoded, err = xzNumber(d, sum)
		}
		d.record(unpadded, decoded)
	}
	if err != nil {
		return err
	}
	if !d.part && d.seen.Sum64() != seen.Sum64() {
		return errIndex
	}
	var b [3 + 4 + 12]byte
	padding := int(-(d.pos() - start) & 3)
	if err := d.full(b[:padding+4+12]); err != nil {
		return err
	}
	_, _ = sum.Write(b[:padding])
	size := d.pos() - 12 - start
	rest := b[padding:]
	footer := rest[4:16]
	switch {
	case !zeros(b[:padding]):
		return errHeader
	case sum.Sum32() != binary.LittleEndian.Uint32(rest), crc32.ChecksumIEEE(footer[4:10]) != binary.LittleEndian.Uint32(footer):
		return errChecksum
	case (int64(binary.LittleEndian.Uint32(footer[4:]))+1)*4 != size, footer[8] != 0, footer[9] != d.check, string(footer[10:]) != "YZ":
		return errHeader
	}
	d.stream = false
	return nil
}

// xzNumber reads a number of at most 63 bits, and has sum take in its bytes.
func xzNumber(r io.ByteReader, sum hash.Hash) (int64, error) {
	var n int64
	for shift := 0; shift < 63; shift += 7 {
		c, err := r.ReadByte()
		if err != nil {
			return 0, noEOF(err)
		}
		if sum != nil {
			_, _ = sum.Write([]byte{c})
		}
		n |= int64(c&0x7f) << shift
		if c < 0x80 {
			if c == 0 && shift > 0 {
				break // it could be shorter
			}
			return n, nil
		}
	}
	return 0, errHeader
}
