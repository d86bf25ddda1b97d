//go:build unix

package handover

import (
	"os"
	"syscall"
)

// replace runs a program in place of this one. It returns only if it can't.
func replace(path string, args []string) error {
	return &os.PathError{Op: "exec", Path: path, Err: syscall.Exec(path, args, os.Environ())}
}
