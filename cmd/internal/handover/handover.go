// Package handover has the program excerpt-full do what excerpt was asked.
package handover

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

const fullName = "excerpt-full"

// To runs excerpt-full with args, in place of this program where the system
// can. It returns only if that fails.
func To(args []string) error {
	path, err := findFull()
	if err != nil {
		return err
	}
	return replace(path, append([]string{fullName}, args...))
}

// findFull looks beside this program, then in PATH for one of the same version,
// and then for the source to build it from.
func findFull() (string, error) {
	name := fullName
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
	path, err := buildFull()
	if err != nil {
		return "", fmt.Errorf("the program %s of this version is missing, beside this one and in PATH: go install ./cmd/... installs both (%w)", fullName, err)
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
	return err == nil && strings.TrimSpace(string(said)) == cli.About()
}

// errNoSource is why the program can't be built.
var errNoSource = errors.New("and there is no source to build it from")
