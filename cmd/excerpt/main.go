// Command excerpt prints any part of a very large text file: its first lines,
// its last, a range, a prefix.
//
//	excerpt tail -n 100 app.log
//	excerpt lines 24000000-24000100 -N app.log
//	excerpt count *.log
//
// It has what starts quickly, and hands the rest over to excerpt-full.
//
// The exit code is 0, 1 for a failure, 2 for wrong usage.
package main

import (
	"os"

	"excerpt/cmd/internal/command"
)

func main() { os.Exit(command.Main(os.Args[1:], nil)) }
