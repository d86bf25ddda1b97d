package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"excerpt/bench/internal/workload"
	"excerpt/engine"
	"excerpt/readfile"
)

// A call is a request of the tool, and the line that its answer begins with
// unless it is cut before.
type call struct {
	name    string
	request func(*workload.Corpus) readfile.Request
	first   func(*workload.Corpus) int64
}

func first(*workload.Corpus) int64 { return 1 }

func last(n int64) func(*workload.Corpus) int64 {
	return func(c *workload.Corpus) int64 { return max(1, c.Lines-n+1) }
}

// calls are one of each kind of read.
var calls = []call{
	{"whole", func(*workload.Corpus) readfile.Request { return readfile.Request{} }, first},
	{"head", func(*workload.Corpus) readfile.Request { return readfile.Request{Head: 100} }, first},
	{"tail", func(*workload.Corpus) readfile.Request { return readfile.Request{Tail: 100} }, last(100)},
	{"tail_1000", func(*workload.Corpus) readfile.Request { return readfile.Request{Tail: 1000} }, last(1000)},
	{"tail_numbered", func(*workload.Corpus) readfile.Request { return readfile.Request{Tail: 100, ShowLineNumbers: true} }, last(100)},
	{"lines_near", func(*workload.Corpus) readfile.Request { return readfile.Request{StartLine: 1, EndLine: 100} }, first},
	{"lines_deep", func(c *workload.Corpus) readfile.Request {
		return readfile.Request{StartLine: c.Deep(), EndLine: c.Deep() + 99}
	}, (*workload.Corpus).Deep},
	{"lines_numbered", func(c *workload.Corpus) readfile.Request {
		return readfile.Request{StartLine: c.Deep(), EndLine: c.Deep() + 99, ShowLineNumbers: true}
	}, (*workload.Corpus).Deep},
}

func BenchmarkTool(b *testing.B) {
	for _, call := range calls {
		b.Run(call.name, func(b *testing.B) {
			overCorpora(b, func(b *testing.B, c *workload.Corpus) {
				once, err := call.prepare(b.Context(), c)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					once()
				}
			})
		})
	}
}

func TestTool(t *testing.T) {
	for _, kind := range workload.Kinds() {
		c, err := workload.Make(t.Context(), t.TempDir(), kind, 3<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range calls {
			if _, err := call.prepare(t.Context(), c); err != nil {
				t.Errorf("%s of %v: %v", call.name, c, err)
			}
		}
	}
}

// prepare calls the tool, checks the answer, and returns what calls it again.
func (l call) prepare(ctx context.Context, c *workload.Corpus) (func(), error) {
	root, err := os.OpenRoot(filepath.Dir(c.Path))
	if err != nil {
		return nil, err
	}
	tool, err := readfile.New(root, &readfile.Options{Cache: engine.NoCache})
	if err != nil {
		return nil, err
	}
	request := l.request(c)
	request.Path = filepath.Base(c.Path)
	arguments, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	result := tool.Call(ctx, arguments)
	if result.Err != nil {
		return nil, result.Err
	}
	if err := l.check(c, request, result); err != nil {
		return nil, err
	}
	return func() { tool.Call(ctx, arguments) }, nil
}

// check compares an answer with the bytes of the file: those from the first
// line on, or of a tail that is cut those up to the end, or the last line's.
func (l call) check(c *workload.Corpus, request readfile.Request, result readfile.Result) error {
	body := result.Body
	start := c.Start(l.first(c))
	tail := request.Tail > 0 && result.Metadata != nil
	switch {
	case body == "" || len(body) > 128<<10:
		return fmt.Errorf("%d bytes", len(body))
	case request.ShowLineNumbers && !tail && !strings.HasPrefix(body, fmt.Sprint(l.first(c), ": ")):
		return fmt.Errorf("it begins with %.20q", body)
	case request.ShowLineNumbers, result.Replaced: // the bytes are others
		return nil
	}
	switch {
	case tail && strings.HasSuffix(body, "\n"):
		start = c.Size - int64(len(body))
	case tail: // the last line alone is over the limit
		start = c.Start(c.Lines)
	}
	file, err := os.Open(c.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	want := make([]byte, len(body))
	if _, err := file.ReadAt(want, start); err != nil || string(want) != body {
		return fmt.Errorf("%d bytes from %d on are other ones: %w", len(want), start, err)
	}
	return nil
}
