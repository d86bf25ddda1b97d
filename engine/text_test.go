package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"excerpt/engine"
	"excerpt/engine/internal/scan"
)

// units takes b apart into what a cut must not split: characters, and, if
// bad ones are replaced, what is replaced together.
func units(b []byte, valid bool) [][]byte {
	var all [][]byte
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if bad := r == utf8.RuneError && n == 1; bad && valid {
			for n < len(b) && !utf8.FullRune(b[:n+1]) {
				n++
			}
		}
		all = append(all, b[:n])
		b = b[n:]
	}
	return all
}

// rendered is how a unit is given, and whether it was replaced.
func rendered(unit []byte, valid bool) ([]byte, bool) {
	if valid && !utf8.Valid(unit) {
		return []byte("\ufffd"), true
	}
	return unit, false
}

// textOf is what Text has to give, in the plainest words. lines is how many
// lines the span knows to have, or -1.
func (c *answer) textOf(l engine.Limits, first engine.LineNumber, lines int64) engine.Text {
	const noLimit = math.MaxInt64
	most, room := l.Lines, l.Bytes
	if most == 0 {
		most = 1000
	} else if most < 0 {
		most = noLimit
	}
	if room == 0 {
		room = 128 << 10
	} else if room < 0 {
		room = noLimit
	}

	type piece struct {
		data     []byte
		replaced bool
	}
	number := func(i int) []byte {
		if !l.Numbers {
			return nil
		}
		return fmt.Appendf(nil, "%d: ", int64(first)+int64(i))
	}
	raw := bytes.SplitAfter(c.Bytes, []byte("\n"))
	if len(raw[len(raw)-1]) == 0 {
		raw = raw[:len(raw)-1]
	}
	render := func(i int) (p piece) {
		p.data = number(i)
		for _, unit := range units(raw[i], l.Valid) {
			data, replaced := rendered(unit, l.Valid)
			p.data = append(p.data, data...)
			p.replaced = p.replaced || replaced
		}
		return p
	}

	// The lines [from, to) are taken.
	var cut engine.Cut
	var size int64
	from, to := 0, 0
	if c.sel.op == "tail" {
		from, to = len(raw), len(raw)
	}
	for to-from < len(raw) {
		next := to
		if c.sel.op == "tail" {
			next = from - 1
		}
		if int64(to-from) == most {
			cut |= engine.ByLines
			break
		}
		if size += int64(len(render(next).data)); size > room {
			cut |= engine.ByBytes
			break
		}
		from, to = min(from, next), max(to, next+1)
	}
	if lines > most {
		cut |= engine.ByLines
	}

	var t engine.Text
	t.Cut = cut
	before := func(i int) (n int64) {
		for _, line := range raw[:i] {
			n += int64(len(line))
		}
		return n
	}
	if from == to && len(raw) > 0 { // one line is over the limit
		i := 0
		if c.sel.op == "tail" {
			i = len(raw) - 1
		}
		t.Start = engine.Offset(c.Start + before(i))
		t.End = t.Start
		if first != 0 {
			t.First = first + engine.LineNumber(i)
		}
		data := number(i)
		for _, unit := range units(raw[i], l.Valid) {
			out, replaced := rendered(unit, l.Valid)
			if int64(len(data)+len(out)) > room {
				break
			}
			data = append(data, out...)
			t.Column += int64(len(unit))
			t.Replaced = t.Replaced || replaced
		}
		t.End += engine.Offset(t.Column)
		if t.Column > 0 {
			t.Data, t.Lines = data, 1
		}
		return t
	}
	t.Start = engine.Offset(c.Start + before(from))
	t.End = engine.Offset(c.Start + before(to))
	t.Lines = int64(to - from)
	if first != 0 {
		t.First = first + engine.LineNumber(from)
	}
	for i := from; i < to; i++ {
		p := render(i)
		t.Data = append(t.Data, p.data...)
		t.Replaced = t.Replaced || p.replaced
	}
	return t
}

// textWithin is the reading of a span by Text.
func textWithin(l engine.Limits) reading {
	return reading{fmt.Sprintf("Text(%+v)", l), func(c *answer, span *engine.Span) error {
		got, err := span.Text(l)
		if l.Numbers && c.mayForget(err) {
			return nil
		}
		if err != nil {
			return err
		}
		lines, known := span.Lines()
		if !known {
			lines = -1
		}
		want := c.textOf(l, span.First(), lines)
		if c.Lines == 0 {
			got.First, want.First = 0, 0 // of no line
			if c.kind.stream && c.sel.op == "bytes" && c.sel.toEnd() {
				got.Start, got.End = want.Start, want.End // it began behind an end that was not seen
			}
		}
		if got.Start != want.Start || got.End != want.End || got.First != want.First || got.Lines != want.Lines ||
			got.Cut != want.Cut || got.Column != want.Column || got.Replaced != want.Replaced {
			return fmt.Errorf("%s; want %s", describe(*got), describe(want))
		}
		if l.Valid && !utf8.Valid(got.Data) {
			return errors.New("not valid UTF-8")
		}
		return same(got.Data, want.Data)
	}}
}

func describe(t engine.Text) string {
	data := abridged(t.Data)
	t.Data = nil
	return fmt.Sprintf("%+v %s", t, data)
}

// textLimits are all combinations of small limits.
func textLimits(lines, bytes []int64) []reading {
	var all []reading
	for _, n := range lines {
		for _, m := range bytes {
			for flags := range 4 {
				all = append(all, textWithin(engine.Limits{Lines: n, Bytes: m, Numbers: flags&1 != 0, Valid: flags&2 != 0}))
			}
		}
	}
	return all
}

func TestTextOfEveryShortFile(t *testing.T) {
	t.Parallel()
	limits := textLimits([]int64{-1, 0, 1, 2}, []int64{-1, 0, 1, 2, 3, 4, 5, 6, 7})
	longest := 3
	switch {
	case quick():
		longest = 2
	case *every:
		longest = 4
	}
	words([]byte("a\n\xc3\xa9"), longest, func(content []byte) {
		content = bytes.Clone(content)
		for _, sel := range []selection{
			{op: "all"}, {"head", 2, 0}, {"tail", 1, 0}, {"tail", 2, 0}, {"tail", 9, 0}, {"lines", 2, math.MaxInt64}, {"prefix", 3, 0}, {"bytes", 1, 4},
		} {
			checkText(t, content, readerAt, tiny, sel, limits)
		}
	})
}

// checkText is check of the given readings only.
func checkText(t tb, content []byte, k kind, plan scan.Plan, sel selection, limits []reading) {
	t.Helper()
	want, err := sel.reference(content)
	if err != nil || sel.op == "lines" && want.Lines == 0 {
		return
	}
	for _, limit := range limits {
		f, done := k.openIn(t, content, plan)
		span, err := sel.locate(ctx, f)
		if err == nil {
			err = limit.of(&answer{want, sel, k}, span)
		}
		done()
		if err != nil {
			t.Fatalf("%s of %s of %s by %s: %v", limit.name, sel, abridged(content), k.name, err)
		}
	}
}

// The long way: each kind, with limits about those of the defaults.
func TestTextOfEachKind(t *testing.T) {
	t.Parallel()
	contents := map[string]string{
		"short lines": strings.Repeat("one line of text, not long\n", 6000),
		"empty lines": strings.Repeat("\n", 140_000),
		"one line":    strings.Repeat("\u4e16\u754c", 24_000),
		"long last":   strings.Repeat("x\n", 5000) + strings.Repeat("\u00e9", 70_000) + "\n",
		"long first":  strings.Repeat("\u00e9", 70_000) + "\n" + strings.Repeat("x\n", 5000),
		"not UTF-8":   strings.Repeat("\xe4\xb8 bad\xff\n", 20_000),
	}
	selections := []selection{{op: "all"}, {"tail", 3000, 0}, {"bytes", 1, 140_000}}
	turns := 2 // each kind gets one of so many
	switch {
	case quick():
		delete(contents, "empty lines")
		delete(contents, "not UTF-8")
		selections, turns = selections[:2], 4
	case *every:
		turns = 1
	}
	limits := []reading{
		textWithin(engine.Limits{}),
		textWithin(engine.Limits{Lines: -1, Bytes: 65_537, Numbers: true}),
		textWithin(engine.Limits{Lines: 700, Bytes: 4097, Valid: true}),
		textWithin(engine.Limits{Lines: -1, Bytes: -1, Numbers: true, Valid: true}),
	}
	for name, content := range contents {
		t.Run(name, func(t *testing.T) {
			for i, k := range kinds(t.TempDir()) {
				if i%turns != len(name)%turns {
					continue
				}
				for _, sel := range selections {
					checkText(t, []byte(content), k, scan.Plan{}, sel, limits)
				}
			}
		})
	}
}

// TestTextGoesOn reads on from the end of each text, as an agent does.
func TestTextGoesOn(t *testing.T) {
	t.Parallel()
	contents := []string{"", "\n", "a", "\n\n\r\n", "\u4e16\u754c\n\U0001f600\U0001f600\n", "\xf0\x9f\x98\n\xff\xff\xff\xff\xff", strings.Repeat("\u4e16", 50) + "\n\nz"}
	for _, content := range contents {
		for limit := int64(4); limit < 12; limit++ {
			goOn(t, readerAt, []byte(content), engine.Limits{Bytes: limit, Lines: 3})
			goOn(t, readerAt, []byte(content), engine.Limits{Bytes: limit, Valid: true})
		}
	}
}

// goOn calls Text until nothing is left. The limit is at least 4 bytes, which
// any character fits.
func goOn(t tb, k kind, content []byte, l engine.Limits) {
	t.Helper()
	f, done := k.openIn(t, content, tiny)
	defer done()
	var all []byte
	for from := engine.Offset(0); ; {
		span, err := f.Bytes(ctx, from, engine.LastOffset)
		if err != nil {
			t.Fatalf("%v", err)
		}
		text, err := span.Text(l)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if int64(len(text.Data)) > l.Bytes || text.Start != from || (text.Cut == 0) != (text.End == engine.Offset(len(content))) {
			t.Fatalf("%s by %+v from %d: %s", abridged(content), l, from, describe(*text))
		}
		all = append(all, text.Data...)
		if text.Cut == 0 {
			break
		}
		if text.End == from {
			t.Fatalf("%s by %+v: no way on from %d", abridged(content), l, from)
		}
		from = text.End
	}
	want := content
	if l.Valid {
		want = nil
		for _, unit := range units(content, true) {
			data, _ := rendered(unit, true)
			want = append(want, data...)
		}
	}
	if err := same(all, want); err != nil {
		t.Fatalf("%s by %+v, put together: %v", abridged(content), l, err)
	}
}

var textTests = []struct {
	content string
	sel     selection
	limits  engine.Limits
	want    engine.Text // Data apart
	data    string
}{
	{"a\nb\nc\n", selection{op: "all"}, engine.Limits{}, engine.Text{End: 6, First: 1, Lines: 3}, "a\nb\nc\n"},
	{"", selection{op: "all"}, engine.Limits{}, engine.Text{First: 1}, ""},
	{"a\nb\nc\n", selection{op: "all"}, engine.Limits{Lines: 2}, engine.Text{End: 4, First: 1, Lines: 2, Cut: engine.ByLines}, "a\nb\n"},
	{"a\nb\nc\n", selection{"tail", 3, 0}, engine.Limits{Lines: 2}, engine.Text{Start: 2, End: 6, First: 2, Lines: 2, Cut: engine.ByLines}, "b\nc\n"},
	{"a\nbbb\nc\n", selection{op: "all"}, engine.Limits{Bytes: 5}, engine.Text{End: 2, First: 1, Lines: 1, Cut: engine.ByBytes}, "a\n"},
	{"a\nbbb\nc\n", selection{"tail", 3, 0}, engine.Limits{Bytes: 5}, engine.Text{Start: 6, End: 8, First: 3, Lines: 1, Cut: engine.ByBytes}, "c\n"},
	{"a\nb\nc\n", selection{"head", 3, 0}, engine.Limits{Bytes: 2, Lines: 2}, engine.Text{End: 2, First: 1, Lines: 1, Cut: engine.ByLines | engine.ByBytes}, "a\n"},
	{"\u4e16\u754c\n", selection{op: "all"}, engine.Limits{Bytes: 5}, engine.Text{End: 3, First: 1, Lines: 1, Cut: engine.ByBytes, Column: 3}, "\u4e16"},
	{"a\n\u4e16\u754c\n", selection{"tail", 1, 0}, engine.Limits{Bytes: 5}, engine.Text{Start: 2, End: 5, Lines: 1, Cut: engine.ByBytes, Column: 3}, "\u4e16"},
	{"a\nb\n", selection{"lines", 2, 2}, engine.Limits{Numbers: true}, engine.Text{Start: 2, End: 4, First: 2, Lines: 1}, "2: b\n"},
	{"a\nb\n", selection{op: "all"}, engine.Limits{Numbers: true, Bytes: 9}, engine.Text{End: 2, First: 1, Lines: 1, Cut: engine.ByBytes}, "1: a\n"},
	{"abc\n", selection{op: "all"}, engine.Limits{Numbers: true, Bytes: 5}, engine.Text{End: 2, First: 1, Lines: 1, Cut: engine.ByBytes, Column: 2}, "1: ab"},
	{"abc\n", selection{op: "all"}, engine.Limits{Numbers: true, Bytes: 3}, engine.Text{First: 1, Cut: engine.ByBytes}, ""},
	{"a\xff\n", selection{op: "all"}, engine.Limits{Valid: true, Bytes: 5}, engine.Text{End: 3, First: 1, Lines: 1, Replaced: true}, "a\ufffd\n"},
	{"a\xff\n", selection{op: "all"}, engine.Limits{Valid: true, Bytes: 3}, engine.Text{End: 1, First: 1, Lines: 1, Cut: engine.ByBytes, Column: 1}, "a"},
	{"a\xff\n", selection{op: "all"}, engine.Limits{Bytes: 3}, engine.Text{End: 3, First: 1, Lines: 1}, "a\xff\n"},
	{"\ufeffa\n", selection{op: "all"}, engine.Limits{}, engine.Text{End: 5, First: 1, Lines: 1}, "\ufeffa\n"},
}

func TestText(t *testing.T) {
	for i, test := range textTests {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			f, done := readerAt.openIn(t, []byte(test.content), scan.Plan{})
			defer done()
			span, err := test.sel.locate(ctx, f)
			if err != nil {
				t.Fatal(err)
			}
			got, err := span.Text(test.limits)
			if err != nil {
				t.Fatal(err)
			}
			test.want.Data = []byte(test.data)
			if describe(*got) != describe(test.want) {
				t.Errorf("%s of %q within %+v:\n %s, want\n %s", test.sel, test.content, test.limits, describe(*got), describe(test.want))
			}
		})
	}
}
