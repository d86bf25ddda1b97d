package workload

import (
	"io"
	"testing"

	"excerpt/engine"
)

func BenchmarkAll(b *testing.B) {
	l := open(b, "app")
	again(b, l, size, func(f *engine.File) (int64, error) {
		span, err := f.All(ctx)
		if err != nil {
			return 0, err
		}
		return span.WriteTo(io.Discard)
	})
}

// walk makes a task of what is done with the last 1,000 lines.
func walk(do func(*engine.Span) (int64, error)) task {
	return func(f *engine.File) (int64, error) {
		span, err := f.Tail(ctx, 1000)
		if err != nil {
			return 0, err
		}
		return do(span)
	}
}

// Lines one by one.
func BenchmarkWalk(b *testing.B) {
	l := open(b, "app")
	want := int64(len(l.tail(1000)) - 1000)
	again(b, l, want, walk(func(span *engine.Span) (n int64, err error) {
		for line, err := range span.All() {
			if err != nil {
				return 0, err
			}
			n += int64(len(line.Text))
		}
		return n, nil
	}))
}

// Text, cut to limits: of a tail, these are its last lines.
func BenchmarkText(b *testing.B) {
	l := open(b, "app")
	again(b, l, int64(len(l.tail(200))), walk(func(span *engine.Span) (int64, error) {
		text, err := span.Text(engine.Limits{Lines: 200, Bytes: 128 << 10})
		if err != nil {
			return 0, err
		}
		return int64(text.End - text.Start), nil
	}))
}

// Text of bytes that are not UTF-8, replaced.
func BenchmarkTextInvalid(b *testing.B) {
	l := open(b, "invalid")
	again(b, l, int64(len(l.tail(200))), walk(func(span *engine.Span) (int64, error) {
		text, err := span.Text(engine.Limits{Lines: 200, Bytes: 256 << 10, Valid: true})
		if err != nil {
			return 0, err
		}
		return int64(text.End - text.Start), nil
	}))
}

// The number of the first of the last lines, of a file that was counted.
func BenchmarkNumber(b *testing.B) {
	l := open(b, "app")
	again(b, l, l.lines()-999, walk(func(span *engine.Span) (int64, error) {
		n, err := span.Number(ctx)
		return int64(n), err
	}))
}

func BenchmarkWriteNumbered(b *testing.B) {
	l := open(b, "app")
	digits := 0
	for n := l.lines(); n > 0; n /= 10 {
		digits++
	}
	// Each number has as many digits, and a colon and a space.
	want := int64(len(l.tail(1000)) + 1000*(digits+2))
	again(b, l, want, walk(func(span *engine.Span) (int64, error) { return span.WriteNumbered(io.Discard) }))
}
