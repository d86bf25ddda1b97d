package bench_test

import (
	"fmt"
	"strings"
	"testing"

	"excerpt/bench/internal/workload"
	"excerpt/internal/size"
)

// BenchmarkCompressed has the operations of the engine on compressed corpora:
// first, when nothing was decoded yet, and again, when all was.
func BenchmarkCompressed(b *testing.B) {
	for _, form := range workload.Forms {
		b.Run(form.Name, func(b *testing.B) {
			for _, state := range []struct {
				name string
				workload.State
			}{{"first", workload.Fresh}, {"again", workload.Indexed}} {
				b.Run(state.name, func(b *testing.B) {
					for _, o := range workload.Operations {
						b.Run(o.Name, func(b *testing.B) { overForm(b, form, o.On, state.State) })
					}
				})
			}
		})
	}
}

func overForm(b *testing.B, form workload.Form, on func(*workload.Corpus) workload.Operation, state workload.State) {
	for _, kind := range workload.FormKinds {
		for _, name := range strings.Split(*sizes, ",") {
			b.Run(fmt.Sprintf("kind=%s/size=%s", kind, name), func(b *testing.B) {
				n, err := size.Parse(name)
				if err != nil {
					b.Fatal(err)
				}
				c, err := load(b, kind, n).As(b.Context(), form)
				if err != nil {
					b.Fatal(err)
				}
				op := on(c)
				if op.Run == nil {
					b.Skip("it is of plain files")
				}
				op.State = state
				run(b, c, op, nil)
			})
		}
	}
}

// TestCompressed runs every operation once on a small corpus of each form.
func TestCompressed(t *testing.T) {
	for _, kind := range workload.FormKinds {
		plain, err := workload.Make(t.Context(), t.TempDir(), kind, 2<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range workload.Forms {
			c, err := plain.As(t.Context(), form)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range workload.Operations {
				t.Run(o.Name+"/"+form.Name+"/"+string(kind), func(t *testing.T) {
					op := o.On(c)
					if op.Run == nil {
						t.Skip("it is of plain files")
					}
					for _, op.State = range []workload.State{workload.Fresh, workload.Indexed} {
						check(t, c, op)
					}
				})
			}
		}
	}
}
