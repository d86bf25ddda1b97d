package main

import (
	"runtime"
	"time"

	"excerpt/bench/internal/workload"
	"excerpt/bench/peers/internal/records"
)

// What an operation may take, where there is a limit.
const (
	tailLimit  = 10 * time.Microsecond
	indexLimit = 100 * time.Microsecond
)

// A curve is an operation that is measured over something that grows.
type curve struct {
	name  string
	limit time.Duration
	on    func(c *workload.Corpus, x int64) workload.Operation
}

// growth measures how the cost of operations grows with the size of the file,
// the length of a tail and the depth of a line.
func (r *recorder) growth() error {
	largest := r.sizes[len(r.sizes)-1]
	bySize := []curve{
		{"open and close", 0, func(*workload.Corpus, int64) workload.Operation { return workload.OpenClose() }},
		{"refresh", 0, func(*workload.Corpus, int64) workload.Operation { return workload.Refresh() }},
		{"first 100 lines", 0, func(c *workload.Corpus, _ int64) workload.Operation { return workload.Head(c, 100) }},
		{"last 100 lines", tailLimit, func(c *workload.Corpus, _ int64) workload.Operation { return workload.Tail(c, 100) }},
		{"1,000 deep lines, indexed", indexLimit, func(c *workload.Corpus, _ int64) workload.Operation {
			return workload.Lines(c, c.Deep(), 1000, workload.Indexed)
		}},
		{"1,000 deep lines, not indexed", 0, func(c *workload.Corpus, _ int64) workload.Operation {
			return workload.Lines(c, c.Deep(), 1000, workload.Fresh)
		}},
		{"count, not indexed", 0, func(c *workload.Corpus, _ int64) workload.Operation { return workload.Count(c, workload.Fresh) }},
	}
	for size := int64(1 << 20); size <= largest; size *= 4 {
		if err := r.curves("file size", size, size, bySize); err != nil {
			return err
		}
	}
	tail := []curve{{"last n lines", 0, workload.Tail}}
	depth := []curve{
		{"100 lines, indexed", indexLimit, func(c *workload.Corpus, x int64) workload.Operation {
			return workload.Lines(c, x, 100, workload.Indexed)
		}},
		{"100 lines, not indexed", 0, func(c *workload.Corpus, x int64) workload.Operation {
			return workload.Lines(c, x, 100, workload.Fresh)
		}},
	}
	for n := int64(1); n <= largest/150; n *= 10 { // lines are shorter than that
		if err := r.curves("tail length", largest, n, tail); err != nil {
			return err
		}
		if err := r.curves("line depth", largest, n, depth); err != nil {
			return err
		}
	}
	return nil
}

// curves measures a point of each curve on the log of a size.
func (r *recorder) curves(over string, size, x int64, curves []curve) error {
	m := records.Measure{Group: records.Growth, Case: over, Kind: "app", Size: size, X: x}
	if !r.wanted(m) {
		return nil
	}
	if err := r.load(size); err != nil {
		return err
	}
	for _, c := range curves {
		s, err := r.point(c.on(r.log, x))
		if err != nil {
			return err
		}
		s.Name, s.Limit = c.name, float64(c.limit)
		m.Sides = append(m.Sides, s)
	}
	return r.put(m)
}

// Bounds of how often an operation is timed.
const (
	leastRuns = 5
	mostRuns  = 51
	runsFor   = time.Second
)

// point times an operation, and counts what it touches and allocates.
func (r *recorder) point(op workload.Operation) (s records.Side, err error) {
	task, err := op.Prepare(r.ctx, r.log, 0)
	if err != nil {
		return s, err
	}
	defer task.Close()
	for began := time.Now(); len(s.Times) < leastRuns || len(s.Times) < mostRuns && time.Since(began) < runsFor; {
		start := time.Now()
		err := task.Run()
		s.Times = append(s.Times, time.Since(start))
		if err != nil {
			return s, err
		}
	}
	allocs, err := allocs(task)
	if err != nil {
		return s, err
	}
	s.Allocs = &allocs
	count, known, err := op.Count(r.ctx, r.log)
	if known {
		s.Bytes, s.Blocks = &count.Bytes, &count.Reads
	}
	return s, err
}

// allocs returns the number of allocations of a task.
func allocs(task *workload.Task) (int64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := task.Run()
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs - before.Mallocs), err
}
