//go:build unix

package describe

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// guard returns a function that puts bytes at the end of a page behind which
// there is none. They hold until the next call.
func guard(t *testing.T) func(b []byte) []byte {
	size := os.Getpagesize()
	pages, err := unix.Mmap(-1, 0, 2*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(pages) })
	if err := unix.Mprotect(pages[size:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return func(b []byte) []byte {
		to := pages[size-len(b) : size : size]
		copy(to, b)
		return to
	}
}
