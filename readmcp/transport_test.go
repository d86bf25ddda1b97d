package readmcp_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/readfile"
	"excerpt/readmcp"
)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

const tailCall = `{"jsonrpc":"2.0","id":"tail","method":"tools/call","params":{"name":"read_file","arguments":{"path":"w/app.log","tail":1}}}
`

// talk sends lines to a server, and returns what it has said by the time that
// it ends: after the last answer.
func talk(t testing.TB, s *mcp.Server, in io.Reader) []byte {
	t.Helper()
	out := &buffer{}
	err := s.Run(t.Context(), readmcp.NewTransport(io.NopCloser(in), out))
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

// A message is what a server says.
type message struct {
	ID     any
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

func messages(t testing.TB, out []byte) (all []message) {
	t.Helper()
	for line := range bytes.Lines(out) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil || !utf8.Valid(line) || line[len(line)-1] != '\n' {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, m)
	}
	return all
}

// What is no message is answered, and does not end the server.
func TestMalformed(t *testing.T) {
	s := server(t, files(t, small(), readfile.Options{}), nil)
	deep := strings.Repeat("[", 100_000)
	huge := `{"jsonrpc":"2.0","id":7,"method":"ping","x":"` + strings.Repeat("x", 5<<20) + `"}`
	random := make([]byte, 1000)
	source := rand.New(rand.NewPCG(1, 2))
	for i := range random {
		if random[i] = byte(source.Uint32()); random[i] == '\n' {
			random[i] = 0
		}
	}
	for name, c := range map[string]struct {
		line    string
		answers int // beside that of the two calls
	}{
		"garbage": {"garbage", 1}, "half": {`{"jsonrpc":"2.0",`, 1}, "empty": {"", 0}, "spaces": {" \t\r", 0},
		"null": {"null", 1}, "number": {"1", 1}, "empty batch": {"[]", 1}, "batch of garbage": {"[1,2]", 2},
		"batch":      {`[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"ping"}]`, 2},
		"no version": {`{"id":5,"method":"ping"}`, 1}, "id is an object": {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, 1},
		"unknown method": {`{"jsonrpc":"2.0","id":5,"method":"nope"}`, 1}, "unknown notification": {`{"jsonrpc":"2.0","method":"nope"}`, 0},
		"an answer to nothing": {`{"jsonrpc":"2.0","id":5,"result":{}}`, 0}, "params are a number": {`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":1}`, 1},
		"no params": {`{"jsonrpc":"2.0","id":5,"method":"tools/call"}`, 1}, "cancel nothing": {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, 0},
		"cancel an object": {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, 0},
		"deep":             {deep, 1}, "deep and closed": {deep + strings.Repeat("]", 100_000), 1}, "huge": {huge, 1}, "random": {string(random), 1}, "invalid UTF-8": {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", 1},
	} {
		t.Run(name, func(t *testing.T) {
			all := messages(t, talk(t, s, strings.NewReader(hello+c.line+"\n"+tailCall)))
			tails := 0
			for _, m := range all {
				if m.ID == "tail" && strings.Contains(string(m.Result), "three") {
					tails++
				}
			}
			if tails != 1 || len(all) != c.answers+2 {
				t.Errorf("%d answers, %d of the call: %+v", len(all), tails, all)
			}
		})
	}
}

// What is refused is answered by its id, where that can be known.
func TestRefusedID(t *testing.T) {
	s := server(t, files(t, small(), readfile.Options{}), nil)
	for line, want := range map[string]any{
		`{"id":5,"method":"ping"}`:                    5.0,
		`{"jsonrpc":"1.0","id":"x","method":"ping"}`:  "x",
		`{"jsonrpc":"1.0","id":-1.5,"method":"ping"}`: -1.5,
		`{"jsonrpc":"1.0","id":{},"method":"ping"}`:   nil,
		`{"jsonrpc":"1.0","id":null,"method":"ping"}`: nil,
		`{"jsonrpc":"1.0","id":5,"result":{}}`:        nil,
		`{"jsonrpc":"2.0","id":5,"method":"ping"`:     nil,
		`[5]`: nil,
		`[{"jsonrpc":"1.0","id":"a","method":"ping"},5]`: "a",
	} {
		refused := 0
		for _, m := range messages(t, talk(t, s, strings.NewReader(hello+line+"\n"))) {
			if m.Error != nil {
				refused++
				if m.ID != want && !(m.ID == nil && strings.HasSuffix(line, ",5]")) {
					t.Errorf("%s: %v", line, m.ID)
				}
			}
		}
		if refused == 0 {
			t.Errorf("%s: no answer", line)
		}
	}
}

// The same id twice at once, and calls without an answer, hang nothing.
func TestSameID(t *testing.T) {
	s := server(t, files(t, small(), readfile.Options{}), nil)
	began := time.Now()
	all := messages(t, talk(t, s, strings.NewReader(hello+strings.Repeat(tailCall, 500))))
	if len(all) < 2 || time.Since(began) > 5*time.Second {
		t.Errorf("%d answers after %v", len(all), time.Since(began))
	}
}

// A client that does not read its answers is not read for ever.
func TestBackpressure(t *testing.T) {
	s := server(t, files(t, small(), readfile.Options{}), nil)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ran := make(chan error, 1)
	go func() { ran <- s.Run(t.Context(), readmcp.NewTransport(inR, outW)) }()
	sent := make(chan int, 1)
	go func() {
		n := 0
		_, _ = io.WriteString(inW, hello)
		for ; n < 100_000; n++ {
			if _, err := fmt.Fprintf(inW, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"w/many"}}}`+"\n", n); err != nil {
				break
			}
		}
		sent <- n
	}()
	time.Sleep(300 * time.Millisecond)
	_ = inW.Close()
	if n := <-sent; n > 1500 { // 256, and what is in a buffer
		t.Errorf("%d calls were read", n)
	}
	go func() { _, _ = io.Copy(io.Discard, outR) }()
	if err := <-ran; err != nil {
		t.Error(err)
	}
}

// Whatever comes in: what goes out is JSON in UTF-8 within the limits, says
// nothing of what is outside the workspace, and the server lives on.
func FuzzServer(f *testing.F) {
	tmp, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	dir := filepath.Join(tmp, "workspace")
	for name, content := range map[string]string{filepath.Join(tmp, "secret"): "hidden", filepath.Join(dir, "d", "b.log"): "b\n"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	_ = os.Symlink("../secret", filepath.Join(dir, "out"))
	root, err := os.OpenRoot(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = root.Close() })
	tool, err := readfile.New(root, &readfile.Options{Lines: 20, Bytes: 500})
	if err != nil {
		f.Fatal(err)
	}
	s := server(f, tool, &readmcp.Options{Tools: both})
	for _, arguments := range []string{`{"path":"a.log"}`, `{"path":"a.log","tail":3,"show_line_numbers":true}`, `{"path":"out"}`, `{"path":"d/../a.log","start_line":2,"end_line":9}`, `{"path":"../secret"}`, `null`, `[1]`, `{"path":"a.log","offset":2}`} {
		for _, name := range both {
			f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`, "one\ntwo\r\nthree\xff")
		}
	}
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "")
	f.Add("[[[\n{}\n\x00\n{\"jsonrpc\":\"2.0\",\"id\":\"tail\",\"method\":\"ping\"}", strings.Repeat("x", 9000))
	f.Fuzz(func(t *testing.T, lines, content string) {
		if len(lines)+len(content) > 1<<16 {
			return
		}
		if err := os.WriteFile(filepath.Join(dir, "a.log"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		const last = `{"jsonrpc":"2.0","id":"the last","method":"tools/call","params":{"name":"read_file","arguments":{"path":"d/b.log"}}}`
		out := talk(t, s, strings.NewReader(hello+lines+"\n"+last+"\n"))
		if took := time.Since(began); took > time.Second*patience {
			t.Fatalf("%v", took)
		}
		answered := false
		for _, m := range messages(t, out) {
			answered = answered || m.ID == "the last"
			var result mcp.CallToolResult
			if json.Unmarshal(m.Result, &result) == nil && len(result.Content) == 1 && len(text(&result)) > 500+8192 {
				t.Fatalf("%d bytes", len(text(&result)))
			}
		}
		if !answered && !strings.Contains(lines, "the last") && !strings.Contains(lines, `\u`) {
			t.Fatalf("no answer: %q", out)
		}
		if said := string(out); strings.Contains(said, "hidden") && !strings.Contains(content+lines, "hidden") ||
			strings.Contains(said, tmp) && !strings.Contains(content+lines, tmp) {
			t.Fatalf("%q", said)
		}
	})
}

// A line as long as may be, and one byte longer, in whatever pieces.
func TestLongLines(t *testing.T) {
	s := server(t, files(t, small(), readfile.Options{}), nil)
	for _, size := range []int{4<<20 - 1, 4 << 20, 4<<20 + 1, 64<<10 - 1, 64 << 10, 64<<10 + 1} {
		line := `{"jsonrpc":"2.0","id":"long","method":"ping","params":{}}`
		line += strings.Repeat(" ", size-len(line)-1) + "\n"
		in := bufio.NewReaderSize(strings.NewReader(hello+line+tailCall), 5000)
		all := messages(t, talk(t, s, in))
		long := 0
		for _, m := range all {
			if m.ID == "long" {
				long++
			}
		}
		if len(all) != 3 || (long == 1) != (size <= 4<<20) {
			t.Errorf("%d: %+v", size, all)
		}
	}
}
