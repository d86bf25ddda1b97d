package main

import (
	"context"
	"encoding/json"

	"excerpt/cmd/internal/cli"
	"excerpt/readcard"
)

// read answers a request of an agent's tool. Drawing it takes libraries that
// would slow all verbs down, and so is done elsewhere.
type read struct{ cli.Read }

func (r *read) elsewhere() bool { return r.Card }

func (r *read) run(ctx context.Context, out *output) error {
	if err := r.Check(); err != nil {
		return err
	}
	request, err := r.Request()
	if err != nil {
		return err
	}
	tool, end, err := r.Open()
	if err != nil {
		return err
	}
	result := readcard.ToolResult(tool.Call(ctx, request))
	_ = end()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result); err != nil {
		return err
	}
	if result.IsError {
		return cli.ErrSaid
	}
	return nil
}
