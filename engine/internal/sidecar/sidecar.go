// Package sidecar keeps in a folder what was learned of files, for later.
//
// What can't be trusted is not there: a sidecar that was cut, damaged, or made
// by another version reads like one that was never written.
package sidecar

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
)

// magic begins a sidecar, and changes with what is in it.
const magic = "excerpt\x00sidecar\x01"

// Limit is what the sidecars of a folder may take together, in bytes: the
// line indexes of 8 TiB.
const Limit = 256 << 20

// A Folder has sidecars. It is made when it is first written to.
type Folder struct {
	Path  string
	Limit int64 // bytes; 0 means Limit
}

// Default returns the folder of the user. Its path is empty where there is none.
func Default() Folder {
	cache, err := os.UserCacheDir()
	if err != nil {
		return Folder{}
	}
	return Folder{Path: filepath.Join(cache, "excerpt", "index")}
}

// File returns the path of a sidecar.
func (f Folder) File(name string) string { return filepath.Join(f.Path, name+suffix) }

const suffix = ".index"

// Read returns what [Folder.Write] was given. If that is not there, or not as
// it was written, the error is an fs.ErrNotExist.
func (f Folder) Read(name string) ([]byte, error) {
	path := f.File(name)
	b, err := f.readFile(path)
	if err != nil {
		return nil, err
	}
	body, ok := open(b)
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return body, nil
}

// readFile refuses what no sidecar can be, for which nobody should wait.
func (f Folder) readFile(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > f.limit() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return os.ReadFile(path)
}

// open returns what is between the magic and the checksum.
func open(b []byte) ([]byte, bool) {
	end := len(b) - 8
	if end < len(magic) || string(b[:len(magic)]) != magic {
		return nil, false
	}
	return b[len(magic):end], xxhash.Sum64(b[:end]) == binary.LittleEndian.Uint64(b[end:])
}

// Write keeps body, in place of what has that name. Who reads meanwhile gets
// the one or the other. The oldest sidecars are removed if all take too much.
func (f Folder) Write(name string, body []byte) error {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return err
	}
	b := make([]byte, 0, len(magic)+len(body)+8)
	b = append(append(b, magic...), body...)
	b = binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
	if int64(len(b)) > f.limit() {
		return fmt.Errorf("%s: %d bytes are more than the folder may have", f.File(name), len(b))
	}
	if err := replace(f.File(name), b); err != nil {
		return err
	}
	return f.prune()
}

// Remove removes a sidecar, if it is there.
func (f Folder) Remove(name string) error { return os.Remove(f.File(name)) }

func (f Folder) limit() int64 { return cmp.Or(f.Limit, Limit) }

// left is how old a temporary file is that nobody writes any more.
const left = time.Hour

// prune removes the oldest sidecars as long as all are over the limit, and
// what was left behind by programs that were killed.
func (f Folder) prune() error {
	entries, err := os.ReadDir(f.Path)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	var total int64
	for _, entry := range entries {
		info, err := entry.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
			continue
		case strings.HasSuffix(entry.Name(), suffix):
			files = append(files, info)
			total += info.Size()
		case strings.HasPrefix(entry.Name(), ".") && time.Since(info.ModTime()) > left:
			_ = os.Remove(filepath.Join(f.Path, entry.Name()))
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, file := range files {
		if total <= f.limit() {
			break
		}
		if err := os.Remove(filepath.Join(f.Path, file.Name())); err == nil {
			total -= file.Size()
		}
	}
	return nil
}
