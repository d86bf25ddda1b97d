// Package workload holds the benchmarks that the gate compares two commits by.
//
// Each has its result compared with a plain one before it is timed. It comes
// in two kinds where that makes a difference: over a file, which may be mapped,
// and over a counting io.ReaderAt, which sees each block. A file of them should
// stand alone but for common_test.go: one that an older commit can't compile is
// left out of a comparison with it.
package workload
