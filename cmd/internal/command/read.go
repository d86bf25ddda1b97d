package command

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"excerpt/cmd/internal/cli"
	"excerpt/readcard"
)

// Read is the verb read: its flags. Drawing the answer is for excerpt-full.
type Read struct {
	Workspace
	card bool
}

func (r *Read) define(f *flags) {
	r.Workspace.define(f)
	f.bool(&r.card, "", "card")
}

const readHelp = `usage: excerpt read --root DIR [--card] [JSON]

Answer one request of the tool read_file, such as

  excerpt read --root logs '{"path": "app.log", "tail": 100}'

as an MCP server does, with a CallToolResult in JSON. JSON, the arguments of
the tool, is taken from standard input if it is not given. The exit code is 1
if the answer is an error.

      --card           draw the lines instead, with numbers and colours
` + workspaceHelp

func (r *Read) run(ctx context.Context, out *output, requests []string) error {
	if len(requests) > 1 {
		return cli.Usage("one JSON is wanted, but there are %d: put it in quotes", len(requests))
	}
	if err := r.check(); err != nil {
		return err
	}
	if r.card && r.full == nil {
		return errElsewhere
	}
	request, err := requestOf(requests)
	if err != nil {
		return err
	}
	if r.card {
		return r.full.Draw(ctx, r, request, out, out.colours())
	}
	tool, end, err := r.Open()
	if err != nil {
		return err
	}
	answer := tool.Call(ctx, request)
	_ = end()
	if errors.Is(answer.Err, errElsewhere) {
		if len(requests) == 1 {
			return errElsewhere
		}
		return &elsewhere{request}
	}
	result := readcard.ToolResult(answer)
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

// mostRequest is more than a request can need.
const mostRequest = 1 << 20

// requestOf returns the arguments of the tool, whatever they are.
func requestOf(requests []string) ([]byte, error) {
	if len(requests) == 1 {
		return []byte(requests[0]), nil
	}
	return io.ReadAll(io.LimitReader(os.Stdin, mostRequest))
}
