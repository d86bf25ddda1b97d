package command

import (
	"context"
	"strconv"
	"strings"

	"excerpt/cmd/internal/cli"
)

// MCP is the verb mcp: its flags. Serving them is for excerpt-full.
type MCP struct {
	Workspace
	Tools    string // the tools to offer
	Metadata string // where an answer says that it was cut
	Timeout  string // most time for an answer
	HTTP     string // serve HTTP there
	Public   bool   // let HTTP be reached from other machines
}

func (m *MCP) define(f *flags) {
	m.Tools, m.Metadata, m.Timeout = "read_file,describe_file,outline_file", "auto", "2m"
	m.Workspace.define(f)
	f.string(&m.Tools, "tools")
	f.value(&choice{&m.Metadata, []string{"auto", "structured", "meta"}}, "", "metadata")
	f.string(&m.Timeout, "timeout")
	f.string(&m.HTTP, "http")
	f.bool(&m.Public, "", "public")
}

const mcpHelp = `usage: excerpt mcp --root DIR [--http ADDR] [FLAGS]

Serve files to AI agents: an MCP server on standard input and output, or over
HTTP. It ends with its input, or by an interrupt.

` + workspaceHelp + `      --tools NAMES    the tools to offer; read_file,describe_file,outline_file
                       if not said; also: read
      --metadata WHERE where an answer says that it was cut: structured (in
                       structuredContent), meta (in _meta), or auto: what the
                       client is known to need
      --timeout TIME   most time for an answer, 2m if not said
      --http ADDR      serve streamable HTTP there, such as localhost:8080
      --public         let that be an address that other machines reach
`

func (m *MCP) run(_ context.Context, _ *output, operands []string) error {
	if err := m.check(operands); err != nil {
		return err
	}
	if m.full == nil {
		return errElsewhere
	}
	return m.full.Serve(m)
}

// check says what is wrong with the command line.
func (m *MCP) check(operands []string) error {
	if len(operands) > 0 {
		return cli.Usage("nothing but flags is wanted, but there is %q", operands[0])
	}
	if m.Public && m.HTTP == "" {
		return cli.Usage("--public is for --http ADDR, which is missing")
	}
	if _, err := m.Address(); err != nil {
		return err
	}
	return m.Workspace.check()
}

// Address returns where to listen, "" for nowhere. Without a host, that is
// this machine alone, or all its addresses with --public.
func (m *MCP) Address() (string, error) {
	if m.HTTP == "" {
		return "", nil
	}
	i := strings.LastIndexByte(m.HTTP, ':')
	if i < 0 {
		return "", cli.Usage("--http %q: want HOST:PORT, such as localhost:8080", m.HTTP)
	}
	host, port := m.HTTP[:i], m.HTTP[i+1:]
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", cli.Usage("--http %q: want HOST:PORT, such as localhost:8080", m.HTTP)
	}
	switch {
	case m.Public, host == "localhost", host == "127.0.0.1", host == "[::1]":
		return m.HTTP, nil
	case host == "":
		return "localhost:" + port, nil
	}
	return "", cli.Usage("--http %q can be reached from other machines: say localhost:%s, or add --public if that is meant", m.HTTP, port)
}
