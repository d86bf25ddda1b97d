package compressed

import (
	"bytes"
	"testing"
)

// It appends from any place to any place, and writes nothing else.
func TestAppendNonTemporal(t *testing.T) {
	const around = 80
	from := make([]byte, 1<<10)
	for i := range from {
		from[i] = byte(i%251 + 1)
	}
	to := make([]byte, len(from)+2*around)
	for at := range 70 {
		for n := 0; n < len(from)-at; n += 1 + n/100 {
			clear(to)
			got := appendNonTemporal(to[:around+at:around+at+n], from[at%7:at%7+n])
			if &got[0] != &to[0] || len(got) != around+at+n {
				t.Fatalf("%d bytes at %d: %d in all", n, at, len(got))
			}
			if !bytes.Equal(got[around+at:], from[at%7:at%7+n]) {
				t.Fatalf("%d bytes at %d: other ones", n, at)
			}
			clear(got[around+at:])
			if i := bytes.IndexFunc(to, func(r rune) bool { return r != 0 }); i >= 0 {
				t.Fatalf("%d bytes at %d: byte %d written", n, at, i)
			}
		}
	}
}
