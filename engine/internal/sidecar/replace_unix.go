//go:build !windows

package sidecar

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// replace gives path the content b, at once.
func replace(path string, b []byte) error {
	return renameio.WriteFile(path, b, 0o600, renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(0o600))
}
