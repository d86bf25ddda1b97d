package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

type version struct{}

const versionHelp = `usage: excerpt version

Print the version of this program, and what it was built with and for.
`

func (version) run(_ context.Context, out *output) error {
	built := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		built = info.Main.Version
	}
	_, err := fmt.Fprintf(out, "excerpt %s %s %s/%s\n", built, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
