//go:build !amd64

package describe

func survey(b []byte, base int, ends []uint32) (count int, has uint32) {
	return surveyGo(b, base, ends)
}

func signs(b []byte, ends []uint32, from, chunks int, to []uint32) {
	signsGo(b, ends, from, chunks, to)
}

func capitalLevels(b []byte, ends, signs []uint32, counts *[levels]int64, unknown *[lot]uint32) (longest int64, n int) {
	return capitalLevelsGo(b, ends, signs, counts, unknown)
}

func valid(b []byte) bool { return validGo(b) }
