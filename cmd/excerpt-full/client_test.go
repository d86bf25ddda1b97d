package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var logs = map[string]string{"app.log": "one\ntwo\nthree\n"}

// overStdio connects the Go SDK's client to the built program.
func overStdio(t testing.TB, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := program(t, append([]string{"mcp"}, args...)...)
	return connect(t, &mcp.CommandTransport{Command: cmd})
}

func connect(t testing.TB, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return session
}

func call(t testing.TB, session *mcp.ClientSession, tool string, arguments map[string]any) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	return result.Content[0].(*mcp.TextContent).Text
}

// everyTool calls each tool of a server.
func everyTool(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"read_file": "2: two\n3: three\n",
		"read":      "<path>app.log</path>\n<type>file</type>\n<content>\n2: two\n3: three\n</content>",
	}
	arguments := map[string]map[string]any{
		"read_file": {"path": "app.log", "tail": 2, "show_line_numbers": true},
		"read":      {"path": "app.log", "offset": 2},
	}
	for _, tool := range list.Tools {
		if got := call(t, session, tool.Name, arguments[tool.Name]); got != want[tool.Name] {
			t.Errorf("%s: %q", tool.Name, got)
		}
		delete(want, tool.Name)
	}
	if len(want) > 0 {
		t.Errorf("not offered: %v", want)
	}
}

func TestStdio(t *testing.T) {
	everyTool(t, overStdio(t, "--root", workspace(t, logs), "--tools", "read, read_file "))
}

// serving starts a server over HTTP, and returns its address and its process.
func serving(t *testing.T, args ...string) (url string, pid int) {
	t.Helper()
	cmd := program(t, append([]string{"mcp", "--http", "localhost:0"}, args...)...)
	cmd.Stderr = nil
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	said := make([]byte, 1000)
	n, _ := stderr.Read(said)
	url = string(regexp.MustCompile(`http://\S+`).Find(said[:n]))
	if url == "" {
		t.Fatalf("%q", said[:n])
	}
	return url, cmd.Process.Pid
}

func TestHTTP(t *testing.T) {
	url, _ := serving(t, "--root", workspace(t, logs), "--tools", "read_file,read")
	everyTool(t, connect(t, &mcp.StreamableClientTransport{Endpoint: url}))

	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for name, c := range map[string]struct {
		body, header, value string
		want                int
	}{
		"as it should be":   {hello, "X-Nothing", "", http.StatusOK},
		"another origin":    {hello, "Origin", "http://evil.example", http.StatusForbidden},
		"from another site": {hello, "Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		"another host":      {hello, "Host", "evil.example", http.StatusForbidden},
		"no JSON":           {"garbage", "X-Nothing", "", http.StatusBadRequest},
		"deep":              {strings.Repeat("[", 1<<19), "X-Nothing", "", http.StatusBadRequest},
		"huge":              {hello + strings.Repeat(" ", 2<<20), "X-Nothing", "", http.StatusRequestEntityTooLarge},
		"half":              {hello[:20], "X-Nothing", "", http.StatusBadRequest},
		"two":               {hello + hello, "X-Nothing", "", http.StatusBadRequest},
		"no session":        {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "Mcp-Session-Id", "none", http.StatusNotFound},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set(c.header, c.value)
		if c.header == "Host" {
			req.Host = c.value
		}
		response, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if c.want == http.StatusBadRequest && !strings.Contains(string(body), "not valid JSON") {
			t.Errorf("%s: %s", name, body)
		}
		if response.StatusCode != c.want {
			t.Errorf("%s: %s %.200s", name, response.Status, body)
		}
	}
	everyTool(t, connect(t, &mcp.StreamableClientTransport{Endpoint: url}))
}

// A client of the protocol without sessions cancels its call by going away.
func TestGoneClient(t *testing.T) {
	began, ended, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(began)
		select {
		case <-ctx.Done():
			close(ended)
		case <-over:
		}
		return nil, ctx.Err()
	})
	web := httptest.NewServer(handler(server))
	defer web.Close()
	defer close(over)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const wait = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, web.URL+"/mcp", strings.NewReader(wait))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": stateless, "Mcp-Method": "tools/call", "Mcp-Name": "wait",
	} {
		req.Header.Set(name, value)
	}
	refused := make(chan string, 1)
	go func() {
		if response, err := http.DefaultClient.Do(req); err == nil {
			body, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			refused <- response.Status + " " + string(body)
		}
	}()
	for _, step := range []chan struct{}{began, ended} {
		select {
		case <-step:
			cancel()
		case said := <-refused:
			t.Fatal(said)
		case <-time.After(5 * time.Second):
			t.Fatal("the call goes on")
		}
	}
}

// A body that does not come, or breaks off, has an answer that says so.
func TestSlowBody(t *testing.T) {
	for name, c := range map[string]struct {
		body io.Reader
		want int
		said string
	}{
		"breaks off": {io.MultiReader(strings.NewReader("{"), iotest.ErrReader(io.ErrUnexpectedEOF)), http.StatusBadRequest, "broke off"},
		"too slow":   {io.MultiReader(strings.NewReader("{"), iotest.ErrReader(os.ErrDeadlineExceeded)), http.StatusRequestTimeout, "too long to come"},
		"too large":  {strings.NewReader(strings.Repeat(" ", largestBody+1)), http.StatusRequestEntityTooLarge, "too large"},
	} {
		answer := httptest.NewRecorder()
		valid(http.NotFoundHandler()).ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/mcp", c.body))
		if answer.Code != c.want || !strings.Contains(answer.Body.String(), c.said) {
			t.Errorf("%s: %d %s", name, answer.Code, answer.Body)
		}
	}
}

// A client that sends half a body is not waited for, while one that has sent
// all of it may wait for its answer.
func TestBodyTimeout(t *testing.T) {
	slow := httptest.NewUnstartedServer(bodyWithin(50*time.Millisecond, valid(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
			t.Error("it is cancelled")
		case <-time.After(200 * time.Millisecond):
		}
		_, _ = io.WriteString(w, "done")
	}))))
	slow.Start()
	defer slow.Close()
	response, err := http.Post(slow.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(response.Body); string(body) != "done" || err != nil {
		t.Errorf("%q %v", body, err)
	}
	_ = response.Body.Close()

	listening, err := http.Get(slow.URL)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(listening.Body); string(body) != "done" || err != nil {
		t.Errorf("%q %v", body, err)
	}
	_ = listening.Body.Close()

	half, _ := io.Pipe()
	defer half.Close()
	began := time.Now()
	response, err = http.Post(slow.URL, "application/json", half)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if took := time.Since(began); response.StatusCode != http.StatusRequestTimeout || took > 5*time.Second {
		t.Errorf("%s after %v", response.Status, took)
	}
}

// A signal ends the server as the end of its input does, also while it scans.
func TestSignal(t *testing.T) {
	dir := workspace(t, nil)
	if err := os.Truncate(sparse(t, dir), 1<<40); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"idle", "busy"} {
		cmd := program(t, "mcp", "--root", dir)
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
		_, _ = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`+"\n")
		if name == "busy" {
			_, _ = io.WriteString(in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"sparse","tail":1,"show_line_numbers":true}}}`+"\n")
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil { // it has begun
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Skip(err)
		}
		began := time.Now()
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil || time.Since(began) > 2*time.Second {
			t.Errorf("%s: %v after %v", name, err, time.Since(began))
		}
	}
}

// A client that has stopped to read its answers holds up neither a signal nor
// the end of its input.
func TestDeafClient(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	t.Parallel()
	dir := workspace(t, map[string]string{"many.log": strings.Repeat("a line\n", 100_000)})
	for name, c := range map[string]struct {
		end  func(*exec.Cmd, io.Closer) error
		most time.Duration
	}{
		"interrupt":    {func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Signal(os.Interrupt) }, 3 * time.Second},
		"SIGTERM":      {func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Signal(syscall.SIGTERM) }, 3 * time.Second},
		"end of input": {func(_ *exec.Cmd, in io.Closer) error { return in.Close() }, 13 * time.Second},
		"two signals": {func(cmd *exec.Cmd, _ io.Closer) error {
			first := cmd.Process.Signal(syscall.SIGTERM)
			time.Sleep(100 * time.Millisecond)
			return errors.Join(first, cmd.Process.Signal(syscall.SIGTERM))
		}, 800 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := program(t, "mcp", "--root", dir)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, deaf, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			cmd.Stdout = deaf
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = deaf.Close()
			_, _ = io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`+"\n")
			for id := range 200 {
				_, _ = fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"many.log"}}}`+"\n", id+1)
			}
			_, _ = io.WriteString(in, strings.Repeat("garbage\n", 50))
			time.Sleep(500 * time.Millisecond)
			began := time.Now()
			if err := c.end(cmd, in); err != nil {
				t.Fatal(err)
			}
			kill := time.AfterFunc(c.most+5*time.Second, func() { _ = cmd.Process.Kill() })
			defer kill.Stop()
			_ = cmd.Wait()
			if took := time.Since(began); took > c.most {
				t.Errorf("it ended after %v", took)
			}
		})
	}
}

func sparse(t *testing.T, dir string) string {
	t.Helper()
	path := dir + "/sparse"
	if err := os.WriteFile(path, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is wrong with a command line is said before anything is served.
func TestUsage(t *testing.T) {
	dir := workspace(t, logs)
	for _, c := range []struct {
		args []string
		code int
		said string
	}{
		{[]string{"mcp"}, 2, "--root DIR is missing"},
		{[]string{"mcp", "--root", dir + "/none"}, 1, "no such file"},
		{[]string{"mcp", "--root", dir + "/app.log"}, 1, "not a directory"},
		{[]string{"mcp", "--root", dir, "--http", "0.0.0.0:0"}, 2, "--public"},
		{[]string{"mcp", "--root", dir, "--http", "8080"}, 2, "HOST:PORT"},
		{[]string{"mcp", "--root", dir, "--public"}, 2, "--http"},
		{[]string{"mcp", "--root", dir, "--tools", "write"}, 2, `no tool "write"`},
		{[]string{"mcp", "--root", dir, "--metadata", "x"}, 2, "want one of"},
		{[]string{"mcp", "--root", dir, "--timeout", "0s"}, 2, "--timeout"},
		{[]string{"mcp", "--root", dir, "--max-lines", "-1"}, 2, "--max-lines"},
		{[]string{"read", "--card"}, 2, "--root DIR is missing"},
		{[]string{"read", "--card", "--root", dir, "{}", "{}"}, 2, "one JSON is wanted"},
		{[]string{"read", "--card", "--root", dir, "{}"}, 1, "path is missing"},
	} {
		cmd := program(t, c.args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, _ := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(stderr.String(), c.said) || len(out) > 0 {
			t.Errorf("%q: exit %d, %q %q", c.args, code, &stderr, out)
		}
	}
}

func TestProfile(t *testing.T) {
	dir := workspace(t, logs)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(),
		&mcp.CommandTransport{Command: program(t, "mcp", "--root", dir, "--cpuprofile", dir+"/cpu")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(dir + "/cpu"); err != nil || info.Size() == 0 {
		t.Error("no profile", err)
	}
}
