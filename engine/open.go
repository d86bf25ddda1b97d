package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"excerpt/engine/internal/source"
)

// irregular says what kind of file it is that is no regular one.
func irregular(mode fs.FileMode) error {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return fmt.Errorf("a FIFO (named pipe), %w", ErrNotRegular)
	case mode&fs.ModeSocket != 0:
		return fmt.Errorf("a socket, %w", ErrNotRegular)
	case mode&fs.ModeDevice != 0:
		return fmt.Errorf("a device, %w", ErrNotRegular)
	}
	return ErrNotRegular
}

// open opens f.name anew and takes the first snapshot of it.
func (f *File) open() (*snapshot, error) {
	file, err := f.openFile()
	if err != nil {
		return nil, err
	}
	s, err := f.snapshot(file)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return s, nil
}

func (f *File) openFile() (*os.File, error) {
	open := f.opts.Open
	if open == nil {
		open = os.OpenFile
	}
	flag := os.O_RDONLY
	if !f.opts.Stream {
		flag |= nonBlock // a FIFO without a writer would hang the opening
	}
	return open(f.name, flag, 0)
}

// snapshot takes one of file, which it owns if there is no error.
func (f *File) snapshot(file *os.File) (*snapshot, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	for range 100 {
		s, err := f.snapshotOf(file, info)
		if !errors.Is(err, errSize) {
			return s, err
		}
		now, err := file.Stat()
		if err != nil {
			return nil, err
		}
		if now.Size() == info.Size() && now.ModTime().Equal(info.ModTime()) {
			// Those of /proc say 0, those of /sys 4096.
			if info.Size() == 0 {
				return f.stream(file, file), nil
			}
			return f.stream(io.NewSectionReader(file, 0, source.Unknown), file), nil
		}
		info = now // it is being written
	}
	return nil, ErrTruncated
}

var errSize = errors.New("the file does not have the size that it says")

func (f *File) snapshotOf(file *os.File, info fs.FileInfo) (*snapshot, error) {
	switch {
	case info.IsDir():
		return nil, syscall.EISDIR
	case !info.Mode().IsRegular():
		if !f.opts.Stream {
			return nil, irregular(info.Mode())
		}
		return f.stream(file, file), nil
	case info.Size() == 0:
		// Empty, or one of those that do not know their size before they are read.
		if n, err := file.ReadAt(make([]byte, 1), 0); n > 0 || err != io.EOF {
			return nil, errSize
		}
		src := source.NewFile(file, info)
		src.Unmapped = true
		return f.take(file, src, info)
	}
	src := source.NewFile(file, info)
	src.ByName = f.opts.Open == nil
	src.Unmapped = f.opts.Unmapped
	s, err := f.take(file, src, info)
	if errors.Is(err, ErrTruncated) {
		return nil, errSize
	}
	return s, err
}

// take completes the snapshot of a regular file.
func (f *File) take(file *os.File, src source.Source, info fs.FileInfo) (*snapshot, error) {
	s := &snapshot{src: src, file: file, users: 1}
	err := s.identify(info)
	if err == nil && f.decode != nil {
		err = f.decodeWith(f.decode, s)
	}
	if err != nil {
		_ = src.Close()
		return nil, err
	}
	if s.decoded == nil {
		s.knowledge = f.recall(info)
	}
	return s, nil
}

// stream returns the snapshot of a stream. file is closed with it, if not nil.
func (f *File) stream(r io.Reader, file *os.File) *snapshot {
	src := source.NewStream(r)
	src.Once = f.opts.Once
	return &snapshot{src: src, file: file, users: 1}
}
