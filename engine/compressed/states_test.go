package compressed

import (
	"bytes"
	"context"
	"testing"
)

// States of all lengths come back as they were: a point may lie anywhere.
func TestStates(t *testing.T) {
	t.Parallel()
	text := content(t, "app", 100_000)
	for _, format := range []Format{Gzip, Zstd} {
		f := &file{format: format}
		p := &pass{f: f}
		for n := 0; n <= len(text); n += 1 + n/2*min(1, n/300) {
			for _, state := range [][]byte{text[:n], make([]byte, n)} {
				packed := p.pack(state)
				if got, err := f.unpack(packed); err != nil || !bytes.Equal(got, state) || len(packed) == 0 {
					t.Errorf("%v, %d bytes: %d packed, then %d, %v", format, n, len(packed), len(got), err)
				}
			}
		}
	}
}

// TestFrameEnds: what is known of the blocks of a frame is not taken for that of
// the next, wherever the first ends.
func TestFrameEnds(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 220_000)
	s := small
	s.outside, s.chunk = 1<<20, 1<<20 // only points inside of frames
	points := 0
	for _, args := range [][]string{{"-3", "--zstd=wlog=12"}, {"-19", "--zstd=wlog=15"}} {
		zstd := tool(Zstd, "zstd", args...)
		next := zstd.make(t, plain[130_000:])
		if next == nil {
			t.Skip("no zstd")
		}
		for n := 50_000; n < 130_000; n += 10_000 {
			text := append(bytes.Clone(plain[:n]), plain[130_000:]...)
			f := withWorkers(1, append(zstd.make(t, plain[:n]), next...), s)
			if _, err := f.Fill(context.Background(), 1<<40, nil); err != nil {
				t.Fatal(err)
			}
			for _, p := range f.table.points {
				f.cache.empty()
				got := make([]byte, 1000)
				if m, err := f.ReadAt(got, p.out); err != nil || !bytes.Equal(got[:m], text[p.out:][:len(got)]) {
					t.Errorf("%v, first frame of %d: from %d: %d bytes, %v", args, n, p.out, m, err)
				}
				points++
			}
			_ = f.Close()
		}
	}
	if points < 20 { // 16 are the beginnings
		t.Errorf("%d points", points)
	}
}
