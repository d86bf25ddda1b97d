package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// GrowPipe makes a pipe as large as anybody may. What is no pipe stays as it is.
func GrowPipe(file *os.File) {
	_, _ = unix.FcntlInt(file.Fd(), unix.F_SETPIPE_SZ, 1<<20)
}
