package index

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"

	"excerpt/engine/internal/scan"
)

// marksOf returns the marks that a scan of b records: at each multiple of
// step, and at both ends of holes.
func marksOf(b []byte, step int, holes [][2]int) (marks []scan.Mark) {
	at := func(off int) scan.Mark {
		return scan.Mark{Offset: int64(off), Ends: int64(bytes.Count(b[:off], []byte("\n")))}
	}
	for off := 1; off <= len(b); off++ {
		inside := false
		for _, h := range holes {
			inside = inside || off > h[0] && off < h[1]
			if off == h[0] || off == h[1] {
				marks = append(marks, at(off))
			}
		}
		if off%step == 0 && !inside {
			marks = append(marks, at(off))
		}
	}
	return append(marks, at(len(b)))
}

func TestIndex(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.SampledFrom([]byte("a\n")), 1, 500).Draw(t, "content")
		step := 1 << rapid.IntRange(0, 5).Draw(t, "step")
		hole := rapid.IntRange(0, len(b)).Draw(t, "hole")
		end := rapid.IntRange(hole, len(b)).Draw(t, "its end")
		for i := hole; i < end; i++ {
			b[i] = 0
		}
		x := New(int64(step))
		known := rapid.IntRange(0, len(b)).Draw(t, "known")
		for i, m := range marksOf(b[:known], step, [][2]int{{min(hole, known), min(end, known)}}) {
			if i == 3 {
				x = x.Copy()
			}
			x.Add(m)
		}
		body, err := x.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var again Index
		if err := again.UnmarshalBinary(body); err != nil {
			t.Fatal(err)
		}
		cut := again.Cut(int64(rapid.IntRange(0, len(b)).Draw(t, "cut")))
		for _, y := range []Index{x, again, cut} {
			reach := y.Known().Offset
			for off := range len(b) + 1 {
				m := y.At(int64(off))
				if want := bytes.Count(b[:m.Offset], []byte("\n")); m.Ends != int64(want) || m.Offset > int64(off) ||
					min(int64(off), reach)-m.Offset > int64(step) {
					t.Fatalf("At(%d) = %+v, step %d, known to %d", off, m, step, reach)
				}
			}
			for n := range int64(bytes.Count(b, []byte("\n"))) + 2 {
				m := y.Before(n + 1)
				if m.Ends != int64(bytes.Count(b[:m.Offset], []byte("\n"))) || m.Ends > n {
					t.Fatalf("Before(%d) = %+v", n+1, m)
				}
				if m.Offset+int64(step) < reach && bytes.Count(b[:m.Offset+int64(step)], []byte("\n")) <= int(n) {
					t.Fatalf("Before(%d) = %+v, and there is a nearer one", n+1, m)
				}
			}
		}
	})
}

// A terabyte has no more checkpoints than are kept, and all are right.
func TestThin(t *testing.T) {
	t.Parallel()
	var x Index
	const size = 1 << 40
	for off := int64(Step); off <= size; off += Step {
		x.Add(scan.Mark{Offset: off, Ends: off / 100})
	}
	if x.count() > most || x.Step() < size/most || x.Step() > 4*size/most {
		t.Errorf("%d checkpoints, every %d bytes", x.count(), x.Step())
	}
	for off := int64(1); off < size; off = off*3/2 + 1 {
		if m := x.At(off); m.Ends != m.Offset/100 || off-m.Offset >= x.Step() {
			t.Errorf("At(%d) = %+v", off, m)
		}
	}
	var hole Index
	hole.Add(scan.Mark{Offset: 100, Ends: 7})
	hole.Add(scan.Mark{Offset: size, Ends: 7})
	if m := hole.At(size - 1); m.Ends != 7 || size-m.Offset > hole.Step() || hole.count() > most {
		t.Errorf("%+v, %d checkpoints", m, hole.count())
	}
}

// What was not made by AppendBinary is refused, or at least harmless.
func FuzzUnmarshal(f *testing.F) {
	var x Index
	for off := int64(Step); off < 5*Step; off += Step {
		x.Add(scan.Mark{Offset: off, Ends: off / 50})
	}
	body, _ := x.AppendBinary(nil)
	f.Add(body)
	f.Add(body[:24])
	f.Fuzz(func(t *testing.T, b []byte) {
		var x Index
		if x.UnmarshalBinary(b) != nil {
			return
		}
		again, _ := x.AppendBinary(nil)
		if !bytes.Equal(again, b) {
			t.Errorf("%x is taken for %x", b, again)
		}
		for _, n := range []int64{0, 1, 1 << 20, math.MaxInt64} {
			for _, m := range []scan.Mark{x.Before(n), x.At(n)} {
				if m.Offset < 0 || m.Ends < 0 || m.Ends > m.Offset {
					t.Errorf("%+v", m)
				}
			}
		}
		x.Add(scan.Mark{Offset: x.Known().Offset + 1, Ends: x.Known().Ends})
	})
}

// The largest files that there can be.
func TestHuge(t *testing.T) {
	t.Parallel()
	var x Index
	for _, off := range []int64{1, math.MaxInt64 - 1<<50, math.MaxInt64 - 1, math.MaxInt64} {
		x.Add(scan.Mark{Offset: off, Ends: 1})
		if m := x.At(off); m.Offset != off || x.count() > most {
			t.Errorf("to %d: %+v, %d checkpoints", off, m, x.count())
		}
	}
}
