//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// isBrokenPipe reports whether err says that nobody reads the output any more.
// This is seen only where SIGPIPE is ignored: else it ends the program.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
