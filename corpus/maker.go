package corpus

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"time"
)

// maker holds what the making of one block needs. Its random numbers come from
// PCG, whose stream is promised, through a reduction of our own: that of
// math/rand's functions may change.
type maker struct {
	pcg    rand.PCG
	eol    string // of the format
	layout string // of the date, down to the second
	base   int64  // offset in the corpus of the block's first byte
	second int64  // Unix time that date shows
	date   []byte
}

func (m *maker) begin(f *format, seed uint64, index, offset int64) {
	m.pcg.Seed(seed, f.stream<<56|uint64(index))
	m.eol, m.layout, m.base = f.eol, f.date, offset
	m.date = m.date[:0]
}

// below returns a number from 0 to n-1.
func (m *maker) below(n uint64) uint64 {
	hi, _ := bits.Mul64(m.pcg.Uint64(), n)
	return hi
}

func (m *maker) pick(words []string) string {
	return words[m.below(uint64(len(words)))]
}

// number appends a decimal number from 0 to n-1. Small ones are as likely as
// large ones, as in real logs, so that lengths vary.
func (m *maker) number(b []byte, n uint64) []byte {
	x := m.pcg.Uint64()
	hi, _ := bits.Mul64(x, n)
	return strconv.AppendUint(b, hi>>(x&7), 10)
}

const hex = "0123456789abcdef"

// id appends 16 hexadecimal digits.
func (m *maker) id(b []byte) []byte {
	x := m.pcg.Uint64()
	return append(b,
		hex[x>>60], hex[x>>56&15], hex[x>>52&15], hex[x>>48&15],
		hex[x>>44&15], hex[x>>40&15], hex[x>>36&15], hex[x>>32&15],
		hex[x>>28&15], hex[x>>24&15], hex[x>>20&15], hex[x>>16&15],
		hex[x>>12&15], hex[x>>8&15], hex[x>>4&15], hex[x&15])
}

// epoch is the time of the first byte of every corpus, in Unix milliseconds:
// 2026-01-05T00:00:00Z.
const epoch = 1767571200000

// day appends the date and time of the line that begins at the end of b, down
// to the second, and returns the milliseconds too. Time follows from the offset
// (64 bytes take a millisecond), so it advances over the whole file although
// blocks know nothing of each other.
func (m *maker) day(b []byte) ([]byte, int64) {
	ms := epoch + (m.base+int64(len(b)))/64
	if second := ms / 1000; second != m.second || len(m.date) == 0 {
		m.second = second
		m.date = time.Unix(second, 0).UTC().AppendFormat(m.date[:0], m.layout)
	}
	return append(b, m.date...), ms % 1000
}

// stamp appends the time with its milliseconds.
func (m *maker) stamp(b []byte) []byte {
	b, ms := m.day(b)
	return append(b, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10), 'Z')
}
