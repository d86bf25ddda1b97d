//go:build !linux

package mapping

import (
	"errors"
	"os"

	"golang.org/x/exp/mmap"
)

// open maps a file by its name: no other way is known here.
func open(file *os.File, byName bool) (*mmap.ReaderAt, error) {
	if !byName {
		return nil, errors.ErrUnsupported
	}
	return openNamed(file)
}

// Scan would say that much of the mapping will be read in order.
func (m *Mapping) Scan() {}
