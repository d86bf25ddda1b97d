package engine_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"excerpt/engine"
)

func ExampleSpan_Skip() {
	f := sample()
	defer f.Close()
	third := must(f.Lines(ctx, 3, 3))
	text := must(third.Text(engine.Limits{Bytes: 2}))
	fmt.Printf("%s, cut after %d bytes\n", text.Data, text.Column)
	must(must(third.Skip(text.Column)).WriteTo(os.Stdout))
	// Output:
	// th, cut after 2 bytes
	// ree
}

// Every number of bytes of every line of short texts, of a file and a stream.
func TestSkip(t *testing.T) {
	for _, content := range []string{"a", "ab\n", "ab\r\ncd\n", "\n\nab", "世界\nx", "ab\n" + strings.Repeat("x", 1000) + "\ny"} {
		lines := strings.SplitAfter(content, "\n")
		offset := 0
		for i, line := range lines {
			if line == "" {
				continue
			}
			for n := int64(-1); n <= int64(len(line))+1; n++ {
				for name, f := range map[string]*engine.File{
					"file":   engine.New("a", strings.NewReader(content), int64(len(content)), nil),
					"stream": engine.NewStream("a", strings.NewReader(content), nil),
				} {
					number := engine.LineNumber(i + 1)
					for _, last := range []engine.LineNumber{number, engine.LastLine} {
						rest, err := must(f.Lines(ctx, number, last)).Skip(n)
						if n < 0 || n >= int64(len(line)) {
							if !errors.Is(err, engine.ErrSelection) {
								t.Fatalf("%s %q, line %d: Skip(%d): %v, want ErrSelection", name, content, number, n, err)
							}
							continue
						}
						want := line[n:]
						if last == engine.LastLine {
							want = content[offset+int(n):]
						}
						var got strings.Builder
						if err == nil {
							_, err = rest.WriteNumbered(&got)
						}
						prefix := fmt.Sprintf("%d: ", number)
						if first, _, _ := strings.Cut(want, "\n"); err != nil || !strings.HasPrefix(got.String(), prefix+first) {
							t.Fatalf("%s %q, line %d: Skip(%d) gives %q, %v, want %q", name, content, number, n, got.String(), err, want)
						}
						text := must(rest.Text(engine.Limits{}))
						if string(text.Data) != want || text.First != number || text.Cut != 0 {
							t.Fatalf("%s %q, line %d: Skip(%d) gives %+v, want %q", name, content, number, n, text, want)
						}
					}
					f.Close()
				}
			}
			offset += len(line)
		}
	}
}

func TestSkipAtBounds(t *testing.T) {
	f := sample()
	defer f.Close()
	for _, n := range []int64{math.MaxInt64, math.MinInt64, 19, 4} {
		if _, err := must(f.All(ctx)).Skip(n); !errors.Is(err, engine.ErrSelection) {
			t.Errorf("Skip(%d): %v, want ErrSelection", n, err)
		}
	}
	if _, err := must(f.Head(ctx, 0)).Skip(0); !errors.Is(err, engine.ErrSelection) {
		t.Errorf("Skip(0) of nothing: %v, want ErrSelection", err)
	}
	f.Close()
	g := sample()
	span := must(g.All(ctx))
	g.Close()
	if _, err := span.Skip(1); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("Skip after Close: %v", err)
	}
}
