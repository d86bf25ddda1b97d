package readmcp

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// encoded is a result that writes its text itself: the SDK's own way goes over
// each byte of it four times, which is most of the time of an answer.
type encoded struct{ *mcp.CallToolResult }

// quickly has the results of tools written so.
func quickly(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if r, ok := result.(*mcp.CallToolResult); ok && r != nil && err == nil {
			return &encoded{r}, nil
		}
		return result, err
	}
}

func (e *encoded) MarshalJSON() ([]byte, error) {
	text, ok := e.onlyText()
	rest := *e.CallToolResult
	rest.Content = []mcp.Content{}
	frame, err := rest.MarshalJSON()
	before, after, found := bytes.Cut(frame, []byte(`"content":[]`))
	if !ok || err != nil || !found {
		return e.CallToolResult.MarshalJSON()
	}
	var b bytes.Buffer
	b.Grow(len(frame) + len(text) + len(text)/16 + 64)
	b.Write(before)
	b.WriteString(`"content":[{"type":"text","text":`)
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - 1) // a line end
	b.WriteString("}]")
	b.Write(after)
	return b.Bytes(), nil
}

// onlyText returns the text of a result that has nothing else.
func (e *encoded) onlyText() (string, bool) {
	if len(e.Content) != 1 {
		return "", false
	}
	text, ok := e.Content[0].(*mcp.TextContent)
	if !ok || text.Meta != nil || text.Annotations != nil {
		return "", false
	}
	return text.Text, true
}
