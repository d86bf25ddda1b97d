//go:build darwin || freebsd || netbsd

package engine

import (
	"io/fs"
	"syscall"
)

// changeTime is the time that nobody can set back, in nanoseconds.
func changeTime(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctimespec.Nano()
	}
	return 0
}

// fileID names the file itself, on this machine.
func fileID(info fs.FileInfo) (device, inode uint64) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Dev), uint64(stat.Ino)
	}
	return 0, 0
}
