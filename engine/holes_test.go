package engine_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"excerpt/engine"
	"excerpt/engine/internal/scan"
)

// hole makes a file of the given size with text at some offsets, and skips the
// test where the system fills holes with bytes.
func hole(t *testing.T, size int64, texts map[int64]string) *engine.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sparse.log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if runtime.GOOS != "linux" {
		t.Skip("a terabyte of zeros may be written here")
	}
	if err := file.Truncate(size); err != nil {
		t.Skipf("no such large files here: %v", err)
	}
	for at, text := range texts {
		if _, err := file.WriteAt([]byte(text), at); err != nil {
			t.Fatal(err)
		}
	}
	f, err := engine.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A terabyte of nothing takes no time.
func TestHoles(t *testing.T) { // not parallel: it looks at the clock
	const size = 1 << 40
	const middle = size/2 + 777
	begun := time.Now()
	f := hole(t, size, map[int64]string{0: "one\ntwo\n", middle: "x\nthree\n", size - 9: "four\nend\n"})
	wants := []struct {
		sel        selection
		start, end int64
	}{
		{selection{"head", 2, 0}, 0, 8},
		{selection{"head", 3, 0}, 0, middle + 2},
		{selection{"lines", 4, 4}, middle + 2, middle + 8},
		{selection{"lines", 5, 6}, middle + 8, size},
		{selection{"tail", 1, 0}, size - 4, size},
		{selection{"tail", 2, 0}, middle + 8, size},
		{selection{"tail", 3, 0}, middle + 2, size},
		{selection{"tail", 5, 0}, 4, size},
		{selection{"prefix", middle + 1, 0}, 0, middle + 1},
	}
	for _, want := range wants {
		span, err := want.sel.locate(ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		if start, end := span.Offsets(); int64(start) != want.start || int64(end) != want.end {
			t.Errorf("%s: %d, %d; want %d, %d", want.sel, start, end, want.start, want.end)
		}
	}
	if n, err := f.Count(ctx); n != 6 || err != nil {
		t.Errorf("Count = %d, %v; want 6", n, err)
	}
	for line, err := range must(f.Lines(ctx, 3, 4)).All() {
		if err != nil {
			t.Fatal(err)
		}
		if line.Number == 3 && (!line.Cut || len(line.Text) != engine.MaxText || line.Bytes != middle+2-8) {
			t.Errorf("a line as long as a hole: cut %t, %d of %d bytes", line.Cut, len(line.Text), line.Bytes)
		}
	}
	text, err := must(f.Lines(ctx, 3, 4)).Text(engine.Limits{Numbers: true})
	if err != nil || text.Column != 128<<10-3 || text.Lines != 1 || text.First != 3 {
		t.Errorf("its text: column %d, %d lines, %v", text.Column, text.Lines, err)
	}
	var b bytes.Buffer
	if _, err := must(f.Bytes(ctx, middle-3<<20, middle+8)).WriteTo(&b); err != nil {
		t.Error(err)
	}
	if err := same(b.Bytes(), append(make([]byte, 3<<20), "x\nthree\n"...)); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestOnlyHole(t *testing.T) {
	t.Parallel()
	f := hole(t, 1<<40, nil)
	for _, sel := range []selection{{"tail", 1, 0}, {"tail", 100, 0}, {"head", 1, 0}, {"lines", 1, 1}} {
		span, err := sel.locate(ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		if start, end := span.Offsets(); start != 0 || end != 1<<40 {
			t.Errorf("%s: %d, %d", sel, start, end)
		}
	}
	if n, err := f.Count(ctx); n != 1 || err != nil {
		t.Errorf("Count = %d, %v", n, err)
	}
}

// Line ends as the first and last bytes between holes: none of them is skipped.
func TestHolesBesideLineEnds(t *testing.T) {
	t.Parallel()
	size := int64(2 << 20)
	if quick() {
		size = 1 << 20
	}
	lone := map[int64]string{0: "one\n"}
	for at := 64 * page; at < size-64*page; at += 100 * page {
		run := "\n" + strings.Repeat("x", int(page)-2) + "\n"
		lone[at] = strings.Repeat(run, 1+int(at/page)%3)
	}
	for name, texts := range map[string]map[int64]string{
		"one page":             {size / 2: "\n" + strings.Repeat("x", int(page)-2) + "\n"},
		"runs":                 lone,
		"the first page":       {0: strings.Repeat("x", int(page)-1) + "\n"},
		"the end":              {size - page: "\n" + strings.Repeat("x", int(page)-1)},
		"an end and a hole":    {size / 4: strings.Repeat("y", int(page)-1) + "\n"},
		"a line over the hole": {0: "x", size - 1: "\n"},
	} {
		f := hole(t, size, texts)
		content := must(os.ReadFile(f.Name()))
		f.SetPlan(scan.Plan{Workers: 3, Alone: 64 << 10, Stripe: 64 << 10, Block: 4 << 10, First: 1 << 10})
		lines := must(f.Count(ctx))
		for _, sel := range append(aroundLines(lines), selection{"prefix", size / 2, 0}) {
			if err := compare(f, content, kind{name: "sparse"}, scan.Plan{}, sel, nil); err != nil {
				t.Errorf("%s, %s: %v", name, sel, err)
			}
		}
		checkCount(t, f, content)
	}
}

// A file with holes that is cut has no hole behind its end.
func TestHoleCut(t *testing.T) {
	t.Parallel()
	const size = 8 << 20
	text := strings.Repeat("text without a NUL\n", 50_000)
	f := hole(t, size, map[int64]string{0: text, size - 9: "the end\n\n"})
	want := must(os.ReadFile(f.Name()))
	span := must(f.All(ctx))
	out := &hookedWriter{}
	cut := false
	out.at = func(written int) {
		if !cut && written >= len(text) {
			cut = true
			must(0, os.Truncate(f.Name(), 100_000))
		}
	}
	_, err := span.WriteTo(out)
	if !errors.Is(err, engine.ErrTruncated) {
		t.Errorf("%v, want ErrTruncated", err)
	}
	if !bytes.HasPrefix(want, out.Bytes()) {
		t.Errorf("it wrote NULs that the file never had: %v", same(out.Bytes(), want))
	}
}
