//go:build linux || darwin || freebsd

package source

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// sparse reports whether the file takes less room than its size: only then it
// is worth asking where its holes are.
func sparse(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(stat.Blocks)*512 < info.Size()
}

// seek moves the descriptor's offset, which nothing else here uses.
func (f *File) seek(off int64, whence int) (int64, error) {
	return f.file.Seek(off, whence)
}

// steady reports whether the file stayed as it was while fn looked at it. A
// file that is cut short has a hole from there on, if only for a moment.
func (f *File) steady(fn func()) bool {
	before, err := f.file.Stat()
	if err != nil || before.Size() < f.size {
		return false
	}
	fn()
	after, err := f.file.Stat()
	return err == nil && after.Size() == before.Size() && after.ModTime().Equal(before.ModTime())
}

// Extent tells data and holes apart.
func (f *File) Extent(off int64) (end int64, hole, known bool) {
	if !f.sparse {
		return f.size, false, false
	}
	if !f.steady(func() { end, hole, known = f.extent(off) }) {
		return min(off+window, f.size), false, true // data, as far as that matters
	}
	return end, hole, known
}

func (f *File) extent(off int64) (end int64, hole, known bool) {
	data, err := f.seek(off, unix.SEEK_DATA)
	switch {
	case errors.Is(err, unix.ENXIO): // no data from here to the end
		return f.size, true, true
	case err != nil:
		return f.size, false, false
	case data > off:
		return min(data, f.size), true, true
	}
	end, err = f.seek(off, unix.SEEK_HOLE)
	if err != nil || end <= off {
		return f.size, false, false
	}
	return min(end, f.size), false, true
}

// LastData finds the last data by halving the range in which it ends.
func (f *File) LastData(end int64) int64 {
	if !f.sparse || end <= 0 {
		return end
	}
	last := end
	if !f.steady(func() { last = f.lastData(end) }) {
		return end
	}
	return last
}

func (f *File) lastData(end int64) int64 {
	dataFrom := func(off int64) bool {
		data, err := f.seek(off, unix.SEEK_DATA)
		return err == nil && data < end
	}
	if _, err := f.seek(0, unix.SEEK_HOLE); err != nil || dataFrom(end-1) {
		return end
	}
	if !dataFrom(0) {
		return 0
	}
	lo, hi := int64(0), end-1 // there is data from lo, and none from hi
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; dataFrom(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
