// Command excerpt prints any part of a very large text file: its first lines,
// its last, a range, a prefix.
//
//	excerpt tail -n 100 app.log
//	excerpt lines 24000000-24000100 -N app.log
//	excerpt count *.log
//
// The exit code is 0, 1 for a failure, 2 for wrong usage.
package main

import (
	"errors"
	"os"
)

func main() {
	err := run(os.Args[1:])
	switch wrong := (*usageError)(nil); {
	case err == nil:
		os.Exit(0)
	case errors.As(err, &wrong):
		os.Exit(2)
	default:
		os.Exit(1)
	}
}
