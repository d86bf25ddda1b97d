package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

// findAgent looks beside this program, then in PATH, and then for the source
// to build it from.
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
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	path, err := buildAgent()
	if err != nil {
		return "", fmt.Errorf("the program %s is missing, beside this one and in PATH: go install ./cmd/... installs both (%w)", agentName, err)
	}
	return path, nil
}

// errNoSource is why the program can't be built.
var errNoSource = errors.New("and there is no source to build it from")
