// Package cases are answers that the tool read_file must give, as data: files,
// a request, and what must come back. Whatever answers is tested with them.
package cases

import (
	"bytes"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"excerpt/readcard"
	"excerpt/readfile"
)

// A Case is a line of testdata/*.jsonl: a workspace, a call, and what must
// come back.
type Case struct {
	Name    string
	Files   map[string]json.RawMessage
	Request json.RawMessage
	Raw     string // in place of Request
	Want    Expectation
}

// An Expectation is what must come back.
type Expectation struct {
	Error      bool
	Mentions   []string            // patterns, in the error or the notice
	Text       *string             // all of it
	TextRE     string              `json:"text_re"`
	Starts     [][]json.RawMessage // texts and how often, before the notice
	Notice     *bool
	Structured json.RawMessage // a part; null if there must be none
	LineCount  *int64
	Card       json.RawMessage // likewise, of the window
}

//go:embed testdata/*.jsonl
var data embed.FS

// Run runs each case as a test. answer gets the folder of a workspace and the
// arguments of a call, and returns a CallToolResult in JSON.
func Run(t *testing.T, answer func(t *testing.T, dir string, request []byte) []byte) {
	t.Helper()
	RunStored(t, func(content []byte) []byte { return content }, answer)
}

// RunStored is Run with files that have what store makes of their content.
func RunStored(t *testing.T, store func(content []byte) []byte, answer func(t *testing.T, dir string, request []byte) []byte) {
	t.Helper()
	names, err := fs.Glob(data, "testdata/*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range names {
		text, err := data.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var c Case
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			t.Run(c.Name, func(t *testing.T) {
				tmp := t.TempDir()
				dir := filepath.Join(tmp, "w")
				if err := c.Want.check(answer(t, dir, c.prepare(t, dir, tmp, store)), tmp); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// prepare makes the workspace, and returns the request.
func (c *Case) prepare(t *testing.T, dir, tmp string, store func([]byte) []byte) []byte {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, spec := range c.Files {
		makeFile(t, filepath.Join(dir, filepath.FromSlash(name)), spec, store)
	}
	if c.Raw != "" {
		return []byte(strings.ReplaceAll(c.Raw, "{tmp}", tmp))
	}
	return c.Request
}

// makeFile writes pieces of text, each so many times, or what the object says.
func makeFile(t *testing.T, path string, spec json.RawMessage, store func([]byte) []byte) {
	t.Helper()
	var special struct {
		Hex    *string
		Times  int
		Link   string
		FIFO   bool
		Dir    bool
		Sparse int64
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	var content []byte
	if spec[0] == '[' {
		content = repeated(t, spec)
	} else if err := json.Unmarshal(spec, &special); err != nil {
		t.Fatal(err)
	}
	var err error
	switch {
	case special.Link != "":
		if err := os.Symlink(special.Link, path); err != nil {
			t.Skip(err)
		}
		return
	case special.FIFO:
		if err := makeFIFO(path); err != nil {
			t.Skip(err)
		}
		return
	case special.Dir:
		err = os.MkdirAll(path, 0o755)
		if err != nil {
			t.Fatal(err)
		}
		return
	case special.Hex != nil:
		content, err = hex.DecodeString(*special.Hex)
		content = bytes.Repeat(content, max(special.Times, 1))
	}
	stored := store(content)
	if err = errors.Join(err, os.WriteFile(path, stored, 0o600)); err == nil && special.Sparse > 0 {
		if !bytes.Equal(stored, content) {
			t.Skip("a hole is not stored")
		}
		if runtime.GOOS == "windows" {
			t.Skip("holes are not made")
		}
		err = os.Truncate(path, special.Sparse)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func repeated(t *testing.T, spec json.RawMessage) (content []byte) {
	t.Helper()
	var parts [][]json.RawMessage
	err := json.Unmarshal(spec, &parts)
	for _, part := range parts {
		var text string
		var times int
		err = errors.Join(err, json.Unmarshal(part[0], &text), json.Unmarshal(part[1], &times))
		content = append(content, strings.Repeat(text, times)...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return content
}

var noticeAtEnd = regexp.MustCompile(`\n?(\[[^\n]*\])$`)

func (w *Expectation) check(sent []byte, tmp string) error {
	var r readcard.CallResult
	if err := json.Unmarshal(sent, &r); err != nil {
		return err
	}
	text := r.Content[0].Text
	body, notice := text, ""
	if m := noticeAtEnd.FindStringSubmatchIndex(text); m != nil && r.StructuredContent != nil {
		body, notice = text[:m[0]], text[m[2]:m[3]]
	}
	switch {
	case !utf8.Valid(sent), len(text) > 128<<10+2048, len(r.Content) != 1:
		return fmt.Errorf("%d bytes of text", len(text))
	case r.IsError != w.Error:
		return fmt.Errorf("error %v: %.200q", r.IsError, text)
	case w.Error && strings.Contains(text, tmp):
		return fmt.Errorf("it gives the workspace away: %q", text)
	case w.Text != nil && text != *w.Text:
		return fmt.Errorf("text %.200q, want %.200q", text, *w.Text)
	case !regexp.MustCompile(w.TextRE).MatchString(text):
		return fmt.Errorf("text %.200q does not match %s", text, w.TextRE)
	case w.Notice != nil && *w.Notice != (notice != "") && (*w.Notice || r.StructuredContent != nil):
		return fmt.Errorf("notice %q", notice)
	}
	if w.Starts != nil {
		var want strings.Builder
		for _, part := range w.Starts {
			var s string
			var times int
			if err := errors.Join(json.Unmarshal(part[0], &s), json.Unmarshal(part[1], &times)); err != nil {
				return err
			}
			want.WriteString(strings.Repeat(s, times))
		}
		if strings.TrimSuffix(body, "\n") != strings.TrimSuffix(want.String(), "\n") {
			return fmt.Errorf("body of %d bytes %.80q, want %d bytes %.80q", len(body), body, want.Len(), want.String())
		}
	}
	for _, pattern := range w.Mentions {
		in := notice
		if in == "" {
			in = text
		}
		if !regexp.MustCompile("(?i)" + pattern).MatchString(in) {
			return fmt.Errorf("%.300q does not mention %s", in, pattern)
		}
	}
	if r.StructuredContent != nil {
		var m readfile.Metadata
		if err := json.Unmarshal(r.StructuredContent, &m); err != nil {
			return err
		}
		if n := m.ReturnedBytes - int64(len(body)); n < 0 || n > 1 { // a line end stays out of body
			return fmt.Errorf("returnedBytes %d, body of %d", m.ReturnedBytes, len(body))
		}
		if w.LineCount != nil && m.LineCountKnown && m.LineCount != *w.LineCount {
			return fmt.Errorf("lineCount %d", m.LineCount)
		}
	}
	if err := part(w.Structured, r.StructuredContent); err != nil {
		return fmt.Errorf("structuredContent: %w", err)
	}
	if err := part(w.Card, r.Meta[readcard.MetaWindow]); err != nil {
		return fmt.Errorf("card: %w", err)
	}
	return nil
}

// part says how got lacks what is wanted of it.
func part(want, got json.RawMessage) error {
	if want == nil {
		return nil
	}
	var w, g any
	if err := json.Unmarshal(want, &w); err != nil {
		return err
	}
	if got != nil {
		if err := json.Unmarshal(got, &g); err != nil {
			return err
		}
	}
	return partOf(w, g)
}

func partOf(want, got any) error {
	w, ok := want.(map[string]any)
	if !ok {
		if fmt.Sprint(want) != fmt.Sprint(got) {
			return fmt.Errorf("%v, want %v", got, want)
		}
		return nil
	}
	g, ok := got.(map[string]any)
	if !ok {
		return fmt.Errorf("%v is no object", got)
	}
	for key, value := range w {
		has, ok := g[key]
		if value == "*absent*" {
			if ok {
				return fmt.Errorf("%s: %v should be absent", key, has)
			}
			continue
		}
		if err := partOf(value, has); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}
