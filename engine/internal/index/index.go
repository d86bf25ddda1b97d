// Package index keeps the running count of line ends at regular offsets of a
// file, so that any line is found by looking into one step of it.
package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"sort"

	"excerpt/engine/internal/scan"
)

// Step is the usual distance between checkpoints, in bytes: 8 bytes for each
// step are 0.003 % of the file.
const Step = 256 << 10

// most is how many checkpoints are kept, 2 MiB of them. Where there would be
// more, in files of over 64 GiB, every other one goes.
const most = 1 << 18

// Most is how many bytes [Index.AppendBinary] appends at most.
const Most = 3*8 + 8*most

// An Index is what was counted of the beginning of a file. The zero value knows
// nothing yet.
//
// It is a value: what is added to a copy does not show in the others, which can
// be read meanwhile.
type Index struct {
	step  int64  // between checkpoints; 0: Step
	ends  []byte // 8 for each checkpoint, as they are kept: a large index is not taken apart to be used
	known scan.Mark
}

// New returns an Index with a step of its own, a power of two.
func New(step int64) Index { return Index{step: step} }

// Known returns how far the file was counted.
func (x *Index) Known() scan.Mark { return x.known }

// Step returns the distance between checkpoints, in bytes.
func (x *Index) Step() int64 { return cmp.Or(x.step, Step) }

// Copy returns an Index that can be added to.
func (x *Index) Copy() Index {
	c := *x
	c.ends = c.ends[:len(c.ends):len(c.ends)] // so that append makes its own
	return c
}

// count returns how many checkpoints there are.
func (x *Index) count() int { return len(x.ends) / 8 }

// endsAt returns how many line ends lie before (i+1)*step.
func (x *Index) endsAt(i int) int64 { return int64(binary.LittleEndian.Uint64(x.ends[8*i:])) }

func (x *Index) append(ends int64) { x.ends = binary.LittleEndian.AppendUint64(x.ends, uint64(ends)) }

func (x *Index) checkpoint(i int) scan.Mark {
	return scan.Mark{Offset: int64(i+1) * x.step, Ends: x.endsAt(i)}
}

// Before returns the last mark that has fewer than n line ends before it.
func (x *Index) Before(n int64) scan.Mark {
	if x.known.Ends < n {
		return x.known
	}
	return x.last(sort.Search(x.count(), func(i int) bool { return x.endsAt(i) >= n }))
}

// At returns the last mark that is not behind offset off.
func (x *Index) At(off int64) scan.Mark {
	if x.known.Offset <= off {
		return x.known
	}
	return x.last(int(min(off/x.Step(), int64(x.count()))))
}

// last returns the last of the first n checkpoints.
func (x *Index) last(n int) scan.Mark {
	if n == 0 {
		return scan.Mark{}
	}
	return x.checkpoint(n - 1)
}

// Add takes in that the file was counted as far as m. Since the mark that was
// added before, there must be no multiple of the step, or no line end. A mark that
// lies before that is nothing new.
func (x *Index) Add(m scan.Mark) {
	if m.Offset <= x.known.Offset {
		return
	}
	x.step = x.Step()
	for passed := int64(x.count()); passed < m.Offset/x.step; passed = int64(x.count()) {
		if (passed+1)*x.step == m.Offset {
			x.append(m.Ends)
		} else {
			x.append(x.known.Ends)
		}
		if x.count() == most {
			x.thin()
		}
	}
	x.known = m
}

// thin drops every other checkpoint.
func (x *Index) thin() {
	half := Index{step: 2 * x.step, ends: make([]byte, 0, 8*most), known: x.known}
	for i := 1; i < x.count(); i += 2 {
		half.append(x.endsAt(i))
	}
	*x = half
}

// Cut returns what x has of the first size bytes of the file.
func (x *Index) Cut(size int64) Index {
	if size >= x.known.Offset {
		return *x
	}
	cut := *x
	cut.known = x.At(size)
	cut.ends = x.ends[:8*(cut.known.Offset/x.Step())]
	return cut
}

// AppendBinary appends what [Index.UnmarshalBinary] takes.
func (x *Index) AppendBinary(b []byte) ([]byte, error) {
	b = binary.LittleEndian.AppendUint64(b, uint64(x.Step()))
	b = binary.LittleEndian.AppendUint64(b, uint64(x.known.Offset))
	b = binary.LittleEndian.AppendUint64(b, uint64(x.known.Ends))
	return append(b, x.ends...), nil
}

var errInvalid = errors.New("no index")

// UnmarshalBinary takes what [Index.AppendBinary] made, and keeps it: b must
// not be changed any more. It refuses whatever could not have been made so.
func (x *Index) UnmarshalBinary(b []byte) error {
	const fixed = 3 * 8
	if len(b) < fixed || len(b)%8 != 0 {
		return errInvalid
	}
	word := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[8*i:])) }
	y := Index{step: word(0), known: scan.Mark{Offset: word(1), Ends: word(2)}, ends: b[fixed:len(b):len(b)]}
	n := y.count()
	if y.step < 1 || y.step&(y.step-1) != 0 || y.known.Offset < 0 || n >= most || y.known.Offset/y.step != int64(n) {
		return errInvalid
	}
	at := scan.Mark{}
	for i := range n {
		next := y.checkpoint(i)
		if !follows(at, next) {
			return errInvalid
		}
		at = next
	}
	if !follows(at, y.known) {
		return errInvalid
	}
	*x = y
	return nil
}

// follows reports whether m can be a mark behind at.
func follows(at, m scan.Mark) bool {
	return m.Ends >= at.Ends && m.Ends-at.Ends <= m.Offset-at.Offset
}
