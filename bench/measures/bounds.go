package main

import (
	"fmt"
	"time"

	"excerpt/corpus"
	"excerpt/engine"
	"excerpt/internal/size"
)

// bounds measures what has to stay flat: the time of a tail of an open file,
// over the size of the file.
func (b *bench) bounds() error {
	fmt.Printf("\n| Tail(100) of an open file | least | median of %d |\n|---|---|---|\n", 201)
	for _, name := range []string{"1MiB", "64MiB", "1GiB", b.size} {
		n, err := size.Parse(name)
		if err != nil {
			return err
		}
		path, err := corpus.File(b.ctx, b.dir, "app", 1, n)
		if err != nil {
			return err
		}
		if err := b.tail(path, name); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) tail(path, size string) error {
	f, err := engine.Open(path, nil)
	if err != nil {
		return err
	}
	defer f.Close()
	times := make([]time.Duration, 201)
	for i := range times {
		start := time.Now()
		span, err := f.Tail(b.ctx, 100)
		times[i] = time.Since(start)
		if err != nil {
			return err
		}
		if n, _ := span.Lines(); n != 100 {
			return fmt.Errorf("tail of %s: %d lines", path, n)
		}
	}
	fmt.Printf("| %s | %v | %v |\n", size, least(times), median(times))
	return nil
}
