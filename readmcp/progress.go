package readmcp

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/engine"
)

// every is how often a client hears of a long scan, and when for the first
// time.
const every = 200 * time.Millisecond

// reporting returns a context whose scans tell the client how far they are, if
// it has asked for that. Nothing is told after stop. The scans also give way to
// what is short: a message that cancels them must not wait until each of them
// has had its turn.
func reporting(ctx context.Context, req *mcp.CallToolRequest) (_ context.Context, stop func()) {
	if req.Params == nil || req.Params.GetProgressToken() == nil {
		return engine.WithProgress(ctx, func(int64, int64) { runtime.Gosched() }), func() {}
	}
	var done, total atomic.Int64
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		told := int64(0)
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			now := done.Load()
			if now <= told || ctx.Err() != nil {
				continue
			}
			told = now
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: req.Params.GetProgressToken(),
				Progress:      float64(now),
				Total:         float64(max(total.Load(), 0)),
				Message:       "bytes scanned",
			})
		}
	}()
	ctx = engine.WithProgress(ctx, func(d, t int64) {
		total.Store(t)
		done.Store(d)
		runtime.Gosched()
	})
	return ctx, func() { close(quit); <-ended }
}
