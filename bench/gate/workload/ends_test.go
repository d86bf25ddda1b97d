package workload

import (
	"io"
	"strconv"
	"testing"

	"excerpt/engine"
)

func BenchmarkHead(b *testing.B) {
	l := open(b, "app")
	again(b, l, int64(len(l.part(1, 100))), func(f *engine.File) (int64, error) {
		span, err := f.Head(ctx, 100)
		if err != nil {
			return 0, err
		}
		start, end := span.Offsets()
		return int64(end - start), nil
	})
}

func BenchmarkTail(b *testing.B) {
	l := open(b, "app")
	for _, n := range []int64{10, 100, 1000} {
		b.Run(strconv.FormatInt(n, 10), func(b *testing.B) {
			both(b, l, int64(len(l.tail(n))), func(f *engine.File) (int64, error) {
				span, err := f.Tail(ctx, n)
				if err != nil {
					return 0, err
				}
				start, end := span.Offsets()
				return int64(end - start), nil
			}, true)
		})
	}
}

// A tail of a line of megabytes.
func BenchmarkTailLong(b *testing.B) {
	l := open(b, "oneline")
	both(b, l, size, func(f *engine.File) (int64, error) {
		span, err := f.Tail(ctx, 1)
		if err != nil {
			return 0, err
		}
		start, end := span.Offsets()
		return int64(end - start), nil
	}, true)
}

func BenchmarkPrefix(b *testing.B) {
	l := open(b, "script")
	n := int64(1000)
	for l.text[n]&0xc0 == 0x80 {
		n--
	}
	again(b, l, n, func(f *engine.File) (int64, error) {
		span, err := f.Prefix(ctx, 1000)
		if err != nil {
			return 0, err
		}
		return span.WriteTo(io.Discard)
	})
}

func BenchmarkOpen(b *testing.B) {
	l := open(b, "app")
	anew(b, l, size, func(f *engine.File) (int64, error) { return f.Size(), nil })
}
