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
	"os"

	"excerpt/cmd/internal/cli"
)

func main() { os.Exit(cli.ExitCode(run(os.Args[1:]))) }
