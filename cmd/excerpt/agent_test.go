package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestLoneProgram builds the command alone, away from its source. It builds
// the other program when it needs it, once, and says what to do where it can't.
func TestLoneProgram(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip()
	}
	dir := t.TempDir()
	built := func(name string, flags ...string) string {
		path := filepath.Join(dir, name, "excerpt")
		out, err := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), ".")...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return path
	}
	golang, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	env := append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "GOCACHE="+goEnv(t, "GOCACHE"))
	run := func(program, path string) (code int, stderr string) {
		cmd := exec.Command(program, "mcp", "--root", dir)
		cmd.Env = append(env, "PATH="+path)
		var said bytes.Buffer
		cmd.Stderr = &said
		_ = cmd.Run()
		return cmd.ProcessState.ExitCode(), said.String()
	}
	lone, trimmed := built("lone"), built("trimmed", "-trimpath")
	system := filepath.Dir(golang) + string(filepath.ListSeparator) + "/usr/bin" + string(filepath.ListSeparator) + "/bin"
	if code, said := run(trimmed, system); code != 1 || !strings.Contains(said, "go install ./cmd/...") {
		t.Errorf("without a source: exit %d, %s", code, said)
	}
	if code, said := run(lone, "/nowhere"); code != 1 || !strings.Contains(said, "no go to build it") {
		t.Errorf("without go: exit %d, %s", code, said)
	}
	if code, said := run(lone, system); code != 0 || said != "excerpt: building excerpt-agent, once\n" {
		t.Errorf("the first time: exit %d, %s", code, said)
	}
	if code, said := run(lone, "/nowhere"); code != 0 || said != "" {
		t.Errorf("the second time: exit %d, %s", code, said)
	}
	// In PATH.
	agents, err := filepath.Glob(filepath.Join(dir, "cache", "excerpt", "programs", "excerpt-agent-*"))
	if err != nil || len(agents) != 1 {
		t.Fatal(agents, err)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(agents[0], filepath.Join(bin, "excerpt-agent")); err != nil {
		t.Fatal(err)
	}
	if code, said := run(trimmed, bin); code != 0 || said != "" {
		t.Errorf("in PATH: exit %d, %s", code, said)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
