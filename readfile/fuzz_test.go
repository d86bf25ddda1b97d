package readfile_test

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"excerpt/readcard"
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
		began := time.Now()
		r := tool.Call(ctx, raw)
		took := time.Since(began)
		text := r.Text()
		sent, err := json.Marshal(readcard.ToolResult(r))
		window, card := readcard.Project(r)
		stored, _ := json.Marshal(window)
		again, narrowed := readcard.Narrow(stored)
		switch {
		case took > time.Second:
			t.Fatalf("%s: %v", raw, took)
		case err != nil, !json.Valid(sent):
			t.Fatalf("%s: %s: %v", raw, sent, err)
		case card && (!narrowed || !cmp.Equal(window, again)):
			t.Fatalf("%s: %s is refused", raw, stored)
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

// Whatever the workspace is like, with folders and links anywhere, and trees
// mounted over them: an answer is of a file in it that is not covered, in valid
// JSON, soon.
func FuzzWorkspace(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	const covered = "what a mount covers"
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		w := newWorkspace(t)
		names := []string{".", "..", "../secret.log", w.dir, filepath.Dir(w.dir) + "/secret.log", "a.log", "m", "m/a.log", "m/d", "../w/m"}
		pick := func() string { return names[random.IntN(len(names))] }
		for _, name := range []string{"m/a.log", "m/d/b.log"} {
			w.write(name, covered)
		}
		for range random.IntN(12) {
			name := path.Join([]string{".", "x", "y", "x/y", "m", "m/d"}[random.IntN(6)], string(rune('a'+random.IntN(6))))
			at := w.path(name)
			if os.MkdirAll(filepath.Dir(at), 0o755) != nil {
				continue // a part of it is no folder
			}
			switch random.IntN(4) {
			case 0:
				content := strings.Repeat("line\n", random.IntN(50)) + "end"
				if strings.HasPrefix(name, "m/") {
					content = covered
				}
				_ = os.Remove(at) // it may be a link
				if folder, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil && folder == filepath.Dir(at) {
					_ = os.WriteFile(at, []byte(content), 0o600)
				}
			case 1:
				_ = os.Mkdir(at, 0o755)
			default:
				_ = os.Symlink(strings.Repeat("../", random.IntN(3))+pick(), at)
			}
			names = append(names, name, name+"/"+path.Base(pick()))
		}
		tool := w.tool(&readfile.Options{Lines: 20, Bytes: 100, Mounts: map[string]fs.FS{"m": fstest.MapFS{"d/a": {Data: []byte("mounted\n")}}}})
		for range 20 {
			req := readfile.Request{Path: pick()}
			for range random.IntN(3) {
				req.Path += "/" + pick()
			}
			if random.IntN(2) == 0 {
				req.Tail = random.Int64N(30)
			}
			began := time.Now()
			r := tool.Read(ctx, req)
			sent, err := json.Marshal(readcard.ToolResult(r))
			switch {
			case time.Since(began) > time.Second:
				t.Fatalf("%+v: %v", req, time.Since(began))
			case err != nil, !json.Valid(sent), !utf8.Valid(sent), len(r.Body) > 100:
				t.Fatalf("%+v: %s", req, sent)
			case strings.Contains(string(sent), secret), strings.Contains(string(sent), covered):
				t.Fatalf("%+v: %s", req, sent)
			case r.Err != nil && strings.Contains(r.Text(), w.dir) && !strings.Contains(req.Path, w.dir):
				t.Fatalf("%+v: %s", req, r.Text())
			}
		}
	})
}
