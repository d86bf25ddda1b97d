package compressed

import (
	"bytes"
	"testing"
)

// States of all lengths come back as they were: a point may lie anywhere.
func TestStates(t *testing.T) {
	t.Parallel()
	text := content(t, "app", 100_000)
	for _, format := range []Format{Gzip, Zstd} {
		f := &file{format: format}
		p := &pass{f: f}
		for n := 0; n <= len(text); n += 1 + n/2*min(1, n/300) {
			for _, state := range [][]byte{text[:n], make([]byte, n)} {
				packed := p.pack(state)
				if got, err := f.unpack(packed); err != nil || !bytes.Equal(got, state) || len(packed) == 0 {
					t.Errorf("%v, %d bytes: %d packed, then %d, %v", format, n, len(packed), len(got), err)
				}
			}
		}
	}
}
