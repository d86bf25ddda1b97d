package engine_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"excerpt/engine"
	"excerpt/engine/internal/scan"
)

var update = flag.Bool("update", false, "write the golden files anew")

// goldenSelections are those whose answers are kept, to be read by people.
var goldenSelections = []selection{
	{"head", 1, 0}, {"tail", 1, 0}, {"tail", 2, 0}, {"lines", 2, 3}, {"lines", 3, math.MaxInt64}, {"prefix", 16, 0}, {"bytes", -9, math.MaxInt64},
}

// TestGolden reads small logs with all that makes lines hard, and compares
// with what was looked at by eye once.
func TestGolden(t *testing.T) {
	logs := must(filepath.Glob("testdata/logs/*.log"))
	if len(logs) < 10 {
		t.Fatalf("only %d logs", len(logs))
	}
	all := kinds(t.TempDir())
	for _, path := range logs {
		content := must(os.ReadFile(path))
		for i, k := range all {
			if quick() && i%3 != len(path)%3 {
				continue
			}
			for _, sel := range append(goldenSelections, selections(4)...) {
				check(t, content, k, tiny, sel, textWithin(engine.Limits{Numbers: true, Valid: true}))
			}
		}
		f, err := engine.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := transcript(f)
		f.Close()
		golden := path[:len(path)-len(".log")] + ".golden"
		if *update {
			must(0, os.WriteFile(golden, got, 0o666))
		}
		if err := same(got, must(os.ReadFile(golden))); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// transcript is what each golden selection gives, byte for byte.
func transcript(f *engine.File) []byte {
	var b bytes.Buffer
	n, err := f.Count(ctx)
	fmt.Fprintf(&b, "count %d, %v\n", n, err)
	for _, sel := range goldenSelections {
		span, err := sel.locate(ctx, f)
		if err != nil {
			var past *engine.RangeError
			fmt.Fprintf(&b, "%s: no such line: %t\n", sel, errors.As(err, &past))
			continue
		}
		start, end := span.Offsets()
		text, err := span.Text(engine.Limits{Numbers: true, Valid: true})
		if err != nil {
			fmt.Fprintln(&b, err)
			continue
		}
		fmt.Fprintf(&b, "%s: bytes %d to %d, %d lines from %d, replaced %t\n%s|\n", sel, start, end, text.Lines, text.First, text.Replaced, text.Data)
	}
	return b.Bytes()
}

// TestLogs asks GNU about each file in the folder that EXCERPT_LOGS names.
func TestLogs(t *testing.T) {
	dir := os.Getenv("EXCERPT_LOGS")
	if dir == "" {
		t.Skip("EXCERPT_LOGS names no folder of logs")
	}
	programs := gnu(t)
	for _, entry := range must(os.ReadDir(dir)) {
		if !entry.Type().IsRegular() {
			continue
		}
		t.Run(entry.Name(), func(t *testing.T) {
			path := filepath.Join(dir, entry.Name())
			programs.compare(t, path)
			content := must(os.ReadFile(path))
			if len(content) > 64<<20 {
				return // too long for the reference
			}
			f := must(engine.Open(path, nil))
			defer f.Close()
			f.SetPlan(scan.Plan{Workers: 3, Alone: 1 << 14, Stripe: 1 << 14, Block: 1 << 12})
			for _, sel := range aroundLines(must(f.Count(ctx))) {
				checkFile(t, f, content, kind{name: "log"}, scan.Plan{}, sel, nil, textWithin(engine.Limits{Numbers: true}))
			}
		})
	}
}
