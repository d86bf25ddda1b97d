package readfile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"excerpt/readfile"
)

// Whatever is asked of whatever file: no panic, an answer within the limits,
// in valid UTF-8, that gives nothing away from outside the workspace, and next
// requests that are requests.
func FuzzCall(f *testing.F) {
	for _, content := range []string{
		"", "a\nb\nc", "a\r\nb\r\n", "\ufeffone\n", "\xff\xfea\x00", "x\x00", "\x89PNG", strings.Repeat("界", 90) + "\n", strings.Repeat("line\n", 40), "\xe4\xb8\n\xff\n",
	} {
		for _, raw := range []string{
			`{"path": "a.log"}`,
			`{"path": "a.log", "head": 2, "show_line_numbers": true}`,
			`{"path": "./d/../l", "tail": 30}`,
			`{"path": "a.log", "start_line": 2, "end_line": 1e2, "start_column": 1}`,
			`{"path": "../secret.log"}`, `{"path": "out"}`, `{"path": "up/secret.log"}`, `{"path": "d"}`,
			`{"path": "\u0000\\~/", "tail": -1}`, `[`, `{"path": "a.log", "path": 1}`,
		} {
			f.Add([]byte(raw), content, uint8(3), uint8(70), len(raw)%2 == 0)
		}
	}
	w := newWorkspace(f)
	w.write("d/b.log", "b\n")
	w.link("a.log", "l")
	w.link("../secret.log", "out")
	w.link("..", "up")
	outer := filepath.Dir(w.dir)
	f.Fuzz(func(t *testing.T, raw []byte, content string, lines, bytes uint8, count bool) {
		if len(raw)+len(content) > 1<<16 {
			return
		}
		if err := os.WriteFile(w.path("a.log"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		opts := readfile.Options{Lines: int64(max(lines, 1)), Bytes: int64(max(bytes, 64)), Count: -1}
		if count {
			opts.Count = 0
		}
		tool, err := readfile.New(w.root, &opts)
		if err != nil {
			t.Fatal(err)
		}
		r := tool.Call(ctx, raw)
		text := r.Text()
		switch {
		case int64(len(r.Body)) > opts.Bytes, len(text) > len(r.Body)+2048:
			t.Fatalf("%s: %d bytes", raw, len(text))
		case int64(strings.Count(r.Body, "\n")) > opts.Lines:
			t.Fatalf("%s: too many lines", raw)
		case !utf8.ValidString(text):
			t.Fatalf("%s: %q", raw, text)
		case strings.Contains(text, secret) && !strings.Contains(content+string(raw), secret):
			t.Fatalf("%s: it leaves the workspace", raw)
		case strings.Contains(text, outer) && !strings.Contains(content+string(raw), outer):
			t.Fatalf("%s: %q", raw, text)
		case strings.Contains(r.Body, "\x00"):
			t.Fatalf("%s: NUL", raw)
		}
		if r.Metadata == nil {
			return
		}
		if m := r.Metadata; m.Before == nil && m.After == nil && m.Again == nil {
			t.Fatalf("%s: no way to go on", raw)
		}
		for _, next := range []*readfile.Request{r.Metadata.Before, r.Metadata.After, r.Metadata.Again} {
			if next == nil {
				continue
			}
			arguments, err := json.Marshal(next)
			if err != nil {
				t.Fatal(err)
			}
			if more := tool.Call(ctx, arguments); more.Err != nil && !strings.Contains(content, "\x00") {
				t.Fatalf("%s gives %s: %v", raw, arguments, more.Err)
			}
		}
	})
}
