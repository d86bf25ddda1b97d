package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"excerpt/corpus"
)

// optimize merges the recorded CPU profiles of the named workloads, and
// measures what they gain.
func optimize(ctx context.Context, names []string, file string, gain bool, size int64) error {
	tmp, err := os.MkdirTemp("", "pgo-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if file == "" {
		file = filepath.Join(tmp, "default.pgo")
	}
	if err := merge(names, file); err != nil {
		return err
	}
	if !gain {
		return nil
	}
	log, err := corpus.File(ctx, filepath.Join("bench", "data"), "app", 1, size)
	if err != nil {
		return err
	}
	return measureGain(ctx, tmp, file, log)
}

// merge adds up recorded CPU profiles. Each counts for as much as it lasted.
func merge(names []string, file string) error {
	var all []*profile.Profile
	for _, name := range names {
		path := filepath.Join(recorded, name+".cpu.pprof")
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("%w: go run ./profiles -record takes it", err)
		}
		p, err := profile.Parse(f)
		_ = f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, p)
	}
	merged, err := profile.Merge(all)
	if err != nil {
		return err
	}
	return writeProfile(merged, file)
}

// rounds of each measure; a short command runs several times in one.
const rounds = 40

// measureGain runs the command built without the profile, the same once more,
// which shows how far two measures of one program are apart, and with it, in turn.
func measureGain(ctx context.Context, tmp, file, log string) error {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	programs := [3]string{filepath.Join(tmp, "off"), filepath.Join(tmp, "again"), filepath.Join(tmp, "pgo")}
	var sizes [3]int64
	for i, how := range []string{"off", "off", absolute} {
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-pgo="+how, "-o", programs[i], "./cmd/excerpt")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		info, err := os.Stat(programs[i])
		if err != nil {
			return err
		}
		sizes[i] = info.Size()
	}
	fmt.Println("| excerpt | -pgo=off | once more | with the profile | ratio |")
	fmt.Println("|---|---|---|---|---|")
	for _, m := range []struct {
		args   []string
		repeat int
	}{
		{[]string{"count", "--no-index", log}, 1},
		{[]string{"lines", "--no-index", "1000000-1000999", log}, 1},
		{[]string{"tail", "-n", "1000000", log}, 1},
		{[]string{"head", "-N", "-n", "1000000", log}, 1},
		{[]string{"tail", "-n", "10", log}, short},
	} {
		var times [3][]time.Duration
		var faults [3][]int64
		for range rounds {
			for i, program := range programs {
				began := time.Now()
				var minor int64
				for range m.repeat {
					cmd := exec.CommandContext(ctx, program, m.args...)
					cmd.Env = append(os.Environ(), "GOMAXPROCS=1") // how many cores are free changes
					if err := cmd.Run(); err != nil {              // to /dev/null
						return fmt.Errorf("%v: %w", cmd.Args, err)
					}
					minor += pageFaults(cmd.ProcessState)
				}
				times[i] = append(times[i], time.Since(began)/time.Duration(m.repeat))
				faults[i] = append(faults[i], minor/int64(m.repeat))
			}
		}
		name := m.args[0]
		for _, arg := range m.args[1 : len(m.args)-1] {
			name += " " + arg
		}
		off, again, pgo := slices.Min(times[0]), slices.Min(times[1]), slices.Min(times[2])
		fmt.Printf("| %s | %v | %v | %v | %.3f |\n", name, off.Round(time.Microsecond), again.Round(time.Microsecond), pgo.Round(time.Microsecond), float64(pgo)/float64(off))
		if m.repeat >= short {
			off, again, pgo := median(faults[0]), median(faults[1]), median(faults[2])
			fmt.Printf("| its page faults | %d | %d | %d | %.3f |\n", off, again, pgo, float64(pgo)/float64(max(off, 1)))
		}
	}
	fmt.Printf("| bytes of the program | %d | %d | %d | %.3f |\n", sizes[0], sizes[1], sizes[2], float64(sizes[2])/float64(sizes[0]))
	return nil
}

// short is how often a short command runs in a round.
const short = 20

func median(v []int64) int64 { return slices.Sorted(slices.Values(v))[len(v)/2] }
