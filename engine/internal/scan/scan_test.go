package scan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"excerpt/engine/internal/source"
)

// ends returns the offsets just past each line end.
func ends(b []byte) []int {
	var all []int
	for i, c := range b {
		if c == '\n' {
			all = append(all, i+1)
		}
	}
	return all
}

// text makes bytes of which about one in spread is a line end.
func text() *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		b := bytes.Repeat([]byte("x"), rapid.IntRange(0, 5000).Draw(t, "size"))
		for _, at := range rapid.SliceOfN(rapid.IntRange(0, 5000), 0, 60).Draw(t, "ends") {
			if at < len(b) {
				b[at] = '\n'
			}
		}
		if run := rapid.IntRange(0, len(b)).Draw(t, "run"); rapid.Bool().Draw(t, "empty lines") {
			copy(b, bytes.Repeat([]byte("\n"), run))
		}
		return b
	})
}

func TestNth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := text().Draw(t, "b")
		want := ends(b)
		if Count(b) != len(want) {
			t.Fatalf("Count = %d, want %d", Count(b), len(want))
		}
		for n, end := range want {
			if got := Nth(b, n+1); got != end {
				t.Fatalf("Nth(%d) = %d, want %d", n+1, got, end)
			}
		}
	})
}

func TestText(t *testing.T) {
	for line, want := range map[string]string{
		"": "", "\n": "", "\r\n": "", "a\n": "a", "a\r\n": "a", "a\r\r\n": "a\r", "a": "a", "a\r": "a\r", "\r": "\r", "a\rb\n": "a\rb", "a\n\r": "a\n\r",
	} {
		if got := string(Text([]byte(line))); got != want {
			t.Errorf("Text(%q) = %q, want %q", line, got, want)
		}
	}
}

var ctx = context.Background()

func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := text().Draw(t, "b")
		size := func(name string) int { return rapid.SampledFrom([]int{0, 1, 2, 7, 64, 1000}).Draw(t, name) }
		plan := Plan{Workers: rapid.IntRange(1, 6).Draw(t, "workers"), Alone: int64(size("alone")), Stripe: int64(size("stripe")), Block: size("block"), First: size("first")}
		last := int64(-1)
		plan.Progress = func(done int64) {
			if done <= last || done > int64(len(b)) {
				t.Errorf("progress of %d after %d", done, last)
			}
			last = done
		}
		plan.Step = int64(1 << rapid.IntRange(0, 9).Draw(t, "step"))
		var marks []Mark
		if rapid.Bool().Draw(t, "record") {
			plan.Record = func(m Mark) { marks = append(marks, m) }
		}
		before := rapid.Int64Range(0, 1000).Draw(t, "line ends before")
		from := rapid.IntRange(0, len(b)).Draw(t, "from")
		to := rapid.IntRange(0, len(b)).Draw(t, "to")
		all := ends(b[from:max(from, to)])
		n := rapid.OneOf(rapid.Int64Range(0, int64(len(all)+1)), rapid.Just(int64(All)-before)).Draw(t, "n")

		want := Mark{int64(max(from, to)), before + int64(len(all))}
		if n <= int64(len(all)) {
			want = Mark{int64(from), before + n}
			if n > 0 {
				want.Offset += int64(all[n-1])
			}
		}
		start := Mark{int64(from), before}
		got, err := Find(ctx, source.NewReaderAt(bytes.NewReader(b), int64(len(b))), start, int64(to), before+n, plan)
		if err != nil || got != want {
			t.Fatalf("Find(%d, %d, %d) = %+v, %v; want %+v", from, to, n, got, err, want)
		}
		if plan.Record == nil {
			return
		}
		at := start
		for _, m := range append(marks, want) {
			if m.Offset < at.Offset || m.Ends-at.Ends != int64(Count(b[at.Offset:m.Offset])) {
				t.Fatalf("%+v after %+v", m, at)
			}
			if passed := (m.Offset - 1) / plan.Step * plan.Step; passed > at.Offset {
				t.Fatalf("nothing at %d, between %+v and %+v", passed, at, m)
			}
			at = m
		}
	})
}

// counting knows how much of it was read, and can fail.
type counting struct {
	io.ReaderAt
	read   atomic.Int64
	failAt int64
}

var errRead = errors.New("no")

func (r *counting) ReadAt(p []byte, off int64) (int, error) {
	if r.failAt > 0 && off+int64(len(p)) > r.failAt {
		return 0, errRead
	}
	r.read.Add(int64(len(p)))
	return r.ReaderAt.ReadAt(p, off)
}

// Little is read that does not have to be. (By several goroutines, how much
// depends on which of them are run.)
func TestFindReadsLittle(t *testing.T) {
	const size = 16 << 20
	b := bytes.Repeat([]byte("0123456789abcde\n"), size/16)
	for _, n := range []int64{1, 100, 5000, 100_000, 1_000_000} {
		r := &counting{ReaderAt: bytes.NewReader(b)}
		m, err := Find(ctx, source.NewReaderAt(r, size), Mark{}, size, n, Plan{Workers: 1})
		if err != nil || m.Offset != n*16 {
			t.Fatalf("line end %d: %+v, %v", n, m, err)
		}
		// Blocks double, up to 1 MiB.
		if most := m.Offset + max(16<<10, min(m.Offset, 1<<20)); r.read.Load() > most {
			t.Errorf("line end %d at %d: %d bytes were read", n, m.Offset, r.read.Load())
		}
	}
}

func TestFindFails(t *testing.T) {
	b := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16)
	for _, workers := range []int{1, 4} {
		r := &counting{ReaderAt: bytes.NewReader(b), failAt: 700_000}
		plan := Plan{Workers: workers, Alone: 1 << 14, Stripe: 1 << 14, Block: 1 << 12}
		if _, err := Find(ctx, source.NewReaderAt(r, int64(len(b))), Mark{}, int64(len(b)), All, plan); err != errRead {
			t.Errorf("%d workers: %v, want that of the reader", workers, err)
		}
		if m, err := Find(ctx, source.NewReaderAt(r, int64(len(b))), Mark{}, int64(len(b)), 1000, plan); err != nil || m.Offset != 16_000 {
			t.Errorf("%d workers, before the failure: %+v, %v", workers, m, err)
		}
		ended, cancel := context.WithCancel(ctx)
		plan.Progress = func(int64) { cancel() }
		r.failAt = 0
		if _, err := Find(ended, source.NewReaderAt(r, int64(len(b))), Mark{}, int64(len(b)), All, plan); err != context.Canceled {
			t.Errorf("%d workers: %v, want that of the context", workers, err)
		}
	}
}
