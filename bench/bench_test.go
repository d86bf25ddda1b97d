package bench_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"

	"excerpt/bench/internal/workload"
	"excerpt/corpus"
	"excerpt/internal/size"
)

var sizes = flag.String("sizes", "1MiB,64MiB", "sizes of the corpora, with commas between them")

// made has the corpora of this run.
var made sync.Map

func load(tb testing.TB, kind corpus.Kind, n int64) *workload.Corpus {
	tb.Helper()
	key := fmt.Sprint(kind, n)
	if c, ok := made.Load(key); ok {
		return c.(*workload.Corpus)
	}
	c, err := workload.Make(tb.Context(), "data", kind, n)
	if err != nil {
		tb.Fatal(err)
	}
	made.Store(key, c)
	return c
}

// overCorpora runs fn for each kind and size.
func overCorpora(b *testing.B, fn func(*testing.B, *workload.Corpus)) {
	for _, kind := range workload.Kinds() {
		b.Run("kind="+string(kind), func(b *testing.B) {
			for _, name := range strings.Split(*sizes, ",") {
				n, err := size.Parse(name)
				if err != nil {
					b.Fatal(err)
				}
				b.Run("size="+name, func(b *testing.B) { fn(b, load(b, kind, n)) })
			}
		})
	}
}

func BenchmarkEngine(b *testing.B) {
	for _, o := range workload.Operations {
		b.Run(o.Name, func(b *testing.B) {
			overCorpora(b, func(b *testing.B, c *workload.Corpus) { run(b, c, o.On(c), nil) })
		})
	}
}

// BenchmarkCold opens the file with nothing of it in the system's cache.
func BenchmarkCold(b *testing.B) {
	for _, o := range workload.Operations {
		b.Run(o.Name, func(b *testing.B) {
			overCorpora(b, func(b *testing.B, c *workload.Corpus) {
				op := o.On(c)
				if op.State == workload.Indexed {
					b.Skip("an index is built by reading the file")
				}
				op.State = workload.Fresh
				run(b, c, op, c.Evict)
			})
		})
	}
}

func run(b *testing.B, c *workload.Corpus, op workload.Operation, before func() error) {
	task, err := op.Prepare(b.Context(), c, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer task.Close()
	count, counted, err := op.Count(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if before != nil {
			b.StopTimer()
			if err := before(); err != nil {
				b.Skip(err)
			}
			b.StartTimer()
		}
		if err := task.Run(); err != nil {
			b.Fatal(err)
		}
	}
	if counted {
		count.Report(b)
	}
}

// Test runs every operation once on a small corpus of each kind.
func Test(t *testing.T) {
	for _, kind := range workload.Kinds() {
		c, err := workload.Make(t.Context(), t.TempDir(), kind, 3<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range workload.Operations {
			t.Run(o.Name+"/"+string(kind), func(t *testing.T) {
				check(t, c, o.On(c))
			})
		}
	}
}

func check(t *testing.T, c *workload.Corpus, op workload.Operation) {
	task, err := op.Prepare(context.Background(), c, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := task.Run(); err != nil {
		t.Error(err)
	}
	if err := task.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := op.Count(context.Background(), c); err != nil {
		t.Error(err)
	}
}
