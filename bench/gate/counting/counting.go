// Package counting counts what a benchmark reads, for the exact tier of the
// gate: figures that are the same in each run, on any machine.
//
//	file := counting.NewReader(f)
//	b.ReportAllocs()
//	for b.Loop() {
//		work(file)
//	}
//	file.Report(b)
//
// reports the reads and the bytes of an iteration as "reads/op" and
// "read-B/op", beside what the testing package reports.
package counting

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// The units of what is reported.
const (
	Reads = "reads/op"
	Bytes = "read-B/op"
)

// A Reader counts the calls of an [io.ReaderAt], and the bytes that they gave.
type Reader struct {
	r            io.ReaderAt
	reads, bytes atomic.Int64
}

// NewReader returns a Reader of r.
func NewReader(r io.ReaderAt) *Reader { return &Reader{r: r} }

// ReadAt reads from the io.ReaderAt below.
func (r *Reader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.r.ReadAt(p, off)
	r.reads.Add(1)
	r.bytes.Add(int64(n))
	return n, err
}

// Reset begins anew. Call it just before the loop of a benchmark.
func (r *Reader) Reset() {
	r.reads.Store(0)
	r.bytes.Store(0)
}

// Report reports what was read since Reset, for each iteration of b.
func (r *Reader) Report(b *testing.B) { report(b, r.reads.Load(), r.bytes.Load()) }

// report leaves out what does not come in each iteration.
func report(b *testing.B, reads, bytes int64) {
	b.ReportMetric(float64(reads/int64(b.N)), Reads)
	b.ReportMetric(float64(bytes/int64(b.N)), Bytes)
}

// A Process counts what the whole process reads with system calls, from files
// of all kinds. What it looks at in a mapping is not among that.
type Process struct{ reads, bytes, ownReads, ownBytes int64 }

// StartProcess begins to count. Only Linux does that; elsewhere nothing is
// reported.
func StartProcess() *Process {
	var p Process
	// What a look costs is in all that is seen at the next one.
	reads, bytes, _ := read()
	p.reads, p.bytes, _ = read()
	p.ownReads, p.ownBytes = p.reads-reads, p.bytes-bytes
	return &p
}

// Report reports what was read since StartProcess, for each iteration of b.
func (p *Process) Report(b *testing.B) {
	if reads, bytes, ok := read(); ok {
		report(b, max(0, reads-p.reads-p.ownReads), max(0, bytes-p.bytes-p.ownBytes))
	}
}

// read returns how many reads the process has made so far, and of how many bytes.
func read() (reads, size int64, ok bool) {
	stat, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0, 0, false
	}
	for line := range bytes.Lines(stat) {
		name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(": "))
		n, err := strconv.ParseInt(string(value), 10, 64)
		switch {
		case err != nil:
			return 0, 0, false
		case string(name) == "syscr":
			reads = n
		case string(name) == "rchar":
			size = n
		}
	}
	return reads, size, true
}
