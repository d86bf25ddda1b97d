//go:build !unix

package mapping

// Forget would take [from, to) out of the process's resident memory.
func (m *Mapping) Forget(from, to int64) {}

// Want would ask the system to begin reading [from, to).
func (m *Mapping) Want(from, to int64) {}
