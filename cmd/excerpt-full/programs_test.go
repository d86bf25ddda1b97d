package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var folder string // of the programs

// TestMain has scripts run both programs as this one, and other tests build
// them.
func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // a second of each command, otherwise
	testscript.Main(cleaning{m}, map[string]func(){"excerpt": excerptMain, "excerpt-full": main})
}

type cleaning struct{ *testing.M }

func (m cleaning) Run() int {
	var err error
	if folder, err = os.MkdirTemp("", "excerpt-test-*"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	return m.M.Run()
}

var build = sync.OnceValues(func() (string, error) {
	name := "excerpt"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", folder+string(filepath.Separator), "excerpt/cmd/excerpt", "excerpt/cmd/excerpt-full").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return filepath.Join(folder, name), err
})

// program returns the built command, which has the other program beside it.
func program(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("it is built without the race detector, and takes seconds")
	}
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Stderr = os.Stderr
	return cmd
}

// workspace writes files into a folder.
func workspace(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
