//go:build !windows

package command

import (
	"errors"
	"syscall"
)

// isBrokenPipe reports whether err says that nobody reads the output any more.
// This is seen only while a profile is taken: else SIGPIPE ends the program.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
