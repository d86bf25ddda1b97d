// Command measures times excerpt beside what people use today, on the same
// file in the same run, and prints the ratios with the goal of each.
//
//	go run ./bench/measures -size 4GiB
//
// Each side's result is compared with the others' before anything is timed.
// Then the sides run in turn, round after round; the ratio is that of the
// least times, and the spread is that of the rounds. The corpora are made in
// bench/data and stay there for the next run.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "measures:", err)
		os.Exit(1)
	}
}

// options are those of the command line.
type options struct {
	size   string
	dir    string
	rounds int
	match  string
	record string
}

func run() error {
	var o options
	flag.StringVar(&o.size, "size", "4GiB", "size of the corpora, as the corpus command takes it")
	flag.StringVar(&o.dir, "dir", filepath.Join("bench", "data"), "folder of the corpora")
	flag.IntVar(&o.rounds, "rounds", 7, "rounds of each measure")
	flag.StringVar(&o.match, "run", "", "only measures whose name contains this")
	flag.StringVar(&o.record, "record", "", "file to add a JSON line for each measure to")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := newBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Printf("%s %s/%s, %d cores, %s; %s of kind app; best of %d interleaved rounds\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), firstLine("tail", "--version"), o.size, o.rounds)
	fmt.Println("| what | against | excerpt | other | ratio | rounds | goal | |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, m := range b.measures() {
		if !strings.Contains(m.name, o.match) {
			continue
		}
		if err := b.measure(m); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return b.bounds()
}

// A measure is one row of the table, or several where there are several others.
type measure struct {
	name   string
	ours   side
	others []side
}

// A side does the same work as its others. It returns what it has found, so
// that this can be compared; work outside of time goes into before.
type side struct {
	name   string
	goal   float64 // least ratio of its time to ours
	before func() error
	run    func() (result string, err error)
}

func (b *bench) measure(m measure) error {
	sides := append([]side{m.ours}, m.others...)
	times := make([][]time.Duration, len(sides))
	var want string
	for round := -1; round < b.rounds; round++ {
		for i, s := range sides {
			if err := b.ctx.Err(); err != nil {
				return err
			}
			if s.before != nil {
				if err := s.before(); err != nil {
					return err
				}
			}
			start := time.Now()
			got, err := s.run()
			d := time.Since(start)
			switch {
			case err != nil:
				return fmt.Errorf("%s: %w", s.name, err)
			case round == -1 && i == 0:
				want = got
			case got != want:
				return fmt.Errorf("%s finds %.80q, excerpt %.80q", s.name, got, want)
			}
			if round >= 0 { // the first round compares and warms up
				times[i] = append(times[i], d)
			}
		}
	}
	for i, other := range m.others {
		if err := b.report(m, other, times[0], times[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) report(m measure, other side, ours, theirs []time.Duration) error {
	ratio := float64(least(theirs)) / float64(least(ours))
	low, high := ratio, ratio
	for i := range ours {
		r := float64(theirs[i]) / float64(ours[i])
		low, high = min(low, r), max(high, r)
	}
	met := "met"
	if ratio < other.goal {
		met = "**not met**"
	}
	fmt.Printf("| %s | %s | %s | %s | %.2f × | %.2f–%.2f | %.2f × | %s |\n", m.name, other.name,
		round(least(ours)), round(least(theirs)), ratio, low, high, other.goal, met)
	if b.record == "" {
		return nil
	}
	f, err := os.OpenFile(b.record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	err = json.NewEncoder(f).Encode(map[string]any{
		"measure": m.name, "against": other.name, "size": b.size, "goal": other.goal, "ratio": ratio,
		"excerpt_ns": ours, "other_ns": theirs, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "cores": runtime.NumCPU(),
	})
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

func least(d []time.Duration) time.Duration {
	return slices.Min(d)
}

func median(d []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(d))[len(d)/2]
}

func round(d time.Duration) time.Duration {
	for unit := time.Second; unit > 1; unit /= 10 {
		if d >= 100*unit {
			return d.Round(unit)
		}
	}
	return d
}

func firstLine(name string, args ...string) string {
	out, _ := exec.Command(name, args...).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// command returns the side of a command, which is run without a shell unless
// it has a pipe. What it prints is its result, or what becomes of it.
func (b *bench) command(name string, goal float64, result func(io.Reader) (string, error), args ...string) side {
	return side{name: name, goal: goal, run: func() (string, error) {
		cmd := exec.CommandContext(b.ctx, args[0], args[1:]...)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			return "", err
		}
		if err := cmd.Start(); err != nil {
			return "", err
		}
		got, err := result(out)
		if waited := cmd.Wait(); err == nil {
			err = waited
		}
		return got, err
	}}
}
