package engine_test

import (
	"bytes"
	"math"
	"testing"

	"excerpt/engine"
	"excerpt/engine/internal/scan"
)

var ops = []string{"head", "tail", "lines", "prefix", "bytes", "all"}

var seeds = []string{"", "\n", "a", "a\nb\r\n\nc", "\ufeff\r\n\u4e16\u754c\r\n", "\xff\xe4\xb8\n\x00\n\xf0\x9f\x98", "\n\n\n\n"}

// fuzzed is a content that may be repeated to be longer than blocks are.
func fuzzed(content []byte, times uint16) []byte {
	if n := len(content) * int(times); n > 0 && n < 1<<20 {
		return bytes.Repeat(content, int(times))
	}
	return content
}

func FuzzSelect(f *testing.F) {
	for i, seed := range seeds {
		for op := range ops {
			f.Add([]byte(seed), uint16(1), byte(op), int64(i), int64(3), byte(i), uint32(op*7919))
		}
	}
	f.Add([]byte("a line\n"), uint16(50_000), byte(1), int64(40_000), int64(0), byte(9), uint32(0))
	f.Add([]byte("a line\n"), uint16(50_000), byte(2), int64(40_000), int64(math.MaxInt64), byte(3), uint32(1<<20))
	all := kinds(f.TempDir())
	f.Fuzz(func(t *testing.T, content []byte, times uint16, op byte, a, b int64, kind byte, plan uint32) {
		size := func(shift int) int { return int(plan >> shift & 255 << 3) }
		p := scan.Plan{Workers: int(plan & 7), Alone: int64(size(8)), Stripe: int64(size(16)), Block: size(24), First: size(20)}
		check(t, fuzzed(content, times), all[int(kind)%len(all)], p, selection{ops[int(op)%len(ops)], a, b})
	})
}

func FuzzText(f *testing.F) {
	for i, seed := range seeds {
		f.Add([]byte(seed), uint16(1), byte(i), int64(i), int64(i), int64(2), int64(i), byte(i), byte(i))
	}
	f.Add([]byte("\u4e16\xff"), uint16(60_000), byte(1), int64(1), int64(0), int64(0), int64(0), byte(3), byte(2))
	all := kinds(f.TempDir())
	f.Fuzz(func(t *testing.T, content []byte, times uint16, op byte, a, b, lines, size int64, flags, kind byte) {
		l := engine.Limits{Lines: lines, Bytes: size, Numbers: flags&1 != 0, Valid: flags&2 != 0}
		content = fuzzed(content, times)
		k := all[int(kind)%len(all)]
		checkText(t, content, k, tiny, selection{ops[int(op)%len(ops)], a, b}, []reading{textWithin(l)})
		if size >= 4 && !k.once && int64(len(content))/size < 1000 {
			goOn(t, k, content, engine.Limits{Bytes: size, Lines: max(0, lines), Valid: l.Valid})
		}
	})
}
