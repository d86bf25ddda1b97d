package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite what the server says in testdata/sessions")

// TestSessions holds whole conversations with the server, over standard input
// and output. The first line of a file has the flags of the server. Each line
// after it is a message, of the client or of the server; {{cwd}} stands for the
// workspace.
func TestSessions(t *testing.T) {
	names, err := filepath.Glob("testdata/sessions/*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatal("no sessions", err)
	}
	dir := workspace(t, map[string]string{
		"app.log":     "one\ntwo\nthree\nfour\nfive\n",
		"open.log":    "one\ntwo\nthree",
		"crlf.log":    "one\r\ntwo\r\n",
		"empty.log":   "",
		"invalid.log": "good\nb\xffd\n",
		"long.log":    "short\n" + strings.Repeat("0123456789", 30) + "\nlast\n",
		"many.log":    strings.Repeat("a line\n", 40),
		"old.log.gz":  gzipped("one\ntwo\nthree\n"),
		"cut.log.gz":  gzipped("one\ntwo\nthree\n")[:22],
		"image.png":   "\x89PNG\r\n\x1a\n\x00\x00",
		"utf16.txt":   "\xff\xfeh\x00i\x00",
		"src/main.go": "package main\n\nfunc main() {\n\tprintln(\"hi\")\n}\n",
		"日本/ログ.log":   "一\n二\n",

		"src/app.ts":    "// Doc.\nexport class App {\n  start() {}\n  stop() {}\n  get on() { return 1 } set on(v) {}\n}\nexport const run = () => {\n}\n",
		"src/broken.py": "def f(a:\n  pass\n\nclass A: pass\n",
		"docs/guide.md": "# Guide\n\n## First\n\n    # code\n\n## Second\n",
		"docs/empty.md": "Text.\n",
	})
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".jsonl"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := converse(t, dir, want)
			if *update {
				if err := os.WriteFile(name, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" && !*update {
				t.Error(diff)
			}
		})
	}
}

// A turn is a line of a session.
type turn struct {
	Server []string        `json:"server,omitempty"` // its flags
	Sent   json.RawMessage `json:"sent,omitempty"`   // by the client
	Got    json.RawMessage `json:"got,omitempty"`    // from the server
}

// converse sends what the client says in a session, each message after the
// answer to the one before, and returns the session as it was this time.
func converse(t *testing.T, dir string, session []byte) []byte {
	t.Helper()
	real, token := quoted(dir), []byte("{{cwd}}")
	lines := bytes.SplitAfter(session, []byte("\n"))
	var first turn
	if err := json.Unmarshal(lines[0], &first); err != nil {
		t.Fatal(err)
	}
	cmd := program(t, append([]string{"mcp", "--root", dir}, first.Server...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(out)
	got := bytes.NewBuffer(bytes.Clone(lines[0]))
	for _, line := range lines[1:] {
		var now turn
		if len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &now); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if now.Sent == nil {
			continue
		}
		got.Write(line)
		if _, err := in.Write(append(bytes.ReplaceAll(now.Sent, token, real), '\n')); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(now.Sent, []byte(`"id":`)) {
			continue
		}
		answer, err := said.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		answer = bytes.ReplaceAll(bytes.TrimSpace(answer), real, token)
		got.WriteString(`{"got":` + string(answer) + "}\n")
	}
	_ = in.Close()
	if rest, err := said.ReadBytes(0); len(rest) > 0 {
		t.Errorf("and then %q %v", rest, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	return got.Bytes()
}

// quoted is a path as it is inside a JSON string.
func quoted(path string) []byte {
	b, _ := json.Marshal(path)
	return b[1 : len(b)-1]
}
