//go:build !unix

package mapping

// Forget would take [from, to) out of the process's resident memory.
func (m *Mapping) Forget(from, to int64) {}
