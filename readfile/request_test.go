package readfile_test

import (
	"encoding/json"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"excerpt/readfile"
)

// contents returns a Tool over a workspace of files in memory, under "w".
func contents(t testing.TB, opts readfile.Options, files map[string]string) *readfile.Tool {
	t.Helper()
	tree := fstest.MapFS{}
	for name, data := range files {
		tree[name] = &fstest.MapFile{Data: []byte(data)}
	}
	opts.Mounts = map[string]fs.FS{"w": tree}
	tool, err := readfile.New(nil, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// Every wrong request is refused with a sentence that names the arguments.
func TestWrongRequests(t *testing.T) {
	tool := contents(t, readfile.Options{}, map[string]string{"a.log": "a\nb\nc\n"})
	for _, tt := range []struct {
		raw      string
		mentions string // parted by spaces
	}{
		{``, "path missing"},
		{`{}`, "path missing"},
		{`null`, "JSON object path"},
		{`[]`, "JSON object"},
		{`"w/a.log"`, "JSON object"},
		{`{path: w/a.log}`, "JSON"},
		{`{"path": "w/a.log"`, "JSON"},
		{`{"path": "w/a.log"} x`, "more"},
		{`{"path": "w/a.log"}{}`, "more"},
		{"{\"path\": \"w/\xff.log\"}", "UTF-8"},
		{`{"path": "w/a.log", "x": ` + strings.Repeat(`{"x":`, 20_000) + `1` + strings.Repeat(`}`, 20_001), "JSON"},
		{`{"path": null}`, "path string null"},
		{`{"path": 5}`, "path string 5"},
		{`{"path": ["w/a.log"]}`, "path string array"},
		{`{"path": {"path": "w/a.log"}}`, "path string object"},
		{`{"path": ""}`, "path empty"},
		{`{"head": 3}`, "path missing"},
		{`{"Path": "w/a.log"}`, "Path unknown path"},
		{`{"path": "w/a.log", "lines": 3}`, "lines unknown head tail start_line end_line start_column show_line_numbers"},
		{`{"path": "w/a.log", "offset": 3, "limit": 4}`, "offset limit unknown"},
		{`{"path": "w/a.log", "path": "w/a.log"}`, "path twice"},
		{`{"path": "w/a.log", "head": 1, "head": 1}`, "head twice"},

		{`{"path": "w/a.log", "head": 0}`, "head least 1"},
		{`{"path": "w/a.log", "tail": 0}`, "tail least 1"},
		{`{"path": "w/a.log", "tail": -5}`, "tail -5"},
		{`{"path": "w/a.log", "tail": 1.5}`, "tail 1.5 integer"},
		{`{"path": "w/a.log", "tail": 0.5}`, "tail 0.5 integer"},
		{`{"path": "w/a.log", "head": "10"}`, "head string quotes"},
		{`{"path": "w/a.log", "head": ""}`, "head string"},
		{`{"path": "w/a.log", "head": null}`, "head null leave"},
		{`{"path": "w/a.log", "head": true}`, "head true integer"},
		{`{"path": "w/a.log", "head": [1]}`, "head array"},
		{`{"path": "w/a.log", "head": 9223372036854775808}`, "head large"},
		{`{"path": "w/a.log", "tail": 1e300}`, "tail large"},
		{`{"path": "w/a.log", "tail": 1e999999}`, "tail large"},
		{`{"path": "w/a.log", "tail": -1e999999}`, "tail least"},
		{`{"path": "w/a.log", "start_line": 0, "end_line": 2}`, "start_line least"},
		{`{"path": "w/a.log", "start_line": 1, "end_line": 0}`, "end_line least"},
		{`{"path": "w/a.log", "start_line": -1, "end_line": 2}`, "start_line -1"},
		{`{"path": "w/a.log", "start_line": 1.5, "end_line": 2}`, "start_line 1.5"},
		{`{"path": "w/a.log", "start_line": 1, "end_line": "2"}`, "end_line string"},
		{`{"path": "w/a.log", "start_line": 1, "end_line": 1, "start_column": -1}`, "start_column -1"},
		{`{"path": "w/a.log", "start_line": 1, "end_line": 1, "start_column": 0.5}`, "start_column 0.5"},
		{`{"path": "w/a.log", "show_line_numbers": 1}`, "show_line_numbers 1 true false"},
		{`{"path": "w/a.log", "show_line_numbers": "true"}`, "show_line_numbers string quotes"},
		{`{"path": "w/a.log", "show_line_numbers": null}`, "show_line_numbers null"},

		{`{"path": "w/a.log", "head": 1, "tail": 1}`, "head tail"},
		{`{"path": "w/a.log", "head": 1, "start_line": 1, "end_line": 2}`, "head start_line end_line"},
		{`{"path": "w/a.log", "tail": 1, "start_line": 1, "end_line": 2}`, "tail start_line end_line"},
		{`{"path": "w/a.log", "tail": 1, "start_line": 1}`, "tail start_line"},
		{`{"path": "w/a.log", "head": 1, "end_line": 1}`, "head end_line"},
		{`{"path": "w/a.log", "head": 1, "start_column": 1}`, "head start_column"},
		{`{"path": "w/a.log", "head": 1, "start_column": 0}`, "head start_column"},
		{`{"path": "w/a.log", "tail": 1, "start_column": 1}`, "tail start_column"},
		{`{"path": "w/a.log", "start_line": 1}`, "start_line end_line missing"},
		{`{"path": "w/a.log", "start_line": 9223372036854775807}`, "start_line end_line missing"},
		{`{"path": "w/a.log", "end_line": 1}`, "start_line end_line missing"},
		{`{"path": "w/a.log", "start_column": 1}`, "start_column start_line end_line"},
		{`{"path": "w/a.log", "start_column": 0}`, "start_column start_line end_line"},
		{`{"path": "w/a.log", "start_line": 1, "start_column": 1}`, "end_line missing"},
		{`{"path": "w/a.log", "start_line": 3, "end_line": 2}`, "start_line 3 end_line 2 after"},
		{`{"path": "w/a.log", "start_line": 4, "end_line": 5}`, "line 4 past 3 lines"},
		{`{"path": "w/a.log", "start_line": 9223372036854775807, "end_line": 9223372036854775807}`, "past 3 lines"},
		{`{"path": "w/a.log", "start_line": 1, "end_line": 1, "start_column": 9223372036854775807}`, "start_column past line 1"},
	} {
		r := tool.Call(ctx, []byte(tt.raw))
		if r.Err == nil {
			t.Errorf("%.80s: no error, but %q", tt.raw, r.Text())
			continue
		}
		for _, word := range strings.Fields(tt.mentions) {
			if !strings.Contains(r.Text(), word) {
				t.Errorf("%.80s: %q does not mention %q", tt.raw, r.Text(), word)
			}
		}
		if len(r.Text()) > 2048 || !utf8.ValidString(r.Text()) || r.Metadata != nil || r.Body != "" {
			t.Errorf("%.80s: %d bytes, %+v", tt.raw, len(r.Text()), r)
		}
	}
}

// What a request may look like, and still is one.
func TestRightRequests(t *testing.T) {
	tool := contents(t, readfile.Options{}, map[string]string{"a.log": "a\nb\nc\n"})
	for raw, want := range map[string]string{
		`{"path": "w/a.log"}`:                                                             "a\nb\nc\n",
		" \t\r\n{\"path\": \"w/a.log\"}\n":                                                "a\nb\nc\n",
		`{"p\u0061th": "w\/a.log"}`:                                                       "a\nb\nc\n",
		`{"path": "w/a.log", "head": 1e0}`:                                                "a\n",
		`{"path": "w/a.log", "head": 2.0}`:                                                "a\nb\n",
		`{"path": "w/a.log", "tail": 9223372036854775807}`:                                "a\nb\nc\n",
		`{"path": "w/a.log", "head": 9223372036854775807}`:                                "a\nb\nc\n",
		`{"path": "w/a.log", "show_line_numbers": false}`:                                 "a\nb\nc\n",
		`{"path": "w/a.log", "tail":1, "show_line_numbers":true}`:                         "3: c\n",
		`{"path": "w/a.log", "start_line": 2, "end_line": 9223372036854775807}`:           "b\nc\n",
		`{"path": "w/a.log", "start_line": 3, "end_line": 3, "start_column": 0}`:          "c\n",
		`{"path": "w/a.log", "start_line": 3, "end_line": 3, "start_column": 1}`:          "\n",
		`{"path": "w/a.log", "start_line": 2, "end_line": 3, "start_column": 1.0}`:        "\nc\n",
		`{"path": "w/a.log", "end_line": 3, "show_line_numbers": true, "start_line": 2}`:  "2: b\n3: c\n",
		`{"path": "./w//x/../a.log", "start_line": 1, "end_line": 1, "start_column": -0}`: "a\n",
	} {
		if r := tool.Call(ctx, []byte(raw)); r.Err != nil || r.Text() != want {
			t.Errorf("%s: %q, want %q", raw, r.Text(), want)
		}
	}
}

// A program can ask for what JSON can't.
func TestWrongValues(t *testing.T) {
	tool := contents(t, readfile.Options{}, map[string]string{"a.log": "a\n"})
	for _, req := range []readfile.Request{
		{},
		{Path: "w/a.log", Head: -1},
		{Path: "w/a.log", Tail: math.MinInt64},
		{Path: "w/a.log", StartLine: 1, EndLine: -1},
		{Path: "w/a.log", StartLine: 1, EndLine: 1, StartColumn: -1},
		{Path: "w/a.log", Head: 1, Tail: 1},
		{Path: "w/\xff.log"},
	} {
		if r := tool.Read(ctx, req); r.Err == nil || !utf8.ValidString(r.Text()) {
			t.Errorf("%+v: %q, %v", req, r.Text(), r.Err)
		}
	}
}

// The requests of the notice are those of the metadata, and can be sent.
func TestRequestJSON(t *testing.T) {
	req := readfile.Request{Path: "a<b>&.log", StartLine: 1, EndLine: 2, StartColumn: 3, ShowLineNumbers: true}
	raw, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	tool := contents(t, readfile.Options{}, nil)
	if r := tool.Call(ctx, raw); !strings.Contains(r.Text(), "no file") {
		t.Errorf("%s is refused: %s", raw, r.Text())
	}
}
