package mapping

import (
	"os"
	"strconv"

	"golang.org/x/exp/mmap"
	"golang.org/x/sys/unix"
)

// open maps the open file itself, whatever its name stands for by now.
func open(file *os.File, byName bool) (*mmap.ReaderAt, error) {
	r, err := mmap.Open("/proc/self/fd/" + strconv.Itoa(int(file.Fd())))
	if os.IsNotExist(err) && byName { // no /proc here
		return openNamed(file)
	}
	return r, err
}

// Scan says that much of the mapping will be read in order. The system then
// reads what is not cached in large pieces, and caches it in large pages, which
// are mapped and read several times as fast, also by others and later.
// (MADV_WILLNEED would cache it in small ones.)
func (m *Mapping) Scan() { _ = unix.Madvise(m.view, unix.MADV_HUGEPAGE) }
