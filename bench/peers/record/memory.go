package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"excerpt/bench/internal/workload"
	"excerpt/bench/peers/internal/records"
	"excerpt/corpus"
	"excerpt/engine"
)

// The most that memory may be.
const (
	heapLimit     = 16 << 20
	residentLimit = 96 << 20
)

// memory measures what a count of the whole log has resident, what is kept of
// the log, and how much memory the operations take.
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
	m.Case = "kept of a log"
	if r.wanted(m) {
		if err := r.load(size); err != nil {
			return err
		}
		var index engine.Index
		err := r.withLog(func(f *engine.File) (err error) {
			index, err = f.BuildIndex(r.ctx)
			return err
		})
		if err != nil {
			return err
		}
		m.Sides = []records.Side{{Name: "index", Memory: index.Bytes}, {Name: "the log", Memory: size}}
		if err := r.put(m); err != nil {
			return err
		}
	}
	for _, one := range []struct {
		kind corpus.Kind
		size int64
	}{{"app", size}, {"long", min(size, 1<<30)}, {"oneline", min(size, 1<<30)}} {
		m := records.Measure{Group: records.Memory, Case: "heap of an operation", Kind: string(one.kind), Size: one.size}
		if !r.wanted(m) {
			continue
		}
		c, err := workload.Make(r.ctx, r.dir, one.kind, one.size)
		if err != nil {
			return err
		}
		for _, o := range workload.Operations {
			n, err := r.heap(o.On(c), c)
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

// heap returns by how much an operation lets the heap grow, with what is garbage
// and not collected yet: what it allocates in all is more than that. Where it
// allocates much, it is run again, and looked at all the time.
func (r *recorder) heap(op workload.Operation, c *workload.Corpus) (int64, error) {
	task, err := op.Prepare(r.ctx, c, 0)
	if err != nil {
		return 0, err
	}
	defer task.Close()
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as programs have it
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = task.Run()
	runtime.ReadMemStats(&after)
	all := int64(after.TotalAlloc - before.TotalAlloc)
	if all < 1<<20 || err != nil {
		return all, err
	}
	runtime.GC()
	least, most := heapNow(), int64(0)
	ended := make(chan error, 1)
	go func() { ended <- task.Run() }()
	for {
		select {
		case err := <-ended:
			return min(all, most), err
		case <-time.After(50 * time.Microsecond):
			most = max(most, heapNow()-least)
		}
	}
}

// heapNow returns how many bytes the objects of the heap take, the dead ones
// that were not swept yet too.
func heapNow() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
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
