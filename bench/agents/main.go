// Command agents measures excerpt's MCP server beside the official filesystem
// server: the same client, the same files, in turn.
//
//	go run ./bench/agents -bytes 4294967296
//
// What both answer is compared before anything is timed. The ratio is that of
// the medians; the spread is that of the rounds. It needs npm, which installs
// the other server into the user's cache.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"excerpt/corpus"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "agents:", err)
		os.Exit(1)
	}
}

type options struct {
	size   int64
	dir    string
	rounds int
	reads  int
	peer   string
}

func run() error {
	var o options
	flag.Int64Var(&o.size, "bytes", 4<<30, "size of the log")
	flag.StringVar(&o.dir, "dir", filepath.Join("bench", "data"), "folder of the log")
	flag.IntVar(&o.rounds, "rounds", 21, "rounds of each measure")
	flag.IntVar(&o.reads, "reads", 1000, "reads before memory is measured")
	flag.StringVar(&o.peer, "peer", "2026.8.31", "version of the filesystem server")
	flag.Parse()
	debug.SetGCPercent(400) // the client's own garbage is no one's time
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	log, err := corpus.File(ctx, o.dir, "app", 1, o.size)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "agents-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if tmp, err = filepath.EvalSymlinks(tmp); err != nil {
		return err
	}
	return measure(ctx, o, log, tmp)
}

// side is one of the two servers, doing the same work.
type side struct {
	name string
	read func() (text func() (string, error), err error)
}

// compare runs both in turn, and prints a row.
func compare(what string, rounds int, goal float64, same func(ours, theirs string) bool, ours, theirs side) error {
	times := map[string][]time.Duration{}
	for round := -1; round < rounds; round++ {
		var got [2]string
		for i, s := range []side{ours, theirs} {
			began := time.Now()
			text, err := s.read()
			took := time.Since(began)
			if err == nil {
				got[i], err = text()
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", what, s.name, err)
			}
			if round >= 0 {
				times[s.name] = append(times[s.name], took)
			}
		}
		if !same(got[0], got[1]) {
			return fmt.Errorf("%s: %s gives %d bytes %.60q, %s %d bytes %.60q", what, ours.name, len(got[0]), got[0], theirs.name, len(got[1]), got[1])
		}
	}
	a, b := times[ours.name], times[theirs.name]
	ratio := float64(median(b)) / float64(median(a))
	low, high := ratio, ratio
	for i := range a {
		r := float64(b[i]) / float64(a[i])
		low, high = min(low, r), max(high, r)
	}
	met := "met"
	if ratio < goal {
		met = "**not met**"
	}
	fmt.Printf("| %s | %v | %v | %.1f × | %.1f–%.1f | %.0f × | %s |\n", what, median(a).Round(time.Microsecond), median(b).Round(time.Microsecond), ratio, low, high, goal, met)
	return nil
}

func median(d []time.Duration) time.Duration { return slices.Sorted(slices.Values(d))[len(d)/2] }

func head(peer string, rounds int) {
	fmt.Printf("%s %s/%s, %d cores; filesystem server %s; median of up to %d interleaved rounds\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), peer, rounds)
	fmt.Println("| what | excerpt | filesystem server | ratio | rounds | goal | |")
	fmt.Println("|---|---|---|---|---|---|---|")
}
