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
// Under engine.New it sees all that the engine reads, also what of a file would
// be looked at in a mapping: the way through the file is the same. With one
// worker (engine.Options) the counts are exact: several look at a little more
// than they must, and that depends on who is first.
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

// Take returns what was read since the last call of Take, and begins anew. Call
// it just before the loop of a benchmark.
func (r *Reader) Take() Count { return Count{r.reads.Swap(0), r.bytes.Swap(0)} }

// Report reports what was read since Take, for each iteration of b.
func (r *Reader) Report(b *testing.B) { r.Take().of(b.N).Report(b) }

// A Count is what was read. Bytes that were read twice are counted twice.
type Count struct{ Reads, Bytes int64 }

// Report reports c as that of one iteration.
func (c Count) Report(b *testing.B) {
	b.ReportMetric(float64(c.Reads), Reads)
	b.ReportMetric(float64(c.Bytes), Bytes)
}

// of returns the count of one of n iterations, without what does not come in each.
func (c Count) of(n int) Count { return Count{c.Reads / int64(n), c.Bytes / int64(n)} }

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
		c := Count{max(0, reads-p.reads-p.ownReads), max(0, bytes-p.bytes-p.ownBytes)}
		c.of(b.N).Report(b)
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
