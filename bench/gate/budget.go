package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// An allowance is a line of the budget: what may cost more, and why.
type allowance struct {
	workload, metric string
	factor           string
	reason           string
	used             bool // something does
}

// metrics are what a line of the budget can name.
var metrics = []string{"allocs/op", "B/op", "reads/op", "read-B/op", "instructions/op", "sec/op"}

func parseBudget(text string) (allowed []*allowance, err error) {
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		fail := func(format string, args ...any) ([]*allowance, error) {
			return nil, fmt.Errorf("line %d of the budget: %s", i+1, fmt.Sprintf(format, args...))
		}
		if len(words) < 4 {
			return fail("it takes a workload, a metric, a factor and a reason")
		}
		a := &allowance{workload: words[0], metric: words[1], factor: words[2], reason: strings.Join(words[3:], " ")}
		if !slices.Contains(metrics, a.metric) {
			return fail("the metric %q is none of %s", a.metric, strings.Join(metrics, ", "))
		}
		number, more := strings.CutPrefix(a.factor, "+")
		n, err := strconv.ParseFloat(number, 64)
		if err != nil || n <= 0 || !more && n <= 1 {
			return fail("the factor %q is neither a number above 1 nor a + and a number", a.factor)
		}
		allowed = append(allowed, a)
	}
	return allowed, nil
}

// covers reports whether a is about a benchmark: it names it, or one that has
// it as a part.
func (a *allowance) covers(r *row) bool {
	return a.metric == r.metric && (a.workload == r.workload || strings.HasPrefix(r.workload, a.workload+"/"))
}

// limit returns what base may become.
func (a *allowance) limit(base float64) float64 {
	number, more := strings.CutPrefix(a.factor, "+")
	n, _ := strconv.ParseFloat(number, 64)
	if more {
		return base + n
	}
	return base * n
}

func (a *allowance) equal(b *allowance) bool {
	return a.workload == b.workload && a.metric == b.metric && a.factor == b.factor && a.reason == b.reason
}

// allow applies the budget to what costs more. It reports whether the budget
// has no line that nothing needs.
func (g *gate) allow() (bool, error) {
	path := g.budget
	if path == "" {
		path = filepath.Join(g.pkg, "budget.txt")
	}
	read := func(dir string) ([]*allowance, error) {
		file := path
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return parseBudget(string(text))
	}
	head, err := read(g.head.dir)
	if err != nil {
		return false, err
	}
	var base []*allowance
	if !filepath.IsAbs(path) {
		base, _ = read(g.base.dir) // what is wrong with it is past
	}
	needed := true
	for _, a := range head {
		if slices.ContainsFunc(base, a.equal) {
			g.note("budget: %s %s has landed with the base: take the line out", a.workload, a.metric)
			continue
		}
		judged := false
		for i := range g.rows {
			r := &g.rows[i]
			if !a.covers(r) || r.verdict == unsure {
				continue
			}
			judged = true
			if r.verdict != worse {
				continue
			}
			a.used = true
			if r.head <= a.limit(r.base) {
				r.verdict, r.note = allowed, a.reason
			}
		}
		known := slices.ContainsFunc(g.names, func(name string) bool { return a.covers(&row{workload: name, metric: a.metric}) })
		switch {
		case !known && g.workloads.String() == "":
			g.note("budget: there is no benchmark %s: take the line out", a.workload)
			needed = false
		case judged && !a.used && a.metric != "sec/op":
			g.note("budget: %s does not have more %s than before: take the line out", a.workload, a.metric)
			needed = false
		case judged && !a.used:
			g.note("budget: %s was not seen to take more time than before", a.workload)
		}
	}
	return needed, nil
}
