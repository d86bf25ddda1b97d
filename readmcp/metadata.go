package readmcp

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Metadata is where an answer that was cut says so, beside its text.
type Metadata string

// Where metadata can be.
const (
	Structured Metadata = "structured" // in structuredContent
	Meta       Metadata = "meta"       // in _meta
	Auto       Metadata = "auto"       // in structuredContent, unless a client is known to need the other
)

func (m Metadata) check() error {
	switch m {
	case "", Auto, Structured, Meta:
		return nil
	}
	return fmt.Errorf("metadata %q: want %s, %s or %s", m, Auto, Structured, Meta)
}

// dropText are clients, by the name in clientInfo, that show a model no text of
// a result which has structuredContent: the file itself would be lost.
var dropText = map[string]bool{
	"claude-code": true, // anthropics/claude-code #79944
}

// inMeta says where the metadata goes for a client.
func (m Metadata) inMeta(session *mcp.ServerSession) bool {
	if m == Meta || m == Structured {
		return m == Meta
	}
	params := session.InitializeParams()
	return params != nil && params.ClientInfo != nil && dropText[params.ClientInfo.Name]
}
