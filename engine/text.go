package engine

import (
	"bytes"
	"context"
	"io"
	"math"
	"unicode/utf8"

	"excerpt/engine/internal/source"
	"excerpt/engine/reverse"
	"excerpt/engine/utf8safe"
)

// Limits bound what [Span.Text] returns.
type Limits struct {
	// Lines is the most lines. 0 means 1,000; below 0, there is no limit.
	Lines int64

	// Bytes is the most bytes of Text.Data, numbers included. 0 means 128 KiB;
	// below 0, there is no limit, and memory grows with the span.
	Bytes int64

	// Numbers puts "12: " before each line. Where the numbers are not known,
	// they are counted, as by [Span.Number].
	Numbers bool

	// Valid makes Data valid UTF-8: each bad sequence becomes U+FFFD.
	Valid bool
}

// The limits that a zero value in Limits stands for.
const (
	defaultLines = 1000
	defaultBytes = 128 << 10
)

// A Text is what a span gives within limits.
type Text struct {
	Data       []byte     // the caller's own
	Start, End Offset     // the bytes of the file that Data stands for
	First      LineNumber // the number of its first line, 0 if not known
	Lines      int64      // how many lines it has a part of
	Cut        Cut        // why it is not the whole span, or 0

	// Column says that Data ends inside a line, after that many of its bytes.
	// This happens only if that line alone is over the limit. Else it is 0.
	Column int64

	// Replaced says that bytes became U+FFFD.
	Replaced bool
}

// A Cut says which limits made a Text shorter than its span; both may have.
type Cut int

const (
	ByLines Cut = 1 << iota // there are more than Limits.Lines
	ByBytes                 // they are longer than Limits.Bytes
)

// Text reads the span and cuts it to the limits: whole lines from its
// beginning, or, if it is a tail, up to its end. Of a line that alone is over
// the limit it gives the beginning, cut at a character.
//
// It reads no more than l.Bytes, and holds about twice that.
func (s *Span) Text(l Limits) (*Text, error) {
	if l.Lines == 0 {
		l.Lines = defaultLines
	}
	if l.Bytes == 0 {
		l.Bytes = defaultBytes
	}
	if l.Lines < 0 {
		l.Lines = math.MaxInt64
	}
	if l.Bytes < 0 {
		l.Bytes = math.MaxInt64
	}
	if err := s.settle(); err != nil {
		return nil, err
	}
	if l.Numbers {
		if _, err := s.Number(s.ctx); err != nil {
			return nil, err
		}
	}
	cut := s.cutEnd
	if s.fromEnd {
		cut = s.cutStart
	}
	t, err := cut(l)
	if err != nil {
		return nil, err
	}
	if s.lines > l.Lines {
		t.Cut |= ByLines
	}
	t.Start, t.End = s.offset(int64(t.Start)), s.offset(int64(t.End))
	return t, s.check()
}

// window reads up to n bytes at off, and tells whether the span ends there.
func (s *Span) window(off, n int64) (b []byte, last bool, err error) {
	end := min(s.end, s.s.src.Size())
	n = max(0, min(n, end-off))
	if n <= source.BlockSize || s.s.src.Size() != source.Unknown {
		b, err = s.read(make([]byte, n), off)
		return b, off+n == end || int64(len(b)) < n, err
	}
	for int64(len(b)) < n { // a stream, of a length that only its end tells
		more, err := s.read(make([]byte, min(n-int64(len(b)), max(source.BlockSize, int64(len(b))))), off+int64(len(b)))
		b = append(b, more...)
		if err != nil || len(more) == 0 {
			return b, true, err
		}
	}
	return b, false, nil
}

// cutEnd gives the first lines of the span.
func (s *Span) cutEnd(l Limits) (*Text, error) {
	// A few bytes more tell whether the cut splits a character.
	b, last, err := s.window(s.start, min(l.Bytes, math.MaxInt64-utf8.UTFMax)+utf8.UTFMax)
	if err != nil {
		return nil, err
	}
	r := render{Limits: l, text: Text{Start: Offset(s.start), First: s.First()}}
	for line := range bytes.Lines(b) {
		if !r.add(line, last || line[len(line)-1] == '\n') {
			break
		}
	}
	return r.done(), nil
}

// cutStart gives the last lines of the span; how many it has is known.
func (s *Span) cutStart(l Limits) (*Text, error) {
	// A byte more tells whether the first line begins there.
	from := max(s.start, s.end-l.Bytes-1)
	b, _, err := s.window(from, s.end-from)
	if err != nil {
		return nil, err
	}
	next := s.First() // the number of the line behind those that are taken
	if next != 0 {
		next += LineNumber(s.lines)
	}
	r := render{Limits: l, text: Text{First: next}}
	room, first, taken := l.Bytes, len(b), int64(0)
	for lines := reverse.NewReader(s.ctx, bytes.NewReader(b), int64(len(b))); taken < l.Lines; taken++ {
		line, err := lines.Next()
		if err == io.EOF || err == nil && line.Start == 0 && from > s.start {
			break
		}
		if err != nil {
			return nil, err
		}
		if room -= r.cost(b[line.Start:line.End], next-LineNumber(taken)-1); room < 0 {
			break
		}
		first = int(line.Start)
	}
	if taken == 0 && s.start < s.end {
		return s.cutLastLine(l)
	}
	if r.text.First != 0 {
		r.text.First -= LineNumber(taken)
	}
	r.text.Start = Offset(from + int64(first))
	for line := range bytes.Lines(b[first:]) {
		r.add(line, true)
	}
	if int64(r.text.Start) > s.start && taken < l.Lines {
		r.text.Cut |= ByBytes
	}
	return r.done(), nil
}

// cutLastLine gives the beginning of the last line, which is over the limit.
func (s *Span) cutLastLine(l Limits) (*Text, error) {
	var start int64
	err := s.look(s.ctx, func(ctx context.Context, p *pass) error {
		var err error
		from, r, size := s.before(p)
		start, _, err = reverse.Start(ctx, r, size, 1)
		start += from
		return err
	})
	if err != nil {
		return nil, err
	}
	var number LineNumber
	if first := s.First(); first != 0 {
		number = first + LineNumber(s.lines) - 1
	}
	t, err := s.f.span(s.ctx, s.s, start, s.end, number, 1).cutEnd(l)
	if err == nil && start > s.start {
		t.Cut |= ByBytes
	}
	return t, err
}

// render puts lines into a text until a limit is reached.
type render struct {
	Limits
	text Text
	raw  int64 // bytes of the file that text.Data stands for
}

// add appends a line if it fits, and else as much as fits of a first line. It
// reports whether there may be room for another. A line that is not whole goes
// on behind what is given of it, which is more than fits.
func (r *render) add(line []byte, whole bool) bool {
	t := &r.text
	if t.Lines == r.Lines {
		t.Cut |= ByLines
		return false
	}
	before := len(t.Data)
	if r.Numbers {
		t.Data = appendNumber(t.Data, int64(t.First)+t.Lines)
	}
	begin := len(t.Data)
	valid := !r.Valid || utf8.Valid(line)
	if valid {
		t.Data = append(t.Data, line...)
	} else {
		t.Data = utf8safe.AppendValid(t.Data, line)
	}
	if whole && int64(len(t.Data)) <= r.Bytes {
		t.Lines++
		r.raw += int64(len(line))
		t.Replaced = t.Replaced || !valid
		return true
	}
	t.Cut |= ByBytes
	t.Data = t.Data[:before]
	if t.Lines > 0 || int64(begin) > r.Bytes {
		return false
	}
	t.Data = t.Data[:begin]
	room, n := int(r.Bytes)-begin, 0
	if r.Valid {
		t.Data, n = utf8safe.AppendValidN(t.Data, line, room)
		t.Replaced = !utf8.Valid(line[:n])
	} else {
		n = utf8safe.Prefix(line, room)
		t.Data = append(t.Data, line[:n]...)
	}
	if n == 0 {
		t.Data = t.Data[:before] // there is room for nothing but the number
		return false
	}
	t.Lines, t.Column, r.raw = 1, int64(n), int64(n)
	return false
}

// cost returns how many bytes of text the line takes.
func (r *render) cost(line []byte, number LineNumber) int64 {
	n := len(line)
	if r.Valid && !utf8.Valid(line) {
		n = len(utf8safe.AppendValid(nil, line))
	}
	if r.Numbers {
		n += len(appendNumber(nil, int64(number)))
	}
	return int64(n)
}

func (r *render) done() *Text {
	r.text.End = r.text.Start + Offset(r.raw)
	return &r.text
}
