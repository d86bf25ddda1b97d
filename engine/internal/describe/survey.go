package describe

import (
	"bytes"
	"unicode/utf8"
)

// What a survey finds in a block besides its line ends.
const (
	hasHigh = 1 << iota // a byte of 0x80 or more
	hasNUL
	hasCR
)

// surveyGo is survey where there is no better one.
func surveyGo(b []byte, base int, ends []uint32) (count int, has uint32) {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			break
		}
		ends[count] = uint32(base + at + i)
		count++
		at += i + 1
	}
	if !ascii(b) {
		has |= hasHigh
	}
	if bytes.IndexByte(b, 0) >= 0 {
		has |= hasNUL
	}
	if bytes.IndexByte(b, '\r') >= 0 {
		has |= hasCR
	}
	return count, has
}

func ascii(b []byte) bool {
	var or uint64
	for ; len(b) >= 8; b = b[8:] {
		or |= load(b)
	}
	for _, c := range b {
		or |= uint64(c)
	}
	return or&0x8080808080808080 == 0
}

func validGo(b []byte) bool { return utf8.Valid(b) }

// A sign is a byte beside which a level may stand, or with which one may
// begin; see [levelAt]. Signs are found by chunks of 32 bytes, as bits: there
// are a few too many, and never one too few: next to one end of its chunk, what
// depends on a byte beyond may be one.
const (
	chunk = 32
	// How much further than the chunks it is looked.
	signsAfter    = 2
	capitalsAfter = 9
)

// signsGo is signs where there is no better one.
func signsGo(b []byte, ends []uint32, from, chunks int, to []uint32) {
	for i, end := range ends {
		for c := range chunks {
			at := int(end) + 1 + from + c*chunk
			to[i*chunks+c] = signsIn(b[at-1 : at+chunk+1])
		}
	}
}

// signsIn returns the signs of a chunk, which is b without its first and last
// byte.
func signsIn(b []byte) (signs uint32) {
	capital := func(i int) bool { return i > chunk || b[i]-'A' < 26 }
	for i := 1; i <= chunk; i++ {
		is := false
		switch c := b[i]; {
		case c == '\t', c == '=', c == ']', c == '}', c == 0x1d: // the last two come with '=' and ']'
			is = true
		case c == ':':
			is = b[i-1] == '"'
		case c == ' ':
			is = b[i+1] == ' '
		case c-'A' < 26:
			is = (i == 1 || b[i-1]-'A' >= 26) && capital(i+1) && capital(i+2)
		}
		if is {
			signs |= 1 << (i - 1)
		}
	}
	return signs
}

// load returns the first eight bytes of b, the first in the lowest bits.
func load(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
