package workload

import (
	"io"
	"testing"

	"excerpt/engine"
)

func BenchmarkCount(b *testing.B) {
	l := open(b, "app")
	both(b, l, l.lines(), func(f *engine.File) (int64, error) { return f.Count(ctx) }, false)
}

// lines finds the 100 lines from first on, and reads them.
func lines(l *log, first int64) (want int64, do task) {
	return int64(len(l.part(first, first+99))), func(f *engine.File) (int64, error) {
		span, err := f.Lines(ctx, engine.LineNumber(first), engine.LineNumber(first+99))
		if err != nil {
			return 0, err
		}
		return span.WriteTo(io.Discard)
	}
}

func BenchmarkLines(b *testing.B) {
	l := open(b, "app")
	for _, place := range []struct {
		name  string
		first int64
	}{{"near", 1000}, {"deep", l.lines() / 100 * 95}} {
		b.Run(place.name, func(b *testing.B) {
			want, do := lines(l, place.first)
			b.Run("unknown", func(b *testing.B) { both(b, l, want, do, false) })
			b.Run("known", func(b *testing.B) { again(b, l, want, do) })
		})
	}
}
