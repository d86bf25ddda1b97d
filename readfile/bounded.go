package readfile

import (
	"context"
	"time"
)

const (
	stopping  = 50 * time.Millisecond // in which what looks at its context ends
	mostStuck = 256                   // reads left behind, each with a thread of the system, before there are no more
)

// bounded returns what fn returns, or its refusal soon after the context has
// ended: reading some files, such as /proc/kmsg or those of a server that is
// gone, blocks where nothing can end it. Then fn is left behind.
func (t *Tool) bounded(ctx context.Context, name string, fn func() Result) Result {
	if ctx.Done() == nil {
		return fn()
	}
	if t.stuck.Load() >= mostStuck {
		return refuse(name, refusef(nil, "too many files are being read that give no data: send this request again later"))
	}
	results := make(chan Result, 1)
	var fault any
	go func() {
		defer close(results)
		defer func() { fault = recover() }()
		results <- fn()
	}()
	ended := func(r Result, ok bool) Result {
		if !ok {
			panic(fault)
		}
		return r
	}
	select {
	case r, ok := <-results:
		return ended(r, ok)
	case <-ctx.Done():
	}
	select {
	case r, ok := <-results:
		return ended(r, ok)
	case <-time.After(stopping):
		t.stuck.Add(1)
		go func() {
			<-results
			t.stuck.Add(-1)
		}()
		return refuse(name, explain(name, ctx.Err()))
	}
}
