package engine

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"excerpt/engine/internal/decoded"
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

// A File is a text file at one moment: what is appended to it later is not
// seen until [File.Refresh]. Its methods can be called from several goroutines
// at once, Close and Refresh too.
type File struct {
	name string
	opts Options
	plan scan.Plan
	sizes
	decode decoded.Open // nil: files are what they are

	refreshing sync.Mutex // one Refresh at a time

	mu     sync.Mutex
	snap   *snapshot
	closed bool
}

// Options say how a file is opened and read. The zero value is a good choice,
// and so is a nil *Options.
type Options struct {
	// Open opens the file, [os.OpenFile] if nil. The OpenFile method of an
	// [os.Root] confines a File to a folder.
	Open func(name string, flag int, perm fs.FileMode) (*os.File, error)

	// Workers is how many goroutines a long scan uses at most; 0 means one for
	// each processor that the program may use, up to 8.
	Workers int

	// Unmapped has the file read and never mapped. Long scans are somewhat
	// slower then. It is right for file systems on which a mapping is known to
	// fail late.
	Unmapped bool

	// Stream allows what is no regular file (FIFOs, terminals, devices) and
	// reads it as a stream. Opening and reading it may wait for its writer.
	Stream bool

	// Cache is the folder in which is kept what was learned of the lines of a
	// large file, for whoever opens it later; "" means excerpt/index in
	// [os.UserCacheDir]. [NoCache] keeps that in memory only. It takes some
	// 0.003 % of the file; the folder is kept below 256 MiB.
	Cache string

	// Once says that one selection will be made and then read once, in order.
	// A stream then keeps only what that needs.
	Once bool
}

// Open opens the named file. A nil opts means the defaults. The caller closes
// the File.
//
// A regular file is read, and is mapped when that pays: once it was looked
// through for a MiB, unless it can't be. One that says it is
// empty and is not (those of /proc, say) is read as a stream, and kept: in
// memory up to 4 MiB, beyond that in a temporary file. A folder is an error,
// and so is a FIFO, a device or a socket if [Options.Stream] does not allow it.
// The error is an *fs.PathError, so that errors.Is(err, fs.ErrNotExist) and
// the like hold.
//
// Open reads a few hundred bytes at either end of the file, whatever its size.
func Open(name string, opts *Options) (*File, error) {
	f := newFile(name, opts)
	return f.opened()
}

func (f *File) opened() (*File, error) {
	s, err := f.open()
	if err != nil {
		return nil, f.wrap("open", err)
	}
	f.snap = s
	return f, nil
}

// New returns a File over the first size bytes of r, which must stay what they
// are and allow calls of ReadAt from several goroutines. name is for messages. Close does not close r.
func New(name string, r io.ReaderAt, size int64, opts *Options) *File {
	f := newFile(name, opts)
	f.snap = &snapshot{src: source.NewReaderAt(r, max(size, 0)), users: 1, knowledge: new(knowledge)}
	return f
}

// NewStream returns a File over what r gives. It reads no further than a
// selection must, and keeps what it has read (see [Options.Once]): in memory
// up to 4 MiB, beyond that in a temporary file, which Close removes.
// name is for messages. Close does not close r.
func NewStream(name string, r io.Reader, opts *Options) *File {
	f := newFile(name, opts)
	f.snap = f.stream(r, nil)
	return f
}

func newFile(name string, opts *Options) *File {
	f := &File{name: name, sizes: usual}
	if opts != nil {
		f.opts = *opts
	}
	f.plan.Workers = f.opts.Workers
	return f
}

// Name returns the name that the file was opened with.
func (f *File) Name() string { return f.name }

// Size returns the size in bytes that the file had when it was opened or last
// refreshed. The size of a stream is -1 until its end was seen.
func (f *File) Size() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if size := f.snap.src.Size(); size != source.Unknown {
		return size
	}
	return -1
}

// Stored returns the size in bytes of the file itself. It is Size, or -1 of a
// stream; of a compressed file it is that of what is stored.
func (f *File) Stored() int64 {
	f.mu.Lock()
	raw := f.snap.raw
	f.mu.Unlock()
	if raw != nil {
		return raw.Size()
	}
	return f.Size()
}

// ReadAt reads as an [io.ReaderAt], within Size. It gives the bytes as they
// are by now, and does not look whether the file has changed.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	s, err := f.acquire()
	if err != nil {
		return 0, err
	}
	defer f.release(s)
	n, err := s.src.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = f.wrap("read", err)
	}
	return n, err
}

// Close ends the operations under way, which then return ErrClosed, and frees
// what the File holds. It waits for nothing. A second Close returns ErrClosed.
func (f *File) Close() error {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return f.wrap("close", ErrClosed)
	}
	f.closed = true
	s := f.snap
	f.mu.Unlock()
	s.src.Stop()
	return f.wrap("close", f.release(s))
}

// A snapshot is what a File reads from: a source, and what was known of it
// when it was taken.
type snapshot struct {
	src  source.Source
	file *os.File // what src reads, nil if that is not ours

	decoded decoded.Source // src, if the file is compressed
	raw     source.Source  // of the file itself then

	// users are the operations under way, and the File while it is current.
	// The last of them closes it. File.mu guards it.
	users int

	// Offsets found in one snapshot hold in others of the same generation:
	// there was growth between them at most.
	generation int

	identity             // of file
	knowledge *knowledge // of its lines; nil of a stream
}

// acquire returns the snapshot to read from; release gives it back.
func (f *File) acquire() (*snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, f.wrap("read", ErrClosed)
	}
	f.snap.users++
	return f.snap, nil
}

func (f *File) release(s *snapshot) error {
	f.mu.Lock()
	s.users--
	last := s.users == 0
	f.mu.Unlock()
	if last {
		return s.close()
	}
	return nil
}

// once reports whether s is a stream whose end was not seen and of which no
// more is to be kept than is read.
func (s *snapshot) once() bool {
	stream, ok := s.src.(*source.Stream)
	return ok && stream.Once && stream.Size() == source.Unknown
}

func (s *snapshot) close() error {
	err := s.src.Close()
	if s.raw != nil {
		err = errors.Join(err, s.raw.Close())
	}
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
	}
	return err
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
