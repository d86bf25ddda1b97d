package workload

import (
	"testing"

	"excerpt/bench/gate/counting"
	"excerpt/engine/reverse"
)

// Lines one by one, newest first.
func BenchmarkReverse(b *testing.B) {
	l := open(b, "app")
	r := counting.NewReader(l.file)
	run(b, r, int64(len(l.tail(1000))), func() (n int64, err error) {
		lines := reverse.NewReader(ctx, r, size)
		for range 1000 {
			line, err := lines.Next()
			if err != nil {
				return 0, err
			}
			n += line.End - line.Start
		}
		return n, nil
	})
}
