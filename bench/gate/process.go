package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// results are the values of a run by benchmark and unit, one for each time that
// it was run.
type results map[string]map[string][]float64

// environment makes a run single-threaded and keeps the collector, which comes
// when it will, out of it. A benchmark that makes gigabytes has it called.
var environment = []string{"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=2GiB"}

// command returns that of a program of benchmarks, with what goes before it.
// Both sides run in the folder of the head's, so that they find the same files.
func (g *gate) command(ctx context.Context, before []string, program string, args ...string) *exec.Cmd {
	words := append(append(append([]string{}, before...), program, "-test.run=^$"), args...)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = filepath.Join(g.head.dir, g.pkg)
	cmd.Env = append(os.Environ(), environment...)
	return cmd
}

// run runs the benchmarks and returns their results in the order they came in.
// What fails is missing, and is in the error.
func (g *gate) run(ctx context.Context, program string, args ...string) (results, []string, error) {
	out, err := g.command(ctx, nil, program, args...).CombinedOutput()
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if err != nil {
		err = fmt.Errorf("the benchmarks fail: %w\n%s", err, failures(out))
	}
	found := results{}
	var names []string
	reader := benchfmt.NewReader(bytes.NewReader(out), program)
	for reader.Scan() {
		r, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		name := r.Name.String()
		if found[name] == nil {
			found[name] = map[string][]float64{}
			names = append(names, name)
		}
		for _, v := range r.Values {
			found[name][v.Unit] = append(found[name][v.Unit], v.Value)
		}
	}
	return found, names, err
}

// failures returns what is said of failures, or the end of all.
func failures(out []byte) string {
	var said []string
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "--- FAIL") && i+1 < len(lines) {
			said = append(said, line, lines[i+1])
		}
	}
	if said == nil {
		said = lines[max(0, len(lines)-30):]
	}
	return strings.Join(said, "\n")
}

// only returns the flag for the named benchmarks and no others.
func only(names ...string) string {
	var patterns []string
	for _, name := range names {
		var parts []string
		for i, part := range strings.Split(name, "/") {
			if i == 0 {
				part = "Benchmark" + part
			}
			parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
		}
		patterns = append(patterns, strings.Join(parts, "/"))
	}
	return "-test.bench=" + strings.Join(patterns, "|")
}
