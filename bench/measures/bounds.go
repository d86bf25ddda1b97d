package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"excerpt/corpus"
	"excerpt/engine"
	"excerpt/internal/size"
)

// bounds measures what has to stay flat over the size of the file.
func (b *bench) bounds() error {
	fmt.Printf("\n| of an open file | Tail(100): least | median of %d | 1,000 lines anywhere, with the index: least | median |\n|---|---|---|---|---|\n", repetitions)
	for _, name := range []string{"1MiB", "64MiB", "1GiB", b.size} {
		n, err := size.Parse(name)
		if err != nil {
			return err
		}
		path, err := corpus.File(b.ctx, b.dir, "app", 1, n)
		if err != nil {
			return err
		}
		tails, err := b.tails(path)
		if err != nil {
			return err
		}
		ranges, err := b.ranges(path)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %v | %v | %v | %v |\n", name, least(tails), median(tails), least(ranges), median(ranges))
	}
	return nil
}

const repetitions = 201

func (b *bench) tails(path string) ([]time.Duration, error) {
	f, err := engine.Open(path, nil)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	times := make([]time.Duration, repetitions)
	for i := range times {
		start := time.Now()
		span, err := f.Tail(b.ctx, 100)
		times[i] = time.Since(start)
		if err != nil {
			return nil, err
		}
		if n, _ := span.Lines(); n != 100 {
			return nil, fmt.Errorf("tail of %s: %d lines", path, n)
		}
	}
	return times, nil
}

// ranges finds 1,000 lines anywhere and reads them.
func (b *bench) ranges(path string) ([]time.Duration, error) {
	f, err := engine.Open(path, nil)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := f.Count(b.ctx)
	if err != nil {
		return nil, err
	}
	times := make([]time.Duration, repetitions)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range times {
		first := engine.LineNumber(random.Int64N(lines-1000) + 1)
		start := time.Now()
		span, err := f.Lines(b.ctx, first, first+999)
		if err != nil {
			return nil, err
		}
		n, err := span.WriteTo(io.Discard)
		times[i] = time.Since(start)
		if err != nil {
			return nil, err
		}
		if from, to := span.Offsets(); n != int64(to-from) {
			return nil, fmt.Errorf("%d bytes of the lines from %d to %d", n, from, to)
		}
	}
	return times, nil
}
