package main

import (
	"fmt"
	"strconv"
	"text/tabwriter"

	"golang.org/x/perf/benchunit"
)

// A row is the comparison of one benchmark by one metric.
type row struct {
	workload, metric, tier string
	base, head             float64
	verdict                verdict
	note                   string
}

type verdict int

const (
	same verdict = iota
	better
	worse
	allowed // by the budget
	unsure  // it was not, or can't be judged
)

func (v verdict) String() string {
	return [...]string{"same", "less", "MORE", "allowed", "not judged"}[v]
}

func (r row) ratio() float64 {
	if r.base == r.head {
		return 1
	}
	return r.head / r.base
}

// format formats a value of the row: exact ones with all their digits.
func (r row) format(v float64) string {
	switch r.tier {
	case "exact":
		return strconv.FormatFloat(v, 'f', -1, 64)
	case "time":
		return benchunit.Scale(v, benchunit.Decimal) + "s"
	}
	return benchunit.Scale(v, benchunit.Decimal)
}

// report prints the table, and reports whether nothing fails. Counts that did
// not change are left out.
func (g *gate) report() bool {
	ok, err := g.allow()
	if err != nil {
		g.note("%v", err)
		ok = false
	}
	table := tabwriter.NewWriter(g.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nworkload\tmetric\tbase\thead\tratio\tverdict\n")
	unchanged := 0
	for _, r := range g.rows {
		if r.verdict == worse {
			ok = false
		}
		if r.tier == "exact" && r.verdict == same && !g.verbose {
			unchanged++
			continue
		}
		why := ""
		if r.note != "" {
			why = " (" + r.note + ")"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.3f\t%v%s\n", r.workload, r.metric, r.format(r.base), r.format(r.head), r.ratio(), r.verdict, why)
	}
	_ = table.Flush()
	if unchanged > 0 {
		fmt.Fprintf(g.out, "%d counts of %d benchmarks are what they were (-v lists them)\n", unchanged, len(g.names))
	}
	for _, note := range g.notes {
		fmt.Fprintln(g.out, note)
	}
	word := "nothing costs more"
	if !ok {
		word = "it FAILS"
	}
	g.step("%s", word)
	return ok
}
