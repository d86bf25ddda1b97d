//go:build unix

package sidecar

import (
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// replace gives path the content b, at once.
func replace(path string, b []byte) error {
	return renameio.WriteFile(path, b, 0o600, renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(0o600))
}

// noWait has the opening of a FIFO not wait for its writer, and no link be
// followed.
const noWait = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
