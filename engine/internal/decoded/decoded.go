// Package decoded is where package engine and those that decode compressed
// files meet, so that engine links no codec.
package decoded

import (
	"context"
	"io"

	"excerpt/engine/internal/describe"
	"excerpt/engine/internal/index"
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/sidecar"
	"excerpt/engine/internal/source"
)

// A Source is what a compressed file holds. Its size is source.Unknown until
// it was decoded to its end once.
type Source interface {
	source.Source

	// Fill decodes until what lies before offset to is known, or all is, and
	// returns how many bytes are. It tells report, unless that is nil, how many
	// bytes of the compressed file are done, and how many there are.
	Fill(ctx context.Context, to int64, report func(done, total int64)) (int64, error)

	// ReadAtContext is ReadAt; it ends when ctx does. An offset below 0 counts
	// from the end: of what Ending has said is there, or of all.
	ReadAtContext(ctx context.Context, p []byte, off int64) (int, error)

	// Ending has the last want bytes be readable, by offsets below 0, without
	// what lies before them being decoded, and returns how many are. If they
	// are fewer, no more can be so, or all are: then the size is known now. They
	// are not verified against the whole.
	Ending(ctx context.Context, want int64) (have int64, err error)

	// Index returns what is known of the line ends.
	Index() index.Index

	// Description returns what the text is like, or nil if that is not known: a
	// pass that decodes all of it finds out.
	Description() *describe.Result

	// Verified reports whether all was decoded once, and its checksums were right.
	Verified() bool

	// VerifiedTo returns how many bytes, from the first, were found right by a
	// checksum.
	VerifiedTo() int64

	// Keep writes the sidecar, whatever the size of the file. All must be known.
	Keep() error
}

// A Joined is a Source that is several files, one behind the other. They know
// better than it where their lines are, and whether they were cut short.
type Joined interface {
	Source

	// Find returns the mark just past the n-th line end, or the mark at to, or
	// at the end, if there are fewer. It tells report, unless that is nil, how
	// much of the files is done, and how much there is.
	Find(ctx context.Context, to, n int64, report func(done, total int64)) (scan.Mark, error)

	// Check looks whether the files still have what was read of them.
	Check() error
}

// A Measurer is a Source that may find out its size without decoding all: then
// any part can be read without what lies before it. It does so if that is
// cheaper than to decode what lies before offset to. What lies behind what Fill
// has said is not verified.
type Measurer interface {
	Measure(ctx context.Context, to int64) error
}

// A File is a compressed file.
type File struct {
	io.ReaderAt // of the compressed bytes
	Size        int64
	Identity
	Now func() (Identity, error) // asks again

	Folder  sidecar.Folder
	Name    string // of the sidecar; "": nothing is kept
	Workers int    // goroutines at most; 0: one for each processor, up to 8
}

// An Identity is what a file is known by, as far as the system tells. Times are
// in nanoseconds.
type Identity struct {
	Device, Inode     uint64
	Size              int64
	Modified, Changed int64
}

type reportKey struct{}

// WithReport returns a context whose reads, too, tell report what Fill does.
func WithReport(ctx context.Context, report func(done, total int64)) context.Context {
	return context.WithValue(ctx, reportKey{}, report)
}

// Report returns what WithReport was given, or nil.
func Report(ctx context.Context) func(done, total int64) {
	report, _ := ctx.Value(reportKey{}).(func(done, total int64))
	return report
}

// Open returns the source of what f holds, or nil if f is not compressed. It
// reads little.
type Open func(f File) (Source, error)

// Set by package engine, whose *Options and *File these are.
var (
	// OpenFile is engine.Open of a file that open may know how to decode.
	OpenFile func(name string, opts any, open Open) (any, error)

	// SourceOf returns the Source that a File reads from now, or nil.
	SourceOf func(file any) Source

	// BytesOf returns what a File reads from now, compressed or not.
	BytesOf func(file any) source.Source

	// FindIn is Joined.Find in a File. It uses what is known of its lines, and
	// adds to that.
	FindIn func(ctx context.Context, file any, to, n int64) (scan.Mark, error)

	// JoinedFile returns the File over a Joined, which it closes.
	JoinedFile func(name string, opts any, j Joined) any

	// NonBlock is a flag for opening what may be a FIFO.
	NonBlock int
)
