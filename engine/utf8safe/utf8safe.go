// Package utf8safe cuts UTF-8 text without splitting a character.
//
// A character is the valid UTF-8 encoding of one rune, as package
// [unicode/utf8] defines it: one to four bytes, no overlong form, no surrogate
// half, nothing above U+10FFFF. A cut splits a character exactly if the
// character begins before the cut and ends after it. Bytes that are not part
// of a character can be cut anywhere, so no cut moves by more than three
// bytes, whatever the text. A combining sequence, or a line end of CR LF, is
// several characters and can be cut between them.
//
// [Prefix] and [Suffix] cut a slice of which both sides of the cut are at hand;
// [PrefixAt] and [SuffixAt] cut a source of any size. [Incomplete] is for
// readers of a stream, which do not know yet what follows. [AppendValid] makes
// valid text of any bytes.
//
// All lengths and offsets are in bytes. One that is out of range is taken as the
// nearest that is in range: none makes a function panic.
package utf8safe

import (
	"io"
	"unicode/utf8"
)

// maxBack is how far a cut can lie behind the first byte of the character it
// splits.
const maxBack = utf8.UTFMax - 1

// Prefix returns the largest k ≤ n such that cutting p at k splits no character
// of p. It is at least n-3; n itself is first clamped to [0, len(p)].
//
// Only a character that p holds whole can be split, so the end of p is always
// a cut: Prefix(p, len(p)) is len(p). For an end after which more is to come,
// see [Incomplete]. The cost does not depend on the length of p.
func Prefix(p []byte, n int) int {
	n = clamp(n, len(p))
	start, _ := around(p, n)
	return start
}

// Suffix returns the offset k of the longest suffix p[k:] of at most n bytes
// such that cutting p at k splits no character of p. The suffix has at least
// n-3 bytes; n itself is first clamped to [0, len(p)]. The cost does not depend
// on the length of p.
func Suffix(p []byte, n int) int {
	n = clamp(n, len(p))
	_, end := around(p, len(p)-n)
	return end
}

// PrefixAt is like [Prefix] for the first size bytes of r: it returns the
// largest k ≤ n such that cutting them at offset k splits no character. n is
// clamped to [0, size], and a negative size is taken as 0.
//
// It calls r.ReadAt once, for at most six bytes around n, and not at all if n
// is 0 or size, where there is nothing to split. If r ends within those bytes,
// and so before size, the error is [io.ErrUnexpectedEOF]; other errors are
// passed on as they are. With an error the result is 0.
func PrefixAt(r io.ReaderAt, size, n int64) (int64, error) {
	size = max(size, 0)
	start, _, err := aroundAt(r, size, clamp(n, size))
	return start, err
}

// SuffixAt is like [Suffix] for the first size bytes of r: it returns the
// offset k of the longest suffix of at most n bytes such that cutting at k
// splits no character. It clamps, reads and fails as [PrefixAt] does.
func SuffixAt(r io.ReaderAt, size, n int64) (int64, error) {
	size = max(size, 0)
	_, end, err := aroundAt(r, size, size-clamp(n, size))
	return end, err
}

// Incomplete returns the number of bytes, 0 to 3, at the end of p that begin a
// character and do not complete it. They could still become one when more
// follows; bytes that could not, such as "\xc0" or "\xed\xa0", are not counted.
//
// A reader of a stream hands on p[:len(p)-Incomplete(p)] and keeps the rest
// for its next read.
func Incomplete(p []byte) int {
	for n := 1; n <= min(maxBack, len(p)); n++ {
		if tail := p[len(p)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// around returns the start and end of the character that a cut of p at n
// splits, or n and n if it splits none; 0 ≤ n ≤ len(p).
func around(p []byte, n int) (start, end int) {
	if n == len(p) || utf8.RuneStart(p[n]) {
		return n, n
	}
	for start := n - 1; start >= max(0, n-maxBack); start-- {
		if utf8.RuneStart(p[start]) {
			_, size := utf8.DecodeRune(p[start:]) // 1 if it is none
			if start+size > n {
				return start, start + size
			}
			break
		}
	}
	return n, n
}

// aroundAt is around for a source; 0 ≤ n ≤ size.
func aroundAt(r io.ReaderAt, size, n int64) (start, end int64, err error) {
	if n == 0 || n == size {
		return n, n, nil
	}
	var window [2 * maxBack]byte
	before := min(maxBack, n)
	after := min(maxBack, size-n)
	p := window[:before+after]
	if m, err := r.ReadAt(p, n-before); m < len(p) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return 0, 0, err
	}
	first, last := around(p, int(before))
	return n - before + int64(first), n - before + int64(last), nil
}

func clamp[T int | int64](n, size T) T {
	return min(max(n, 0), size)
}
