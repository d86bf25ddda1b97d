package utf8safe

import (
	"math"
	"slices"
	"unicode/utf8"
)

// piece is how much is checked before it is copied: small enough to be still
// in the first-level cache then.
const piece = 8 << 10

// AppendValid appends src to dst as valid UTF-8 and returns the extended
// buffer. Each maximal ill-formed subsequence of src becomes one U+FFFD, as the
// Unicode Standard recommends and browsers and Python do: bytes that begin like
// a character are replaced together, up to the first that cannot follow, and
// any other byte alone. ([bytes.ToValidUTF8] replaces a whole run of bad bytes
// once, a range loop over a string each bad byte.) An incomplete character at
// the end of src is replaced too; see [Incomplete].
//
// src is neither kept nor changed, and must not overlap the spare capacity of
// dst. Nothing is allocated but the growth of dst. ASCII text costs little more
// than its copy, other valid text a call of [utf8.Valid] besides.
func AppendValid(dst, src []byte) []byte {
	dst, _ = AppendValidN(dst, src, math.MaxInt)
	return dst
}

// AppendValidN is like [AppendValid], but appends at most n bytes: as many
// whole characters and replacements as fit, the first of those that
// AppendValid appends. It returns also how many bytes of src they stand for;
// to go on, call it with src[consumed:].
//
// The output equals src[:consumed] exactly if [utf8.Valid] holds of that.
func AppendValidN(dst, src []byte, n int) (out []byte, consumed int) {
	n = max(n, 0)
	dst = slices.Grow(dst, min(n, len(src))) // no output is shorter than its source
	for consumed < len(src) {
		rest := src[consumed:]
		k := validPrefix(rest[:Prefix(rest, min(n, piece))])
		dst = append(dst, rest[:k]...)
		n -= k
		if bad := illFormed(rest[k:]); bad > 0 && n >= len(replacement) {
			dst = append(dst, replacement...)
			n -= len(replacement)
			k += bad
		}
		if k == 0 { // what comes next does not fit
			break
		}
		consumed += k
	}
	return dst, consumed
}

const replacement = string(utf8.RuneError)

// validPrefix returns the length of the longest prefix of p that is valid.
func validPrefix(p []byte) int {
	if utf8.Valid(p) {
		return len(p)
	}
	k := 0
	for k < len(p) {
		r, size := utf8.DecodeRune(p[k:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		k += size
	}
	return k
}

// illFormed returns the length of the maximal ill-formed subsequence, 1 to 3
// bytes, that p begins with, or 0 if p begins with a character or is empty.
func illFormed(p []byte) int {
	if r, size := utf8.DecodeRune(p); r != utf8.RuneError || size != 1 {
		return 0
	}
	k := 1
	for k < len(p) && !utf8.FullRune(p[:k+1]) {
		k++
	}
	return k
}
