package command

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isBrokenPipe reports whether err says that nobody reads the output any more.
func isBrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
