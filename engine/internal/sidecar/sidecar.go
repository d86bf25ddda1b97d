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
const magic = "excerpt\x00sidecar\x02"

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

// Read returns the body that [Folder.Write] was given, if it is at most most
// bytes. If it is not there, or not as it was written, the error is an
// fs.ErrNotExist.
func (f Folder) Read(name string, most int64) ([]byte, error) {
	body, rest, err := f.Open(name, most)
	if err == nil {
		err = rest.Close()
	}
	return body, err
}

// A Rest is what a sidecar has behind its body. Nobody has looked whether it is
// as it was written. It stays what it is when the sidecar is replaced.
type Rest struct {
	*io.SectionReader
	file *os.File
}

// Close closes the file.
func (r *Rest) Close() error { return r.file.Close() }

// Open is Read, and returns the rest too, for the caller to close.
func (f Folder) Open(name string, most int64) (body []byte, rest *Rest, err error) {
	path := f.File(name)
	file, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, nil, err
	}
	body, rest = open(file, most)
	if rest == nil {
		_ = file.Close()
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return body, rest, nil
}

// header is how many bytes a sidecar has before its body: the magic, and how
// long the body is. Behind that is a checksum of both.
const header = len(magic) + 8

// Overhead is how many bytes a sidecar has besides its body and the rest.
const Overhead = int64(header) + 8

// open takes what can be a sidecar apart, and waits for nothing else that may
// have the name.
func open(file *os.File, most int64) ([]byte, *Rest) {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < Overhead {
		return nil, nil
	}
	var begin [header]byte
	if _, err := file.ReadAt(begin[:], 0); err != nil || string(begin[:len(magic)]) != magic {
		return nil, nil
	}
	n, left := binary.LittleEndian.Uint64(begin[len(magic):]), uint64(info.Size()-Overhead)
	if n > left || n > uint64(most) {
		return nil, nil
	}
	b := make([]byte, n+8)
	if _, err := file.ReadAt(b, int64(header)); err != nil {
		return nil, nil
	}
	body, sum := b[:n:n], binary.LittleEndian.Uint64(b[n:])
	if checksum(begin[:], body) != sum {
		return nil, nil
	}
	return body, &Rest{io.NewSectionReader(file, Overhead+int64(n), int64(left-n)), file}
}

func checksum(begin, body []byte) uint64 {
	digest := xxhash.New()
	_, _ = digest.Write(begin)
	_, _ = digest.Write(body)
	return digest.Sum64()
}

// Write keeps body, and behind it the rest, in place of what has that name. Who
// reads meanwhile gets the one or the other. Now and then, the oldest sidecars
// are removed if all take too much.
func (f Folder) Write(name string, body []byte, rest ...[]byte) error {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return err
	}
	size := int64(len(body)) + Overhead
	for _, b := range rest {
		size += int64(len(b))
	}
	if size > f.limit() {
		return fmt.Errorf("%s: %d bytes are more than the folder may have", f.File(name), size)
	}
	begin := binary.LittleEndian.AppendUint64([]byte(magic), uint64(len(body)))
	end := binary.LittleEndian.AppendUint64(nil, checksum(begin, body))
	if err := replace(f.File(name), append([][]byte{begin, body, end}, rest...)); err != nil {
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
