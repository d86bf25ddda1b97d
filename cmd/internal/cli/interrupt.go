package cli

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

var interrupts struct {
	mu       sync.Mutex
	cleanups []func()
}

// OnInterrupt has fn called before an interrupt ends the program, or before it
// ends since its terminal is closed. Without any, the system ends it. An
// interrupt that the program was started to ignore, as a shell does for what
// runs in the background, is still ignored.
func OnInterrupt(fn func()) {
	interrupts.mu.Lock()
	defer interrupts.mu.Unlock()
	interrupts.cleanups = append(interrupts.cleanups, fn)
	if len(interrupts.cleanups) > 1 {
		return
	}
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		s := <-signals
		interrupts.mu.Lock() // and never unlocked
		for _, cleanup := range interrupts.cleanups {
			cleanup()
		}
		signal.Reset(s) // from here on it does what it does to any program
		self, err := os.FindProcess(os.Getpid())
		if err != nil || self.Signal(s) != nil {
			os.Exit(130)
		}
		select {}
	}()
}
