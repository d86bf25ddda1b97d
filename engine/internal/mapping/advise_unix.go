//go:build unix

package mapping

import "golang.org/x/sys/unix"

// Advice is a hint: that it fails changes no result, so its errors are dropped.

// Forget takes [from, to) out of the process's resident memory. The pages stay
// in the system's cache, and come back when they are touched.
func (m *Mapping) Forget(from, to int64) {
	if p := m.pages(from, to); p != nil {
		_ = unix.Madvise(p, unix.MADV_DONTNEED)
	}
}
