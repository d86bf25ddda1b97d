package handover

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"excerpt/cmd/internal/cli"
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
		out, err := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), "excerpt/cmd/excerpt")...).CombinedOutput()
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
	if code, said := run(lone, system); code != 0 || said != "excerpt: building excerpt-full, once\n" {
		t.Errorf("the first time: exit %d, %s", code, said)
	}
	if code, said := run(lone, "/nowhere"); code != 0 || said != "" {
		t.Errorf("the second time: exit %d, %s", code, said)
	}
	// In PATH.
	found, err := filepath.Glob(filepath.Join(dir, "cache", "excerpt", "programs", "excerpt-full-*"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(found[0], filepath.Join(bin, "excerpt-full")); err != nil {
		t.Fatal(err)
	}
	if code, said := run(trimmed, bin); code != 0 || said != "" {
		t.Errorf("in PATH: exit %d, %s", code, said)
	}
}

// A program of another version in PATH is passed over, and so is one that does
// not say which it is.
func TestOtherVersions(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("shell scripts are wanted")
	}
	for says, want := range map[string]bool{
		"echo '" + cli.About() + "'":              true,
		"echo v0.0.1":                             false,
		"echo '" + cli.About() + "'; exit 1":      false,
		"echo unknown flag --version >&2; exit 2": false,
		"":        false,
		"sleep 6": false,
	} {
		path := filepath.Join(t.TempDir(), fullName)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+says+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if got := sameVersion(path); got != want || time.Since(began) > 5*time.Second {
			t.Errorf("%q: %v after %v", says, got, time.Since(began))
		}
	}
}

// A build that is ended leaves neither a process nor a file.
func TestInterruptedBuild(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip()
	}
	dir := t.TempDir()
	program, bin, cache := filepath.Join(dir, "excerpt"), filepath.Join(dir, "bin"), filepath.Join(dir, "cache", "excerpt", "programs")
	if out, err := exec.Command("go", "build", "-o", program, "excerpt/cmd/excerpt").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := errors.Join(os.Mkdir(bin, 0o700), os.MkdirAll(filepath.Join(cache, "building-old", "x"), 0o700)); err != nil {
		t.Fatal(err)
	}
	before := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(filepath.Join(cache, "building-old"), before, before); err != nil {
		t.Fatal(err)
	}
	const fake = "#!/bin/sh\necho $$ > \"$0.pid\"\nexec /bin/sleep 100\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, end := range []os.Signal{os.Interrupt, syscall.SIGTERM, os.Kill} {
		cmd := exec.Command(program, "mcp", "--root", dir)
		cmd.Env = append(os.Environ(), "PATH="+bin, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		pid := 0
		for range 500 {
			text, _ := os.ReadFile(filepath.Join(bin, "go.pid"))
			if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
				pid = n
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		_ = os.Remove(filepath.Join(bin, "go.pid"))
		time.Sleep(50 * time.Millisecond) // for sleep to begin
		if err := cmd.Process.Signal(end); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_ = cmd.Wait()
		if took := time.Since(began); took > 3*time.Second || cmd.ProcessState.Success() {
			t.Errorf("%v: %v after %v", end, cmd.ProcessState, took)
		}
		alive := func() bool {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			return err == nil && !strings.Contains(string(stat), ") Z ")
		}
		for tries := 0; alive(); tries++ {
			if tries == 100 {
				t.Fatalf("%v: go goes on as %d", end, pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
		left, _ := filepath.Glob(filepath.Join(cache, "*"))
		if end != os.Kill && len(left) > 0 {
			t.Errorf("%v: %q is left", end, left)
		}
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
