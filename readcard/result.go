package readcard

import (
	"bytes"
	"encoding/json"

	"excerpt/readfile"
)

// The keys of what travels in the _meta of a result.
const (
	MetaWindow     = "excerpt/window"     // a [Window]
	MetaTruncation = "excerpt/truncation" // a [readfile.Metadata]
)

// A CallResult is the result of a tool call, as MCP's CallToolResult.
type CallResult struct {
	Content           []Content                  `json:"content"`
	IsError           bool                       `json:"isError,omitempty"`
	StructuredContent json.RawMessage            `json:"structuredContent,omitempty"`
	Meta              map[string]json.RawMessage `json:"_meta,omitempty"`
}

// Content is a block of a result: a text, if its type is "text".
type Content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// ToolResult returns what a server sends for an answer: its text, the window in
// _meta if there is one, and, if something was cut, the metadata as structured
// content.
func ToolResult(r readfile.Result) CallResult {
	c := result(r.Text(), r)
	if r.Metadata != nil {
		c.StructuredContent = encode(r.Metadata)
	}
	return c
}

// Unstructured returns c with its structured content in _meta. It is for
// clients that drop the text of a result that has structured content.
func (c CallResult) Unstructured() CallResult {
	if c.StructuredContent == nil {
		return c
	}
	meta := map[string]json.RawMessage{MetaTruncation: c.StructuredContent}
	for key, value := range c.Meta {
		meta[key] = value
	}
	c.StructuredContent, c.Meta = nil, meta
	return c
}

// result returns a result of text, with the window of r.
func result(text string, r readfile.Result) CallResult {
	c := CallResult{Content: []Content{{Type: "text", Text: text}}, IsError: r.Err != nil}
	if w, ok := Project(r); ok {
		c.Meta = map[string]json.RawMessage{MetaWindow: encode(w)}
	}
	return c
}

// encode writes JSON without the escapes that only HTML needs.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // structs of strings and numbers have no errors
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// A View is the card of an answer.
type View struct {
	Card string `json:"card"` // "read"
	Window

	// Content is the text without its envelope, for a client that draws no
	// lines.
	Content string `json:"content"`
}

// Present returns the card of a result, sent or stored. There is none, and the
// client shows the result as any other, if the result is an error, is not one
// text in an envelope, or has no valid window of the same path.
func Present(r CallResult) (View, bool) {
	if r.IsError || len(r.Content) != 1 || r.Content[0].Type != "text" {
		return View{}, false
	}
	w, ok := Narrow(r.Meta[MetaWindow])
	if !ok {
		return View{}, false
	}
	content, ok := strip(r.Content[0].Text, w.Path)
	if !ok {
		return View{}, false
	}
	return View{Card: "read", Window: w, Content: content}, true
}
