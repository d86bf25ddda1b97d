//go:build unix

package readcard_test

import "syscall"

func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o600) }
