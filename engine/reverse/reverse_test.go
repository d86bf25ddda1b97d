package reverse_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"excerpt/engine/internal/reference"
	"excerpt/engine/reverse"
)

var ctx = context.Background()

// want is what a Reader has to give of a line.
func want(line reference.Line, content []byte) reverse.Line {
	text := content[line.Start:line.End]
	if body, ended := bytes.CutSuffix(text, []byte("\n")); ended {
		text = bytes.TrimSuffix(body, []byte("\r"))
	}
	if len(text) > reverse.MaxText {
		cut, _ := reference.Prefix(bytes.NewReader(text), reverse.MaxText)
		text = cut.Bytes
	}
	return reverse.Line{Start: line.Start, End: line.End, Text: text}
}

// check walks content backwards, and asks where its last lines begin.
func check(content []byte, counts ...int64) error {
	lines := reference.Split(content)
	r := reverse.NewReader(ctx, bytes.NewReader(content), int64(len(content)))
	for i, line := range slices.Backward(lines) {
		got, err := r.Next()
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		if want := want(line, content); got.Start != want.Start || got.End != want.End || !bytes.Equal(got.Text, want.Text) {
			return fmt.Errorf("line %d: %d to %d, %d bytes of text; want %d to %d, %d", i+1, got.Start, got.End, len(got.Text), want.Start, want.End, len(want.Text))
		}
	}
	for range 2 {
		if line, err := r.Next(); err != io.EOF {
			return fmt.Errorf("at the beginning: %+v, %v", line, err)
		}
	}
	for _, n := range append(counts, 0, 1, math.MaxInt64) {
		start, number := int64(len(content)), min(n, int64(len(lines)))
		if number > 0 {
			start = lines[int64(len(lines))-number].Start
		}
		gotStart, got, err := reverse.Start(ctx, bytes.NewReader(content), int64(len(content)), n)
		if err != nil || gotStart != start || got != number {
			return fmt.Errorf("the last %d begin at %d, %d of them, %v; want %d, %d", n, gotStart, got, err, start, number)
		}
	}
	return nil
}

func TestEveryShortFile(t *testing.T) {
	t.Parallel()
	var extend func(content []byte)
	extend = func(content []byte) {
		if err := check(content, 2, 3, 4); err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		if len(content) < 5 {
			for _, c := range "a\r\n" {
				extend(append(slices.Clip(content), byte(c)))
			}
		}
	}
	extend(nil)
}

// Lines that end about where chunks begin.
func TestChunks(t *testing.T) {
	t.Parallel()
	sizes := []int{4 << 10, 12 << 10, 252 << 10, 256 << 10, 508 << 10, 512 << 10, 1 << 20}
	if testing.Short() {
		sizes = sizes[:3]
	}
	for _, size := range sizes {
		for delta := -1; delta <= 1; delta++ {
			n := size + delta
			long := bytes.Repeat([]byte("x"), n)
			for name, content := range map[string][]byte{
				"a line to the end":   append([]byte("one\ntwo\r\n"), long...),
				"a line with its end": append(append([]byte("one\r\n"), long...), '\n'),
				"one line":            long,
				"empty lines":         append(bytes.Repeat([]byte("\n"), n), "end"...),
				"lines behind":        append(append(append([]byte("\n"), long...), '\n'), bytes.Repeat([]byte("ab\r\n"), n/8)...),
				"characters":          append([]byte("one\n"), bytes.Repeat([]byte("\u4e16"), n/3+1)...),
			} {
				if err := check(content, int64(n), int64(n/2), 2); err != nil {
					t.Fatalf("%s, %d bytes: %v", name, n, err)
				}
			}
		}
	}
}

func TestLinesOfMaxText(t *testing.T) {
	t.Parallel()
	for delta := -4; delta <= 2; delta++ {
		for _, end := range []string{"", "\n", "\r\n", "\r", "\u4e16\n", "\U0001f600", "\xf0\x9f\n"} {
			content := append([]byte("one\n"), bytes.Repeat([]byte("x"), reverse.MaxText+delta)...)
			content = append(append(content, end...), "more"...)
			if err := check(content); err != nil {
				t.Fatalf("%d bytes and %q: %v", reverse.MaxText+delta, end, err)
			}
		}
	}
}

func content() *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		var b []byte
		for range rapid.IntRange(0, 10).Draw(t, "lines") {
			piece := rapid.SampledFrom([]string{"", "a", "\r", "\n", "\u4e16", "\xff", "\ufeff", "\x00"}).Draw(t, "piece")
			b = append(b, bytes.Repeat([]byte(piece), rapid.SampledFrom([]int{1, 2, 100, 4096, 90_000}).Draw(t, "times"))...)
			b = append(b, rapid.SampledFrom([]string{"", "\n", "\n", "\r\n"}).Draw(t, "end")...)
		}
		return b
	})
}

func TestAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := content().Draw(t, "content")
		if err := check(b, rapid.Int64Range(0, 20).Draw(t, "n"), rapid.Int64Range(0, int64(len(b)+1)).Draw(t, "many")); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzReverse(f *testing.F) {
	for _, seed := range []string{"", "\n", "a\r\n\nb", "\ufeff\r\n\xff"} {
		f.Add([]byte(seed), uint16(1), int64(1))
	}
	f.Add([]byte("a\n"), uint16(5000), int64(70))
	f.Fuzz(func(t *testing.T, content []byte, times uint16, n int64) {
		if total := len(content) * int(times); total > 0 && total < 2<<20 {
			content = bytes.Repeat(content, int(times))
		}
		if err := check(content, max(0, n)); err != nil {
			t.Fatalf("%d bytes: %v", len(content), err)
		}
	})
}

// counting knows how much of it was read.
type counting struct {
	io.ReaderAt
	read int64
}

func (r *counting) ReadAt(p []byte, off int64) (int, error) {
	r.read += int64(len(p))
	return r.ReaderAt.ReadAt(p, off)
}

// What is read depends on what is returned.
func TestReadsLittle(t *testing.T) {
	b := bytes.Repeat([]byte("0123456789abcde\n"), 4<<20/16)
	for _, n := range []int64{1, 100, 10_000, 100_000} {
		r := &counting{ReaderAt: bytes.NewReader(b)}
		if _, _, err := reverse.Start(ctx, r, int64(len(b)), n); err != nil {
			t.Fatal(err)
		}
		if most := 2*16*n + 4<<10 + 1; r.read > most {
			t.Errorf("the last %d lines: %d bytes read, more than %d", n, r.read, most)
		}
	}
	r := &counting{ReaderAt: bytes.NewReader(b)}
	for lines, n := reverse.NewReader(ctx, r, int64(len(b))), 0; n < len(b)/16; n++ {
		if _, err := lines.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if r.read > int64(len(b))+int64(len(b))/8 {
		t.Errorf("all lines: %d bytes read of %d", r.read, len(b))
	}
}

// A line of n bytes costs n, also where lines are just longer than chunks.
func TestLongLinesAreLinear(t *testing.T) {
	t.Parallel()
	for _, length := range []int{100 << 10, 129 << 10, 257 << 10, 3 << 20} {
		b := bytes.Repeat(append(bytes.Repeat([]byte("x"), length-1), '\n'), 12<<20/length)
		r := &counting{ReaderAt: bytes.NewReader(b)}
		for lines := reverse.NewReader(ctx, r, int64(len(b))); ; {
			if _, err := lines.Next(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if r.read > 5*int64(len(b)) {
			t.Errorf("lines of %d bytes: %d bytes read of %d", length, r.read, len(b))
		}
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	r := io.NewSectionReader(readerAt{iotest.ErrReader(broken)}, 0, 100)
	lines := reverse.NewReader(ctx, r, 100)
	for range 2 {
		if _, err := lines.Next(); err != broken {
			t.Errorf("Next: %v, want that of the reader", err)
		}
	}
	if _, _, err := reverse.Start(ctx, r, 100, 1); err != broken {
		t.Errorf("Start: %v, want that of the reader", err)
	}
	short := bytes.NewReader([]byte("a\nb\n"))
	if _, _, err := reverse.Start(ctx, short, 100, 1); err == nil {
		t.Error("a reader that ends too early is no error")
	}
	if _, err := reverse.NewReader(ctx, short, 100).Next(); err == nil || err == io.EOF {
		t.Errorf("a reader that ends too early: %v", err)
	}
	for _, args := range [][2]int64{{-1, 1}, {1, -1}} {
		if _, _, err := reverse.Start(ctx, short, args[0], args[1]); err == nil {
			t.Errorf("size %d, %d lines: no error", args[0], args[1])
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := reverse.Start(ended, short, 4, 1); err != context.Canceled {
		t.Errorf("Start: %v, want that of the context", err)
	}
	if _, err := reverse.NewReader(ended, short, 4).Next(); err != context.Canceled {
		t.Errorf("Next: %v, want that of the context", err)
	}
}

type readerAt struct{ io.Reader }

func (r readerAt) ReadAt(p []byte, _ int64) (int, error) { return r.Read(p) }
