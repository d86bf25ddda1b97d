// Command profiles goes from "it is slow" to the line of code: it takes
// profiles of what the engine and the tool do, prints where most of each is,
// and draws it as a flame graph.
//
//	go run ./profiles                           # all workloads, cpu
//	go run ./profiles -kinds cpu,allocs,trace tail readfile
//	go run ./profiles -record                   # those that are kept in profiles/recorded
//	go run ./profiles -pgo cmd/excerpt/default.pgo -gain numbered
//
// README.md in this folder says how to read them. Each profile is taken in a
// process of its own, with github.com/pkg/profile. The log is made in
// bench/data and stays there.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pkg/profile"

	"excerpt/corpus"
	"excerpt/internal/size"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "profiles:", err)
		os.Exit(1)
	}
}

// A kind is one of the profiles that can be taken.
type kind struct {
	name  string
	modes []func(*profile.Profile)
	file  string // as pkg/profile calls it
	top   string // the value that counts; "" for the profile's own choice
}

var kinds = []kind{
	{"cpu", []func(*profile.Profile){profile.CPUProfile}, "cpu.pprof", ""},
	{"heap", []func(*profile.Profile){profile.MemProfileHeap, profile.MemProfileRate(1)}, "mem.pprof", "inuse_space"},
	{"allocs", []func(*profile.Profile){profile.MemProfileAllocs, profile.MemProfileRate(512)}, "mem.pprof", "alloc_space"},
	{"mutex", []func(*profile.Profile){profile.MutexProfile}, "mutex.pprof", "delay"},
	{"trace", []func(*profile.Profile){profile.TraceProfile}, "trace.out", ""},
}

func findKind(name string) (k kind, ok bool) {
	for _, k := range kinds {
		if k.name == name {
			return k, true
		}
	}
	return k, false
}

// recorded is where the profiles are that the repository keeps.
var recorded = filepath.Join("profiles", "recorded")

type options struct {
	kinds []string
	names []string
	size  int64
	dir   string
	time  time.Duration
	top   int
	take  bool
}

func run(ctx context.Context) error {
	var o options
	f := flag.NewFlagSet("profiles", flag.ContinueOnError)
	f.Usage = func() {
		fmt.Fprintf(f.Output(), "usage: go run ./profiles [flags] [WORKLOAD...]\n\nWorkloads: %s\n\n", strings.Join(names(), ", "))
		f.PrintDefaults()
	}
	what := f.String("kinds", "cpu", "`kinds` of profiles, of cpu, heap, allocs, mutex, trace")
	amount := f.String("size", "256MiB", "size of the log")
	f.StringVar(&o.dir, "out", "", "`folder` to write to; by default a new one for temporary files")
	f.DurationVar(&o.time, "time", 3*time.Second, "how long each workload runs; a trace takes a twentieth")
	f.IntVar(&o.top, "top", 12, "lines to print of each")
	record := f.Bool("record", false, "take CPU profiles of all workloads, and of allocations, into "+recorded)
	pgo := f.String("pgo", "", "merge the recorded CPU profiles of the workloads into this `file`, which go build\ntakes with -pgo")
	gain := f.Bool("gain", false, "measure what that gains the command, and what it costs")
	f.BoolVar(&o.take, "take", false, "take one profile in this process (it calls itself so)")
	if err := f.Parse(os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			err = errors.New("see go run ./profiles -help")
		}
		return err
	}
	var err error
	if o.size, err = size.Parse(*amount); err != nil {
		return fmt.Errorf("-size: %w", err)
	}
	if _, err := os.Stat(filepath.Join("profiles", "main.go")); err != nil {
		return errors.New("run it in the folder of the module")
	}
	o.kinds, o.names = strings.Split(*what, ","), f.Args()
	if *record {
		o.kinds, o.names, o.dir = []string{"cpu", "allocs"}, nil, recorded
	}
	for _, name := range o.kinds {
		if _, ok := findKind(name); !ok {
			return fmt.Errorf("-kinds: %q is none of cpu, heap, allocs, mutex, trace", name)
		}
	}
	if len(o.names) == 0 {
		o.names = names()
	}
	for _, name := range o.names {
		if !slices.Contains(names(), name) {
			return fmt.Errorf("%q is no workload: they are %s", name, strings.Join(names(), ", "))
		}
	}
	if *pgo != "" || *gain {
		return optimize(ctx, o.names, *pgo, *gain, o.size)
	}
	log, err := corpus.File(ctx, filepath.Join("bench", "data"), "app", 1, o.size)
	if err != nil {
		return err
	}
	if o.take {
		return take(ctx, o, log)
	}
	if o.dir == "" {
		o.dir, err = os.MkdirTemp("", "profiles-*")
	} else {
		err = os.MkdirAll(o.dir, 0o777)
	}
	if err != nil {
		return err
	}
	for _, name := range o.names {
		for _, kindName := range o.kinds {
			k, _ := findKind(kindName)
			if err := o.show(ctx, name, k, *amount); err != nil {
				return fmt.Errorf("%s of %s: %w", k.name, name, err)
			}
		}
	}
	return nil
}

// show takes a profile in a process of its own, and shows it.
func (o *options) show(ctx context.Context, name string, k kind, amount string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "profile-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	cmd := exec.CommandContext(ctx, program, "-take", "-kinds", k.name, "-out", tmp, "-size", amount, "-time", o.time.String(), name)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	made := filepath.Join(tmp, k.file)
	path := filepath.Join(o.dir, name+"."+k.name+".pprof")
	fmt.Printf("\n== %s of %s\n", k.name, name)
	if k.name == "trace" {
		path = filepath.Join(o.dir, name+".trace")
		text, err := os.ReadFile(made)
		if err != nil {
			return err
		}
		fmt.Printf("go tool trace %s\n", path)
		return os.WriteFile(path, text, 0o666)
	}
	p, err := tidy(ctx, made)
	if err != nil {
		return err
	}
	if err := writeProfile(p, path); err != nil {
		return err
	}
	graph := strings.TrimSuffix(path, ".pprof") + ".svg"
	if err := writeFlames(p, k.top, fmt.Sprintf("%s of %s", k.name, name), graph); err != nil {
		return err
	}
	args := []string{"tool", "pprof", "-top", fmt.Sprint("-nodecount=", o.top)}
	if k.top != "" {
		args = append(args, "-sample_index="+k.top)
	}
	top := exec.CommandContext(ctx, "go", append(args, path)...)
	top.Stdout = os.Stdout
	if err := top.Run(); err != nil {
		return fmt.Errorf("go tool pprof: %w", err)
	}
	fmt.Printf("flame graph: %s\nlines:       go tool pprof -list REGEXP %s\n", graph, path)
	return nil
}

// take runs a workload while pkg/profile takes the profile.
func take(ctx context.Context, o options, log string) error {
	w := workloads[slices.Index(names(), o.names[0])]
	k, _ := findKind(o.kinds[0])
	once, done, err := w.start(ctx, log)
	if err != nil {
		return err
	}
	defer done()
	if err := once(); err != nil { // warm
		return err
	}
	how := append(slices.Clone(k.modes), profile.ProfilePath(o.dir), profile.Quiet, profile.NoShutdownHook)
	if k.name == "trace" {
		o.time /= 20
	}
	running := profile.Start(how...)
	defer running.Stop()
	for began := time.Now(); time.Since(began) < o.time; {
		if err := once(); err != nil {
			return err
		}
	}
	return nil
}
