package main

import (
	"bytes"
	"errors"
	"os/exec"
	"testing"

	"excerpt/internal/cases"
)

// TestRead has the command answer the cases.
func TestRead(t *testing.T) {
	t.Parallel()
	cases.Run(t, func(t *testing.T, dir string, request []byte) []byte {
		cmd := excerpt(t, "read", "--root", dir, string(request))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		var exit *exec.ExitError
		if stderr.Len() > 0 || err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			t.Fatal(err, &stderr)
		}
		if failed := bytes.Contains(out, []byte(`"isError":true`)); failed != (err != nil) {
			t.Fatalf("exit code %v: %.200s", err, out)
		}
		return out
	})
}
