//go:build !unix

package sidecar

import (
	"os"
	"path/filepath"
)

// replace gives path the content of parts, at once, as far as the system can:
// renameio is not for Windows.
func replace(path string, parts [][]byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	for _, b := range parts {
		if err == nil {
			_, err = file.Write(b)
		}
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

const noWait = 0
