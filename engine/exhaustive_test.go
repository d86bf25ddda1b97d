package engine_test

import (
	"flag"
	"math"
	"slices"
	"testing"

	"excerpt/engine/internal/scan"
)

var every = flag.Bool("every", false, "short files a letter longer, and long ones of each kind")

// words calls fn with each word of up to n letters.
func words(letters []byte, n int, fn func(word []byte)) {
	word := make([]byte, 0, n)
	var extend func()
	extend = func() {
		fn(word)
		if len(word) == n {
			return
		}
		for _, letter := range letters {
			word = append(word, letter)
			extend()
			word = word[:len(word)-1]
		}
	}
	extend()
}

// selections returns every one that a file of size bytes tells apart, and
// some that nobody should make.
func selections(size int64) []selection {
	all := []selection{{op: "all"}}
	counts := []int64{-1, math.MaxInt64}
	for n := range size + 2 {
		counts = append(counts, n)
	}
	for _, n := range counts {
		all = append(all, selection{"head", n, 0}, selection{"tail", n, 0}, selection{"prefix", n, 0})
		for m := n; m <= size+1; m++ {
			all = append(all, selection{"lines", n, m})
		}
		all = append(all, selection{"lines", n, math.MaxInt64})
	}
	return all
}

func byteRanges(size int64) []selection {
	var all []selection
	ends := []int64{-1, 0, 1, size / 2, size, size + 1, math.MaxInt64}
	for _, from := range append(ends, math.MinInt64, -size, -size-1) {
		for _, to := range ends {
			all = append(all, selection{"bytes", from, to})
		}
	}
	return all
}

// exhaust checks all words of up to n letters.
func exhaust(t *testing.T, letters string, n int, k kind, plan scan.Plan) {
	words([]byte(letters), n, func(content []byte) {
		content = slices.Clone(content)
		f, done := k.openIn(t, content, plan)
		defer done()
		size := int64(len(content))
		seen := map[[3]int64]bool{} // spans that were read
		for _, sel := range append(selections(size), byteRanges(size)...) {
			checkFile(t, f, content, k, plan, sel, seen)
		}
		checkCount(t, f, content)
	})
}

func TestEveryShortFile(t *testing.T) {
	t.Parallel()
	for letters, longest := range map[string]int{"a\r\n": 7, "a\r\n\u00e9": 4} {
		switch {
		case quick():
			longest -= 2
		case !*every:
			longest--
		}
		exhaust(t, letters, longest, readerAt, tiny)
	}
}

func TestEveryShortFileOfEachKind(t *testing.T) {
	t.Parallel()
	for _, k := range kinds(t.TempDir()) {
		if !k.once {
			longest := 3
			if quick() {
				longest = 2
			}
			t.Run(k.name, func(t *testing.T) { exhaust(t, "a\r\n", longest, k, tiny) })
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			words([]byte("a\n"), 3, func(content []byte) {
				content = slices.Clone(content)
				size := int64(len(content))
				for _, sel := range append(selections(size), byteRanges(size)...) {
					check(t, content, k, tiny, sel)
				}
				f, done := k.openIn(t, content, tiny)
				defer done()
				checkCount(t, f, content)
			})
		})
	}
}
