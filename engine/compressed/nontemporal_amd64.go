package compressed

import "unsafe"

// appendNonTemporal appends from to to, which has room for it. The memory of to
// was read by another core before: to store past the caches costs less than to
// get each line back from there.
func appendNonTemporal(to, from []byte) []byte {
	const line = 64
	if len(from) >= 2*line {
		end := uintptr(unsafe.Pointer(unsafe.SliceData(to))) + uintptr(len(to))
		head := int(-end % line)
		to, from = append(to, from[:head]...), from[head:]
		n, whole := len(to), len(from)&^(line-1)
		to = to[:n+whole]
		storeNonTemporal(&to[n], &from[0], whole)
		from = from[whole:]
	}
	return append(to, from...)
}

// storeNonTemporal copies n bytes, a multiple of 64 that is not 0, to where a line of
// the caches begins.
//
//go:noescape
func storeNonTemporal(to, from *byte, n int)
