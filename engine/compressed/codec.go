package compressed

import (
	"bufio"
	"io"
)

// A decoder decodes what follows a point. One goroutine uses it at a time.
type decoder interface {
	// begin has the decoder begin at a point, wherever it is.
	begin(at *point, want places) error

	// next decodes some bytes into p and returns how many; none is no end. At
	// the end of the file the error is io.EOF. With another error, what it
	// returns was decoded still.
	next(p []byte) (int, error)

	// marks returns what was passed since it was asked last, in order. A mark
	// may lie behind what next has returned yet.
	marks() []mark

	// between reports whether it is between two members, frames or chunks.
	between() bool

	// in returns how many bytes of the compressed file were read.
	in() int64

	close()
}

// A mark is a place that a decoder has passed: one that it can begin at, or one
// that all before it was verified.
type mark struct {
	out      int64 // decoded bytes before it
	verified bool
	passed   bool // this is the boundary that was looked out for
	point    *point

	// For a checksums.
	begins  bool // a frame that has a checksum
	compare bool // it ends here, and it is verified if its checksum is sum
	sum     uint32
	wrong   bool  // it is not
	in      int64 // compressed bytes before its end
}

// A point is a place where decoding can begin.
type point struct {
	out    int64  // decoded bytes before it
	in     int64  // whole compressed bytes before it
	bit    uint8  // bits of the next byte that belong to what is before it
	inside bool   // inside a member or a frame, so that state is needed
	state  []byte // what a decoder has to know of what is before it
	kept   kept   // where that is, if it is not here
}

// A kept state is in the rest of the sidecar.
type kept struct {
	at   int64
	size int    // 0: it is not there
	sum  uint32 // of its bytes
}

// places say which marks are wanted of a decoder.
type places struct {
	outside int64     // decoded bytes between points that need no state
	inside  int64     // and between those that do, at least; 0: none are wanted
	windows int64     // and windows of zstd between them, at least
	last    int64     // where the last point was
	watch   *boundary // nil: there is none
	sums    bool      // what a checksums needs
	pending []mark
}

func (p *places) marks() []mark {
	m := p.pending
	p.pending = nil
	return m
}

func (p *places) verified(out int64) {
	if n := len(p.pending); n > 0 && p.pending[n-1].verified && !p.pending[n-1].compare {
		p.pending[n-1].out = out
		return
	}
	p.pending = append(p.pending, mark{out: out, verified: true})
}

// offer offers a point that needs no state.
func (p *places) offer(out, in int64) {
	if p.watch != nil && in == p.watch.in.Load() {
		p.pending = append(p.pending, mark{out: out, passed: true})
	}
	if p.outside > 0 && out-p.last >= p.outside {
		p.last = out
		p.pending = append(p.pending, mark{out: out, point: &point{out: out, in: in}})
	}
}

// input reads a compressed file in order, and knows where it is.
type input struct {
	*bufio.Reader
	s section
}

type section struct {
	r         io.ReaderAt
	off, size int64
}

func (s *section) Read(p []byte) (int, error) {
	if s.off >= s.size {
		return 0, io.EOF
	}
	n, err := s.r.ReadAt(p[:min(int64(len(p)), s.size-s.off)], s.off)
	s.off += int64(n)
	if n > 0 {
		err = nil
	} else if err == io.EOF { // it was cut short since it was opened
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// inputBlock is what is read of a compressed file at a time.
const inputBlock = 64 << 10

func newInput(r io.ReaderAt, size int64) *input {
	in := &input{s: section{r, 0, size}}
	in.Reader = bufio.NewReaderSize(&in.s, inputBlock)
	return in
}

// seek has what follows be read at off.
func (in *input) seek(off int64) {
	in.s.off = off
	in.Reader.Reset(&in.s)
}

func (in *input) pos() int64 { return in.s.off - int64(in.Buffered()) }

// ended reports whether nothing is left.
func (in *input) ended() bool { return in.pos() >= in.s.size }

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// zerosOnly reports whether nothing but zeros is left, which some programs
// pad files with. It reads no more than a block.
func (in *input) zerosOnly() bool {
	b, err := in.Peek(inputBlock)
	if err != io.EOF {
		return false
	}
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
