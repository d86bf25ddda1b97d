//go:build !amd64

package describe

func survey(b []byte, base int, ends []uint32) (count int, has uint32) {
	return surveyGo(b, base, ends)
}

func signs(b []byte, ends []uint32, chunks int, to []uint32) { signsGo(b, ends, chunks, to) }

func valid(b []byte) bool { return validGo(b) }
