package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

var valgrind = []string{"valgrind", "--tool=cachegrind", "--cache-sim=no"}

// Of the runtime's own instructions, the scheduler, the collector and its
// helpers take as many as it takes time, which is noise; so none are counted
// but those of copies and comparisons. What the allocator does is seen by the
// exact tier. The rest varies by some thousands in a run of a program: an
// iteration repeated for so long, outside of valgrind, is a million or more.
const sliceTime = 0.0002 // seconds of the fewest iterations

// many is how often as many the most iterations are.
const many = 6

// enough is how many instructions those must take that the most iterations are
// more. What mostly waits for the system takes few in its time.
const enough = 2e6

// On some machines valgrind says of its processor that it has RDTSCP, and then
// does not know it. Go can be told to do without, and of what else may be so it
// is said that nothing can be counted.
var errUnknown = errors.New("valgrind does not know an instruction of the benchmarks")

// counted reports whether a function's instructions are.
func counted(function string) bool {
	own, runtime := strings.CutPrefix(function, "runtime.")
	return !runtime || strings.HasPrefix(own, "memmove") || strings.HasPrefix(own, "memequal")
}

// instructions compares how many an iteration takes.
func (g *gate) instructions(ctx context.Context) error {
	if _, err := exec.LookPath(valgrind[0]); err != nil {
		g.note("instructions: not compared, valgrind is not installed")
		return nil
	}
	rows := make([]*row, len(g.names))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i, name := range g.names {
		group.Go(func() error {
			if g.over(20 * time.Second) {
				return nil
			}
			r, err := g.instructionsOf(ctx, name)
			rows[i] = r
			return err
		})
	}
	switch err := group.Wait(); {
	case errors.Is(err, errUnknown):
		g.note("instructions: not compared, %v", err)
		return nil
	case err != nil:
		return err
	}
	var left []string
	for i, r := range rows {
		if r == nil {
			left = append(left, g.names[i])
			continue
		}
		g.rows = append(g.rows, *r)
	}
	if left != nil {
		g.note("instructions: no time was left for %s", strings.Join(left, " "))
	}
	g.step("instructions: %d benchmarks", len(rows)-len(left))
	return nil
}

// instructionsOf compares one benchmark by the slope between few iterations
// and many. The head's few are counted only if its many are not those of the
// base. What seems to cost more is counted again, and the least of each is taken.
func (g *gate) instructionsOf(ctx context.Context, name string) (*row, error) {
	few := math.Floor(min(max(sliceTime/g.seconds[name], 1), 20_000))
	least := map[string]float64{}
	count := func(what string, s side, n float64) (float64, error) {
		c, err := g.count(ctx, s.program(), name, int(n))
		if old, ok := least[what]; ok {
			c = min(c, old)
		}
		least[what] = c
		return c, err
	}
	r := &row{workload: name, metric: "instructions/op", tier: "instructions"}
	for attempt := 0; attempt < 3; {
		baseFew, err := count("base few", g.base, few)
		if err != nil {
			return nil, err
		}
		baseMany, err := count("base many", g.base, many*few)
		if err != nil {
			return nil, err
		}
		if took := baseMany - baseFew; took < enough && few < 20_000 {
			few = math.Ceil(min(few*min(enough/max(took, 1), 50)*1.2, 20_000))
			clear(least)
			continue
		}
		attempt++
		headMany, err := count("head many", g.head, many*few)
		if err != nil {
			return nil, err
		}
		r.base = max((baseMany-baseFew)/((many-1)*few), 1)
		r.head = r.base + (headMany-baseMany)/(many*few)
		if max(r.ratio(), 1/r.ratio()) > 1+(g.instructionsLimit-1)/4 {
			headFew, err := count("head few", g.head, few)
			if err != nil {
				return nil, err
			}
			r.head = max((headMany-headFew)/((many-1)*few), 1)
		}
		switch {
		case r.ratio() > g.instructionsLimit:
			r.verdict = worse
			if attempt > 1 && r.ratio() > 2*g.instructionsLimit-1 { // far more than noise
				return r, nil
			}
		case r.ratio() < 1/g.instructionsLimit:
			r.verdict = better
			return r, nil
		default:
			r.verdict = same
			return r, nil
		}
	}
	return r, nil
}

// count returns the instructions of a program that runs a benchmark n times.
func (g *gate) count(ctx context.Context, program, name string, n int) (float64, error) {
	file, err := os.CreateTemp(g.tmp, "cachegrind-*")
	if err != nil {
		return 0, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	before := append(slices.Clone(valgrind), "--cachegrind-out-file="+file.Name())
	cmd := g.command(ctx, before, program, only(name), "-test.benchtime="+strconv.Itoa(n)+"x")
	cmd.Env = append(cmd.Env, "GODEBUG="+strings.TrimPrefix(os.Getenv("GODEBUG")+",cpu.rdtscp=off", ","))
	out, err := cmd.CombinedOutput()
	if err != nil {
		switch {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case bytes.Contains(out, []byte("Unrecognised instruction")):
			return 0, errUnknown
		}
		return 0, fmt.Errorf("%s under valgrind: %w\n%s", name, err, failures(out))
	}
	return sum(file)
}

// sum adds up what a file of cachegrind's has for the functions that are counted.
func sum(r io.Reader) (total float64, err error) {
	lines := bufio.NewScanner(r)
	add := false
	for lines.Scan() {
		line := lines.Text()
		if function, ok := strings.CutPrefix(line, "fn="); ok {
			add = counted(function)
			continue
		}
		if !add || line == "" || line[0] < '0' || line[0] > '9' {
			continue
		}
		_, count, _ := strings.Cut(line, " ") // after the number of the line
		n, err := strconv.ParseFloat(count, 64)
		if err != nil {
			return 0, fmt.Errorf("cachegrind's file has the line %q: %w", line, err)
		}
		total += n
	}
	if total == 0 && lines.Err() == nil {
		return 0, errors.New("cachegrind's file has no instructions")
	}
	return total, lines.Err()
}
