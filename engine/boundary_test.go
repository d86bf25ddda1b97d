package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"excerpt/engine"
	"excerpt/engine/internal/reference"
	"excerpt/engine/internal/scan"
)

// Sizes at which something in the engine ends and something else begins.
var blockSizes = []int64{
	4 << 10, 12 << 10, 28 << 10, 252 << 10, 508 << 10, // the chunks of a tail, added up
	16 << 10, 48 << 10, // the first blocks of a scan
	128 << 10, 256 << 10, 512 << 10, // what a source copies, the default limit
	1 << 20,           // the blocks of a scan, and MaxText
	4 << 20, 16 << 18, // where other cores are called in, and streams go to disk
}

// filler is text of n bytes in lines of about length bytes.
func filler(n, length int) []byte {
	rnd := rand.New(rand.NewPCG(uint64(n), uint64(length)))
	b := make([]byte, 0, n+2*length)
	for len(b) < n {
		b = fmt.Appendf(b, "%0*d\n", 1+rnd.IntN(2*length), len(b))
	}
	return b[:n]
}

// Line ends just before, at and behind each block size, counted from either
// end of the file.
func TestLineEndsAtBlocks(t *testing.T) {
	t.Parallel()
	all := kinds(t.TempDir())
	for i, size := range blockSizes {
		if quick() && size > 48<<10 {
			continue
		}
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			for delta := int64(-1); delta <= 1; delta++ {
				n := size + delta
				contents := [][]byte{
					append(bytes.Repeat([]byte("x"), int(n-1)), '\n'),                          // the line ends there
					append(append(bytes.Repeat([]byte("y"), int(n-1)), '\n'), "last"...),       // another begins there
					append([]byte("first\n"), bytes.Repeat([]byte("z"), int(n))...),            // a line of that length to the end
					append([]byte("\n"), append(bytes.Repeat([]byte("w"), int(n-1)), '\n')...), // and with its end
					filler(int(n), 80),
				}
				for j, content := range contents {
					// Each kind gets its turn; the long way of all would take minutes.
					k := all[(i*len(contents)+j+int(delta)+1)%len(all)]
					for s, sel := range []selection{{op: "all"}, {"head", 1, 0}, {"tail", 1, 0}, {"tail", 2, 0}, {"lines", 2, 2}, {"prefix", n, 0}} {
						if n > 512<<10+1 && !*every && (s+j+int(delta))%2 == 0 {
							continue
						}
						if n > 1<<20+1 {
							checkText(t, content, k, scan.Plan{}, sel, readings[1:2])
						} else {
							check(t, content, k, scan.Plan{}, sel)
						}
					}
				}
			}
		})
	}
}

// Tails whose first line lies about a block size from the end, of files that
// are several blocks long.
func TestTailsOverBlocks(t *testing.T) {
	t.Parallel()
	const line = 64
	sizes, blocks := []int64{1<<20 + 100_000, 1 << 20, 3<<18 - 1, 5<<20 + 12_345}, blockSizes
	if quick() {
		sizes, blocks = sizes[2:3], blocks[:3]
	}
	for _, size := range sizes {
		content := bytes.Repeat(append(bytes.Repeat([]byte("x"), line-1), '\n'), int(size)/line+1)[:size]
		for _, k := range kinds(t.TempDir()) {
			if size > 1<<20 && k.name != "once" && k.stream {
				continue // they were all there
			}
			for _, block := range blocks {
				for delta := int64(-1); delta <= 1; delta++ {
					n := block/line + delta
					from := (size+line-1)/line*line - n*line
					if from < 0 {
						continue
					}
					f, done := k.openIn(t, content, scan.Plan{})
					span, err := f.Tail(ctx, n)
					if err == nil {
						err = (&answer{Selection: reference.Selection{Bytes: content[from:]}}).writeTo(span)
					}
					if err != nil {
						t.Fatalf("the last %d lines of %d bytes by %s: %v", n, size, k.name, err)
					}
					done()
				}
			}
		}
	}
}

// Lines about as long as the longest text, and what can make them longer.
func TestTextsOfMaxLength(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "\ufeff", "short\n"} {
		for _, end := range []string{"", "\n", "\r\n", "\r", "\u4e16", "\U0001f600\n", "\xf0\x9f", "\n\ufeffmore\n"} {
			deltas := []int{-5, -3, -1, 0, 1}
			if quick() {
				deltas = deltas[3:4]
			}
			for _, delta := range deltas {
				content := []byte(before)
				content = append(content, bytes.Repeat([]byte("m"), engine.MaxText+delta)...)
				content = append(content, end...)
				c := &answer{}
				c.Selection, _ = selection{op: "all"}.reference(content)
				f, done := readerAt.openIn(t, content, scan.Plan{})
				span, err := f.All(ctx)
				if err == nil {
					err = c.all(span)
				}
				if err != nil {
					t.Fatalf("%q, %d bytes, %q: %v", before, engine.MaxText+delta, end, err)
				}
				done()
			}
		}
	}
}

// Selections that are larger than any file.
func TestHugeNumbers(t *testing.T) {
	t.Parallel()
	content := []byte("one\ntwo\nthree")
	for _, k := range kinds(t.TempDir()) {
		for _, n := range []int64{math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 - 3, math.MaxInt64 - 4, 1 << 62, 1 << 32, 1 << 31} {
			for _, sel := range []selection{
				{"head", n, 0},
				{"tail", n, 0},
				{"prefix", n, 0},
				{"lines", 1, n},
				{"lines", 3, n},
				{"lines", n, n},
				{"lines", n - 1, n},
				{"bytes", 0, n},
				{"bytes", 4, n},
				{"bytes", n - 1, n},
				{"bytes", -n, n},
				{"bytes", -n - 1, 5},
				{"bytes", -3, n},
			} {
				check(t, content, k, tiny, sel)
			}
		}
	}
}
