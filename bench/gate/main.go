// Command gate compares the working tree with an older commit, on this machine
// and in one run, and fails if a benchmark costs more than it did.
//
//	go run ./bench/gate -base HEAD~1
//
// It builds the same benchmarks against both, and compares them in three tiers:
//
//   - exact: what a benchmark counts (allocations, allocated bytes, reads, bytes
//     read) is the same in each run; any increase fails.
//   - instructions: those of one iteration under valgrind, single-threaded, from
//     the slope between few iterations and many; 2 % more fail. What the runtime
//     does on its own is not among them. Without valgrind this tier says so and
//     is left out.
//   - time: the least time of many short slices, in many processes of both sides
//     in turn, with the code laid out in several ways; 10 % more fail, if they
//     are seen twice. The base runs against itself beside, which tells whether the
//     machine is too noisy to judge time. Then it is not judged.
//
// The exit code is 0, 1 if something costs more, 2 if it could not be compared.
// On a failure it keeps profiles of both sides, and says how to compare them.
//
// A commit that has to cost more says so in budget.txt, beside the benchmarks:
//
//	# workload    metric      factor  reason
//	Tail          allocs/op   +1      the span keeps its snapshot
//	Count/readat  sec/op      1.2     reads are checked against the size
//
// Such a line holds for the commit that adds it. When the base has it too it
// has landed, and is to be taken out.
//
// # Benchmarks of your own
//
// With -pkg the gate compares ordinary Go benchmarks of any package, of any
// module: README.md in this folder has the details, and example-workflow.yml a
// CI job.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Exit codes.
const (
	passed = iota
	failed
	broken // could not be compared
)

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return passed
	case err != nil:
		fmt.Fprintln(stderr, "gate:", err)
		return broken
	}
	ctx, cancel := context.WithTimeout(ctx, o.limit+time.Minute) // beyond what the tiers heed
	defer cancel()
	ok, err := compare(ctx, o, stdout)
	var unfit *unfitError
	switch {
	case errors.As(err, &unfit) && o.base == "":
		fmt.Fprintf(stdout, "gate: nothing to compare with: %v\n", err)
		return passed
	case err != nil:
		fmt.Fprintln(stderr, "gate:", err)
		return broken
	case !ok:
		return failed
	}
	return passed
}

// An unfitError says why the base can't be compared with.
type unfitError struct{ err error }

func (e *unfitError) Error() string { return e.err.Error() }
func (e *unfitError) Unwrap() error { return e.err }

// options are those of the command line.
type options struct {
	base      string
	pkg       string
	with      []string
	tiers     []string
	workloads *regexp.Regexp
	limit     time.Duration
	rounds    int
	seeds     int
	profiles  string
	budget    string
	same      bool
	verbose   bool

	instructionsLimit, timeLimit float64
}

var allTiers = []string{"exact", "instructions", "time"}

// What is compared if no package is named, and what its benchmarks are made with.
const (
	ownPackage = "./bench/gate/workload"
	ownWith    = "./bench/gate/counting,./corpus"
)

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("gate", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.base, "base", "", "the `commit` to compare with; by default the last one that has landed:\nwhere this branch left origin/main or main, else HEAD~1")
	f.StringVar(&o.pkg, "pkg", ownPackage, "the `folder` of the benchmarks")
	with := f.String("with", "", "`folders`, separated by commas, that the benchmarks need and that are the\nsame for both sides too, such as helpers")
	tiers := f.String("tiers", strings.Join(allTiers, ","), "which `tiers` to compare by")
	workloads := f.String("workloads", "", "only benchmarks whose name, as in the table, this `regexp` matches")
	f.DurationVar(&o.limit, "for", 8*time.Minute, "when to end; what was not measured by then is said")
	f.IntVar(&o.rounds, "rounds", 8, "rounds of the time tier")
	f.IntVar(&o.seeds, "seeds", 3, "layouts of the code in the time tier")
	f.Float64Var(&o.instructionsLimit, "instructions", 1.02, "the `ratio` of instructions above which it fails")
	f.Float64Var(&o.timeLimit, "time", 1.1, "the `ratio` of times above which it fails")
	f.StringVar(&o.profiles, "profiles", "", "the `folder` for profiles of a failure; by default a new one for temporary files")
	f.StringVar(&o.budget, "budget", "", "the `file` of what may cost more; by default budget.txt in the folder of the\nbenchmarks")
	f.BoolVar(&o.same, "same", false, "compare though both sides are the same program")
	f.BoolVar(&o.verbose, "v", false, "print what did not change, too")
	if err := f.Parse(args); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			err = errors.New("see go run ./bench/gate -help")
		}
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is no flag: the commit goes with -base", f.Arg(0))
	}
	if o.workloads, err = regexp.Compile(*workloads); err != nil {
		return o, fmt.Errorf("-workloads: %w", err)
	}
	for tier := range strings.SplitSeq(*tiers, ",") {
		if !slices.Contains(allTiers, tier) {
			return o, fmt.Errorf("-tiers: %q is none of %s", tier, strings.Join(allTiers, ", "))
		}
		o.tiers = append(o.tiers, tier)
	}
	if o.rounds < leastRounds || o.seeds < 1 {
		return o, fmt.Errorf("the time tier takes %d rounds and 1 seed at least", leastRounds)
	}
	if o.pkg == ownPackage && *with == "" {
		*with = ownWith
	}
	if *with != "" {
		o.with = strings.Split(*with, ",")
	}
	return o, nil
}

// compare reports whether nothing costs more than it may.
func compare(ctx context.Context, o options, w io.Writer) (ok bool, err error) {
	g := &gate{options: o, out: w, began: time.Now()}
	defer g.clean()
	if err := g.prepare(ctx); err != nil {
		return false, err
	}
	if g.identical() && !o.same {
		fmt.Fprintf(w, "base %s: the benchmarks are the same program on both sides, byte for byte\n", g.base.name)
		return true, nil
	}
	if err := g.exact(ctx); err != nil {
		return false, err
	}
	if slices.Contains(o.tiers, "instructions") {
		if err := g.instructions(ctx); err != nil {
			return false, err
		}
	}
	if slices.Contains(o.tiers, "time") {
		if err := g.times(ctx); err != nil {
			return false, err
		}
	}
	ok = g.report()
	if !ok {
		g.keepProfiles(ctx)
	}
	return ok, nil
}

// A gate is one comparison.
type gate struct {
	options
	out   io.Writer
	began time.Time
	tmp   string
	repo  *repo

	base, head side
	names      []string           // of the benchmarks that both sides have
	seconds    map[string]float64 // that an iteration takes, roughly
	rows       []row
	notes      []string // said below the table
}

// A side is one of the two commits.
type side struct {
	name     string
	dir      string         // of its module
	programs map[int]string // the benchmarks by the seed of their layout
}

// program is the one that what does not depend on layout is measured with.
func (s side) program() string { return s.programs[1] }

func (g *gate) note(format string, args ...any) {
	g.notes = append(g.notes, fmt.Sprintf(format, args...))
}

// over reports whether less than need is left of the time.
func (g *gate) over(need time.Duration) bool {
	return time.Since(g.began)+need > g.limit
}

func (g *gate) step(format string, args ...any) {
	fmt.Fprintf(g.out, "%4.0f s  %s\n", time.Since(g.began).Seconds(), fmt.Sprintf(format, args...))
}
