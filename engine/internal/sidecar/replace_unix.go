//go:build unix

package sidecar

import (
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// replace gives path the content of parts, at once.
func replace(path string, parts [][]byte) error {
	file, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(0o600))
	if err != nil {
		return err
	}
	defer file.Cleanup()
	for _, b := range parts {
		if _, err := file.Write(b); err != nil {
			return err
		}
	}
	return file.CloseAtomicallyReplace()
}

// noWait has the opening of a FIFO not wait for its writer, and no link be
// followed.
const noWait = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
