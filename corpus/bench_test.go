package corpus_test

import (
	"io"
	"testing"

	"excerpt/corpus"
)

func BenchmarkWrite(b *testing.B) {
	const size = 64 << 20
	for _, kind := range corpus.Kinds() {
		b.Run(string(kind), func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if err := corpus.Write(b.Context(), io.Discard, kind, 1, size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
