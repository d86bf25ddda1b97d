// Package mapping holds a file in memory and survives what can happen to it
// there. It is the only place that touches mapped pages without a net.
//
// A mapped file that is cut short raises SIGBUS where its pages were. Inside
// [Guard] that signal is a [Fault], on the goroutine that runs it.
// A fault is not the only sign: what lies behind the new end in its last page
// reads as zeros. So bytes of a mapping are fit for counting, not for
// returning, and whoever counts looks at the file's size afterwards.
package mapping

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"sync"

	"golang.org/x/exp/mmap"
)

// ErrNoView says that the mapping's bytes cannot be had without a copy.
var ErrNoView = errors.New("the mapping gives no view of its bytes")

// errShort says that the file is not as long any more as it was.
var errShort = errors.New("the file has become shorter")

// A Mapping is a view of the first bytes of a file.
type Mapping struct {
	r    *mmap.ReaderAt
	view []byte  // r's own bytes, r keeps them mapped
	base uintptr // the address of view[0]
}

// Open maps the first size bytes of file, a regular file; there must be some.
// byName says that file.Name() is the path under which it was opened, so that
// systems which cannot map an open file may open it once more.
func Open(file *os.File, byName bool, size int64) (*Mapping, error) {
	r, err := open(file, byName)
	if err != nil {
		return nil, err
	}
	view, ok := viewOf(r)
	switch {
	case !ok || len(view) == 0:
		err = ErrNoView
	case int64(len(view)) < size:
		err = errShort
	}
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	return &Mapping{r, view[:size:size], reflect.ValueOf(view).Pointer()}, nil
}

// openNamed maps the file with the name of file if it is still the open one: a
// log may be rotated between the two openings.
func openNamed(file *os.File) (*mmap.ReaderAt, error) {
	before, err := file.Stat()
	if err != nil {
		return nil, err
	}
	r, err := mmap.Open(file.Name())
	if err != nil {
		return nil, err
	}
	after, err := os.Stat(file.Name())
	if err != nil || !os.SameFile(before, after) {
		_ = r.Close()
		return nil, fmt.Errorf("%s was replaced while it was opened", file.Name())
	}
	return r, nil
}

// viewOf takes the bytes that an mmap.ReaderAt keeps to itself. Reading them
// there is half as fast again as copying them out.
func viewOf(r *mmap.ReaderAt) ([]byte, bool) {
	field := reflect.ValueOf(r).Elem().FieldByName("data")
	if !field.IsValid() || field.Kind() != reflect.Slice || field.Type().Elem().Kind() != reflect.Uint8 {
		return nil, false
	}
	return field.Bytes(), true
}

// Size returns the bytes mapped.
func (m *Mapping) Size() int64 { return int64(len(m.view)) }

// Bytes returns n bytes at off. They may be touched only inside Guard, and
// not after Close.
func (m *Mapping) Bytes(off int64, n int) []byte { return m.view[off : off+int64(n) : off+int64(n)] }

// Close unmaps the file. No call of Guard may be under way.
func (m *Mapping) Close() error { return m.r.Close() }

// A Fault is the error for a page that is gone: the file was cut short, or its
// device failed.
type Fault struct {
	Offset int64 // of the byte that could not be read
}

func (f *Fault) Error() string { return fmt.Sprintf("the page at offset %d is gone", f.Offset) }

// Guard calls fn and returns its error, or a *Fault if fn touched a page that is
// gone of the mapping m, which may be nil until fn sets it. It holds for the
// calling goroutine only.
func Guard(m **Mapping, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		fault, ok := p.(interface{ Addr() uintptr })
		if !ok || *m == nil || fault.Addr() < (*m).base || fault.Addr()-(*m).base >= uintptr(len((*m).view)) {
			panic(p)
		}
		err = &Fault{int64(fault.Addr() - (*m).base)}
	}()
	return fn()
}

// pageSize is asked for once, and not at start-up.
var pageSize = sync.OnceValue(func() int64 { return int64(os.Getpagesize()) })

// pages narrows [from, to) to the whole pages inside it.
func (m *Mapping) pages(from, to int64) []byte {
	size := pageSize()
	from = (from + size - 1) / size * size
	if to < m.Size() {
		to = to / size * size
	}
	if from >= to {
		return nil
	}
	return m.view[from:to]
}
