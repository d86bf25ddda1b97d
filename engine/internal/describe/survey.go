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

// A sign is a byte with which a level may begin: three letters of one, or of
// two that are alike. Signs are found by chunks, as bits.
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
			to[i*chunks+c] = signsIn(b[at : at+chunk+signsAfter])
		}
	}
}

func signsIn(b []byte) (signs uint32) {
	for i := range chunk {
		// The sets that each letter can be of.
		if letters[0][b[i]|0x20]&letters[1][b[i+1]|0x20]&letters[2][b[i+2]|0x20] != 0 {
			signs |= 1 << i
		}
	}
	return signs
}

// letters has, for the first three letters of a level, the sets that they are
// of: PAN FAT, ERR EME, TRA CRI, SEV DEB, NOT, INF, WAR, ALE.
var letters = [3][256]uint8{
	{'p': 1, 'f': 1, 'e': 2, 't': 4, 'c': 4, 's': 8, 'd': 8, 'n': 16, 'i': 32, 'w': 64, 'a': 128},
	{'a': 1 | 64, 'r': 2 | 4, 'm': 2, 'e': 8, 'o': 16, 'n': 32, 'l': 128},
	{'n': 1, 't': 1 | 16, 'r': 2 | 64, 'e': 2 | 128, 'a': 4, 'i': 4, 'v': 8, 'b': 8, 'f': 32},
}

// load returns the first eight bytes of b, the first in the lowest bits.
func load(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
