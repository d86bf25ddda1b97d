package readmcp

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/engine"
)

// every is how often a client hears of a long scan, and when for the first
// time.
const every = 200 * time.Millisecond

// reporting returns a context whose scans tell the client how far they are, if
// it has asked for that. Nothing is told after stop.
func reporting(ctx context.Context, req *mcp.CallToolRequest) (_ context.Context, stop func()) {
	if req.Params == nil || req.Params.GetProgressToken() == nil {
		return ctx, func() {}
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
	})
	return ctx, func() { close(quit); <-ended }
}
