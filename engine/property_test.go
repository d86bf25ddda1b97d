package engine_test

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"

	"excerpt/engine"
	"excerpt/engine/internal/reference"
	"excerpt/engine/internal/scan"
)

var pieces = []string{
	"", "a", "some text", "\r", "\r\n", "\n", "\n\n\n", "\x00", "\xff", "\xe4\xb8", "\u00e9", "\u4e16\u754c", "\U0001f600", "\ufeff",
	"\f", "\v", "\u0085", "\u2028", "\u2029", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf",
}

// logs are contents of nothing to some blocks: lines of all lengths up to most,
// and all that is no text.
func logs(most int) *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		var b []byte
		if rapid.IntRange(0, 7).Draw(t, "bom") == 0 {
			b = append(b, "\ufeff"...)
		}
		end := rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\r"}).Draw(t, "line end")
		for range rapid.IntRange(0, 12).Draw(t, "lines") {
			text := []byte(rapid.SampledFrom(pieces).Draw(t, "piece"))
			if times := rapid.SampledFrom([]int{1, 1, 1, 2, 3, 50, 5000, 90_000}).Draw(t, "times"); len(text)*times < most {
				text = bytes.Repeat(text, times)
			}
			b = append(b, text...)
			if rapid.IntRange(0, 3).Draw(t, "ends") > 0 {
				b = append(b, end...)
			}
		}
		return b
	})
}

// plans have scans of a few bytes at a time, and of all at once.
func plans() *rapid.Generator[scan.Plan] {
	return rapid.Custom(func(t *rapid.T) scan.Plan {
		size := func(name string) int { return rapid.SampledFrom([]int{0, 1 << 16, 5000, 997, 64}).Draw(t, name) }
		return scan.Plan{
			Workers: rapid.IntRange(0, 5).Draw(t, "workers"),
			Alone:   int64(size("alone")),
			Stripe:  int64(size("stripe")),
			Block:   size("block"),
			First:   size("first"),
		}
	})
}

// near is a number about those that matter, or a huge one.
func near(most int64) *rapid.Generator[int64] {
	return rapid.OneOf(
		rapid.Int64Range(-1, most+2),
		rapid.Int64Range(0, min(3, most)),
		rapid.Int64Range(max(0, most-3), most+2),
		rapid.SampledFrom([]int64{math.MaxInt64, math.MaxInt64 - 1, 1 << 40, math.MinInt64}),
	)
}

func aSelection(content []byte) *rapid.Generator[selection] {
	lines, _ := reference.Count(bytes.NewReader(content))
	size := int64(len(content))
	return rapid.Custom(func(t *rapid.T) selection {
		s := selection{op: rapid.SampledFrom([]string{"head", "tail", "lines", "prefix", "bytes", "all"}).Draw(t, "op")}
		switch s.op {
		case "head", "tail":
			s.a = near(lines).Draw(t, "n")
		case "lines":
			s.a = near(lines).Draw(t, "first")
			s.b = near(lines).Draw(t, "last")
			if s.a > s.b {
				s.a, s.b = s.b, s.a
			}
		case "prefix":
			s.a = near(size).Draw(t, "n")
		case "bytes":
			s.a = near(size).Draw(t, "start")
			s.b = near(size).Draw(t, "end")
			if rapid.Bool().Draw(t, "from the end") && s.a > 0 {
				s.a = -s.a
			}
		}
		return s
	})
}

func someLimits() *rapid.Generator[engine.Limits] {
	return rapid.Custom(func(t *rapid.T) engine.Limits {
		return engine.Limits{
			Lines:   rapid.SampledFrom([]int64{-1, 0, 1, 2, 5, math.MaxInt64}).Draw(t, "lines"),
			Bytes:   rapid.SampledFrom([]int64{-1, 0, 1, 3, 4, 10, 100, 5000, 70_000, math.MaxInt64, math.MaxInt64 - 2}).Draw(t, "bytes"),
			Numbers: rapid.Bool().Draw(t, "numbers"),
			Valid:   rapid.Bool().Draw(t, "valid"),
		}
	})
}

// TestAnything asks any kind of file for anything.
func TestAnything(t *testing.T) {
	t.Parallel()
	all := kinds(t.TempDir())
	rapid.Check(t, func(t *rapid.T) {
		content := logs(400_000).Draw(t, "content")
		k := all[rapid.IntRange(0, len(all)-1).Draw(t, "kind")]
		plan := plans().Draw(t, "plan")
		sel := aSelection(content).Draw(t, "selection")
		check(t, content, k, plan, sel, textWithin(someLimits().Draw(t, "limits")))
	})
}

// TestAnyTextGoesOn puts texts together.
func TestAnyTextGoesOn(t *testing.T) {
	t.Parallel()
	all := kinds(t.TempDir())
	rapid.Check(t, func(t *rapid.T) {
		content := logs(50_000).Draw(t, "content")
		limit := max(4, int64(len(content)/rapid.IntRange(1, 60).Draw(t, "parts")))
		k := all[rapid.IntRange(0, len(all)-1).Filter(func(i int) bool { return !all[i].once }).Draw(t, "kind")]
		goOn(t, k, content, engine.Limits{Bytes: limit, Lines: rapid.SampledFrom([]int64{-1, 1, 3}).Draw(t, "lines"), Valid: rapid.Bool().Draw(t, "valid")})
	})
}
