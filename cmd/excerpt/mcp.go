package main

import (
	"context"
	"errors"

	"excerpt/cmd/internal/cli"
)

// mcp is a verb of excerpt-agent: here it has its flags looked at.
type mcp struct{ cli.MCP }

func (m *mcp) elsewhere() bool { return true }

func (*mcp) run(context.Context, *output) error { return errors.ErrUnsupported }
