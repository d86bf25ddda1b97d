package sidecar

import (
	"os"
	"path/filepath"
)

// replace gives path the content of parts, at once. It does not wait for the
// disk: a sidecar that a crash has left torn has the wrong checksum, and is
// made anew.
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
