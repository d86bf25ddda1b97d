package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"excerpt/bench/peers/internal/records"
)

// A side does the same work as its others.
type side struct {
	records.Side
	run    func(w io.Writer) error // writes what it finds
	before func() error            // what is not timed; nil: nothing

	// clock runs it, and says how long that took; nil: the time of run is taken.
	clock func() (time.Duration, error)

	onlyNumber bool                // what it finds is the first number that it writes
	part       func(string) string // what of it is compared; nil: all
	repeat     int                 // runs that are timed together
	most       int64               // bytes of the largest log that it is tried on; 0: any
}

// budget is how long a side may take in all, if it has had as many rounds as
// leastRounds says.
const budget = 8 * time.Second

// leastRounds returns how many rounds a side has that takes so long: fewer where
// it is so slow that they would say nothing new.
func (s side) leastRounds(took time.Duration) int {
	switch {
	case took > budget:
		return 1
	case took > budget/4 && s.Goal == 0:
		return 2
	}
	return 3
}

// patience is how long it may take once.
const patience = 45 * time.Second

// compare measures the sides, the first of which is ours, and keeps it.
func (r *recorder) compare(m records.Measure, sides ...side) error {
	var able []side
	var rounds []int // of each
	var want string
	for i, s := range sides {
		if s.most > 0 && m.Size > s.most {
			continue
		}
		got, took, err := s.first()
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case errors.Is(err, exec.ErrNotFound):
			fmt.Printf("not installed: %v\n", err)
			continue
		case i == 0 && err != nil:
			return fmt.Errorf("%s: %w", m.Case, err)
		case i == 0:
			want = got
		case err != nil:
			s.Wrong = err.Error()
		case got != want:
			s.Wrong = fmt.Sprintf("it gives %s, and not %s", got, want)
		}
		able = append(able, s)
		rounds = append(rounds, min(r.rounds, max(s.leastRounds(took), int(budget/(took+1)))))
		if s.Goal > 0 { // ours has to be there in its rounds
			rounds[0] = max(rounds[0], rounds[len(rounds)-1])
		}
	}
	for round := range r.rounds {
		for i := range able {
			s := &able[i]
			if round >= rounds[i] || s.Wrong != "" {
				continue
			}
			took, err := s.timed()
			switch {
			case r.ctx.Err() != nil:
				return r.ctx.Err()
			case err != nil && i == 0:
				return fmt.Errorf("%s: %s: %w", m.Case, s.Name, err)
			case err != nil:
				s.Wrong, s.Times = err.Error(), nil
			default:
				s.Times = append(s.Times, took)
			}
		}
	}
	for _, s := range able {
		m.Sides = append(m.Sides, s.Side)
	}
	return r.put(m)
}

// first runs a side for the first time, to see what it finds.
func (s side) first() (found string, took time.Duration, err error) {
	if s.before != nil {
		if err := s.before(); err != nil {
			return "", 0, err
		}
	}
	var whole bytes.Buffer
	sum := &summed{Hash: xxhash.New()}
	w := io.Writer(sum)
	if s.onlyNumber || s.part != nil {
		w = &whole
	}
	start := time.Now()
	err = s.run(w)
	took = time.Since(start)
	switch text := whole.String(); {
	case err != nil:
		return "", took, err
	case s.onlyNumber:
		if f := strings.Fields(text); len(f) > 0 {
			return f[0], took, nil
		}
		return "nothing", took, nil
	case s.part != nil:
		_, err := io.WriteString(sum, s.part(text))
		return sum.String(), took, err
	}
	return sum.String(), took, nil
}

// timed runs a side again.
func (s side) timed() (time.Duration, error) {
	if s.before != nil {
		if err := s.before(); err != nil {
			return 0, err
		}
	}
	clock := s.clock
	if clock == nil {
		clock = func() (time.Duration, error) {
			start := time.Now()
			err := s.run(nowhere{})
			return time.Since(start), err
		}
	}
	var all time.Duration
	for range max(s.repeat, 1) {
		took, err := clock()
		if err != nil {
			return 0, err
		}
		all += took
	}
	return all / time.Duration(max(s.repeat, 1)), nil
}

// summed keeps the sum of what is written to it.
type summed struct {
	hash.Hash
	n int64
}

func (s *summed) Write(p []byte) (int, error) {
	s.n += int64(len(p))
	return s.Hash.Write(p)
}

func (s *summed) String() string { return fmt.Sprintf("%d bytes (%x)", s.n, s.Sum(nil)) }

// nowhere is an io.Discard that lets the reader have the buffer.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

// command returns the side of a command line. It has a shell if there is a pipe
// in it. LOG stands in it for the file, SET for the newest of a rotated set, FIRST
// and LAST for the numbers of 1,000 lines in its deepest tenth, MANY for a
// million, or half of its lines.
func (r *recorder) command(name, line string) side {
	return side{
		Side: records.Side{Name: name, Command: line},
		run: func(w io.Writer) error {
			if err := installed(line); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(r.ctx, patience)
			defer cancel()
			err := pipe(r.process(ctx, line, r.log.Path), w)
			if ctx.Err() != nil && r.ctx.Err() == nil {
				err = fmt.Errorf("no answer in %v", patience)
			}
			return err
		},
	}
}

// process returns the command of a line, for a file.
func (r *recorder) process(ctx context.Context, line, path string) *exec.Cmd {
	values := []string{"LOG", path}
	if r.log != nil {
		values = append(values, "SET", r.newest())
	}
	args := words(line)
	shell := slices.Contains(args, "|")
	if shell {
		for i := 1; i < len(values); i += 2 {
			values[i] = "'" + strings.ReplaceAll(values[i], "'", `'\''`) + "'"
		}
	}
	if r.log != nil {
		first, last := r.deep()
		values = append(values, "FIRST", strconv.FormatInt(first, 10), "LAST", strconv.FormatInt(last, 10), "MANY", strconv.FormatInt(r.many(), 10))
	}
	if shell {
		return exec.CommandContext(ctx, "sh", "-c", strings.NewReplacer(values...).Replace(line))
	}
	for i, arg := range args {
		args[i] = strings.NewReplacer(values...).Replace(arg)
	}
	return exec.CommandContext(ctx, args[0], args[1:]...)
}

// deep returns the first and last number of 1,000 lines.
func (r *recorder) deep() (first, last int64) { return r.log.Deep(), r.log.Deep() + 999 }

// many returns the number of lines of a long tail.
func (r *recorder) many() int64 { return min(r.log.Lines/2, 1_000_000) }

// installed returns an exec.ErrNotFound if a program of a line is missing.
func installed(line string) error {
	args := words(line)
	for i, arg := range args {
		if i == 0 || args[i-1] == "|" || i == 3 && args[0] == "taskset" {
			if _, err := exec.LookPath(arg); err != nil {
				return err
			}
		}
	}
	return nil
}

// words splits a command line at spaces, but for those in single quotes.
func words(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// pipe runs cmd, and writes what it prints to w.
func pipe(cmd *exec.Cmd, w io.Writer) error {
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	// Not by out.WriteTo, which has small buffers.
	_, err = io.CopyBuffer(w, struct{ io.Reader }{out}, make([]byte, 1<<20))
	if err != nil {
		_ = cmd.Process.Kill() // it would wait to be read
	}
	if failed := cmd.Wait(); err == nil && failed != nil {
		err = fmt.Errorf("%w %s", failed, strings.TrimSpace(said.String()))
	}
	return err
}
