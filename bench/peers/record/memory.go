package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"excerpt/bench/internal/workload"
	"excerpt/bench/peers/internal/records"
	"excerpt/corpus"
)

// The most that memory may be.
const (
	heapLimit     = 16 << 20
	residentLimit = 96 << 20
)

// memory measures what a count of the whole log has resident, and what the
// operations allocate.
func (r *recorder) memory(size int64) error {
	m := records.Measure{Group: records.Memory, Case: "resident, to count a file", Kind: "app", Size: size}
	if r.wanted(m) {
		if err := r.load(size); err != nil {
			return err
		}
		for _, line := range []string{"excerpt count --no-index LOG", "wc -l LOG"} {
			s := records.Side{Name: line, Command: line}
			var err error
			if s.Memory, err = r.resident(line); err != nil {
				return err
			}
			m.Sides = append(m.Sides, s)
		}
		m.Sides[0].Limit = residentLimit
		if err := r.put(m); err != nil {
			return err
		}
	}
	for _, one := range []struct {
		kind corpus.Kind
		size int64
	}{{"app", size}, {"long", min(size, 1<<30)}, {"oneline", min(size, 1<<30)}} {
		m := records.Measure{Group: records.Memory, Case: "allocated by an operation in all", Kind: string(one.kind), Size: one.size}
		if !r.wanted(m) {
			continue
		}
		c, err := workload.Make(r.ctx, r.dir, one.kind, one.size)
		if err != nil {
			return err
		}
		for _, o := range workload.Operations {
			n, err := r.allocated(o.On(c), c)
			if err != nil {
				return fmt.Errorf("%s: %w", o.Name, err)
			}
			m.Sides = append(m.Sides, records.Side{Name: o.Name, Memory: n, Limit: heapLimit})
		}
		if err := r.put(m); err != nil {
			return err
		}
	}
	return nil
}

// allocated returns how many bytes an operation allocates in all, which is more
// than its heap ever grows by.
func (r *recorder) allocated(op workload.Operation, c *workload.Corpus) (int64, error) {
	task, err := op.Prepare(r.ctx, c, 0)
	if err != nil {
		return 0, err
	}
	defer task.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = task.Run()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc), err
}

// resident returns the most memory that a command had, with the pages of files
// that it has mapped. What the system says at its end is more: a new process
// begins with its parent's.
func (r *recorder) resident(line string) (most int64, err error) {
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	cmd := r.process(ctx, line, r.log.Path)
	cmd.Stdout = io.Discard
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			return most, err
		case <-time.After(time.Millisecond):
			if n, err := status(cmd.Process.Pid, "VmHWM"); err == nil {
				most = max(most, n)
			}
		}
	}
}
