//go:build unix

package main

import (
	"os"
	"syscall"
)

// pageFaults returns how many a process had that ended.
func pageFaults(s *os.ProcessState) int64 {
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Minflt)
	}
	return 0
}
