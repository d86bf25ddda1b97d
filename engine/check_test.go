package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"excerpt/engine"
	"excerpt/engine/internal/reference"
	"excerpt/engine/internal/scan"
)

// A selection is a call of one of the methods that locate.
type selection struct {
	op   string // head, tail, lines, prefix, bytes, all
	a, b int64
}

func (s selection) String() string { return fmt.Sprintf("%s(%d, %d)", s.op, s.a, s.b) }

func (s selection) locate(ctx context.Context, f *engine.File) (*engine.Span, error) {
	switch s.op {
	case "head":
		return f.Head(ctx, s.a)
	case "tail":
		return f.Tail(ctx, s.a)
	case "lines":
		return f.Lines(ctx, engine.LineNumber(s.a), engine.LineNumber(s.b))
	case "prefix":
		return f.Prefix(ctx, s.a)
	case "bytes":
		return f.Bytes(ctx, engine.Offset(s.a), engine.Offset(s.b))
	}
	return f.All(ctx)
}

// reference is the right answer. An invalid selection is an error.
func (s selection) reference(content []byte) (reference.Selection, error) {
	r := bytes.NewReader(content)
	switch s.op {
	case "head":
		return reference.Head(r, s.a)
	case "tail":
		return reference.Tail(r, s.a)
	case "lines":
		return reference.Lines(r, s.a, s.b)
	case "prefix":
		if s.a < 0 {
			return reference.Selection{}, errors.New("negative")
		}
		return reference.Prefix(r, s.a)
	case "bytes":
		if s.b < max(s.a, 0) {
			return reference.Selection{}, errors.New("it ends before it begins")
		}
		start := s.a
		if start < 0 {
			start = max(0, start+int64(len(content)))
		}
		return reference.Bytes(r, min(start, s.b), s.b)
	}
	return reference.All(r)
}

// toEnd says that the selection goes to the end without looking for it.
func (s selection) toEnd() bool { return s.op == "all" || s.b == math.MaxInt64 && s.op != "head" }

// counted says that the selection is made by lines, so that it knows how many.
func (s selection) counted() bool {
	return s.op == "head" || s.op == "tail" || s.op == "lines" && !s.toEnd()
}

// A reading is one way to read a span.
type reading struct {
	name string
	// of returns what is wrong.
	of func(c *answer, span *engine.Span) error
}

var readings = []reading{
	{"Lines", (*answer).linesKnown},
	{"WriteTo", (*answer).writeTo},
	{"All", (*answer).all},
	{"WriteNumbered", (*answer).writeNumbered},
	{"All, numbered", (*answer).all},
	{"Number", (*answer).number},
	{"WriteTo again", (*answer).writeTo},
}

// check is the runner of all tests: content, opened by k, scanned by plan, must
// give for sel what the reference gives, however it is read. more readings are
// done besides the usual ones.
func check(t tb, content []byte, k kind, plan scan.Plan, sel selection, more ...reading) {
	t.Helper()
	f, done := k.openIn(t, content, plan)
	defer done()
	checkFile(t, f, content, k, plan, sel, nil, more...)
}

// checkFile is check of a file that is open. One to be read once is used for
// the first reading only, and opened again for each other. Spans that were seen
// are not read again: the same offsets give the same bytes.
func checkFile(t tb, f *engine.File, content []byte, k kind, plan scan.Plan, sel selection, seen map[[3]int64]bool, more ...reading) {
	t.Helper()
	if err := compare(f, content, k, plan, sel, seen, more...); err != nil {
		t.Fatalf("%s of %s by %s, %+v: %v", sel, abridged(content), k.name, plan, err)
	}
}

func compare(f *engine.File, content []byte, k kind, plan scan.Plan, sel selection, seen map[[3]int64]bool, more ...reading) error {
	want, invalid := sel.reference(content)
	c := &answer{Selection: want, sel: sel, kind: k}
	span, err := sel.locate(ctx, f)
	var past *engine.RangeError
	switch {
	case invalid != nil:
		if !errors.Is(err, engine.ErrSelection) {
			return fmt.Errorf("error %v, want ErrSelection", err)
		}
		return nil
	case sel.op == "lines" && want.Lines == 0:
		count, _ := reference.Count(bytes.NewReader(content))
		if !errors.As(err, &past) || !errors.Is(err, engine.ErrSelection) || past.Lines != count || int64(past.First) != sel.a {
			return fmt.Errorf("error %v, want a RangeError of %d lines", err, count)
		}
		return nil
	case err != nil:
		return err
	}
	start, end := span.Offsets()
	open := k.stream && sel.toEnd() && end == engine.LastOffset || c.bounded() && int64(end) >= want.End && (int64(start) == want.Start || sel.op == "bytes")
	if !open && (int64(start) != want.Start || int64(end) != want.End) {
		return fmt.Errorf("offsets %d, %d; want %d, %d", start, end, want.Start, want.End)
	}
	if seen != nil {
		if err := c.linesKnown(span); err != nil {
			return err
		}
		key := [3]int64{int64(start), int64(end), int64(span.First())}
		if seen[key] {
			return nil
		}
		seen[key] = true
	}
	for i, r := range append(readings[:len(readings):len(readings)], more...) {
		if i > 0 && k.once {
			again, err := k.open(content)
			if err != nil {
				return err
			}
			again.SetPlan(plan)
			if span, err = sel.locate(ctx, again); err == nil {
				err = r.of(c, span)
			}
			again.Close()
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			continue
		}
		if err := r.of(c, span); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

// An answer is what the reference says of a selection.
type answer struct {
	reference.Selection
	sel  selection
	kind kind
}

// bounded says that where the span ends may be known only when it was read.
func (c *answer) bounded() bool {
	switch c.sel.op {
	case "head", "lines", "bytes":
		return c.kind.once
	}
	return false
}

func (c *answer) linesKnown(span *engine.Span) error {
	n, known := span.Lines()
	if known && n != c.Lines || !known && (n != 0 || c.sel.counted() && !c.bounded()) {
		return fmt.Errorf("%d, %t; want %d", n, known, c.Lines)
	}
	return c.first(span)
}

func (c *answer) first(span *engine.Span) error {
	got := int64(span.First())
	known := c.sel.op != "tail" && c.sel.op != "bytes" || c.Start == 0
	if c.Lines > 0 && got != c.First && (got != 0 || known) {
		return fmt.Errorf("First = %d, want %d", got, c.First)
	}
	return nil
}

func (c *answer) number(span *engine.Span) error {
	got, err := span.Number(ctx)
	if c.mayForget(err) {
		return nil
	}
	if err != nil || c.Lines > 0 && int64(got) != c.First {
		return fmt.Errorf("%d, %v; want %d", got, err, c.First)
	}
	return c.first(span)
}

// mayForget says that lines are to be counted in what was let go of.
func (c *answer) mayForget(err error) bool {
	return c.kind.once && c.sel.op == "bytes" && c.sel.a > 0 && errors.Is(err, engine.ErrForgotten)
}

func (c *answer) writeTo(span *engine.Span) error {
	var got bytes.Buffer
	n, err := span.WriteTo(&got)
	if err := wrote(n, err, got.Len()); err != nil {
		return err
	}
	return same(got.Bytes(), c.Bytes)
}

func wrote(n int64, err error, length int) error {
	if err == nil && n != int64(length) {
		err = errors.New("and no error")
	}
	if err != nil {
		return fmt.Errorf("%d of %d bytes: %w", n, length, err)
	}
	return nil
}

func (c *answer) writeNumbered(span *engine.Span) error {
	var got bytes.Buffer
	n, err := span.WriteNumbered(&got)
	if c.mayForget(err) {
		return nil
	}
	if err := wrote(n, err, got.Len()); err != nil {
		return err
	}
	var want []byte
	for _, line := range c.parts() {
		want = strconv.AppendInt(want, int64(line.Number), 10)
		want = append(want, ": "...)
		want = append(want, c.Bytes[int64(line.Offset)-c.Start:][:line.Bytes]...)
	}
	return same(got.Bytes(), want)
}

// parts are the lines that All gives.
func (c *answer) parts() []engine.Line {
	var lines []engine.Line
	for _, part := range reference.Split(c.Bytes) {
		line := engine.Line{
			Number: engine.LineNumber(c.First + part.Number - 1),
			Offset: engine.Offset(c.Start + part.Start),
			Bytes:  part.End - part.Start,
			Text:   part.Text,
		}
		if bom := []byte("\ufeff"); part.Start == 0 && c.Start > 0 && bytes.HasPrefix(c.Bytes, bom) {
			line.Text = append(bom, part.Text...) // it is none in the middle of a file
		}
		if len(line.Text) > engine.MaxText {
			cut, _ := reference.Prefix(bytes.NewReader(line.Text), engine.MaxText)
			line.Text, line.Cut = cut.Bytes, true
		}
		lines = append(lines, line)
	}
	return lines
}

func (c *answer) all(span *engine.Span) error {
	want := c.parts()
	numbered := span.First() != 0
	n := 0
	for got, err := range span.All() {
		if err != nil {
			return fmt.Errorf("after %d lines: %w", n, err)
		}
		if n == len(want) {
			return fmt.Errorf("more than %d lines: %+v", n, got)
		}
		w := want[n]
		if !numbered {
			w.Number = 0
		}
		if got.Number != w.Number || got.Offset != w.Offset || got.Bytes != w.Bytes || got.Cut != w.Cut {
			return fmt.Errorf("line %d: number %d, offset %d, bytes %d, cut %t; want %d, %d, %d, %t",
				n, got.Number, got.Offset, got.Bytes, got.Cut, w.Number, w.Offset, w.Bytes, w.Cut)
		}
		if err := same(got.Text, w.Text); err != nil {
			return fmt.Errorf("text of line %d: %w", n, err)
		}
		n++
	}
	if n != len(want) {
		return fmt.Errorf("%d lines, want %d", n, len(want))
	}
	return nil
}

// checkCount is check for Count.
func checkCount(t tb, f *engine.File, content []byte) {
	t.Helper()
	want, _ := reference.Count(bytes.NewReader(content))
	if got, err := f.Count(ctx); err != nil || got != want {
		t.Fatalf("Count of %s: %d, %v; want %d", abridged(content), got, err, want)
	}
}

// same says where two contents differ, in a message of a bearable length.
func same(got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	return fmt.Errorf("%d bytes, want %d; from %d on %s, want %s", len(got), len(want), at, abridged(got[at:]), abridged(want[at:]))
}

func abridged(b []byte) string {
	if len(b) <= 64 {
		return strconv.Quote(string(b))
	}
	n := 60
	for n > 50 && !utf8.RuneStart(b[n]) {
		n--
	}
	return fmt.Sprintf("%q… (%d bytes)", b[:n], len(b))
}
