//go:build !unix

package handover

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// replace runs a program, and ends this one with its exit code.
func replace(path string, args []string) error {
	signal.Ignore(os.Interrupt) // it is sent to both: the other program ends, and we with it
	cmd := exec.Cmd{Path: path, Args: args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	err := cmd.Run()
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) {
		os.Exit(cmd.ProcessState.ExitCode())
	}
	return err
}
