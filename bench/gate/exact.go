package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"excerpt/bench/gate/counting"
)

// exactUnits are the units of what is the same in each run. What is not
// allocated or read in each iteration may vary, so a difference must be at
// least so much: the smallest allocation has eight bytes.
var exactUnits = []struct {
	name  string
	least float64
}{
	{"allocs/op", 1},
	{"B/op", 8},
	{counting.Reads, 1},
	{counting.Bytes, 1},
}

// exact compares what is counted. It is run also for the other tiers: it finds
// the benchmarks that both sides have, and that give the results they expect.
func (g *gate) exact(ctx context.Context) error {
	args := []string{"-test.bench=.", "-test.benchmem", "-test.benchtime=30x", "-test.count=5"}
	head, names, err := g.run(ctx, g.head.program(), args...)
	if err != nil {
		return err
	}
	base, _, err := g.run(ctx, g.base.program(), args...)
	switch {
	case ctx.Err() != nil:
		return err
	case len(base) == 0 && err != nil:
		return &unfitError{fmt.Errorf("%s: %w", g.base.name, err)}
	case err != nil:
		g.note("some of the benchmarks fail on the base, and were left out: %v", err)
	}
	g.seconds = map[string]float64{}
	var fresh []string
	for _, name := range names {
		switch {
		case !g.workloads.MatchString(name):
		case base[name] == nil:
			fresh = append(fresh, name)
		default:
			g.names = append(g.names, name)
			g.seconds[name] = slices.Min(base[name]["sec/op"])
		}
	}
	if fresh != nil {
		g.note("the base does not have: %s", strings.Join(fresh, " "))
	}
	for name := range base {
		if head[name] == nil && g.workloads.MatchString(name) {
			return fmt.Errorf("the head does not run %s", name)
		}
	}
	if len(g.names) == 0 {
		if fresh != nil {
			return &unfitError{errors.New("the base has none of the benchmarks")}
		}
		return errors.New("no benchmark has such a name")
	}
	if !slices.Contains(g.tiers, "exact") {
		return nil
	}
	for _, name := range g.names {
		for _, unit := range exactUnits {
			before, after := base[name][unit.name], head[name][unit.name]
			if before == nil || after == nil {
				continue
			}
			r := row{workload: name, metric: unit.name, tier: "exact", base: slices.Min(before), head: slices.Min(after)}
			switch more := r.head - r.base; {
			case more >= unit.least:
				r.verdict = worse
			case more <= -unit.least:
				r.verdict = better
			}
			g.rows = append(g.rows, r)
		}
	}
	g.step("exact: %d benchmarks", len(g.names))
	return nil
}
