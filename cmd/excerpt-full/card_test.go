package main

import (
	"bytes"
	"strings"
	"testing"

	"excerpt/readcard"
)

func TestDraw(t *testing.T) {
	window := readcard.Window{Path: "src/a\x1b.go", Offset: 9, TotalLines: 40, Lang: "go", Lines: []readcard.Line{
		{Number: 9, Text: "// \x1b[2J\u202e\a\x9b and \ttab"}, {Number: 10, Text: "func f() {}"},
	}}
	var plain, coloured bytes.Buffer
	draw(&plain, false, window, "[Cut.]")
	const want = `src/a\x1b.go  lines 9 to 10 of 40
 9 │ // \x1b[2J\u202e\a\x9b and  tab
10 │ func f() {}
[Cut.]
`
	if plain.String() != want {
		t.Errorf("%s", &plain)
	}
	draw(&coloured, true, window, "")
	if got := coloured.String(); !strings.Contains(got, "\x1b[35mfunc\x1b[m") || !strings.Contains(got, "\x1b[2m// ") || strings.Contains(got, "\x1b[2J") {
		t.Errorf("%q", got)
	}
}

// Nothing that a terminal takes for more than text, whatever a file has.
func TestVisible(t *testing.T) {
	for r := range rune(0x3000) {
		got := visible(string(r))
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 {
			if strings.ContainsRune(got, r) || r != '\t' && !strings.HasPrefix(got, `\`) {
				t.Errorf("%U: %q", r, got)
			}
		}
	}
	for text, want := range map[string]string{
		"a\tb": "a   b", "abcd\tb": "abcd    b", "na\u00efve \u65e5\u672c": "na\u00efve \u65e5\u672c", "\xff": `\xff`,
		"\U0001F469\u200d\U0001F4BB": "\U0001F469\u200d\U0001F4BB", "\ufeffa": `\ufeffa`, "\ufffd": "\ufffd", "a\r": `a\r`, "\u2028": `\u2028`,
	} {
		if got := visible(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Each language that there is a hint of is known to chroma, and what it paints
// is the same text.
func TestHighlight(t *testing.T) {
	lines := []string{"", "# one", "func main() { return \"x\" // y", "<a href='b'>", "\t'''", "key: 1", "", "/* open"}
	for _, extension := range extensions {
		lang := readcard.Lang("a." + extension)
		if lang == "" || lexerOf(lang) == nil {
			t.Errorf("%s: %q is unknown", extension, lang)
			continue
		}
		got := highlight(true, lang, lines)
		for i, line := range got {
			for _, code := range []string{bold, dim, red, green, yellow, blue, magenta, cyan, ""} {
				line = strings.ReplaceAll(line, "\x1b["+code+"m", "")
			}
			if line != lines[i] {
				t.Errorf("%s: %q, want %q", lang, line, lines[i])
			}
		}
	}
	if lexerOf(readcard.Lang("app.log")) != nil {
		t.Error("a log is highlighted")
	}
}

func TestCard(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"a.go": "package a\n\nvar x = 1\n", "bad.log": "a\x1b[31mb\n", "long.log": "x\n" + strings.Repeat("y", 100)})
	const long = "[Cut to 64 bytes. This is line 2 from column 0 to column 64; the file has 2 lines, 102 bytes. To read on: {\"path\":\"long.log\",\"start_line\":2,\"end_line\":2,\"start_column\":64}]\n"
	for request, want := range map[string]string{
		`{"path": "a.go", "tail": 1}`: "a.go  line 3 of 3\n3 │ var x = 1\n",
		`{"path": "bad.log"}`:         "bad.log  line 1 of 1\n1 │ a\\x1b[31mb\n",
		// A part of a line is no card.
		`{"path": "long.log", "tail": 1}`:                                          strings.Repeat("y", 64) + "\n" + long,
		`{"path": "long.log", "start_line": 2, "end_line": 2, "start_column": 90}`: strings.Repeat("y", 10) + "\n",
	} {
		cmd := program(t, "read", "--card", "--root", dir, "--max-bytes", "64")
		cmd.Stdin = strings.NewReader(request)
		out, err := cmd.Output()
		if err != nil || string(out) != want {
			t.Errorf("%s: %q %v", request, out, err)
		}
	}
}
