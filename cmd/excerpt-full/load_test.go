package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/ulikunitz/xz"

	"excerpt/corpus"
	"excerpt/engine"
	"excerpt/readfile"
	"excerpt/readmcp"
)

var big = flag.Bool("big", false, "test with a log of 4 GiB in bench/data, made if it is not there")

// theLog returns a log and how many lines it has.
func theLog(t *testing.T) (path string, lines int64) {
	t.Helper()
	dir, size := t.TempDir(), int64(32<<20)
	if *big {
		dir, size = filepath.Join("..", "..", "bench", "data"), 4<<30
	}
	path, err := corpus.File(t.Context(), dir, "app", 1, size)
	if err != nil {
		t.Fatal(err)
	}
	f, err := engine.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if lines, err = f.Count(t.Context()); err != nil {
		t.Fatal(err)
	}
	return path, lines
}

// TestAtOnce makes 64 calls at once from one client, of every kind, and looks
// at the heap while they run.
func TestAtOnce(t *testing.T) {
	path, lines := theLog(t)
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	files, err := readfile.New(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	if err := readmcp.AddTools(server, files, &readmcp.Options{Timeout: 10 * time.Minute}); err != nil {
		t.Fatal(err)
	}
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	session := connect(t, theirs)

	runtime.GC()
	before := heap()
	most := before
	stop := make(chan struct{})
	var watching, calls sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				most = max(most, heap())
			}
		}
	})
	name := filepath.Base(path)
	for i := range int64(64) {
		calls.Go(func() {
			line := 1 + i*(lines-1)/63
			arguments := map[string]any{"path": name, "start_line": line, "end_line": line, "show_line_numbers": true}
			want := fmt.Sprint(line, ": ")
			if i%4 == 0 {
				arguments = map[string]any{"path": name, "tail": 1, "show_line_numbers": true}
				want = fmt.Sprint(lines, ": ")
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "read_file", Arguments: arguments})
			if err != nil {
				t.Error(err)
				return
			}
			if got := result.Content[0].(*mcp.TextContent).Text; !strings.HasPrefix(got, want) {
				t.Errorf("%v: %.100q", arguments, got)
			}
		})
	}
	calls.Wait()
	close(stop)
	watching.Wait()
	t.Logf("heap %d KiB before, at most %d KiB", before>>10, most>>10)
	if most > before+32<<20 {
		t.Errorf("the heap grows to %d KiB", most>>10)
	}
}

// TestHostile looks at the memory of the built server, which is bounded whatever
// a compressed file holds or says that it holds.
func TestHostile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc is wanted")
	}
	var zeros, empty, emptyXZ bytes.Buffer
	for b, w := range map[*bytes.Buffer]io.WriteCloser{&zeros: gzip.NewWriter(&zeros), &empty: gzip.NewWriter(&empty), &emptyXZ: newXZ(t, &emptyXZ)} {
		if b == &zeros {
			_, _ = w.Write(make([]byte, 64<<20))
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range map[string][]byte{
		"zeros in many members": bytes.Repeat(zeros.Bytes(), 100),
		"empty members":         bytes.Repeat(empty.Bytes(), 100_000),
		"empty streams":         bytes.Repeat(emptyXZ.Bytes(), 50_000),
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := program(t, "mcp", "--no-index", "--timeout", "1s", "--root", dir)
		session := connect(t, &mcp.CommandTransport{Command: cmd})
		for tool, arguments := range map[string]map[string]any{"read_file": {"path": "a", "tail": 5}, "describe_file": {"path": "a"}} {
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments}); err != nil {
				t.Error(err)
			}
		}
		if most := mostResident(t, cmd.Process.Pid); most > 64<<10 {
			t.Errorf("%s: %d KiB", name, most)
		}
		var calls sync.WaitGroup // and at once
		for range 16 {
			calls.Go(func() {
				_, _ = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "read_file", Arguments: map[string]any{"path": "a", "tail": 5}})
			})
		}
		calls.Wait()
		if most := mostResident(t, cmd.Process.Pid); most > 4*64<<10 {
			t.Errorf("%s, many calls: %d KiB", name, most)
		}
	}
}

func newXZ(t *testing.T, w io.Writer) io.WriteCloser {
	t.Helper()
	z, err := xz.NewWriter(w)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// mostResident is the most memory that a process has had, in KiB.
func mostResident(t *testing.T, pid int) (kib int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(after, &kib); err != nil {
		t.Fatal(err)
	}
	return kib
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestCancelled looks at the processor time of the built server: a call that
// was cancelled uses none.
func TestCancelled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc is wanted")
	}
	path, _ := theLog(t)
	cmd := program(t, "mcp", "--root", filepath.Dir(path))
	session := connect(t, &mcp.CommandTransport{Command: cmd})
	t.Run("stdio", func(t *testing.T) { cancelled(t, session, cmd.Process.Pid, filepath.Base(path)) })
	url, pid := serving(t, "--root", filepath.Dir(path))
	overHTTP := connect(t, &mcp.StreamableClientTransport{Endpoint: url})
	t.Run("HTTP", func(t *testing.T) { cancelled(t, overHTTP, pid, filepath.Base(path)) })
}

func cancelled(t *testing.T, session *mcp.ClientSession, pid int, name string) {
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		var calls sync.WaitGroup
		for range 240 { // more than what could be done before it is looked at
			calls.Go(func() {
				_, _ = session.CallTool(ctx, &mcp.CallToolParams{Name: "read_file", Arguments: map[string]any{"path": name, "tail": 1, "show_line_numbers": true}})
			})
		}
		time.Sleep(50 * time.Millisecond)
		cancel()
		time.Sleep(100 * time.Millisecond)
		for began := time.Now(); ; { // the calls would take longer than a busy machine may
			from := ticks(t, pid)
			time.Sleep(200 * time.Millisecond)
			if used := ticks(t, pid) - from; used <= 12 {
				break
			} else if time.Since(began) > time.Second {
				t.Errorf("%d hundredths of a second of work, a second after they were cancelled", used)
				break
			}
		}
		calls.Wait()
	}
}

// ticks is the processor time of a process, in hundredths of a second.
func ticks(t *testing.T, pid int) (sum int64) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	for _, field := range fields[11:13] {
		var n int64
		if _, err := fmt.Sscan(field, &n); err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}
