package main

import (
	"context"
	"fmt"
	"runtime"

	"excerpt/cmd/internal/cli"
)

type version struct{}

const versionHelp = `usage: excerpt version

Print the version of this program, and what it was built with and for.
`

func (version) run(_ context.Context, out *output) error {
	_, err := fmt.Fprintf(out, "excerpt %s %s %s/%s\n", cli.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
