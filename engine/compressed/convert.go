package compressed

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"excerpt/engine"
)

// ConvertOptions say how Convert writes. The zero value is a good choice, and
// so is a nil *ConvertOptions.
type ConvertOptions struct {
	// Replace allows that a file of the name is there, which is replaced.
	Replace bool

	// Like is what the file that is read is known by. What is written gets its
	// permissions, its owner where that is allowed, and its time of
	// modification; and is refused if it would take its place. If it is nil,
	// the new file is one like any other.
	Like fs.FileInfo

	// Cache is where the sidecar of the new file goes, as [engine.Options] has it.
	Cache string
}

// Convert writes what f holds to the named file, in the seekable format of
// zstd: frames of at most a megabyte, which end at a line end where there is
// one, each with its size and a checksum, and a table of them at the end. All
// programs that read zstd read it, and [Open] reads any part of it at once. It
// returns how many bytes f holds.
//
// The file is there when it is complete and verified, or not at all: it is
// written under another name in the same folder, read back, and compared with
// a checksum of what was read from f. If f is damaged or changes, the disk is
// full or the context ends, nothing is left. f stays as it is; what is appended
// to its file meanwhile is not in the new one.
//
// If there is a file of that name already, and it is not to be replaced, the
// error is an fs.ErrExist. Files are compressed on up to four cores, at some
// 100 MB/s each, with some 40 MiB of memory.
func Convert(ctx context.Context, f *engine.File, name string, opts *ConvertOptions) (int64, error) {
	if opts == nil {
		opts = &ConvertOptions{}
	}
	if err := opts.check(name); err != nil {
		return 0, &fs.PathError{Op: "convert", Path: name, Err: err}
	}
	file, err := createBeside(name, opts.Like != nil)
	if err != nil {
		return 0, err
	}
	temporary := file.Name()
	defer os.Remove(temporary)
	defer context.AfterFunc(ctx, func() { os.Remove(temporary) })() // though f may not answer

	sum, err := writeSeekable(ctx, f, file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return 0, renamed(err, temporary, name)
	}
	if opts.Like != nil {
		if err := os.Chtimes(temporary, opts.Like.ModTime(), opts.Like.ModTime()); err != nil {
			return 0, renamed(err, temporary, name)
		}
	}
	runtime.GC() // of the encoders: decoding takes memory too
	if err := verify(ctx, temporary, sum, opts.Cache); err != nil {
		return 0, renamed(err, temporary, name)
	}
	if opts.Like != nil {
		err = permit(temporary, opts.Like)
	}
	if err == nil {
		err = publish(temporary, name, opts.Replace)
	}
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return sum.bytes, renamed(err, temporary, name)
}

var (
	errSelf    = errors.New("this is the file that is read: give the new one another name")
	errSpecial = errors.New("this is no regular file, and is not replaced")
	errWritten = errors.New("what was written is not what was read; nothing was kept")
)

// check looks at what has the name already.
func (o *ConvertOptions) check(name string) error {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		info, err = os.Lstat(name) // a link to nothing
	}
	switch {
	case err != nil:
		return err
	case o.Like != nil && os.SameFile(info, o.Like):
		return errSelf
	case !o.Replace:
		return fs.ErrExist
	case info.Mode()&fs.ModeSymlink == 0 && !info.Mode().IsRegular():
		return errSpecial
	}
	return nil
}

// createBeside makes a file for what is to be called name once it is complete.
// If it is private, nobody else can read it until then.
func createBeside(name string, private bool) (*os.File, error) {
	dir, base := filepath.Split(name)
	temporary := dir + "." + base + "-" + strconv.FormatUint(rand.Uint64(), 36)
	perm := fs.FileMode(0o666)
	if private {
		perm = 0o600
	}
	file, err := os.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
	return file, renamed(err, temporary, name)
}

// renamed has an error name the file that was meant.
func renamed(err error, temporary, name string) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path) && path.Path == temporary:
		return &fs.PathError{Op: path.Op, Path: name, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: name, Err: link.Err}
	}
	return err
}

// A summary is what was seen of bytes in order.
type summary struct {
	bytes int64
	sum   uint64
}

// summarize passes all that f holds on to w.
func summarize(ctx context.Context, f *engine.File, w io.Writer) (summary, error) {
	all, err := f.All(ctx)
	if err != nil {
		return summary{}, err
	}
	digest := xxhash.New()
	n, err := all.WriteTo(io.MultiWriter(digest, w))
	return summary{n, digest.Sum64()}, err
}

// writeSeekable writes what f holds to file, and has that be on the disk.
func writeSeekable(ctx context.Context, f *engine.File, file *os.File) (summary, error) {
	w, err := newFrameWriter(file, mostFrame)
	if err != nil {
		return summary{}, err
	}
	sum, err := summarize(ctx, f, w)
	if err != nil {
		w.stop()
		return sum, err
	}
	if err := w.close(); err != nil {
		return sum, err
	}
	return sum, file.Sync()
}

// verify reads back what was written. It leaves the sidecar of it.
func verify(ctx context.Context, path string, want summary, cache string) error {
	// Two decode as fast as any number compress, with less memory.
	f, err := Open(path, &engine.Options{Cache: cache, Workers: min(encoders(), 2)})
	if err != nil {
		return err
	}
	defer f.Close()
	got, err := summarize(ctx, f, io.Discard)
	if err == nil && (got != want || !Verified(f)) {
		err = &fs.PathError{Op: "verify", Path: path, Err: errWritten}
	}
	return err
}

// permit gives the file at path the permissions and the owner of another.
func permit(path string, like fs.FileInfo) error {
	perm := like.Mode().Perm()
	if !own(path, like) {
		perm &^= 0o070 // its group is another one
	}
	return os.Chmod(path, perm)
}

// publish gives the file at path its name.
func publish(path, name string, replace bool) error {
	if !replace {
		err := os.Link(path, name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return syncFolder(name, err)
		}
		// Not every file system has links.
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return &fs.PathError{Op: "convert", Path: name, Err: fs.ErrExist}
		}
	}
	return syncFolder(name, os.Rename(path, name))
}

// syncFolder has a new name be on the disk, where the system can do that.
func syncFolder(name string, err error) error {
	if err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(name)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}
