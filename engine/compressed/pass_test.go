package compressed

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"excerpt/engine/internal/source"
)

// A countdown is a context that is cancelled when it was asked some times.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// A pass that is cancelled anywhere, and goes on later, learns what one does
// that is not.
func TestPassCancelled(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 60_000)
	for _, p := range chosen() {
		b := p.make(t, plain)
		if b == nil {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			cancelled := 0
			for _, b := range [][]byte{b, b[:len(b)*2/3]} {
				want, verdict := decodeWith(t, b, tiny, 2)
				for seed := range uint64(3) {
					rng := rand.New(rand.NewPCG(seed, uint64(len(b))))
					f := inMemory(b, tiny)
					for {
						ctx := &countdown{Context: context.Background()}
						ctx.left.Store(1 + rng.Int64N(10))
						to := int64(source.Unknown)
						if rng.IntN(3) == 0 {
							to = rng.Int64N(int64(len(plain)))
						}
						_, err := f.Fill(ctx, to, nil)
						if errors.Is(err, context.Canceled) {
							cancelled++
						} else if to == source.Unknown {
							break
						}
					}
					got, said := verdictOf(t, f)
					if !bytes.Equal(got, want) || said != verdict {
						t.Errorf("cancelled: %d bytes and %s; never: %d bytes and %s", len(got), said, len(want), verdict)
					}
					_ = f.Close()
				}
			}
			if cancelled == 0 {
				t.Error("it was never cancelled")
			}
		})
	}
}
