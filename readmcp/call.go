package readmcp

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/readcard"
	"excerpt/readfile"
)

// A caller answers the calls of one tool.
type caller struct {
	row   tool
	files *readfile.Tool
	opts  Options
	slots chan struct{} // those of all tools of a server
}

func (c *caller) handle(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return message("too many calls are under way: send this one again later"), nil
	}
	ctx, stop := reporting(ctx, req)
	defer stop()
	return c.answer(ctx, req), nil
}

// answer calls the tool. What goes wrong inside it ends the call alone.
func (c *caller) answer(ctx context.Context, req *mcp.CallToolRequest) (result *mcp.CallToolResult) {
	defer func() {
		if recover() != nil {
			result = message("this call has met a fault of the server: send another one")
		}
	}()
	r := c.row.call(ctx, c.files, argumentsOf(req), c.opts.Tools...)
	if c.opts.Metadata.inMeta(req.Session) {
		r = r.Unstructured()
	}
	return resultOf(r)
}

func argumentsOf(req *mcp.CallToolRequest) json.RawMessage {
	if req.Params == nil {
		return nil
	}
	return req.Params.Arguments
}

// resultOf returns r as the SDK has it.
func resultOf(r readcard.CallResult) *mcp.CallToolResult {
	result := &mcp.CallToolResult{IsError: r.IsError}
	for _, block := range r.Content {
		result.Content = append(result.Content, &mcp.TextContent{Text: block.Text})
	}
	if r.StructuredContent != nil {
		result.StructuredContent = r.StructuredContent
	}
	if r.Meta != nil {
		result.Meta = mcp.Meta{}
		for key, value := range r.Meta {
			result.Meta[key] = value
		}
	}
	return result
}

func message(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
