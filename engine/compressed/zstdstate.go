package compressed

import (
	"encoding/binary"
	"math/bits"
)

// zstdState is what a zstd decoder knows at the end of a block, besides what it
// has decoded: the offsets that later blocks may repeat, and the tables that
// they may use again, unless the next block alone says all of these.
type zstdState struct {
	tables [3][]byte // the descriptions of the tables of literal lengths, offsets, match lengths; nil: it was no FSE table

	last      []byte // the bits of the sequences of the last block that had some
	sequences int
	usable    bool // last goes by tables
	alone     bool // the last block used no table of those before it, and those behind it use none either
}

// Of the kinds of tables.
var (
	largestLog   = [3]uint{9, 8, 9}
	lastSymbol   = [3]int{35, 31, 52}
	literalsBits = [36]uint8{16: 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	matchBits    = [53]uint8{32: 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
)

// block takes in a compressed block. It reports whether it has understood it.
func (s *zstdState) block(b []byte) bool {
	size, tree := literals(b)
	if size >= len(b) {
		return false
	}
	b = b[size:]
	n := int(b[0])
	switch {
	case n == 0:
		return true
	case n < 128:
		b = b[1:]
	case n < 255 && len(b) > 2:
		n = (n-128)<<8 + int(b[1])
		b = b[2:]
	case n == 255 && len(b) > 3:
		n = int(b[1]) + int(b[2])<<8 + 0x7f00
		b = b[3:]
	default:
		return false
	}
	if len(b) == 0 {
		return false
	}
	modes := b[0]
	b = b[1:]
	s.alone = tree
	for i := range s.tables {
		switch modes >> (6 - 2*i) & 3 {
		case 3: // the last one
			s.alone = false
		case 0: // the usual table
			s.tables[i] = nil
		case 1: // one symbol
			s.tables[i] = nil
			if len(b) == 0 {
				return false
			}
			b = b[1:]
		case 2:
			_, _, size := readCounts(b, largestLog[i], lastSymbol[i])
			if size == 0 {
				return false
			}
			s.tables[i] = append(s.tables[i][:0], b[:size]...)
			b = b[size:]
		}
	}
	s.usable = s.tables[0] != nil && s.tables[1] != nil && s.tables[2] != nil
	s.last = append(s.last[:0], b...)
	s.sequences = n
	return true
}

// literals returns how many bytes the literals of a block are, and whether they
// begin with a Huffman table.
func literals(b []byte) (size int, tree bool) {
	var long [5]byte
	copy(long[:], b)
	kind, form := long[0]&3, long[0]>>2&3
	word := uint64(binary.LittleEndian.Uint32(long[:])) | uint64(long[4])<<32
	if kind < 2 { // as they are, or one byte repeated
		header, n := 1, word>>3&(1<<5-1)
		switch form {
		case 1:
			header, n = 2, word>>4&(1<<12-1)
		case 3:
			header, n = 3, word>>4&(1<<20-1)
		}
		if kind == 1 {
			n = 1
		}
		return header + int(n), false
	}
	header, length := 3, uint(10)
	switch form {
	case 2:
		header, length = 4, 14
	case 3:
		header, length = 5, 18
	}
	return header + int(word>>(4+length)&(1<<length-1)), kind == 2
}

// readCounts reads the description of an FSE table: how often each symbol comes,
// of 1<<log in all, and how many bytes the description is; 0: it is none.
func readCounts(b []byte, largest uint, last int) (counts []int16, log uint, size int) {
	at := 0
	peek := func(n uint) int {
		v := uint64(0)
		for i := range 4 {
			if j := at/8 + i; j < len(b) {
				v |= uint64(b[j]) << (8 * i)
			}
		}
		return int(v >> (at % 8) & (1<<n - 1))
	}
	log = uint(peek(4)) + 5
	at += 4
	if log > largest {
		return nil, 0, 0
	}
	left, threshold, width := 1<<log+1, 1<<log, log+1
	zero := false
	for left > 1 {
		for zero {
			n := peek(2)
			at += 2
			counts = append(counts, make([]int16, n)...)
			zero = n == 3
		}
		if len(counts) > last || at > 8*len(b) {
			return nil, 0, 0
		}
		short := 2*threshold - 1 - left // values below this take a bit less
		v := peek(width - 1)
		if v < short {
			at += int(width) - 1
		} else {
			v = peek(width)
			if v >= threshold {
				v -= short
			}
			at += int(width)
		}
		v--
		left -= max(v, -v)
		counts = append(counts, int16(v))
		zero = v == 0
		for left < threshold && threshold > 1 {
			threshold >>= 1
			width--
		}
	}
	size = (at + 7) / 8
	if left != 1 || size > len(b) {
		return nil, 0, 0
	}
	return counts, log, size
}

// An fseState is a row of the table that an FSE table's description means.
type fseState struct {
	symbol, bits uint8
	next         uint16
}

func fseTable(description []byte, i int) (rows []fseState, log uint) {
	counts, log, _ := readCounts(description, largestLog[i], lastSymbol[i])
	size := 1 << log
	rows = make([]fseState, size)
	next := make([]int, len(counts))
	high := size - 1
	for s, n := range counts {
		next[s] = int(n)
		if n == -1 {
			next[s] = 1
			rows[high].symbol = uint8(s)
			high--
		}
	}
	at, step := 0, size>>1+size>>3+3
	for s, n := range counts {
		for range max(n, 0) {
			rows[at].symbol = uint8(s)
			for at = (at + step) & (size - 1); at > high; {
				at = (at + step) & (size - 1)
			}
		}
	}
	for i := range rows {
		s := rows[i].symbol
		x := next[s]
		next[s]++
		n := int(log) - (bits.Len(uint(x)) - 1)
		rows[i].bits, rows[i].next = uint8(n), uint16(x<<n-size)
	}
	return rows, log
}

// backwards reads bits from the end.
type backwards struct {
	b  []byte
	at int // bits before it are left
}

func (r *backwards) read(n uint8) int {
	r.at -= int(n)
	if r.at < 0 {
		return 0
	}
	var v uint64
	if b := r.b[r.at/8:]; len(b) >= 8 {
		v = binary.LittleEndian.Uint64(b)
	} else {
		var last [8]byte
		copy(last[:], b)
		v = binary.LittleEndian.Uint64(last[:])
	}
	return int(v >> (r.at % 8) & (1<<n - 1))
}

// offsets returns the offsets that the next block may repeat. They are told
// from the last block alone, so they may not all be known.
func (s *zstdState) offsets() (repeat [3]int, ok bool) {
	if !s.usable || len(s.last) == 0 || s.last[len(s.last)-1] == 0 {
		return repeat, false
	}
	r := &backwards{s.last, 8*(len(s.last)-1) + bits.Len8(s.last[len(s.last)-1]) - 1}
	var (
		rows [3][]fseState
		at   [3]int
	)
	for i := range rows {
		var log uint
		rows[i], log = fseTable(s.tables[i], i)
		at[i] = r.read(uint8(log))
	}
	for i := range s.sequences {
		ll, of, ml := rows[0][at[0]], rows[1][at[1]], rows[2][at[2]]
		value := 1<<of.symbol + r.read(of.symbol)
		r.read(matchBits[ml.symbol])
		r.read(literalsBits[ll.symbol])
		if i < s.sequences-1 {
			at[0] = int(ll.next) + r.read(ll.bits)
			at[2] = int(ml.next) + r.read(ml.bits)
			at[1] = int(of.next) + r.read(of.bits)
		}
		if r.at < 0 {
			return repeat, false
		}
		if value > 3 {
			repeat = [3]int{value - 3, repeat[0], repeat[1]}
			continue
		}
		if ll.symbol == 0 { // no literals before it
			value++
		}
		switch value {
		case 2:
			repeat[0], repeat[1] = repeat[1], repeat[0]
		case 3:
			repeat = [3]int{repeat[2], repeat[0], repeat[1]}
		case 4:
			first := repeat[0] - 1
			if repeat[0] == 0 {
				first = 0 // it is not known
			}
			repeat = [3]int{first, repeat[0], repeat[1]}
		}
	}
	return repeat, r.at == 0 && repeat[0] > 0 && repeat[1] > 0 && repeat[2] > 0
}

// resumption appends the beginning of a frame after which a decoder knows
// history and the offsets that may be repeated, and returns of how many bytes
// it is. A dictionary would say that as well, but package zstd is slow with one.
//
// The offsets are those of three matches in what is no part of history, and
// comes before it.
func resumption(frame []byte, window int64, repeat [3]int, history []byte) (_ []byte, size int) {
	w := windowByte(window)
	frame = append(frame, 0x28, 0xb5, 0x2f, 0xfd, 0, w)
	largest := min(1<<(10+w>>3), 128<<10)
	block := func(kind, n int) {
		frame = append(frame, byte(n<<3|kind<<1), byte(n>>5), byte(n>>13))
		size += n
	}
	for left := max(repeat[0], repeat[1], repeat[2]); left > 0; left -= min(left, largest) {
		block(1, min(left, largest))
		frame = append(frame, 0)
	}
	for i := 2; i >= 0; i-- {
		// A literal and a match of 3 bytes. The bits of the offset are those of
		// this number, the first of which says where they begin.
		value := uint64(repeat[i]) + 3
		n := (bits.Len64(value) + 7) / 8
		block(2, 7+n)
		size += 4 - (7 + n)
		frame = append(frame, 1<<3, 0, 1, 1<<6|1<<4|1<<2, 1, byte(bits.Len64(value)-1), 0)
		for ; value > 0; value >>= 8 {
			frame = append(frame, byte(value))
		}
	}
	for len(history) > 0 {
		n := min(len(history), largest)
		block(0, n)
		frame = append(frame, history[:n]...)
		history = history[n:]
	}
	return frame, size
}
