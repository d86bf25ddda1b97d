package cli

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jessevdk/go-flags"
)

// MCP are the flags of the verb mcp.
type MCP struct {
	Workspace
	Tools    string        `long:"tools" value-name:"NAMES" default:"read_file" description:"the tools to offer"`
	Metadata Where         `long:"metadata" value-name:"WHERE" default:"auto" description:"where an answer says that it was cut"`
	Timeout  time.Duration `long:"timeout" value-name:"TIME" default:"2m" description:"most time for an answer"`
	HTTP     string        `long:"http" value-name:"ADDR" description:"serve HTTP there"`
	Public   bool          `long:"public" description:"let --http be reached from other machines"`
}

// Where is the value of --metadata.
type Where string

var places = []string{"auto", "structured", "meta"}

// Complete returns the values that begin with match.
func (Where) Complete(match string) (found []flags.Completion) {
	for _, place := range places {
		if strings.HasPrefix(place, match) {
			found = append(found, flags.Completion{Item: place})
		}
	}
	return found
}

// MCPHelp is the help of mcp.
const MCPHelp = `usage: excerpt mcp --root DIR [--http ADDR] [FLAGS]

Serve files to AI agents: an MCP server on standard input and output, or over
HTTP. It ends with its input, or by an interrupt.

` + workspaceHelp + `      --tools NAMES    the tools to offer, read_file if not said; also: read
      --metadata WHERE where an answer says that it was cut: structured (in
                       structuredContent), meta (in _meta), or auto: what the
                       client is known to need
      --timeout TIME   most time for an answer, 2m if not said
      --http ADDR      serve streamable HTTP there, such as localhost:8080
      --public         let that be an address that other machines reach
`

// Check says what is wrong with the command line.
func (m *MCP) Check() error {
	if m.Timeout <= 0 {
		return Usage("--timeout %v: want a time such as 30s or 2m", m.Timeout)
	}
	if !slices.Contains(places, string(m.Metadata)) {
		return Usage("--metadata %q: want one of %s", m.Metadata, strings.Join(places, ", "))
	}
	if m.Public && m.HTTP == "" {
		return Usage("--public is for --http ADDR, which is missing")
	}
	if _, err := m.Address(); err != nil {
		return err
	}
	return m.Workspace.Check()
}

// Address returns where to listen, "" for nowhere. Without a host, that is
// this machine alone, or all its addresses with --public.
func (m *MCP) Address() (string, error) {
	if m.HTTP == "" {
		return "", nil
	}
	i := strings.LastIndexByte(m.HTTP, ':')
	if i < 0 {
		return "", Usage("--http %q: want HOST:PORT, such as localhost:8080", m.HTTP)
	}
	host, port := m.HTTP[:i], m.HTTP[i+1:]
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", Usage("--http %q: want HOST:PORT, such as localhost:8080", m.HTTP)
	}
	switch {
	case m.Public, host == "localhost", host == "127.0.0.1", host == "[::1]":
		return m.HTTP, nil
	case host == "":
		return "localhost:" + port, nil
	}
	return "", Usage("--http %q can be reached from other machines: say localhost:%s, or add --public if that is meant", m.HTTP, port)
}
