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

// Resident would say whether the page at off is in the page cache; where that
// is not known, it is taken to be, and nothing is read ahead.
func Resident(*os.File, int64) bool { return true }
