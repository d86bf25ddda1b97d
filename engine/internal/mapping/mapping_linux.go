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

// Resident reports whether the page at off is in the page cache of the file
// that m maps. It reads nothing and does not wait.
func Resident(file *os.File, off int64) bool {
	var b [1]byte
	_, err := unix.Preadv2(int(file.Fd()), [][]byte{b[:]}, off, unix.RWF_NOWAIT)
	return err != unix.EAGAIN
}
