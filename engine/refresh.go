package engine

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"sync/atomic"

	"excerpt/engine/internal/source"
)

// A Change is what has become of a file since its File last looked.
type Change int

const (
	Unchanged Change = iota // what was there is there, and nothing else
	Grown                   // there is more behind what was there
	Truncated               // it was cut short, or cut short and written anew
	Replaced                // another file has its name
)

// String returns the word for c, such as "grown".
func (c Change) String() string {
	return [...]string{"unchanged", "grown", "truncated", "replaced"}[c]
}

// identity is what a regular file is known by: the file itself, and the bytes
// at both ends of the snapshot. A log that was cut short and has grown past its
// old end since is known by the latter only.
type identity struct {
	info       fs.FileInfo
	size       int64 // of the file, whatever may be compressed in it
	head, tail []byte
	seen       atomic.Pointer[stamp] // of when they were last found to be there
}

// A stamp is what changes when a file is touched.
type stamp struct{ size, modified, changed int64 }

func stampOf(info fs.FileInfo) stamp {
	return stamp{info.Size(), info.ModTime().UnixNano(), changeTime(info)}
}

// fingerprint is how many bytes of either end are remembered.
const fingerprint = 256

func (s *snapshot) identify(info fs.FileInfo) error {
	s.info, s.size = info, s.src.Size()
	now := stampOf(info)
	s.seen.Store(&now)
	var err error
	if s.head, err = s.ends(0); err == nil {
		s.tail, err = s.ends(s.size - fingerprint)
	}
	return err
}

// ends reads a fingerprint, at off or at the beginning.
func (s *snapshot) ends(off int64) ([]byte, error) {
	off = max(off, 0)
	return source.ReadFull(s.file, make([]byte, min(fingerprint, s.size-off)), off, s.size)
}

// check returns the file's stamp, and an error if what the file had when the
// snapshot was taken is not there any more, as far as its size and its ends
// tell. It reads nothing if the file was not touched since the last time.
func (s *snapshot) check() (stamp, error) {
	if j := s.joined(); j != nil {
		return stamp{}, j.Check()
	}
	if s.info == nil {
		return stamp{}, nil // a stream, or a reader that we know nothing of
	}
	info, err := s.file.Stat()
	if err != nil {
		return stamp{}, err
	}
	now := stampOf(info)
	if now == *s.seen.Load() {
		return now, nil
	}
	if err := s.verifyEnds(now.size); err != nil {
		return stamp{}, err
	}
	s.seen.Store(&now)
	return now, nil
}

// verifyEnds compares the fingerprints with what the file has now.
func (s *snapshot) verifyEnds(size int64) error {
	if size < s.size {
		return &source.OffsetError{Offset: size, Err: ErrTruncated}
	}
	for _, end := range []struct {
		off  int64
		want []byte
	}{{0, s.head}, {max(0, s.size-fingerprint), s.tail}} {
		got := make([]byte, len(end.want))
		if _, err := source.ReadFull(s.file, got, end.off, s.size); err != nil {
			return err
		}
		if !bytes.Equal(got, end.want) {
			return &source.OffsetError{Offset: end.off, Err: ErrTruncated}
		}
	}
	return nil
}

// Refresh looks what has become of the file, and makes the File a snapshot of
// what its name stands for now. Spans located before stay good if the file is
// unchanged or has grown; else they give ErrTruncated.
//
// If the name stands for nothing any more, the error is fs.ErrNotExist, and
// the File goes on reading the file that had the name. Streams and files given
// to [New] do not change. It costs a few system calls, whatever the size.
func (f *File) Refresh() (Change, error) {
	f.refreshing.Lock()
	defer f.refreshing.Unlock()
	old, err := f.acquire()
	if err != nil {
		return Unchanged, err
	}
	defer f.release(old)
	if old.info == nil {
		return Unchanged, nil
	}
	fresh, err := f.open()
	if err != nil {
		return Unchanged, f.wrap("refresh", err)
	}
	change := old.compare(fresh)
	if change == Unchanged {
		return Unchanged, fresh.close()
	}
	fresh.generation = old.generation
	switch {
	case change == Grown && fresh.decoded != nil:
		// What it held before, it holds still.
	case change == Grown:
		fresh.knowledge = old.knowledge
	default:
		fresh.generation++
	}
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return Unchanged, errors.Join(f.wrap("refresh", ErrClosed), fresh.close())
	}
	f.snap = fresh
	f.mu.Unlock()
	return change, f.release(old)
}

// compare says what happened between s and fresh.
func (s *snapshot) compare(fresh *snapshot) Change {
	switch {
	case fresh.info == nil || !os.SameFile(s.info, fresh.info):
		return Replaced
	case s.verifyEnds(fresh.size) != nil:
		return Truncated
	case fresh.size > s.size:
		return Grown
	}
	return Unchanged
}

var errReplaced error = replacedError{}

// replacedError is no fmt.Errorf, since that would be most of what it takes to
// load this package, and every program that starts would pay for it.
type replacedError struct{}

func (replacedError) Error() string { return ErrTruncated.Error() + " since this part was located" }
func (replacedError) Unwrap() error { return ErrTruncated }

// acquireSince returns the snapshot to read offsets of an older one from.
func (f *File) acquireSince(old *snapshot) (*snapshot, error) {
	s, err := f.acquire()
	if err == nil && s.generation != old.generation {
		f.release(s)
		return nil, f.wrap("read", errReplaced)
	}
	return s, err
}
