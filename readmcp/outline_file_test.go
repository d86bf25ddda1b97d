package readmcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/outline"
	"excerpt/readfile"
	"excerpt/readmcp"
)

// TestOutlineGoesOn follows what answers that are cut say, and comes to the
// whole outline, each entry once and within the limits.
func TestOutlineGoesOn(t *testing.T) {
	var source strings.Builder
	for i := range 350 {
		fmt.Fprintf(&source, "class C%d { m() {} n() {} }\n", i)
	}
	whole, err := outline.Of(t.Context(), "a.ts", strings.NewReader(source.String()))
	if err != nil || len(whole.Entries) != 1050 {
		t.Fatal(err)
	}
	tree := fstest.MapFS{"a.ts": {Data: []byte(source.String())}}
	for _, limits := range []readfile.Options{{Lines: 70}, {Lines: 1000}, {Lines: 1 << 20, Bytes: 300}, {Lines: 100, Bytes: 1000}} {
		tool := files(t, tree, limits)
		client := connect(t, server(t, tool, &readmcp.Options{Tools: []string{"outline_file"}}), "test", nil)
		arguments := map[string]any{"path": "w/a.ts"}
		var got []outline.Entry
		for arguments != nil {
			r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "outline_file", Arguments: arguments})
			if err != nil || r.IsError {
				t.Fatal(r, err)
			}
			text := r.Content[0].(*mcp.TextContent).Text
			body := text[:strings.LastIndex(text, "\n[")+1]
			if lines := int64(strings.Count(body, "\n")); lines > tool.Options().Lines || int64(len(body)) > tool.Options().Bytes {
				t.Fatalf("%d lines, %d bytes", lines, len(body))
			}
			var o outline.Outline
			raw, _ := json.Marshal(r.Meta[readmcp.MetaOutline])
			if err := json.Unmarshal(raw, &o); err != nil {
				t.Fatal(err)
			}
			for _, e := range o.Entries {
				if !strings.HasPrefix(body, e.String()+"\n") {
					t.Fatalf("%v is not what the text has: %.100s", e, body)
				}
				body = body[len(e.String())+1:]
			}
			got = append(got, o.Entries...)
			arguments = nil
			if cut, ok := r.StructuredContent.(map[string]any); ok {
				if arguments, ok = cut["after"].(map[string]any); !ok {
					t.Fatalf("no way on: %v", cut)
				}
				after, _ := json.Marshal(arguments["start_line"])
				if !strings.Contains(text, `"start_line":`+string(after)) {
					t.Fatalf("%s does not say %s", text[len(body):], after)
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(whole.Entries) {
			t.Errorf("%+v: %d entries of %d", limits, len(got), len(whole.Entries))
		}
	}
}

// TestOutlineOfOneLine sees that an outline which can't be cut between lines
// says so and ends.
func TestOutlineOfOneLine(t *testing.T) {
	tree := fstest.MapFS{"a.js": {Data: []byte(strings.Repeat("function a(){}", 20) + "\nfunction b(){}")}}
	client := connect(t, server(t, files(t, tree, readfile.Options{Lines: 5}), &readmcp.Options{Tools: []string{"outline_file"}}), "test", nil)
	for _, c := range []struct {
		start int
		want  string
	}{
		{1, `1-1 function a|1-1 function a|1-1 function a|1-1 function a|1-1 function a|[javascript, 2 lines. Cut to 5 of 21 entries. What more begins in line 1 is left out. To read on: {"path":"w/a.js","start_line":2}]`},
		{2, "2-2 function b|[javascript, 2 lines.]"},
		{3, "[javascript, 2 lines. None of its 21 entries is at this level and begins in or after this line.]"},
	} {
		r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "outline_file", Arguments: map[string]any{"path": "w/a.js", "start_line": c.start}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(r.Content[0].(*mcp.TextContent).Text, "\n", "|"); got != c.want {
			t.Errorf("from %d: %s", c.start, got)
		}
	}
}
