package describe

import "sync"

var (
	detected sync.Once
	hasAVX2  bool
)

// avx2 reports whether there is AVX2. It is asked for when that is first
// needed, and not at the start of each program.
func avx2() bool {
	detected.Do(func() { hasAVX2 = detectAVX2() })
	return hasAVX2
}

// survey writes the offsets of the line ends in b, each plus base, to ends,
// which has room for one more than b has bytes. It returns how many there are,
// and what else b has.
func survey(b []byte, base int, ends []uint32) (count int, has uint32) {
	if !avx2() {
		return surveyGo(b, base, ends)
	}
	if whole := len(b) &^ 63; whole > 0 {
		count, has = surveyAVX2(&b[0], whole, uint32(base), &ends[0])
		b = b[whole:]
		base += whole
	}
	if len(b) > 0 {
		var last [64]byte
		for i := copy(last[:], b); i < len(last); i++ {
			last[i] = ' ' // has no meaning
		}
		var some [len(last) + 1]uint32
		n, more := surveyAVX2(&last[0], len(last), uint32(base), &some[0])
		count += copy(ends[count:], some[:n])
		has |= more
	}
	return count, has
}

// signs writes for each line the signs of some chunks that follow each other.
// Line i begins after ends[i], and its first chunk from bytes further.
func signs(b []byte, ends []uint32, from, chunks int, to []uint32) {
	if !avx2() {
		signsGo(b, ends, from, chunks, to)
		return
	}
	if len(ends) == 0 {
		return
	}
	_ = b[int(ends[len(ends)-1])+from+chunks*chunk+signsAfter]
	_ = to[len(ends)*chunks-1]
	signsAVX2(&b[from], &ends[0], len(ends), chunks, &to[0])
}

// capitalLevels counts the lines between ends of b whose first sign is their
// level in capitals, as it is of most. The others it leaves in unknown. It
// returns how many these are, and the length of the longest line. Line i has
// the signs of its first chunk in signs[i].
func capitalLevels(b []byte, ends, signs []uint32, counts *[levels]int64, unknown *[lot]uint32) (longest int64, n int) {
	if !avx2() {
		return capitalLevelsGo(b, ends, signs, counts, unknown)
	}
	lines := len(ends) - 1
	if lines <= 0 {
		return 0, 0
	}
	_ = b[int(ends[lines-1])+chunk+capitalsAfter]
	_ = signs[lines-1]
	_ = unknown[lines-1]
	longest, n = levelsOf(&b[0], &ends[0], lines, &signs[0], counts, unknown)
	counts[NoLevel] -= int64(n)
	return longest, n
}

// valid reports whether b is valid UTF-8.
func valid(b []byte) bool {
	const step = 32
	if len(b) < 2*step || !avx2() {
		return validGo(b)
	}
	// The first bytes have none before them, and the last must fill a step.
	var first [2 * step]byte
	copy(first[step:], b[:step])
	if !validAVX2(&first[step], step) {
		return false
	}
	if whole := (len(b) - step) &^ (step - 1); whole > 0 && !validAVX2(&b[step], whole) {
		return false
	}
	// What comes after the end of b is ASCII: it may not end within a character.
	var last [3 + 2*step]byte
	copy(last[:], b[len(b)-step-3:])
	return validAVX2(&last[3], 2*step)
}

//go:noescape
func surveyAVX2(p *byte, n int, base uint32, ends *uint32) (count int, has uint32)

//go:noescape
func signsAVX2(p *byte, ends *uint32, lines, chunks int, signs *uint32)

//go:noescape
func validAVX2(p *byte, n int) bool

// levelsOf has no branch that depends on a line: what the next line is like is
// hard to foresee, and each surprise would cost as much as a line does.
//
//go:noescape
func levelsOf(p *byte, ends *uint32, lines int, signs *uint32, counts *[levels]int64, unknown *[lot]uint32) (longest int64, n int)

func detectAVX2() bool
