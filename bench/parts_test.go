package bench_test

import (
	"bytes"
	"io"
	"os"
	"testing"
	"unicode/utf8"

	"excerpt/bench/gate/counting"
	"excerpt/bench/internal/workload"
	"excerpt/engine/reverse"
	"excerpt/engine/utf8safe"
)

func BenchmarkReverse(b *testing.B) {
	b.Run("Start", func(b *testing.B) {
		overCorpora(b, func(b *testing.B, c *workload.Corpus) {
			n := min(c.Lines, 100)
			counted(b, c, func(r io.ReaderAt) (int64, error) {
				start, _, err := reverse.Start(b.Context(), r, c.Size, n)
				return start, err
			}, c.Start(c.Lines-n+1))
		})
	})
	b.Run("Reader", func(b *testing.B) {
		overCorpora(b, func(b *testing.B, c *workload.Corpus) {
			n := min(c.Lines, 1000)
			counted(b, c, func(r io.ReaderAt) (int64, error) {
				lines, start := reverse.NewReader(b.Context(), r, c.Size), c.Size
				for range n {
					line, err := lines.Next()
					if err != nil {
						return 0, err
					}
					start = line.Start
				}
				return start, nil
			}, c.Start(c.Lines-n+1))
		})
	})
}

// counted times fn, which must return want, over the file of a corpus.
func counted(b *testing.B, c *workload.Corpus, fn func(io.ReaderAt) (int64, error), want int64) {
	file, err := os.Open(c.Path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	r := counting.NewReader(file)
	if got, err := fn(r); err != nil || got != want {
		b.Fatalf("%d and not %d: %v", got, want, err)
	}
	count := r.Take()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fn(file); err != nil {
			b.Fatal(err)
		}
	}
	count.Report(b)
}

func BenchmarkUTF8Safe(b *testing.B) {
	b.Run("Prefix", func(b *testing.B) {
		overCorpora(b, func(b *testing.B, c *workload.Corpus) {
			text := beginning(b, c)
			cut := func() int { return utf8safe.Prefix(text, len(text)-1) }
			if n := cut(); n < len(text)-utf8.UTFMax || utf8.Valid(text) && !utf8.Valid(text[:n]) {
				b.Fatalf("%d of %d bytes", n, len(text))
			}
			b.ReportAllocs()
			for b.Loop() {
				cut()
			}
		})
	})
	b.Run("AppendValid", func(b *testing.B) {
		overCorpora(b, func(b *testing.B, c *workload.Corpus) {
			text := beginning(b, c)
			var dst []byte
			replace := func() { dst = utf8safe.AppendValid(dst[:0], text) }
			if replace(); !utf8.Valid(dst) || bytes.Equal(dst, text) != utf8.Valid(text) {
				b.Fatal("it is not what it must be")
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				replace()
			}
		})
	})
}

// beginning returns the first 128 KiB of a corpus.
func beginning(b *testing.B, c *workload.Corpus) []byte {
	file, err := os.Open(c.Path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 128<<10))
	if err != nil {
		b.Fatal(err)
	}
	return text
}
