package reference

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// What a line is: each file beside the texts of its lines.
var definitions = []struct {
	name, file string
	texts      []string
}{
	{"empty file", "", nil},
	{"only LF", "\n", []string{""}},
	{"two LF", "\n\n", []string{"", ""}},
	{"final LF adds no line", "a\nb\n", []string{"a", "b"}},
	{"unterminated last line", "a\nb", []string{"a", "b"}},
	{"CR LF", "a\r\nb\r\n", []string{"a", "b"}},
	{"one CR before LF is dropped", "a\r\r\n", []string{"a\r"}},
	{"CR without LF stays", "a\rb\r", []string{"a\rb\r"}},
	{"only CR LF", "\r\n", []string{""}},
	{"form feed", "a\fb\n", []string{"a\fb"}},
	{"vertical tab", "a\vb\n", []string{"a\vb"}},
	{"NEL", "a\u0085b\n", []string{"a\u0085b"}},
	{"line separator", "a\u2028b\n", []string{"a\u2028b"}},
	{"paragraph separator", "a\u2029b\n", []string{"a\u2029b"}},
	{"NUL", "a\x00b\n", []string{"a\x00b"}},
	{"not UTF-8", "\xff\xfe\n\xe7\x95\n", []string{"\xff\xfe", "\xe7\x95"}},
	{"BOM", "\ufeffa\nb\n", []string{"a", "b"}},
	{"only BOM", "\ufeff", []string{""}},
	{"BOM and CR LF", "\ufeff\r\n", []string{""}},
	{"two BOM", "\ufeff\ufeffa\n", []string{"\ufeffa"}},
	{"BOM elsewhere", "a\ufeff\n\ufeffb\n", []string{"a\ufeff", "\ufeffb"}},
	{"a line over the buffer", strings.Repeat("x", 10_000) + "\ny", []string{strings.Repeat("x", 10_000), "y"}},
}

func TestDefinitions(t *testing.T) {
	for _, d := range definitions {
		t.Run(d.name, func(t *testing.T) {
			count, err := Count(strings.NewReader(d.file))
			if err != nil || count != int64(len(d.texts)) {
				t.Errorf("Count = %d, %v; want %d", count, err, len(d.texts))
			}
			var texts []string
			var joined []byte
			for i, line := range Split([]byte(d.file)) {
				texts = append(texts, string(line.Text))
				if line.Number != int64(i+1) || line.Start != int64(len(joined)) {
					t.Errorf("line %d: number %d, start %d", i+1, line.Number, line.Start)
				}
				joined = append(joined, d.file[line.Start:line.End]...)
			}
			if !reflect.DeepEqual(texts, d.texts) {
				t.Errorf("Split: texts %q, want %q", texts, d.texts)
			}
			if string(joined) != d.file {
				t.Errorf("Split: the spans make %q, want %q", joined, d.file)
			}
		})
	}
}

type read func(io.Reader) (Selection, error)

func head(n int64) read { return func(r io.Reader) (Selection, error) { return Head(r, n) } }

func tail(n int64) read { return func(r io.Reader) (Selection, error) { return Tail(r, n) } }

func lines(a, b int64) read { return func(r io.Reader) (Selection, error) { return Lines(r, a, b) } }

func span(a, b int64) read { return func(r io.Reader) (Selection, error) { return Bytes(r, a, b) } }

func prefix(n int64) read { return func(r io.Reader) (Selection, error) { return Prefix(r, n) } }

func at(offset int64) Selection { return Selection{Start: offset, End: offset} }

func TestSelections(t *testing.T) {
	const (
		ended = "one\ntwo\r\n\nfour\n" // lines at 0, 4, 9, 10; size 15
		open  = "one\ntwo"             // lines at 0, 4; size 7
		most  = math.MaxInt64
	)
	whole := Selection{0, 15, []byte(ended), 1, 4}
	tests := []struct {
		name, file string
		read       read
		want       Selection
	}{
		{"all", ended, All, whole},
		{"all, unterminated", open, All, Selection{0, 7, []byte(open), 1, 2}},
		{"all of nothing", "", All, at(0)},

		{"head 0", ended, head(0), at(0)},
		{"head 1", ended, head(1), Selection{0, 4, []byte("one\n"), 1, 1}},
		{"head 3", ended, head(3), Selection{0, 10, []byte("one\ntwo\r\n\n"), 1, 3}},
		{"head of all", ended, head(4), whole},
		{"head of more", ended, head(most), whole},
		{"head 2, unterminated", open, head(2), Selection{0, 7, []byte(open), 1, 2}},
		{"head of nothing", "", head(3), at(0)},

		{"tail 0", ended, tail(0), at(15)},
		{"tail 1", ended, tail(1), Selection{10, 15, []byte("four\n"), 4, 1}},
		{"tail 2", ended, tail(2), Selection{9, 15, []byte("\nfour\n"), 3, 2}},
		{"tail of all", ended, tail(4), whole},
		{"tail of more", ended, tail(most), whole},
		{"tail 1, unterminated", open, tail(1), Selection{4, 7, []byte("two"), 2, 1}},
		{"tail of nothing", "", tail(3), at(0)},

		{"line 1", ended, lines(1, 1), Selection{0, 4, []byte("one\n"), 1, 1}},
		{"lines 2-3", ended, lines(2, 3), Selection{4, 10, []byte("two\r\n\n"), 2, 2}},
		{"lines past the end", ended, lines(4, most), Selection{10, 15, []byte("four\n"), 4, 1}},
		{"lines wholly past the end", ended, lines(5, 9), at(15)},
		{"the last line, unterminated", open, lines(2, 2), Selection{4, 7, []byte("two"), 2, 1}},
		{"no phantom line", "a\n", lines(2, 2), at(2)},
		{"lines of nothing", "", lines(1, 1), at(0)},

		{"bytes, all", ended, span(0, 15), whole},
		{"bytes, clamped", ended, span(math.MinInt64, most), whole},
		{"bytes within a line", ended, span(5, 7), Selection{5, 7, []byte("wo"), 2, 1}},
		{"bytes of two lines", ended, span(3, 5), Selection{3, 5, []byte("\nt"), 1, 2}},
		{"bytes to a line's end", ended, span(4, 9), Selection{4, 9, []byte("two\r\n"), 2, 1}},
		{"bytes, none", ended, span(5, 5), at(5)},
		{"bytes, reversed", ended, span(7, 5), at(7)},
		{"bytes at the end", ended, span(15, 20), at(15)},
		{"bytes past the end", ended, span(99, 100), at(15)},
		{"bytes of nothing", "", span(0, 1), at(0)},

		{"prefix 0", "世界", prefix(0), at(0)},
		{"prefix, negative", "世界", prefix(math.MinInt64), at(0)},
		{"prefix inside the first", "世界", prefix(2), at(0)},
		{"prefix at a character", "世界", prefix(3), Selection{0, 3, []byte("世"), 1, 1}},
		{"prefix inside the second", "世界", prefix(5), Selection{0, 3, []byte("世"), 1, 1}},
		{"prefix, all", "世\n界", prefix(7), Selection{0, 7, []byte("世\n界"), 1, 2}},
		{"prefix, more", "世\n界", prefix(most), Selection{0, 7, []byte("世\n界"), 1, 2}},
		{"prefix after LF", "世\n界", prefix(6), Selection{0, 4, []byte("世\n"), 1, 1}},
		{"prefix inside no character", "\xe7\x95X", prefix(2), Selection{0, 2, []byte("\xe7\x95"), 1, 1}},
		{"prefix to an unfinished end", "a\xe7\x95", prefix(2), Selection{0, 2, []byte("a\xe7"), 1, 1}},
		{"prefix inside four bytes", "a😀", prefix(4), Selection{0, 1, []byte("a"), 1, 1}},
		{"prefix inside a surrogate", "\xed\xa0\x80", prefix(2), Selection{0, 2, []byte("\xed\xa0"), 1, 1}},
		{"prefix of nothing", "", prefix(1), at(0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"whole":    strings.NewReader(tt.file),
				"bytewise": iotest.OneByteReader(strings.NewReader(tt.file)),
				"eof":      iotest.DataErrReader(strings.NewReader(tt.file)),
			} {
				got, err := tt.read(r)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if len(got.Bytes) == 0 {
					got.Bytes = nil
				}
				if !reflect.DeepEqual(got, tt.want) {
					t.Errorf("%s: got %s, want %s", name, show(got), show(tt.want))
				}
			}
		})
	}
}

func show(s Selection) string {
	return fmt.Sprintf("[%d,%d) %q, %d lines from %d", s.Start, s.End, s.Bytes, s.Lines, s.First)
}

func TestInvalid(t *testing.T) {
	for name, read := range map[string]read{
		"head":           head(-1),
		"tail":           tail(math.MinInt64),
		"line 0":         lines(0, 1),
		"reversed lines": lines(3, 2),
	} {
		if _, err := read(strings.NewReader("a\nb\n")); err != errInvalid {
			t.Errorf("%s: %v, want %v", name, err, errInvalid)
		}
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	reader := func() io.Reader {
		return io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken))
	}
	for name, read := range map[string]read{
		"all": All, "head": head(1), "tail": tail(1), "lines": lines(1, 1),
		"bytes": span(0, 1), "prefix": prefix(1),
	} {
		if _, err := read(reader()); err != broken {
			t.Errorf("%s: %v, want %v", name, err, broken)
		}
	}
	if _, err := Count(reader()); err != broken {
		t.Errorf("count: %v, want %v", err, broken)
	}
}

// The texts are the caller's, whatever becomes of the data.
func TestSplitCopies(t *testing.T) {
	data := []byte("one\ntwo\n")
	lines := Split(data)
	copy(data, bytes.Repeat([]byte{'x'}, len(data)))
	if string(lines[0].Text) != "one" || string(lines[1].Text) != "two" {
		t.Errorf("texts changed with the data: %q, %q", lines[0].Text, lines[1].Text)
	}
}
