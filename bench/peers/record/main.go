// Command record measures excerpt beside what people use today, and keeps what
// it has measured as raw records, from which the report command renders
// BENCHMARKS.md.
//
//	go -C bench/peers run ./record -size 4GiB,16GiB
//	go -C bench/peers run ./record -size 4GiB -run compare/last -records ""
//
// The second only prints. What is recorded already, of the same commit on the
// same machine, is left out, so that an interrupted run goes on when it is
// started again; -again measures it once more.
//
// The sides of a measure work on the same file. What they find is compared
// first; then they run in turn, round after round, slow ones in fewer rounds.
// A side that is wrong is recorded as wrong, one that is not installed is left
// out. In Debian they are coreutils, rust-coreutils, busybox, ripgrep, gawk,
// mawk, gzip, pigz, zstd, gztool and npm.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"excerpt/bench/internal/workload"
	"excerpt/bench/peers/internal/records"
	"excerpt/internal/size"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

// recorder is what the measures share.
type recorder struct {
	ctx     context.Context
	project string // its folder
	dir     string // of the corpora
	records string // folder, "" if nothing is kept
	match   *regexp.Regexp
	again   bool
	rounds  int
	sizes   []int64 // ascending

	env   records.Environment
	set   *records.Set
	tmp   string // has the built commands
	log   *workload.Corpus
	began time.Time
	last  time.Time // a measure was ready

	asked map[string]bool // names of measures
}

func run(ctx context.Context) error {
	r := recorder{ctx: ctx, project: filepath.Join("..", ".."), asked: map[string]bool{}}
	sizes := flag.String("size", "1GiB", "sizes of the logs, with commas between them")
	match := flag.String("run", "", "only measures whose group/name matches this expression; the groups are compare, compressed, agents, growth, memory, answers")
	flag.StringVar(&r.dir, "dir", filepath.Join("..", "data"), "folder of the corpora")
	flag.StringVar(&r.records, "records", filepath.Join("..", "records"), `folder of the records; "" keeps none`)
	flag.BoolVar(&r.again, "again", false, "measure what is recorded already")
	flag.IntVar(&r.rounds, "rounds", 7, "rounds of each measure")
	trial := flag.Bool("trial", false, "mark the records as a trial, on a machine that is not quiet; the next that are none replace all of them")
	flag.Parse()
	debug.SetGCPercent(400) // our own garbage is no one's time

	var err error
	if r.match, err = regexp.Compile(*match); err != nil {
		return err
	}
	for _, name := range strings.Split(*sizes, ",") {
		n, err := size.Parse(name)
		if err != nil {
			return fmt.Errorf("-size %s: %w", name, err)
		}
		r.sizes = append(r.sizes, n)
	}
	slices.Sort(r.sizes)
	if r.dir, err = filepath.Abs(r.dir); err != nil {
		return err
	}
	if r.tmp, err = os.MkdirTemp("", "record-*"); err != nil {
		return err
	}
	defer os.RemoveAll(r.tmp)
	if r.tmp, err = filepath.EvalSymlinks(r.tmp); err != nil {
		return err
	}
	if r.set, err = records.Read(r.records); err != nil {
		return err
	}
	if !*trial {
		r.set.DropTrials()
	}
	if r.env, err = environment(ctx, *trial); err != nil {
		return err
	}
	if err := r.build(); err != nil {
		return err
	}
	fmt.Printf("%s, %d cores, %s, %s; commit %s\n", r.env.Machine, r.env.Cores, r.env.Kernel, r.env.Go, r.env.ShortCommit())
	r.began = time.Now()
	r.last = r.began
	return r.all()
}

// build builds what is measured, has it found, and gives it a cache of its own.
func (r *recorder) build() error {
	for dir, programs := range map[string][]string{
		r.project: {"./cmd/excerpt", "./cmd/excerpt-full"}, // with the versions of its own module
		filepath.Join(r.project, "bench", "peers"): {"./least"},
	} {
		build := exec.CommandContext(r.ctx, "go", append([]string{"build", "-o", r.tmp + string(filepath.Separator)}, programs...)...)
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	if err := os.Setenv("PATH", r.tmp+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		return err
	}
	// The index of the logs is kept with what else is removed at the end. Go's
	// own cache is needed no more.
	return os.Setenv("XDG_CACHE_HOME", filepath.Join(r.tmp, "cache"))
}

// all measures what was asked for, what is short first. Cold caches come last.
func (r *recorder) all() error {
	if err := r.answers(); err != nil {
		return err
	}
	for _, n := range r.sizes {
		for _, step := range []func(int64) error{r.warm, r.appended, r.inProcess, r.memory, r.cold} {
			if err := step(n); err != nil {
				return err
			}
		}
	}
	for _, step := range []func() error{r.compressed, r.growth, r.agents, r.forget} {
		if err := step(); err != nil {
			return err
		}
	}
	fmt.Printf("\nin all %v\n", time.Since(r.began).Round(time.Second))
	return nil
}

// load makes the log of a size the one that is measured.
func (r *recorder) load(n int64) (err error) {
	if r.log != nil && r.log.Size == n {
		return nil
	}
	if r.log, err = workload.Make(r.ctx, r.dir, "app", n); err != nil {
		return err
	}
	// What is known of a file that was written just now is not kept.
	info, err := os.Stat(r.log.Path)
	if err == nil {
		time.Sleep(time.Second - time.Since(info.ModTime()))
	}
	return err
}

// forget removes the records of what is measured no more, after a run that has
// asked for everything.
func (r *recorder) forget() error {
	if r.records == "" || r.match.String() != "" {
		return nil
	}
	for _, group := range r.set.Keep(func(m records.Measure) bool { return r.asked[name(m)] }) {
		if err := r.set.Write(r.records, group); err != nil {
			return err
		}
	}
	return nil
}

// name returns what -run matches.
func name(m records.Measure) string { return m.Group + "/" + m.Case }

// wanted reports whether a measure is to be made now.
func (r *recorder) wanted(m records.Measure) bool {
	r.asked[name(m)] = true
	if !r.match.MatchString(name(m)) {
		return false
	}
	old := r.set.Find(m)
	if r.again || old == nil {
		return true
	}
	e := r.set.Environment(old.Env)
	return e.Commit != r.env.Commit || e.Machine != r.env.Machine || e.Kernel != r.env.Kernel || e.Go != r.env.Go || e.Trial != r.env.Trial
}

// put prints a measure and keeps it.
func (r *recorder) put(m records.Measure) error {
	// No path of this machine is anyone's business.
	private := strings.NewReplacer(r.tmp, "", r.dir, "")
	for i := range m.Sides {
		m.Sides[i].Wrong = private.Replace(m.Sides[i].Wrong)
	}
	printMeasure(os.Stdout, m)
	fmt.Printf("  (it has taken %v)\n", time.Since(r.last).Round(100*time.Millisecond))
	r.last = time.Now()
	r.set.Put(r.env, m)
	if r.records == "" {
		return nil
	}
	return r.set.Write(r.records, m.Group)
}

func printMeasure(w io.Writer, m records.Measure) {
	fmt.Fprintf(w, "\n%s/%s", m.Group, m.Case)
	if m.Kind != "" {
		fmt.Fprintf(w, ", %s of %s", m.Kind, records.Bytes(m.Size))
	}
	if m.X != 0 {
		fmt.Fprintf(w, ", at %d", m.X)
	}
	fmt.Fprintln(w)
	for i, s := range m.Sides {
		fmt.Fprintf(w, "  %-34s", s.Name)
		switch {
		case s.Wrong != "":
			fmt.Fprintf(w, " WRONG: %s", s.Wrong)
		case len(s.Times) > 0:
			fmt.Fprintf(w, " %9s", records.Seconds(s.Time().Center))
		}
		if s.Memory > 0 {
			fmt.Fprintf(w, " %s of memory", records.Bytes(s.Memory))
		}
		if s.Bytes != nil {
			fmt.Fprintf(w, " %s touched in %d blocks", records.Bytes(*s.Bytes), *s.Blocks)
		}
		if i > 0 && len(s.Times) > 0 && m.Group != records.Growth {
			fmt.Fprintf(w, "  %s", records.Times(records.Ratio(m.Sides[0], s)))
		}
		if met, known := s.Met(m.Sides[0]); known {
			fmt.Fprintf(w, "  %s", map[bool]string{true: "met", false: "NOT MET"}[met])
		}
		fmt.Fprintln(w)
	}
}
