package compressed

import (
	"compress/bzip2"
	"io"
)

// bzip2Decoder decodes a bzip2 file, from its beginning only.
type bzip2Decoder struct {
	places
	*input
	r   io.Reader
	out int64
}

func (d *bzip2Decoder) begin(at *point, want places) error {
	d.seek(at.in)
	d.places, d.out, d.r = want, at.out, bzip2.NewReader(d.Reader)
	return nil
}

func (d *bzip2Decoder) in() int64 { return d.pos() }

func (d *bzip2Decoder) between() bool { return false }

func (d *bzip2Decoder) close() {}

func (d *bzip2Decoder) next(p []byte) (int, error) {
	n, err := d.r.Read(p)
	d.out += int64(n)
	if err == io.EOF {
		// The checksum of the last block, and of all of them.
		d.verified(d.out)
	}
	return n, err
}
