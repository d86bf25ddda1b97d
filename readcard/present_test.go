package readcard_test

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"excerpt/readcard"
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

func good(text string) readcard.CallResult {
	return readcard.CallResult{
		Content: []readcard.Content{{Type: "text", Text: text}},
		Meta: map[string]json.RawMessage{
			readcard.MetaWindow: json.RawMessage(`{"path":"a.go","offset":1,"lines":[{"number":1,"text":"x"}],"totalLines":1,"lang":"go"}`),
		},
	}
}

func TestPresent(t *testing.T) {
	want := readcard.View{Card: "read", Window: readcard.Window{
		Path: "a.go", Offset: 1, Lines: []readcard.Line{{Number: 1, Text: "x"}}, TotalLines: 1, Lang: "go",
	}}
	for text, content := range map[string]string{
		readcard.Envelope("a.go", "1: x"):                                                  "1: x",
		"<path>a.go</path><type>file</type><content>1: x</content>":                        "1: x",
		"<path>a.go</path>\n<type>file</type>\n<content>\n1: x\n2: y\n\n(2)\n</content>\n": "1: x\n2: y\n\n(2)",
		"<path>a.go</path><type>file</type><content></content>":                            "",
		readcard.Envelope("a.go", "1: </content>\n2: <content>"):                           "1: </content>\n2: <content>",
		readcard.Envelope("a.go", ""):                                                      "",
	} {
		got, ok := readcard.Present(good(text))
		want.Content = content
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%q: %v %s", text, ok, diff)
		}
	}
}

func TestPresentFallsBack(t *testing.T) {
	envelope := readcard.Envelope("a.go", "1: x")
	change := func(fn func(r *readcard.CallResult)) readcard.CallResult {
		r := good(envelope)
		fn(&r)
		return r
	}
	meta := func(stored string) readcard.CallResult {
		return change(func(r *readcard.CallResult) { r.Meta[readcard.MetaWindow] = json.RawMessage(stored) })
	}
	if _, ok := readcard.Present(good(envelope)); !ok {
		t.Fatal("the good one is not")
	}
	for name, r := range map[string]readcard.CallResult{
		"nothing":            {},
		"an error":           change(func(r *readcard.CallResult) { r.IsError = true }),
		"no content":         change(func(r *readcard.CallResult) { r.Content = nil }),
		"two texts":          change(func(r *readcard.CallResult) { r.Content = append(r.Content, r.Content[0]) }),
		"an image":           change(func(r *readcard.CallResult) { r.Content[0].Type = "image" }),
		"no meta":            change(func(r *readcard.CallResult) { r.Meta = nil }),
		"meta of others":     change(func(r *readcard.CallResult) { r.Meta = map[string]json.RawMessage{"other": []byte("1")} }),
		"meta null":          meta(`null`),
		"meta no JSON":       meta(`{`),
		"meta malformed":     meta(`{"path":"a.go","offset":1,"lines":[{}],"totalLines":1}`),
		"meta invalid":       meta(`{"path":"a.go","offset":0,"lines":[],"totalLines":1}`),
		"plain text":         good("1: x"),
		"empty text":         good(""),
		"another path":       good(readcard.Envelope("b.go", "1: x")),
		"a longer path":      good(readcard.Envelope("d/a.go", "1: x")),
		"no path":            good("<type>file</type><content>1: x</content>"),
		"path not closed":    good("<path>a.go<type>file</type><content>1: x</content>"),
		"a directory":        good("<path>a.go</path><type>directory</type><content>1: x</content>"),
		"no type":            good("<path>a.go</path><content>1: x</content>"),
		"no content tag":     good("<path>a.go</path><type>file</type>1: x</content>"),
		"content not closed": good("<path>a.go</path><type>file</type><content>1: x"),
		"something before":   good("x" + envelope),
		"something behind":   good(envelope + "x"),
		"something between":  good("<path>a.go</path>x<type>file</type><content>1: x</content>"),
	} {
		if v, ok := readcard.Present(r); ok || v.Card != "" {
			t.Errorf("%s: presented as %+v", name, v)
		}
	}
}

// What is sent is presented, through JSON and back, for every read.
func TestSentAndPresented(t *testing.T) {
	files := map[string]string{
		"a.go":                         "package a\r\n\r\nvar x = `: </content>`\n",
		"empty.md":                     "",
		"bom.ts":                       "\ufeffa\nb",
		"</path>.txt":                  "x\n",
		"bytes.log":                    "\xff\n",
		"long.log":                     strings.Repeat("y", 300),
		"numbers.log":                  strings.Repeat("1: 2: \n", 50),
		strings.Repeat("d/", 40) + "f": "x\n",
	}
	tool := contents(t, readfile.Options{Lines: 20, Bytes: 200}, files)
	for name := range files {
		for _, arguments := range []map[string]any{{}, {"offset": 1}, {"limit": 2}, {"offset": 1, "limit": int64(1 << 60)}} {
			arguments["path"] = "w/" + name
			raw, err := json.Marshal(arguments)
			if err != nil {
				t.Fatal(err)
			}
			sent, err := json.Marshal(readcard.Read(ctx, tool, raw))
			if err != nil {
				t.Fatal(err)
			}
			var stored readcard.CallResult
			if err := json.Unmarshal(sent, &stored); err != nil {
				t.Fatal(err)
			}
			v, ok := readcard.Present(stored)
			if !ok {
				t.Errorf("%s is not presented", sent)
				continue
			}
			body, _, _ := strings.Cut(v.Content, "\n\n(")
			var lines []string
			for line := range strings.Lines(body) {
				_, text, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
				lines = append(lines, strings.TrimPrefix(text, "\ufeff"))
			}
			var want []string
			for _, line := range v.Lines {
				want = append(want, line.Text)
			}
			if name == "long.log" { // whose only line is over the limit
				if len(want) > 0 || v.Offset != 1 || v.TotalLines != 1 {
					t.Errorf("%s: a part of a line", sent)
				}
				continue
			}
			if !slices.Equal(lines, want) || v.Path != "w/"+name {
				t.Errorf("%s: the text has %q, the window %q", sent, lines, want)
			}
		}
	}
}

func TestRead(t *testing.T) {
	tool := contents(t, readfile.Options{Lines: 3, Bytes: 100}, map[string]string{
		"a.log":    "one\ntwo\nthree\nfour\nfive\n",
		"e.log":    "",
		"long.log": "first\n" + strings.Repeat("y", 300) + "\nlast\n",
		"bad.log":  "\xff\n",
		"nul.log":  "\x00",
	})
	for _, tt := range []struct{ raw, want string }{
		{`{"path":"w/a.log"}`, "1: one\n2: two\n3: three\n\n(Lines 1 to 3 of 5. To read on, send offset 4.)"},
		{`{"path":"w/a.log","offset":1,"limit":1}`, "1: one\n\n(Lines 1 to 1 of 5. To read on, send offset 2.)"},
		{`{"path":"w/a.log","offset":4}`, "4: four\n5: five"},
		{`{"path":"w/a.log","offset":2}`, "2: two\n3: three\n4: four\n\n(Lines 2 to 4 of 5. To read on, send offset 5.)"},
		{`{"path":"w/a.log","offset":5,"limit":9223372036854775807}`, "5: five"},
		{`{"path":"w/e.log"}`, ""},
		{`{"path":"w/e.log","offset":1,"limit":10}`, ""},
		{`{"path":"w/bad.log"}`, "1: \ufffd\n\n(Bytes that are not valid UTF-8 are shown as U+FFFD.)"},
		{
			`{"path":"w/long.log","offset":2,"limit":1}`,
			"2: " + strings.Repeat("y", 97) + "\n\n(Line 2 is cut at byte 97 of its text. To read on behind it, send offset 3.)",
		},
	} {
		r := readcard.Read(ctx, tool, []byte(tt.raw))
		var path struct{ Path string }
		_ = json.Unmarshal([]byte(tt.raw), &path)
		if got := r.Content[0].Text; r.IsError || got != readcard.Envelope(path.Path, tt.want) || r.StructuredContent != nil {
			t.Errorf("%s: %q, want %q", tt.raw, got, tt.want)
		}
	}
	for raw, mentions := range map[string]string{
		``:                                         "path missing",
		`{"offset":1}`:                             "path missing",
		`{"path":"w/a.log","head":1}`:              "head unknown path offset limit",
		`{"path":"w/a.log","offset":0}`:            "offset least",
		`{"path":"w/a.log","offset":-1}`:           "offset",
		`{"path":"w/a.log","limit":0}`:             "limit least",
		`{"path":"w/a.log","limit":1.5}`:           "limit integer",
		`{"path":"w/a.log","limit":"1"}`:           "limit string",
		`{"path":"w/a.log","offset":1,"offset":1}`: "offset twice",
		`{"path":"w/a.log","offset":6}`:            "offset 6 past 5 lines",
		`{"path":"w/e.log","offset":2}`:            "offset 2 past 0 lines",
		`{"path":"w/none.log"}`:                    "no file",
		`{"path":"../none.log"}`:                   "outside",
		`{"path":"w/nul.log"}`:                     "binary",
		`[]`:                                       "JSON",
	} {
		r := readcard.Read(ctx, tool, []byte(raw))
		if !r.IsError || r.Meta != nil {
			t.Errorf("%s: %+v", raw, r)
		}
		for _, word := range strings.Fields(mentions) {
			if !strings.Contains(r.Content[0].Text, word) {
				t.Errorf("%s: %q does not mention %q", raw, r.Content[0].Text, word)
			}
		}
	}
}

// The note of a line that is over the limit names no tool that is not there,
// and says where to read on.
func TestReadLongLine(t *testing.T) {
	const rest = " The tool read_file reads the rest of it, with start_line 2, end_line 2, start_column 97."
	for count, last := range map[int64]string{0: "", -1: " To read on behind it, send offset 4."} {
		tool := contents(t, readfile.Options{Bytes: 100, Count: count}, map[string]string{
			"a.log": "first\n" + strings.Repeat("y", 300) + "\n" + strings.Repeat("z", 300),
		})
		for raw, want := range map[string]string{
			`{"path":"w/a.log","offset":2}`: "Line 2 is cut at byte 97 of its text." + rest + " To read on behind it, send offset 3.",
			`{"path":"w/a.log","offset":3}`: "Line 3 is cut at byte 97 of its text." + strings.ReplaceAll(rest, "line 2", "line 3") + last,
			`{"path":"w/a.log"}`:            "Lines 1 to 1 of 3. To read on, send offset 2.",
		} {
			if count < 0 {
				want = strings.Replace(want, " of 3", "", 1)
			}
			for _, beside := range [][]string{{"read"}, {"read", "read_file"}} {
				want := want
				if len(beside) == 1 {
					want = strings.NewReplacer(rest, "", strings.ReplaceAll(rest, "line 2", "line 3"), "").Replace(want)
				}
				got := readcard.Read(ctx, tool, []byte(raw), beside...).Content[0].Text
				if !strings.HasSuffix(got, "\n\n("+want+")\n</content>") {
					t.Errorf("%s beside %v, count %d: %q, want %q", raw, beside, count, got, want)
				}
			}
		}
	}
}

// A part of a file whose lines are not counted says that the file goes on, and
// the whole of it does not.
func TestReadUncounted(t *testing.T) {
	tool := contents(t, readfile.Options{Lines: 4, Count: -1}, map[string]string{"a.log": "1\n2\n3\n4\n5\n"})
	for raw, want := range map[string]string{
		`{"path":"w/a.log"}`:                      "(Lines 1 to 4. To read on, send offset 5.)",
		`{"path":"w/a.log","limit":2}`:            "(Lines 1 to 2. To read on, send offset 3.)",
		`{"path":"w/a.log","offset":2,"limit":1}`: "(Lines 2 to 2. To read on, send offset 3.)",
		`{"path":"w/a.log","offset":2,"limit":3}`: "(Lines 2 to 4. To read on, send offset 5.)",
		`{"path":"w/a.log","offset":2,"limit":4}`: "",
		`{"path":"w/a.log","offset":5,"limit":1}`: "",
		`{"path":"w/a.log","offset":3}`:           "",
	} {
		got := readcard.Read(ctx, tool, []byte(raw)).Content[0].Text
		if _, note, _ := strings.Cut(strings.TrimSuffix(got, "\n</content>"), "\n\n"); note != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

// Following the offsets of the notes comes to the whole file.
func TestReadOn(t *testing.T) {
	var content strings.Builder
	for i := range 100 {
		content.WriteString(strings.Repeat("x", i%30) + "\n")
	}
	tool := contents(t, readfile.Options{Lines: 7, Bytes: 100, Count: -1}, map[string]string{"a.log": content.String()})
	var got strings.Builder
	for offset := 1; offset <= 100; {
		raw, _ := json.Marshal(readcard.Request{Path: "w/a.log", Offset: int64(offset)})
		text := readcard.Read(ctx, tool, raw).Content[0].Text
		body, note, more := strings.Cut(text, "\n\n(")
		for line := range strings.Lines(body) {
			if _, text, ok := strings.Cut(line, ": "); ok {
				got.WriteString(strings.TrimSuffix(text, "\n") + "\n")
				offset++
			}
		}
		if more != (offset <= 100) {
			t.Fatalf("at %d: %q", offset, note)
		}
	}
	if got.String() != content.String() {
		t.Errorf("%q", got.String())
	}
}

func TestProject(t *testing.T) {
	tool := contents(t, readfile.Options{Lines: 2}, map[string]string{"a.go": "1\n2\n3\n", "e": ""})
	for _, tt := range []struct {
		req  readfile.Request
		want readcard.Window
	}{
		{readfile.Request{Path: "w/a.go", Head: 1}, readcard.Window{Offset: 1, Lines: []readcard.Line{{Number: 1, Text: "1"}}, TotalLines: 3, Lang: "go"}},
		{readfile.Request{Path: "w/a.go", Tail: 1}, readcard.Window{Offset: 3, Lines: []readcard.Line{{Number: 3, Text: "3"}}, TotalLines: 3, Lang: "go"}},
		// The offset is that of what was asked for, also where a tail was cut.
		{readfile.Request{Path: "w/a.go", Tail: 3}, readcard.Window{Offset: 1, Lines: []readcard.Line{{Number: 2, Text: "2"}, {Number: 3, Text: "3"}}, TotalLines: 3, Lang: "go"}},
		{readfile.Request{Path: "w/a.go", StartLine: 2, EndLine: 2, ShowLineNumbers: true}, readcard.Window{Offset: 2, Lines: []readcard.Line{{Number: 2, Text: "2"}}, TotalLines: 3, Lang: "go"}},
		{readfile.Request{Path: "w/e"}, readcard.Window{Offset: 1, Lines: []readcard.Line{}}},
	} {
		got, ok := readcard.Project(tool.Read(ctx, tt.req))
		tt.want.Path = tt.req.Path
		if diff := cmp.Diff(tt.want, got); !ok || diff != "" {
			t.Errorf("%+v: %v %s", tt.req, ok, diff)
		}
	}
	long := contents(t, readfile.Options{Bytes: 64}, map[string]string{"a.go": "1\n" + strings.Repeat("2", 100) + "\n" + strings.Repeat("3", 63)})
	for _, tt := range []struct {
		req    readfile.Request
		offset int64 // 0 for no card
		lines  int
	}{
		{readfile.Request{}, 1, 1},
		{readfile.Request{Tail: 2}, 2, 1},
		{readfile.Request{StartLine: 2, EndLine: 3}, 2, 0},
		{readfile.Request{StartLine: 2, EndLine: 3, StartColumn: 1}, 0, 0},
		{readfile.Request{StartLine: 2, EndLine: 3, StartColumn: 64}, 0, 0},
		{readfile.Request{StartLine: 3, EndLine: 3}, 3, 1},
		{readfile.Request{StartLine: 3, EndLine: 3, ShowLineNumbers: true}, 3, 0},
		{readfile.Request{Tail: 1, ShowLineNumbers: true}, 3, 0},
	} {
		tt.req.Path = "w/a.go"
		w, ok := readcard.Project(long.Read(ctx, tt.req))
		if ok != (tt.offset > 0) || w.Offset != tt.offset || len(w.Lines) != tt.lines || ok && (w.Lines == nil || w.TotalLines != 3) {
			t.Errorf("%+v: %+v %v", tt.req, w, ok)
		}
		if stored, err := json.Marshal(w); ok && err == nil {
			if again, ok := readcard.Narrow(stored); !ok || again.Offset != w.Offset || len(again.Lines) != len(w.Lines) {
				t.Errorf("%s is refused", stored)
			}
		}
	}
	if w, ok := readcard.Project(tool.Read(ctx, readfile.Request{Path: "w/none"})); ok {
		t.Errorf("of an error: %+v", w)
	}
	uncounted := contents(t, readfile.Options{Count: -1}, map[string]string{"a.go": "1\n2\n3\n"})
	for _, req := range []readfile.Request{{Head: 1}, {Tail: 1}, {StartLine: 1, EndLine: 2}} {
		req.Path = "w/a.go"
		if w, ok := readcard.Project(uncounted.Read(ctx, req)); ok {
			t.Errorf("%+v, of a file whose lines were not counted: %+v", req, w)
		}
	}
}

func TestToolResult(t *testing.T) {
	tool := contents(t, readfile.Options{Lines: 1}, map[string]string{"a.go": "<1>\n2\n"})
	cut := readcard.ToolResult(tool.Read(ctx, readfile.Request{Path: "w/a.go"}))
	var m readfile.Metadata
	if err := json.Unmarshal(cut.StructuredContent, &m); err != nil || !m.Truncated || m.After.StartLine != 2 {
		t.Errorf("%s: %v", cut.StructuredContent, err)
	}
	moved := cut.Unstructured()
	if moved.StructuredContent != nil || string(moved.Meta[readcard.MetaTruncation]) != string(cut.StructuredContent) || moved.Meta[readcard.MetaWindow] == nil || len(cut.Meta) != 1 {
		t.Errorf("%+v", moved)
	}
	whole := readcard.ToolResult(tool.Read(ctx, readfile.Request{Path: "w/a.go", Head: 1}))
	if whole.StructuredContent != nil || whole.Unstructured().Meta[readcard.MetaTruncation] != nil || whole.IsError || whole.Content[0].Text != "<1>\n" {
		t.Errorf("%+v", whole)
	}
	failed := readcard.ToolResult(tool.Read(ctx, readfile.Request{Path: "none"}))
	if !failed.IsError || failed.Meta != nil || failed.StructuredContent != nil || !strings.Contains(failed.Content[0].Text, "none") {
		t.Errorf("%+v", failed)
	}
}

func TestLang(t *testing.T) {
	for name, want := range map[string]string{
		"a.ts": "typescript", "A.TS": "typescript", "src/x.Go": "go", "a/b.c/d.py": "python", "a.tar.json": "json", "a.b.YML": "yaml",
		"x.rs": "rust", "x.md": "markdown", "x.toml": "toml", ".config.json": "json", "d.py/f.go": "go",
		".gitignore": "", "d/.bashrc": "", ".ts": "", "/etc/hosts": "", "Makefile": "", "d.py/Makefile": "", "a.": "", "a.ts.": "", "...": "", "..": "", ".": "",
		"a.unknown": "", "app.log": "", "": "", "d.ts/": "", "ts": "", "a.ts ": "",
	} {
		if got := readcard.Lang(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
