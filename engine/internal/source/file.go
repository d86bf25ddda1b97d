package source

import (
	"context"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"excerpt/engine/internal/mapping"
)

// A File is a source that is a file of the system. It is read with pread, which
// invents no bytes. What is only looked at is looked at in a mapping, once the
// file was read so much that mapping it pays.
type File struct {
	// ByName says that the file's name is the path that it was opened with.
	ByName bool

	// Unmapped has the file read always.
	Unmapped bool

	ReaderAt
	file   *os.File
	sparse bool

	left    atomic.Int64 // what is read before the file is mapped
	mapping sync.Once
	mapped  atomic.Pointer[mapping.Mapping] // nil while it is not, or can't be
	scanned sync.Once                       // the mapping was told so
}

// MapAfter is how many bytes of a file are read before it is mapped: to map it
// takes some ten microseconds, and a process that does it for the first time
// some fifty. Tests make it small.
var MapAfter int64 = 1 << 20

// NewFile returns the source of an open regular file. It does not own file,
// which must stay open until after Close.
func NewFile(file *os.File, info fs.FileInfo) *File {
	f := &File{ReaderAt: ReaderAt{r: file, size: info.Size()}, file: file, sparse: sparse(info)}
	f.SetMapAfter(MapAfter)
	return f
}

// SetMapAfter has n bytes be read before the file is mapped.
func (f *File) SetMapAfter(n int64) { f.left.Store(n) }

// mappingFor returns the mapping if there is one, or if it is time for one now
// that n bytes are wanted. A file that can't be mapped is read on.
func (f *File) mappingFor(n int) *mapping.Mapping {
	if m := f.mapped.Load(); m != nil {
		return m
	}
	if f.left.Add(-int64(n)) >= 0 {
		return nil
	}
	f.mapping.Do(func() {
		if m, err := mapping.Open(f.file, f.ByName, f.size); err == nil {
			f.mapped.Store(m)
		}
	})
	return f.mapped.Load()
}

// View lends copies, and blocks of the mapping from where there is one.
func (f *File) View(ctx context.Context, fn func(View) error) error {
	if f.Unmapped || ctx.Value(unmapped{}) != nil {
		return f.ReaderAt.View(ctx, fn)
	}
	v := &fileView{ctx: ctx, f: f}
	err := mapping.Guard(&v.m, func() error { return fn(v) })
	v.end()
	if fault, ok := err.(*mapping.Fault); ok {
		return &OffsetError{fault.Offset, ErrTruncated}
	}
	return err
}

// Close unmaps the file.
func (f *File) Close() error {
	if m := f.mapped.Load(); m != nil {
		return m.Close()
	}
	return nil
}

// window is what a long scan keeps resident. A scan is long when it has passed
// a part of that.
const window = 8 << 20

// fileView is a view of a file. Of the mapping, it keeps what it has resident
// small.
type fileView struct {
	ctx context.Context
	f   *File

	buf  []byte // for copies, nil while there was none
	done func() // gives buf back

	m      *mapping.Mapping // nil while the file is read
	lo, hi int64            // what was lent last and is resident still: one run of blocks
	passed int64            // bytes lent so far, once it was mapped
	pace   *pace            // how to go on, if that is long; nil: mapped
}

func (v *fileView) Block(off int64, n int) ([]byte, error) {
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	if v.f.ReaderAt.closed.Load() {
		return nil, ErrClosed
	}
	n = int(max(0, min(int64(n), v.f.size-off)))
	if v.m == nil {
		if v.m = v.f.mappingFor(n); v.m == nil {
			return v.read(off, n)
		}
	}
	if v.passed >= Trial.After && v.reads(off) {
		b, err := v.read(off, n)
		v.pace.add(len(b))
		return b, err
	}
	v.trail(off, off+int64(n))
	if v.passed += int64(n); v.passed > window/4 {
		v.f.scanned.Do(v.m.Scan)
	}
	if v.pace != nil {
		v.pace.add(n)
	}
	return v.m.Bytes(off, n), nil
}

// reads reports whether what comes next in a long view, at off, is to be read.
func (v *fileView) reads(off int64) bool {
	if v.pace == nil {
		v.pace = &pace{}
	}
	return v.pace.reads(off)
}

func (v *fileView) read(off int64, n int) ([]byte, error) {
	if v.buf == nil {
		v.buf, v.done = Buffer()
	}
	return ReadFull(&v.f.ReaderAt, v.buf[:min(n, len(v.buf))], off, v.f.size)
}

// trail extends the resident run by [from, to), on either side, and lets go of
// it when it has become long.
func (v *fileView) trail(from, to int64) {
	if v.hi-v.lo < window {
		switch {
		case from == v.hi && v.lo < v.hi:
			v.hi = to
			return
		case to == v.lo && v.lo < v.hi:
			v.lo = from
			return
		}
	}
	v.release()
	v.lo, v.hi = from, to
}

// release lets go of the resident run, unless it is too short to matter.
func (v *fileView) release() {
	if v.hi-v.lo >= window/8 {
		v.m.Forget(v.lo, v.hi)
	}
}

func (v *fileView) end() {
	if v.passed > window {
		v.release()
	}
	if v.buf != nil {
		v.done()
	}
}
