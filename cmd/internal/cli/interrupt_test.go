package cli_test

import (
	"os"
	"os/signal"
	"runtime"
	"testing"
	"time"

	"excerpt/cmd/internal/cli"
)

func TestIgnoredInterruptStaysIgnored(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process can't interrupt itself there")
	}
	signal.Ignore(os.Interrupt)
	called := make(chan struct{})
	cli.OnInterrupt(func() { close(called) })
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case <-called:
		t.Error("an interrupt that is ignored has ended the work")
	case <-time.After(100 * time.Millisecond):
	}
}
