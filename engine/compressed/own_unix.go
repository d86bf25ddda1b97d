//go:build unix

package compressed

import (
	"io/fs"
	"os"
	"syscall"
)

// own gives the file at path the owner and the group of another, and reports
// whether the group is the same now. The owner is for root to give away.
func own(path string, like fs.FileInfo) bool {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	if os.Chown(path, int(want.Uid), int(want.Gid)) == nil || os.Chown(path, -1, int(want.Gid)) == nil {
		return true
	}
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	has, ok := info.Sys().(*syscall.Stat_t)
	return ok && has.Gid == want.Gid
}
