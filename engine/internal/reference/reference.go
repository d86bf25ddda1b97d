// Package reference reads a text file the plain way: one stream, from the
// first byte to the last, line by line. It is the oracle that every faster
// way of reading is tested against, so it is written to be seen to be right,
// and holds whole lines and whole answers in memory.
//
// LF ends a line, belongs to it, and nothing else ends one. A file that ends
// in LF has no further, empty line; a last line without LF is a line; an empty
// file has no lines.
package reference

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"unicode/utf8"
)

// A Selection is what a reference read gives: the half-open span [Start, End)
// of the file, its bytes, the number of its first line and how many lines it
// has. Next to an error it means nothing.
type Selection struct {
	Start, End int64  // offsets of bytes
	Bytes      []byte // nil if there are none
	First      int64  // 1-based; 0 if the selection has no line
	Lines      int64  // lines of which it has at least one byte
}

// errInvalid is the answer to arguments that select nothing in any file.
var errInvalid = errors.New("reference: invalid selection")

// All selects the whole file.
func All(r io.Reader) (Selection, error) {
	return Head(r, math.MaxInt64)
}

// Head selects the first n lines. A negative n is an error.
func Head(r io.Reader, n int64) (Selection, error) {
	var s Selection
	if n < 0 {
		return s, errInvalid
	}
	_, err := scan(r, func(number, start int64, line []byte) {
		if number <= n {
			s.add(number, start, line)
		}
	})
	return s, err
}

// Tail selects the last n lines. A negative n is an error.
func Tail(r io.Reader, n int64) (Selection, error) {
	var s Selection
	if n < 0 {
		return s, errInvalid
	}
	var lengths []int // of the lines in s
	size, err := scan(r, func(number, start int64, line []byte) {
		s.add(number, start, line)
		lengths = append(lengths, len(line))
		if s.Lines > n {
			s.Start += int64(lengths[0])
			s.Bytes = s.Bytes[lengths[0]:]
			s.First++
			s.Lines--
			lengths = lengths[1:]
		}
	})
	if s.Lines == 0 {
		s = Selection{Start: size, End: size}
	}
	return s, err
}

// Lines selects the lines first to last, inclusive and counted from 1. There
// may be fewer; if there is none, the selection is the empty one at the end of
// the file. It is an error if first < 1 or last < first.
func Lines(r io.Reader, first, last int64) (Selection, error) {
	var s Selection
	if first < 1 || last < first {
		return s, errInvalid
	}
	size, err := scan(r, func(number, start int64, line []byte) {
		if first <= number && number <= last {
			s.add(number, start, line)
		}
	})
	if s.Lines == 0 {
		s = Selection{Start: size, End: size}
	}
	return s, err
}

// Bytes selects the bytes [start, end), both clamped to the file, and end to
// no less than start.
func Bytes(r io.Reader, start, end int64) (Selection, error) {
	var s Selection
	start = max(start, 0)
	end = max(end, start)
	size, err := scan(r, func(number, at int64, line []byte) {
		from := max(start, at)
		to := min(end, at+int64(len(line)))
		if from < to {
			s.add(number, from, line[from-at:to-at])
		}
	})
	if s.Lines == 0 {
		s.Start = min(start, size)
		s.End = s.Start
	}
	return s, err
}

// Prefix selects the first n bytes, less the character that the cut would
// split: a valid one that begins before n and ends after it. A negative n is
// taken as 0.
func Prefix(r io.Reader, n int64) (Selection, error) {
	n = max(n, 0)
	ahead := n + min(utf8.UTFMax, math.MaxInt64-n)
	s, err := Bytes(r, 0, ahead)
	if err != nil {
		return s, err
	}
	var cut int64
	for cut < s.End {
		_, size := utf8.DecodeRune(s.Bytes[cut:]) // of a byte that is not UTF-8: 1
		if cut+int64(size) > n {
			break
		}
		cut += int64(size)
	}
	return Bytes(bytes.NewReader(s.Bytes), 0, cut)
}

// Count returns the number of lines.
func Count(r io.Reader) (int64, error) {
	var lines int64
	_, err := scan(r, func(number, _ int64, _ []byte) { lines = number })
	return lines, err
}

// A Line is one line of a file, the bytes [Start, End) of it.
type Line struct {
	Number     int64 // 1-based
	Start, End int64 // offsets of bytes; a final LF is in the span

	// Text is the line less its LF, less one CR just before that LF, and less
	// a UTF-8 byte order mark at the very start of the file.
	Text []byte
}

// Split returns every line of a whole file. The texts are copies.
func Split(data []byte) []Line {
	var lines []Line
	scan(bytes.NewReader(data), func(number, start int64, line []byte) {
		text, ended := bytes.CutSuffix(line, []byte("\n"))
		if ended {
			text = bytes.TrimSuffix(text, []byte("\r"))
		}
		if number == 1 {
			text = bytes.TrimPrefix(text, []byte("\uFEFF"))
		}
		lines = append(lines, Line{number, start, start + int64(len(line)), text})
	})
	return lines
}

// scan calls visit for each line: its number, the offset of its first byte,
// and its bytes, which visit may keep. It returns the size of the file.
func scan(r io.Reader, visit func(number, start int64, line []byte)) (size int64, err error) {
	b := bufio.NewReader(r)
	for number := int64(1); ; number++ {
		line, err := b.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return size, err
		}
		if len(line) > 0 {
			visit(number, size, line)
			size += int64(len(line))
		}
		if err == io.EOF {
			return size, nil
		}
	}
}

// add appends bytes of one line, which begin at offset start.
func (s *Selection) add(number, start int64, b []byte) {
	if s.Lines == 0 {
		s.First, s.Start = number, start
	}
	s.Bytes = append(s.Bytes, b...)
	s.End = start + int64(len(b))
	s.Lines++
}
