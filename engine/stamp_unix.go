//go:build linux || openbsd || dragonfly || solaris

package engine

import (
	"io/fs"
	"syscall"
)

// changeTime is the time that nobody can set back, in nanoseconds.
func changeTime(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctim.Nano()
	}
	return 0
}
