package describe

// survey writes the offsets of the line ends in b, each plus base, to ends,
// which has room for one more than b has bytes. It returns how many there are,
// and what else b has.
func survey(b []byte, base int, ends []uint32) (count int, has uint32) {
	if whole := len(b) &^ 63; whole > 0 {
		count, has = surveyBlocks(&b[0], whole, uint32(base), &ends[0])
		b = b[whole:]
		base += whole
	}
	if len(b) > 0 {
		last := blank // what stands here has no meaning
		copy(last[:], b)
		n, more := surveyBlocks(&last[0], len(last), uint32(base), &ends[count])
		count += n
		has |= more
	}
	return count, has
}

var blank = [64]byte([]byte("                                                                "))

// signs writes for each line the signs of its first bytes. Line i begins after
// ends[i]; there are signsAfter bytes more than are looked at.
func signs(b []byte, ends []uint32, chunks int, to []uint32) {
	if len(ends) == 0 {
		return
	}
	_ = b[int(ends[len(ends)-1])+chunks*chunk+signsAfter]
	_ = to[len(ends)*chunks-1]
	signsOf(&b[0], &ends[0], len(ends), chunks, &to[0])
}

// valid reports whether b is valid UTF-8.
func valid(b []byte) bool {
	if len(b) < 64 {
		return validGo(b)
	}
	// The first bytes have none before them, the last must fill a step.
	var first [64]byte
	copy(first[16:], b[:48])
	if !validBlocks(&first[16], 48) {
		return false
	}
	if whole := (len(b) - 48) &^ 15; whole > 0 && !validBlocks(&b[48], whole) {
		return false
	}
	// What comes after the end of b is ASCII: it may not end within a character.
	var last [48]byte
	copy(last[:32], b[len(b)-32:])
	return validBlocks(&last[16], 32)
}

//go:noescape
func surveyBlocks(p *byte, n int, base uint32, ends *uint32) (count int, has uint32)

//go:noescape
func signsOf(p *byte, ends *uint32, lines, chunks int, signs *uint32)

//go:noescape
func validBlocks(p *byte, n int) bool
