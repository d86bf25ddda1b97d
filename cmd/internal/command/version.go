package command

import (
	"context"
	"fmt"

	"excerpt/cmd/internal/cli"
)

type version struct{}

const versionHelp = `usage: excerpt version

Print the version of this program, and what it was built with and for.
`

func (version) define(*flags) {}

func (version) run(_ context.Context, out *output, _ []string) error {
	_, err := fmt.Fprintln(out, cli.About())
	return err
}
