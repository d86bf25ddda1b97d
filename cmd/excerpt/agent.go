package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"excerpt/cmd/internal/cli"
)

// agentName is the second program. It has what would make this one start
// slowly: the MCP SDK, and the highlighting of code.
const agentName = "excerpt-agent"

// runAgent has the second program do what args say, in place of this one where
// the system can.
func runAgent(args []string) error {
	path, err := findAgent()
	if err != nil {
		return err
	}
	return replace(path, append([]string{agentName}, args...))
}

// findAgent looks beside this program, then in PATH for one of the same version,
// and then for the source to build it from.
func findAgent() (string, error) {
	name := agentName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if resolved, err := filepath.EvalSymlinks(self); err == nil {
			self = resolved
		}
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	if path, err := exec.LookPath(name); err == nil && sameVersion(path) {
		return path, nil
	}
	path, err := buildAgent()
	if err != nil {
		return "", fmt.Errorf("the program %s of this version is missing, beside this one and in PATH: go install ./cmd/... installs both (%w)", agentName, err)
	}
	return path, nil
}

// sameVersion asks a program in PATH, which may be of any age.
func sameVersion(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	ask := exec.CommandContext(ctx, path, "--version")
	ask.WaitDelay = time.Second
	said, err := ask.Output()
	return err == nil && strings.TrimSpace(string(said)) == cli.Version()
}

// errNoSource is why the program can't be built.
var errNoSource = errors.New("and there is no source to build it from")
