package readfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// mostLinks is how many links may be met on the way to a file.
const mostLinks = 40

// A walk goes to a file from the root, one name after the other, and follows
// links itself. Each folder on the way is held open, and so is what it was when
// it was looked at, whatever becomes of its name.
type walk struct {
	root    *os.Root
	folders []*os.Root // those below root, that of the file last
}

func (w *walk) here() *os.Root {
	if len(w.folders) == 0 {
		return w.root
	}
	return w.folders[len(w.folders)-1]
}

func (w *walk) up() {
	_ = w.here().Close()
	w.folders = w.folders[:len(w.folders)-1]
}

// Close implements [io.Closer].
func (w *walk) Close() error {
	for len(w.folders) > 0 {
		w.up()
	}
	return nil
}

// to goes to the folder of local, and returns the name in it and what that is.
// look is asked about all that is met but links, and may end the walk.
func (w *walk) to(local string, look func(fs.FileInfo) error) (name string, info fs.FileInfo, err error) {
	left, links := strings.Split(local, "/"), 0
	for len(left) > 0 {
		name, left = left[0], left[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			if len(w.folders) == 0 {
				return "", nil, errEscapes
			}
			w.up()
			continue
		}
		if info, err = w.here().Lstat(name); err != nil {
			return "", nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			if links++; links > mostLinks {
				return "", nil, syscall.ELOOP
			}
			target, err := w.here().Readlink(name)
			if err != nil {
				return "", nil, err
			}
			target = filepath.ToSlash(target)
			if strings.HasPrefix(target, "/") || filepath.VolumeName(target) != "" {
				return "", nil, errEscapes
			}
			left = append(strings.Split(target, "/"), left...)
			continue
		}
		if err := look(info); err != nil {
			return "", nil, err
		}
		if !info.IsDir() {
			if len(left) > 0 {
				return "", nil, syscall.ENOTDIR
			}
			return name, info, nil
		}
		folder, err := w.here().OpenRoot(name)
		if err != nil {
			return "", nil, err
		}
		w.folders = append(w.folders, folder)
		if opened, err := folder.Stat("."); err != nil || !os.SameFile(opened, info) {
			return "", nil, errSwapped
		}
	}
	return "", nil, syscall.EISDIR
}

// open returns a function that opens a file of the last folder, if it is the
// one that info is of.
func (w *walk) open(info fs.FileInfo) func(string, int, os.FileMode) (*os.File, error) {
	return func(name string, flag int, perm os.FileMode) (*os.File, error) {
		f, err := w.here().OpenFile(name, flag, perm)
		if err != nil {
			return nil, err
		}
		if opened, err := f.Stat(); err != nil || !os.SameFile(opened, info) {
			return nil, errors.Join(errSwapped, f.Close())
		}
		return f, nil
	}
}

// errSwapped is the error of a name that stands for something else by now.
var errSwapped = errors.New("replaced")

// errEscapes is the error of a link that leads out of the root.
var errEscapes = errors.New("path escapes")
