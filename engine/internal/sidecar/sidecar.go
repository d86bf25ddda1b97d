// Package sidecar keeps in a folder what was learned of files, for later.
//
// What can't be trusted is not there: a sidecar that was cut, damaged, or made
// by another version reads like one that was never written.
package sidecar

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
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

// Read returns what [Folder.Write] was given, if it is at most most bytes. If it
// is not there, or not as it was written, the error is an fs.ErrNotExist.
func (f Folder) Read(name string, most int64) ([]byte, error) {
	path := f.File(name)
	b, err := readFile(path, most+Overhead)
	if err != nil {
		return nil, err
	}
	body, ok := open(b)
	if !ok {
		return nil, notThere(path)
	}
	return body, nil
}

func notThere(path string) error { return &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist} }

// readFile reads what can be a sidecar, and waits for nothing else that may
// have the name.
func readFile(path string, most int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, notThere(path)
	}
	b := make([]byte, info.Size())
	_, err = io.ReadFull(file, b)
	return b, err
}

// Overhead is how many bytes a sidecar has besides its body.
const Overhead = int64(len(magic)) + 8

// open returns what is between the magic and the checksum.
func open(b []byte) ([]byte, bool) {
	end := len(b) - 8
	if end < len(magic) || string(b[:len(magic)]) != magic {
		return nil, false
	}
	return b[len(magic):end], xxhash.Sum64(b[:end]) == binary.LittleEndian.Uint64(b[end:])
}

// Write keeps body, in place of what has that name. Who reads meanwhile gets
// the one or the other. Now and then, the oldest sidecars are removed if all
// take too much.
func (f Folder) Write(name string, body []byte) error {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return err
	}
	size := int64(len(body)) + Overhead
	if size > f.limit() {
		return fmt.Errorf("%s: %d bytes are more than the folder may have", f.File(name), size)
	}
	b := make([]byte, 0, size)
	b = append(append(b, magic...), body...)
	b = binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
	if err := replace(f.File(name), b); err != nil {
		return err
	}
	if files, bytes := written.files.Add(1), written.bytes.Add(size); files%64 == 1 || bytes > f.limit()/64 {
		written.bytes.Store(0)
		return f.prune()
	}
	return nil
}

// written is what this program has written: to look through a folder of many
// files after each would take long.
var written struct{ files, bytes atomic.Int64 }

// Remove removes a sidecar, if it is there.
func (f Folder) Remove(name string) error { return os.Remove(f.File(name)) }

func (f Folder) limit() int64 { return cmp.Or(f.Limit, Limit) }

// mostFiles is how many sidecars a folder keeps, however small.
const mostFiles = 4096

// left is how old a temporary file is that nobody writes any more.
const left = time.Hour

// prune removes the oldest sidecars as long as all are over the limit, and
// what was left behind by programs that were killed. It touches nothing else
// that the folder may have.
func (f Folder) prune() error {
	entries, err := os.ReadDir(f.Path)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	var total int64
	for _, entry := range entries {
		whole, temporary := ours(entry.Name())
		if !whole && !temporary {
			continue
		}
		info, err := entry.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case whole:
			files = append(files, info)
			total += info.Size()
		case time.Since(info.ModTime()) > left:
			_ = os.Remove(filepath.Join(f.Path, entry.Name()))
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for i, file := range files {
		if total <= f.limit() && len(files)-i <= mostFiles {
			break
		}
		if err := os.Remove(filepath.Join(f.Path, file.Name())); err == nil {
			total -= file.Size()
		}
	}
	return nil
}

// ours reports whether a file's name is that of a sidecar, or of one that is
// being written: a name of the engine's, a suffix, then digits if it is temporary.
func ours(name string) (whole, temporary bool) {
	hidden := strings.HasPrefix(name, ".")
	name, digits, found := strings.Cut(strings.TrimPrefix(name, "."), suffix)
	name = strings.TrimSuffix(name, "-decoded")
	if !found || strings.Trim(name, "0123456789abcdefpth-") != "" || strings.Count(name, "-") != 1 {
		return false, false
	}
	return !hidden && digits == "", hidden && digits != "" && strings.Trim(digits, "0123456789-") == ""
}
