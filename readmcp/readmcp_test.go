package readmcp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/engine"
	"excerpt/engine/compressed"
	"excerpt/readfile"
	"excerpt/readmcp"
)

var both = []string{"read_file", "read"}

// files returns a tool over what is in tree, below "w".
func files(t testing.TB, tree fs.FS, opts readfile.Options) *readfile.Tool {
	t.Helper()
	opts.Mounts = map[string]fs.FS{"w": tree}
	tool, err := readfile.New(nil, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func small() fs.FS {
	return fstest.MapFS{
		"app.log": {Data: []byte("one\ntwo\nthree\n")},
		"many":    {Data: []byte(strings.Repeat("a line\n", 5000))},
		"binary":  {Data: []byte("\x89PNG\x00")},
		"wide":    {Data: []byte("\xff\xfea\x00")},
	}
}

func server(t testing.TB, tool *readfile.Tool, opts *readmcp.Options) *mcp.Server {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	if err := readmcp.AddTools(s, tool, opts); err != nil {
		t.Fatal(err)
	}
	return s
}

// connect connects the SDK's client to a server, through its pipe in memory
// and our lines of JSON.
func connect(t testing.TB, s *mcp.Server, name string, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	if _, err := s.Connect(t.Context(), readmcp.NewTransport(inR, outW), nil); err != nil {
		t.Fatal(err)
	}
	return client(t, &mcp.IOTransport{Reader: outR, Writer: inW}, name, opts)
}

func client(t testing.TB, transport mcp.Transport, name string, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, opts)
	session, err := c.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func call(t testing.TB, session *mcp.ClientSession, name string, arguments any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", name, arguments, err)
	}
	return result
}

func text(result *mcp.CallToolResult) string {
	if len(result.Content) != 1 {
		return fmt.Sprintf("%d blocks", len(result.Content))
	}
	return result.Content[0].(*mcp.TextContent).Text
}

// overMemory is the SDK's own transport in memory.
func overMemory(t testing.TB, s *mcp.Server) *mcp.ClientSession {
	t.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := s.Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	return client(t, theirs, "test", nil)
}

func TestTools(t *testing.T) {
	s := server(t, files(t, small(), readfile.Options{Lines: 1000, Bytes: 1000}), &readmcp.Options{Tools: both})
	for name, session := range map[string]*mcp.ClientSession{"memory": overMemory(t, s), "lines": connect(t, s, "test", nil)} {
		t.Run(name, func(t *testing.T) {
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 2 {
				t.Fatal(list, err)
			}
			for _, tool := range list.Tools {
				schema := tool.InputSchema.(map[string]any)
				if schema["additionalProperties"] != false || schema["type"] != "object" {
					t.Errorf("%s: %v", tool.Name, schema)
				}
				for name, property := range schema["properties"].(map[string]any) {
					if p := property.(map[string]any); p["description"] == nil || p["type"] == "integer" && p["minimum"] == nil {
						t.Errorf("%s: %s: %v", tool.Name, name, p)
					}
				}
				if a := tool.Annotations; !a.ReadOnlyHint || *a.DestructiveHint || *a.OpenWorldHint {
					t.Errorf("%s: %+v", tool.Name, a)
				}
				if most := tool.Meta["anthropic/maxResultSizeChars"]; most != 1000.0+8192 {
					t.Errorf("%s: %v", tool.Name, most)
				}
				if !strings.Contains(tool.Description, "at most 1000 lines and 1000 bytes") {
					t.Errorf("%s: %s", tool.Name, tool.Description)
				}
			}
			if got := text(call(t, session, "read_file", map[string]any{"path": "w/app.log", "tail": 2})); got != "two\nthree\n" {
				t.Errorf("%q", got)
			}
			got := call(t, session, "read", map[string]any{"path": "w/app.log", "offset": 2, "limit": 1})
			if !strings.Contains(text(got), "<content>\n2: two\n") || got.Meta["excerpt/window"] == nil {
				t.Errorf("%q %v", text(got), got.Meta)
			}
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "write"}); err == nil {
				t.Error("an unknown tool answers")
			}
		})
	}
}

// A refusal is a result, which the model sees, and no error of the protocol.
func TestRefusals(t *testing.T) {
	session := connect(t, server(t, files(t, small(), readfile.Options{}), &readmcp.Options{Tools: both}), "test", nil)
	for _, tool := range both {
		for _, arguments := range []any{
			nil,
			[]int{1},
			"text", 1, true,
			map[string]any{},
			map[string]any{"path": 1},
			map[string]any{"path": ""},
			map[string]any{"path": "w/none"},
			map[string]any{"path": "../x"},
			map[string]any{"path": "/etc/passwd"},
			map[string]any{"path": "~/x"},
			map[string]any{"path": `w\app.log`},
			map[string]any{"path": "w/\x00"},
			map[string]any{"path": "w"},
			map[string]any{"path": "w/binary"},
			map[string]any{"path": "w/wide"},
			map[string]any{"path": strings.Repeat("x", 1<<20)},
			map[string]any{"path": "w/app.log", "lines": 1},
			map[string]any{"path": "w/app.log", "head": 0},
			map[string]any{"path": "w/app.log", "offset": -1},
			map[string]any{"path": "w/app.log", "tail": 1.5},
			map[string]any{"path": "w/app.log", "limit": "5"},
			map[string]any{"path": "w/app.log", "start_line": 9, "end_line": 9},
			map[string]any{"path": "w/app.log", "offset": 9},
		} {
			if got := call(t, session, tool, arguments); !got.IsError || len(text(got)) < 20 || len(text(got)) > 2000 {
				t.Errorf("%s %.100v: %.200q", tool, arguments, text(got))
			}
		}
	}
}

func TestAddTools(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	tool := files(t, small(), readfile.Options{})
	for _, opts := range []readmcp.Options{{Tools: []string{"write"}}, {Tools: []string{""}}, {Metadata: "everywhere"}} {
		if err := readmcp.AddTools(s, tool, &opts); err == nil {
			t.Errorf("%+v", opts)
		}
	}
}

func TestMetadata(t *testing.T) {
	tool := files(t, small(), readfile.Options{})
	for _, c := range []struct {
		where  readmcp.Metadata
		client string
		meta   bool
	}{
		{"", "test", false},
		{readmcp.Auto, "test", false},
		{readmcp.Auto, "claude-code", true},
		{readmcp.Structured, "claude-code", false},
		{readmcp.Meta, "test", true},
	} {
		session := connect(t, server(t, tool, &readmcp.Options{Metadata: c.where}), c.client, nil)
		got := call(t, session, "read_file", map[string]any{"path": "w/many"})
		if (got.StructuredContent == nil) != c.meta || (got.Meta["excerpt/truncation"] != nil) != c.meta || got.Meta["excerpt/window"] == nil {
			t.Errorf("%q for %s: %v, %d in _meta", c.where, c.client, got.StructuredContent, len(got.Meta))
		}
		if got := call(t, session, "read_file", map[string]any{"path": "w/app.log"}); got.StructuredContent != nil || got.Meta["excerpt/truncation"] != nil {
			t.Errorf("%q for %s: metadata, though nothing was cut", c.where, c.client)
		}
	}
}

// endless is a file that no scan gets to the end of.
type endless struct{}

func (endless) Open(name string) (fs.File, error) { return endlessFile{}, nil }

type endlessFile struct{}

func (endlessFile) ReadAt(p []byte, off int64) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
func (endlessFile) Read(p []byte) (int, error)   { return len(p), nil }
func (endlessFile) Close() error                 { return nil }
func (f endlessFile) Stat() (fs.FileInfo, error) { return f, nil }
func (endlessFile) Name() string                 { return "endless" }
func (endlessFile) Size() int64                  { return 1 << 60 }
func (endlessFile) Mode() fs.FileMode            { return 0o444 }
func (endlessFile) ModTime() (zero time.Time)    { return zero }
func (endlessFile) IsDir() bool                  { return false }
func (endlessFile) Sys() any                     { return nil }

var far = map[string]any{"path": "w/endless", "start_line": int64(1 << 40), "end_line": int64(1 << 40)}

// A long scan tells how far it is, and nothing any more once it is cancelled,
// which it is at once.
func TestProgress(t *testing.T) {
	told := make(chan float64, 1000)
	session := connect(t, server(t, files(t, endless{}, readfile.Options{}), nil), "test", &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			if req.Params.ProgressToken != "token" || req.Params.Total != 1<<60 {
				t.Errorf("%+v", req.Params)
			}
			told <- req.Params.Progress
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	params := &mcp.CallToolParams{Name: "read_file", Arguments: far}
	params.SetProgressToken("token")
	failed := make(chan error)
	go func() {
		_, err := session.CallTool(ctx, params)
		failed <- err
	}()
	last := 0.0
	for range 3 {
		select {
		case now := <-told:
			if now <= last {
				t.Errorf("%v after %v", now, last)
			}
			last = now
		case err := <-failed:
			t.Fatal("it ended", err)
		}
	}
	cancel()
	if err := <-failed; err == nil {
		t.Error("no error")
	}
	time.Sleep(50 * time.Millisecond)
	for len(told) > 0 {
		<-told
	}
	time.Sleep(500 * time.Millisecond)
	if len(told) > 0 {
		t.Error("it still tells")
	}
}

// With a single slot, what is cancelled makes room for the next call at once.
func TestCancel(t *testing.T) {
	tree := layers{endless{}, small()}
	session := connect(t, server(t, files(t, tree, readfile.Options{}), &readmcp.Options{Parallel: 1}), "test", nil)
	for range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _, _ = session.CallTool(ctx, &mcp.CallToolParams{Name: "read_file", Arguments: far}) }()
		time.Sleep(50 * time.Millisecond)
		next := make(chan string)
		go func() { next <- text(call(t, session, "read_file", map[string]any{"path": "w/app.log", "head": 1})) }()
		select {
		case got := <-next:
			t.Fatalf("the slot was free: %q", got)
		case <-time.After(50 * time.Millisecond):
		}
		began := time.Now()
		cancel()
		select {
		case got := <-next:
			if got != "one\n" {
				t.Errorf("%q", got)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("what was cancelled goes on")
		}
		if took := time.Since(began); took > 100*time.Millisecond*patience {
			t.Errorf("cancelled after %v", took)
		}
	}
}

type layers struct{ first, second fs.FS }

func (b layers) Open(name string) (fs.File, error) {
	if name == "endless" {
		return b.first.Open(name)
	}
	return b.second.Open(name)
}

func TestTimeout(t *testing.T) {
	session := connect(t, server(t, files(t, endless{}, readfile.Options{}), &readmcp.Options{Timeout: 50 * time.Millisecond, Parallel: 1}), "test", nil)
	results := make(chan *mcp.CallToolResult, 4)
	for range cap(results) {
		go func() { results <- call(t, session, "read_file", far) }()
	}
	long, many := 0, 0
	for range cap(results) {
		select {
		case got := <-results:
			switch {
			case got.IsError && strings.Contains(text(got), "too long"):
				long++
			case got.IsError && strings.Contains(text(got), "too many calls"):
				many++
			default:
				t.Errorf("%q", text(got))
			}
		case <-time.After(2 * time.Second * patience):
			t.Fatal("the time limit does not hold")
		}
	}
	if long == 0 || many == 0 {
		t.Errorf("%d were too long, %d too many", long, many)
	}
}

// A file that blocks for ever costs its call the time limit, and its slot no
// more.
func TestBlockedFile(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	tree := layers{blocked(release), small()}
	session := connect(t, server(t, files(t, tree, readfile.Options{}), &readmcp.Options{Timeout: 50 * time.Millisecond, Parallel: 1}), "test", nil)
	for range 5 {
		began := time.Now()
		if got := call(t, session, "read_file", map[string]any{"path": "w/endless"}); !got.IsError || !strings.Contains(text(got), "too long") {
			t.Errorf("%q", text(got))
		}
		if took := time.Since(began); took > time.Second*patience {
			t.Errorf("after %v", took)
		}
		if got := text(call(t, session, "read_file", map[string]any{"path": "w/app.log", "head": 1})); got != "one\n" {
			t.Errorf("%q", got)
		}
	}
}

type blocked chan struct{}

func (b blocked) Open(string) (fs.File, error) { <-b; return nil, fs.ErrNotExist }

// Many calls at once, many more than are answered at once.
func TestFlood(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.log"), []byte(strings.Repeat("a line of a log\n", 200_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	session := connect(t, server(t, files(t, os.DirFS(dir), readfile.Options{}), nil), "test", nil)
	results := make(chan *mcp.CallToolResult)
	const calls = 2000 / patience
	for i := range calls {
		go func() {
			results <- call(t, session, "read_file", map[string]any{"path": "w/a.log", "start_line": i*100 + 1, "end_line": i*100 + 1, "show_line_numbers": true})
		}()
	}
	seen := map[string]bool{}
	for range calls {
		got := text(<-results)
		number, line, _ := strings.Cut(got, ": ")
		if line != "a line of a log\n" || seen[number] {
			t.Fatalf("%q", got)
		}
		seen[number] = true
	}
}

// A file that is being decoded tells how far that is, in bytes of the file.
func TestProgressOfDecoding(t *testing.T) {
	var member bytes.Buffer
	w := gzip.NewWriter(&member)
	_, _ = io.WriteString(w, strings.Repeat("a line of a log\n", 1<<20))
	_ = w.Close()
	stored := bytes.Repeat(member.Bytes(), 500) // of 8 GB
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.gz"), stored, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	tool, err := readfile.New(root, &readfile.Options{Open: compressed.Open, Cache: engine.NoCache})
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan *mcp.ProgressNotificationParams, 1000)
	session := connect(t, server(t, tool, nil), "test", &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { told <- req.Params },
	})
	for name, arguments := range map[string]map[string]any{
		"describe_file": {"path": "a.gz"},
		"read_file":     {"path": "a.gz", "start_line": 400 << 20, "end_line": 400 << 20},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		params := &mcp.CallToolParams{Name: name, Arguments: arguments}
		params.SetProgressToken(name)
		failed := make(chan error)
		go func() {
			_, err := session.CallTool(ctx, params)
			failed <- err
		}()
		last := 0.0
		for range 2 {
			select {
			case now := <-told:
				if now.ProgressToken != name {
					continue
				}
				if now.Progress <= last || now.Progress > now.Total || now.Total != float64(len(stored)) {
					t.Errorf("%s: %v of %v after %v, of a file of %d bytes", name, now.Progress, now.Total, last, len(stored))
				}
				last = now.Progress
			case err := <-failed:
				t.Fatalf("%s: it ended: %v", name, err)
			}
		}
		began := time.Now()
		cancel()
		if err := <-failed; err == nil || time.Since(began) > time.Second*patience {
			t.Errorf("%s: %v, %v after it was cancelled", name, err, time.Since(began))
		}
	}
}
