// Package describe finds out what a text is like: its lines and their ends, its
// encoding, its levels, its first and last time stamp. It knows nothing of
// where the text comes from: a [Part] is fed in order, and parts that were fed
// apart are merged.
package describe

import (
	"bytes"
	"math/bits"
	"sync"
	"unicode/utf8"

	"excerpt/engine/utf8safe"
)

// A Part is what is known of some bytes that follow each other. Its zero value
// is that of none.
type Part struct {
	Bytes int64
	Ends  int64 // LFs
	CRLF  int64 // of these, those with a CR just before them
	CRs   int64

	NULs     int64
	FirstNUL int64 // if there are any

	// A line is counted when both its ends are known. Those that the part begins
	// and ends in are not before it is finished; they are the same one while
	// there is no LF.
	begin, end line
	levels     [levels]int64
	longest    int64 // bytes of its text; the first of those as long
	longestAt  int64 // LFs before it

	text utf8State

	first, last byte
	head        []byte // the first bytes, at most Sample
	tail        []byte // the last bytes, Sample or more
}

// Sample is how many bytes at either end are searched for time stamps.
const Sample = 16 << 10

// A line is a line, or what was seen of it.
type line struct {
	bytes  int64
	last   byte
	prefix [levelPrefix + len(byteOrderMark)]byte
}

const byteOrderMark = "\ufeff"

func (l *line) add(b []byte) {
	if len(b) == 0 {
		return
	}
	if l.bytes < int64(len(l.prefix)) {
		copy(l.prefix[l.bytes:], b)
	}
	l.bytes += int64(len(b))
	l.last = b[len(b)-1]
}

func (l *line) zeros(n int64) {
	if n == 0 {
		return
	}
	if l.bytes < int64(len(l.prefix)) {
		clear(l.prefix[l.bytes:])
	}
	l.bytes += n
	l.last = 0
}

// join adds what of the line comes next.
func (l *line) join(next *line) {
	if next.bytes == 0 {
		return
	}
	if l.bytes < int64(len(l.prefix)) {
		copy(l.prefix[l.bytes:], next.prefix[:])
	}
	l.bytes += next.bytes
	l.last = next.last
}

// open is the line that the part ends in.
func (p *Part) open() *line {
	if p.Ends == 0 {
		return &p.begin
	}
	return &p.end
}

// count counts a line that has at LFs before it.
func (p *Part) count(l *line, at int64, ended bool) {
	text := l.bytes
	prefix := l.prefix[:min(l.bytes, int64(len(l.prefix)))]
	if ended && l.bytes > 0 && l.last == '\r' {
		text--
	}
	if at == 0 && bytes.HasPrefix(prefix, []byte(byteOrderMark)) {
		prefix = prefix[len(byteOrderMark):]
		text -= int64(len(byteOrderMark))
	}
	p.levels[levelOf(prefix[:min(len(prefix), levelPrefix)])]++
	p.long(text, at)
}

func (p *Part) long(text, at int64) {
	if text > p.longest || text == p.longest && at < p.longestAt {
		p.longest, p.longestAt = text, at
	}
}

// piece is how much is surveyed at a time. It stays in the first-level cache
// until it is looked at again, while the next is fetched: 32 KiB take a tenth
// longer.
const piece = 8 << 10

// lot is how many lines are looked at in turn.
const lot = 256

// scratch is what one goroutine needs while it adds.
type scratch struct {
	ends  [1 + piece + 1]uint32
	signs [levelPrefix / chunk * lot]uint32

	// Lines whose level was not found at once, and where those begin that were
	// to be looked at further.
	unknown, begins, lengths [lot]uint32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Add adds the bytes that come next. It keeps none of b.
func (p *Part) Add(b []byte) {
	const most = 1 << 30 // for offsets of 32 bits
	for len(b) > most {
		p.add(b[:most], piece)
		b = b[most:]
	}
	p.add(b, piece)
}

func (p *Part) add(b []byte, piece int) {
	if len(b) == 0 {
		return
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	begin := -1 // where the last line begins, if in b
	for from := 0; from < len(b); from += piece {
		part := b[from:min(from+piece, len(b))]
		n, has := survey(part, from, s.ends[1:])
		p.look(b, from, part, s.ends[1:1+n], has)
		if n == 0 {
			continue
		}
		ends := s.ends[1 : 1+n]
		if begin < 0 {
			p.finish(b[:ends[0]])
		} else {
			s.ends[0] = uint32(begin - 1)
			ends = s.ends[:1+n]
		}
		p.lines(s, b, ends)
		begin = int(ends[len(ends)-1]) + 1
	}
	p.open().add(b[max(begin, 0):])
	p.sample(b)
}

// finish ends the line that the part ends in with b and a LF.
func (p *Part) finish(b []byte) {
	p.open().add(b)
	if p.Ends > 0 {
		p.count(&p.end, p.Ends, true)
	}
	p.Ends++
	p.end.bytes = 0
}

// lines counts the lines between ends of b.
func (p *Part) lines(s *scratch, b []byte, ends []uint32) {
	// What is looked at of a line must lie within b.
	most := len(b) - levelPrefix - capitalsAfter - 1
	n := len(ends) - 1
	for n > 0 && int(ends[n-1]) > most {
		n--
	}
	for i := 0; i < n; i += lot {
		p.lot(s, b, ends[i:min(i+lot, n)+1])
	}
	for ; n < len(ends)-1; n++ {
		text := b[ends[n]+1 : ends[n+1]]
		p.longText(text, 0)
		p.levels[levelOf(text[:min(len(text), levelPrefix)])]++
		p.Ends++
	}
}

// lot counts at most that many lines.
func (p *Part) lot(s *scratch, b []byte, ends []uint32) {
	lines := len(ends) - 1
	signs(b, ends[:lines], 0, 1, s.signs[:])
	longest, unknown := capitalLevels(b, ends, s.signs[:], &p.levels, &s.unknown)
	if longest > p.longest {
		for j, end := range ends[1:] {
			if int64(end-ends[j])-1 > p.longest {
				p.longText(b[ends[j]+1:end], int64(j))
			}
		}
	}
	p.Ends += int64(lines)

	// Look further in those that have no level in their first chunk: in one
	// chunk of those that have no more, and in all of the others.
	short, long := 0, lot
	for _, j := range s.unknown[:unknown] {
		begin := int(ends[j]) + 1
		length := int(ends[j+1]) - begin
		if signs := s.signs[j]; signs != 0 {
			if l := levelBySigns(b, begin, 0, length, signs); l != NoLevel {
				p.levels[l]++
				continue
			}
		}
		at := short
		switch {
		case length <= chunk:
			p.levels[NoLevel]++
			continue
		case length <= 2*chunk:
			short++
		default:
			long--
			at = long
		}
		s.begins[at], s.lengths[at] = ends[j], uint32(length)
	}
	p.further(s, b, 0, short, 1)
	p.further(s, b, long, lot, levelPrefix/chunk-1)
}

// further looks at some chunks, behind the first, of the lines from..to of
// those that s has to be looked at further.
func (p *Part) further(s *scratch, b []byte, from, to, chunks int) {
	begins, lengths := s.begins[from:to], s.lengths[from:to]
	signs(b, begins, chunk, chunks, s.signs[:])
	for j, begin := range begins {
		var any uint32
		of := s.signs[j*chunks : (j+1)*chunks]
		for _, signs := range of {
			any |= signs
		}
		l := NoLevel
		if any != 0 {
			for c := 0; c < len(of) && l == NoLevel; c++ {
				l = levelBySigns(b, int(begin)+1, (c+1)*chunk, int(lengths[j]), of[c])
			}
		}
		p.levels[l]++
	}
}

// longText is long of a line that ends with LF and has at more before it than
// the part.
func (p *Part) longText(b []byte, at int64) {
	p.long(int64(len(bytes.TrimSuffix(b, []byte{'\r'}))), p.Ends+at)
}

// levelBySigns returns the level of b[begin:begin+length], a line behind a LF,
// that stands at one of the signs of the chunk at from.
func levelBySigns(b []byte, begin, from, length int, signs uint32) Level {
	if length < from+chunk {
		if length <= from {
			return NoLevel
		}
		signs &= 1<<(length-from) - 1
	}
	for ; signs != 0; signs &= signs - 1 {
		i := begin + from + bits.TrailingZeros32(signs)
		if l := levelAt(b[begin:begin+min(length, levelPrefix)], i-begin); l != NoLevel {
			return l
		}
	}
	return NoLevel
}

// look takes note of what part, which is b from from on, has besides lines.
func (p *Part) look(b []byte, from int, part []byte, ends []uint32, has uint32) {
	if p.Bytes == 0 {
		p.first = part[0]
	}
	if has&hasCR != 0 || p.last == '\r' {
		p.CRs += int64(bytes.Count(part, []byte{'\r'}))
		pairs := 0
		for i, end := range ends {
			before := p.last
			if i > 0 || int(end) > from {
				before = b[end-1]
			}
			if before == '\r' {
				pairs++
			}
		}
		p.CRLF += int64(pairs)
	}
	if has&hasNUL != 0 {
		if p.NULs == 0 {
			p.FirstNUL = p.Bytes + int64(bytes.IndexByte(part, 0))
		}
		p.NULs += int64(bytes.Count(part, []byte{0}))
	}
	if has&hasHigh != 0 {
		p.text.add(part)
	} else {
		p.text.ascii(int64(len(part)))
	}
	p.Bytes += int64(len(part))
	p.last = part[len(part)-1]
}

// Zeros adds n NULs, which costs nothing.
func (p *Part) Zeros(n int64) {
	if n <= 0 {
		return
	}
	if p.NULs == 0 {
		p.FirstNUL = p.Bytes
	}
	if p.Bytes == 0 {
		p.first = 0
	}
	p.open().zeros(n)
	p.text.ascii(n)
	p.sample(make([]byte, min(n, Sample)))
	p.Bytes += n
	p.NULs += n
	p.last = 0
}

// sample keeps the first bytes and the last.
func (p *Part) sample(b []byte) {
	if room := Sample - len(p.head); room > 0 {
		p.head = append(p.head, b[:min(room, len(b))]...)
	}
	if len(b) >= Sample {
		p.tail = append(p.tail[:0], b[len(b)-Sample:]...)
		return
	}
	if len(p.tail)+len(b) > 2*Sample {
		p.tail = p.tail[:copy(p.tail, p.tail[len(p.tail)-Sample:])]
	}
	p.tail = append(p.tail, b...)
}

// Merge adds what next has, which comes just behind p. next must not be used
// any more.
func (p *Part) Merge(next *Part) {
	if next.Bytes == 0 {
		return
	}
	if p.Bytes == 0 {
		*p = *next
		return
	}
	p.open().join(&next.begin)
	if next.Ends > 0 {
		if p.Ends > 0 {
			p.count(&p.end, p.Ends, true)
		}
		p.end = next.end
		if next.longest > p.longest {
			p.longest, p.longestAt = next.longest, p.Ends+next.longestAt
		}
	}
	for i, n := range next.levels {
		p.levels[i] += n
	}
	if p.NULs == 0 {
		p.FirstNUL = p.Bytes + next.FirstNUL
	}
	if p.last == '\r' && next.first == '\n' {
		p.CRLF++
	}
	p.text.merge(&next.text)
	if len(p.head) < Sample {
		p.head = append(p.head, next.head[:min(len(next.head), Sample-len(p.head))]...)
	}
	if len(next.tail) >= Sample {
		p.tail = next.tail
	} else {
		p.tail = append(p.tail, next.tail...)
		p.tail = p.tail[max(0, len(p.tail)-2*Sample):]
	}
	p.Bytes += next.Bytes
	p.Ends += next.Ends
	p.CRLF += next.CRLF
	p.CRs += next.CRs
	p.NULs += next.NULs
	p.last = next.last
}

// utf8State is how far bytes are valid UTF-8. The first may be the rest of a
// character that began before them.
type utf8State struct {
	bytes int64
	high  bool // there is a byte that is not ASCII

	rest    [utf8.UTFMax - 1]byte // continuations that it begins with
	nRest   int
	partial [utf8.UTFMax]byte // the last bytes, if they begin a character
	nPart   int

	bad   bool
	badAt int64 // where the first sequence begins that is no UTF-8
}

func (s *utf8State) fail(at int64) {
	if !s.bad {
		s.bad, s.badAt = true, at
	}
	s.nPart = 0
}

// ascii adds n bytes of ASCII.
func (s *utf8State) ascii(n int64) {
	if s.nPart > 0 {
		s.fail(s.bytes - int64(s.nPart))
	}
	s.bytes += n
}

func (s *utf8State) add(b []byte) {
	s.high = true
	for len(b) > 0 && s.bytes == int64(s.nRest) && s.nRest < len(s.rest) && !utf8.RuneStart(b[0]) {
		s.rest[s.nRest] = b[0]
		s.nRest++
		s.bytes++
		b = b[1:]
	}
	for len(b) > 0 && s.nPart > 0 {
		s.partial[s.nPart] = b[0]
		s.nPart++
		switch begun := s.partial[:s.nPart]; {
		case !utf8.FullRune(begun):
			s.bytes++
			b = b[1:]
		case utf8.Valid(begun):
			s.bytes++
			b = b[1:]
			s.nPart = 0
		default: // b[0] is not of it
			s.nPart--
			s.fail(s.bytes - int64(s.nPart))
		}
	}
	if !s.bad && len(b) > 0 {
		whole := len(b) - utf8safe.Incomplete(b)
		if !valid(b[:whole]) {
			s.fail(s.bytes + int64(firstBad(b[:whole])))
		} else {
			s.nPart = copy(s.partial[:], b[whole:])
		}
	}
	s.bytes += int64(len(b))
}

func firstBad(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(b)
}

func (s *utf8State) merge(next *utf8State) {
	end := s.bytes + next.bytes
	if next.nRest > 0 {
		s.add(next.rest[:next.nRest])
	}
	if next.bytes > int64(next.nRest) {
		if s.nPart > 0 {
			s.fail(s.bytes - int64(s.nPart))
		}
		if next.bad {
			s.fail(end - next.bytes + next.badAt)
		}
		if !s.bad {
			s.partial, s.nPart = next.partial, next.nPart
		}
	}
	s.high = s.high || next.high
	s.bytes = end
}

// firstBad returns where the first sequence begins that is no UTF-8, or -1,
// if nothing comes before and after.
func (s *utf8State) firstBad() int64 {
	switch {
	case s.nRest > 0:
		return 0
	case s.bad:
		return s.badAt
	case s.nPart > 0:
		return s.bytes - int64(s.nPart)
	}
	return -1
}
