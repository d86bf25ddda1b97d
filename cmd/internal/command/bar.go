package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

// bar shows on a terminal how far an operation is that takes long. It is drawn
// here, since the libraries for it compile patterns when a program starts, each
// time: a tenth of the time that a tail takes.
type bar struct {
	w io.Writer // nil if standard error is no terminal

	mu      sync.Mutex
	began   time.Time
	drawn   time.Time // when it was last drawn
	visible bool
	stopped bool
	trapped bool // an interrupt erases it
}

const (
	patience = time.Second
	redraw   = 100 * time.Millisecond
)

// watch returns a context that reports progress to the bar.
func (b *bar) watch(ctx context.Context) context.Context {
	if b.w == nil {
		return ctx
	}
	b.began = time.Now()
	return engine.WithProgress(ctx, b.report)
}

func (b *bar) report(done, total int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.stopped || now.Sub(b.began) < patience || now.Sub(b.drawn) < redraw {
		return
	}
	if !b.trapped {
		b.trapped = true
		cli.OnInterrupt(b.stop)
	}
	b.drawn = now
	b.visible = true
	fmt.Fprint(b.w, erase+cut(progress(done, total, now.Sub(b.began)), columns()-1))
}

// hide takes the bar away until the next report.
func (b *bar) hide() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.visible {
		b.visible = false
		fmt.Fprint(b.w, erase)
	}
}

// stop takes the bar away for good.
func (b *bar) stop() {
	b.hide()
	b.mu.Lock()
	b.stopped = true
	b.mu.Unlock()
}

// erase clears the line that the cursor is in.
const erase = "\r\x1b[K"

// progress is the bar: " 42% [####......] 1.8 of 4.1 GiB, 3.1 GiB/s".
func progress(done, total int64, took time.Duration) string {
	const width = 30
	speed := fmt.Sprintf("%.1f MiB/s", float64(done)/(1<<20)/took.Seconds())
	if total <= 0 {
		return fmt.Sprintf("%.1f MiB, %s", float64(done)/(1<<20), speed)
	}
	part := float64(min(done, total)) / float64(total)
	full := int(part * width)
	unit, size, digits := "GiB", float64(1<<30), 2
	if total < 1<<30 {
		unit, size, digits = "MiB", 1<<20, 0
	}
	return fmt.Sprintf("%3.0f%% [%s%s] %.*f of %.*f %s, %s", 100*part,
		strings.Repeat("#", full), strings.Repeat(".", width-full),
		digits, float64(done)/size, digits, float64(total)/size, unit, speed)
}

func cut(s string, width int) string { return s[:min(len(s), max(width, 0))] }

func columns() int {
	if n, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && n > 0 {
		return n
	}
	return 80
}
