package source

import (
	"context"
	"io/fs"
	"os"
	"sync"

	"excerpt/engine/internal/mapping"
)

// A File is a source that is a file of the system: scanned in its mapping
// where there is one, and copied out with pread, which invents no bytes.
type File struct {
	ReaderAt
	file   *os.File
	sparse bool

	m       *mapping.Mapping // nil where the file is not mapped
	scanned sync.Once        // m was told so
}

// OpenMapped returns the source of an open regular file that is not empty.
// It does not own file, which must stay open until after Close. byName says
// that file.Name() is the path that it was opened with.
func OpenMapped(file *os.File, info fs.FileInfo, byName bool) (*File, error) {
	m, err := mapping.Open(file, byName)
	if err != nil {
		return nil, err
	}
	f := OpenRead(file, info)
	f.size = m.Size()
	f.m = m
	return f, nil
}

// OpenRead returns the source of an open regular file without mapping it.
// It does not own file, which must stay open until after Close.
func OpenRead(file *os.File, info fs.FileInfo) *File {
	return &File{ReaderAt: ReaderAt{r: file, size: info.Size()}, file: file, sparse: sparse(info)}
}

// View lends blocks of the mapping, or copies where there is none.
func (f *File) View(ctx context.Context, fn func(View) error) error {
	if f.m == nil || ctx.Value(unmapped{}) != nil {
		return f.ReaderAt.View(ctx, fn)
	}
	v := &mapped{ctx: ctx, f: f}
	err := f.m.Guard(func() error { return fn(v) })
	v.end()
	if fault, ok := err.(*mapping.Fault); ok {
		return &OffsetError{fault.Offset, ErrTruncated}
	}
	return err
}

// Close unmaps the file.
func (f *File) Close() error {
	if f.m == nil {
		return nil
	}
	return f.m.Close()
}

// window is what a long scan keeps resident. A scan is long when it has passed
// a part of that.
const window = 8 << 20

// mapped is a view of a mapping. It keeps what it has resident small.
type mapped struct {
	ctx context.Context
	f   *File

	lo, hi int64 // what was lent last and is resident still: one run of blocks
	passed int64 // bytes lent so far
}

func (v *mapped) Block(off int64, n int) ([]byte, error) {
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	if v.f.ReaderAt.closed.Load() {
		return nil, ErrClosed
	}
	n = int(max(0, min(int64(n), v.f.size-off)))
	v.trail(off, off+int64(n))
	if v.passed += int64(n); v.passed > window/4 {
		v.f.scanned.Do(v.f.m.Scan)
	}
	return v.f.m.Bytes(off, n), nil
}

// trail extends the resident run by [from, to), on either side, and lets go of
// it when it has become long.
func (v *mapped) trail(from, to int64) {
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
func (v *mapped) release() {
	if v.hi-v.lo >= window/8 {
		v.f.m.Forget(v.lo, v.hi)
	}
}

func (v *mapped) end() {
	if v.passed > window {
		v.release()
	}
}
