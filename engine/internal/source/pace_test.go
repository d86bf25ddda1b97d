package source

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// scan passes [from, to) in blocks of a length, on a machine where a byte takes
// some nanoseconds mapped, and some read. It returns how many bytes were read.
func (p *pace) scan(from, to, block int64, mapped, read time.Duration) (n int64) {
	for off := from; off < to; {
		b, cost := min(block-off%block, to-off), mapped
		if p.reads(off) {
			b, cost = min(b, BlockSize), read
			n += b
		}
		p.add(int(b))
		time.Sleep(cost * time.Duration(b))
		off += b
	}
	return n
}

// TestPace: nearly all goes the faster way, wherever that changes.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const long = 16 << 30
		for _, block := range []int64{64 << 10, 1 << 20} {
			var p pace
			if n := p.scan(0, long, block, 3, 1); n < long*99/100 {
				t.Errorf("blocks of %d: only %d bytes were read", block, n)
			}
			if n := p.scan(0, long, block, 1, 3) - Trial.Again; n > long/100 {
				t.Errorf("blocks of %d: %d bytes were read still", block, n)
			}
			p = pace{}
			if n := p.scan(0, long, block, 20, 19); n > long/100 {
				t.Errorf("blocks of %d: %d bytes were read, which was hardly faster", block, n)
			}
		}
	})
}

// Where no piece is scanned whole, there is no trial without end.
func TestPaceOfParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		var p pace
		var n, all int64
		for all < 4<<30 {
			off := rng.Int64N(1 << 40)
			n += p.scan(off, off+500_000, 1<<20, 3, 1)
			all += 500_000
		}
		if n == 0 || n > all/20 {
			t.Errorf("%d bytes of %d were read", n, all)
		}
	})
}

// TestBothWays: a view gives the same bytes whichever way it goes.
func TestBothWays(t *testing.T) {
	f, content := openFile(t, 3<<20+5)
	trial := Trial
	defer func() { Trial = trial }()
	Trial.Piece, Trial.After, Trial.Again = 4<<10, 64<<10, 300_000
	for range 5 {
		if got := lookAt(t, f, 1<<10); string(got) != string(content) {
			t.Fatal("other bytes")
		}
	}
	read := 0
	err := f.View(context.Background(), func(v View) error {
		for off := int64(0); off < f.size; off += 1 << 10 {
			if _, err := v.Block(off, 1<<10); err != nil {
				return err
			}
			if v := v.(*fileView); v.pace != nil && v.pace.reads(off) {
				read++
			}
		}
		return nil
	})
	if err != nil || read == 0 {
		t.Errorf("%v, %d blocks were read", err, read)
	}
}
