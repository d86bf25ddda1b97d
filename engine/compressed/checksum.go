package compressed

import (
	"slices"

	"github.com/cespare/xxhash/v2"
)

// A checksums compares the checksums of zstd frames, as marks tell them, with
// what was decoded. A decoder does not do that itself: it is what others wait
// for.
type checksums struct {
	digest  *xxhash.Digest
	summing bool // the frame has one
}

// check takes in b, which begins at offset start, and the marks up to its end.
// It returns those of them that stand: the first that is wrong and all behind
// it do not, and wrong is that one.
func (c *checksums) check(b []byte, start int64, marks []mark) (stand []mark, wrong *mark) {
	add := func(b []byte) {
		if c.summing {
			_, _ = c.digest.Write(b)
		}
	}
	end := start
	for i := range marks {
		m := &marks[i]
		if !m.begins && !m.compare {
			continue
		}
		add(b[end-start : m.out-start])
		end = m.out
		if m.compare && (m.wrong || uint32(c.digest.Sum64()) != m.sum) {
			m.wrong = true
			return marks[:i], m
		}
		m.compare = false // it was
		if c.summing = m.begins; c.summing {
			if c.digest == nil {
				c.digest = xxhash.New()
			}
			c.digest.Reset()
		}
	}
	add(b[end-start:])
	return slices.DeleteFunc(marks, func(m mark) bool { return m.begins }), nil
}
