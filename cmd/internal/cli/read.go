package cli

import (
	"io"
	"os"
)

// Read are the flags of the verb read.
type Read struct {
	Workspace
	Card bool `long:"card" description:"draw the lines for a person to read"`
	Args struct {
		Requests []string `positional-arg-name:"JSON"`
	} `positional-args:"yes"`
}

// ReadHelp is the help of read.
const ReadHelp = `usage: excerpt read --root DIR [--card] [JSON]

Answer one request of the tool read_file, such as

  excerpt read --root logs '{"path": "app.log", "tail": 100}'

as an MCP server does, with a CallToolResult in JSON. JSON, the arguments of
the tool, is taken from standard input if it is not given. The exit code is 1
if the answer is an error.

      --card           draw the lines instead, with numbers and colours
` + workspaceHelp

// mostRequest is more than a request can need.
const mostRequest = 1 << 20

// Request returns the arguments of the tool, whatever they are.
func (r *Read) Request() ([]byte, error) {
	switch len(r.Args.Requests) {
	case 0:
		return io.ReadAll(io.LimitReader(os.Stdin, mostRequest))
	case 1:
		return []byte(r.Args.Requests[0]), nil
	}
	return nil, Usage("one JSON is wanted, but there are %d: put it in quotes", len(r.Args.Requests))
}

// Check says what is wrong with the command line.
func (r *Read) Check() error {
	if len(r.Args.Requests) > 1 {
		return Usage("one JSON is wanted, but there are %d: put it in quotes", len(r.Args.Requests))
	}
	return r.Workspace.Check()
}
