package source

import (
	"os"

	"golang.org/x/sys/unix"
)

// punch gives the blocks of [from, to) back to the disk, where that can be.
func punch(file *os.File, from, to int64) {
	_ = unix.Fallocate(int(file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, from, to-from)
}
