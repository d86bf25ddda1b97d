package readfile

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"excerpt/engine"
	"excerpt/internal/args"
)

// A mount is a tree that is read in place of what the workspace has at prefix.
type mount struct {
	prefix string
	tree   fs.FS
}

// within returns the path of name inside the mount.
func (m mount) within(name string) (string, bool) {
	if name == m.prefix {
		return ".", true
	}
	return strings.CutPrefix(name, m.prefix+"/")
}

// A handle is an open file of the workspace or of a mount. It is closed after
// the call: the engine knows the file again, and what it has learned of it.
type handle struct {
	*engine.File
	under   io.Closer // what File does not close, or nil
	release func()    // gives back what was claimed; nil: nothing was
}

func (h *handle) close() {
	_ = h.File.Close()
	if h.under != nil {
		_ = h.under.Close()
	}
	if h.release != nil {
		h.release()
	}
}

// mostDecoding is how many compressed files are read at once: each takes some
// 30 MiB, and the window that it demands.
const mostDecoding = 4

// claim waits until the file may be read. A compressed one is closed some time
// after ctx has ended, if it is read still: decoding may go on where it can't
// look at ctx.
func (t *Tool) claim(ctx context.Context, h *handle) error {
	if h.Stored() == h.Size() {
		return nil
	}
	select {
	case t.decoding <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	stop := context.AfterFunc(ctx, func() {
		time.Sleep(stopping)
		_ = h.File.Close()
	})
	h.release = func() {
		stop()
		<-t.decoding
	}
	return nil
}

func (t *Tool) open(name string) (*handle, error) {
	local, err := localPath(name)
	if err != nil {
		return nil, err
	}
	for _, m := range t.mounts {
		if inside, ok := m.within(local); ok {
			return m.open(name, inside)
		}
	}
	if t.root == nil {
		return nil, fs.ErrNotExist
	}
	if covered := t.covered(); covered != nil {
		return t.openBeside(covered, name, local)
	}
	// Opening a device can do things, so that its kind is looked at before. If
	// it is another by then, the engine refuses it too.
	info, err := t.root.Stat(local)
	if err != nil {
		return nil, err
	}
	if err := checkKind(name, info); err != nil {
		return nil, err
	}
	f, err := t.openWith(local, t.root.OpenFile)
	if err != nil {
		return nil, err
	}
	return &handle{File: f}, nil
}

// openWith opens a file of the disk, which open gives.
func (t *Tool) openWith(name string, open func(string, int, fs.FileMode) (*os.File, error)) (*engine.File, error) {
	opts := &engine.Options{Open: open, Cache: t.opts.Cache}
	if t.opts.Open != nil {
		return t.opts.Open(name, opts)
	}
	return engine.Open(name, opts)
}

func (m mount) open(name, inside string) (*handle, error) {
	info, err := fs.Stat(m.tree, inside)
	if err != nil {
		return nil, err
	}
	if err := checkKind(name, info); err != nil {
		return nil, err
	}
	file, err := m.tree.Open(inside)
	if err != nil {
		return nil, err
	}
	if r, ok := file.(io.ReaderAt); ok {
		return &handle{File: engine.New(inside, r, info.Size(), nil), under: file}, nil
	}
	return &handle{File: engine.NewStream(inside, file, nil), under: file}, nil
}

// localPath returns the path in the form that os.Root and fs.FS take, or says
// why it is none. It does not repeat the path: it may be one of the machine.
func localPath(name string) (string, error) {
	const relative = `send a path relative to the workspace, with "/", such as "logs/app.log"`
	switch {
	case name == "":
		return "", refusef(fs.ErrInvalid, "path is empty: %s", relative)
	case len(name) > 4096:
		return "", refusef(fs.ErrInvalid, "path has %d bytes, more than the 4096 that there can be: %s", len(name), relative)
	case name[0] == '/', len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\'):
		return "", refusef(ErrOutside, "path is absolute: %s", relative)
	case strings.HasPrefix(strings.ToLower(name), "file:/"):
		return "", refusef(ErrOutside, "path is a URI: %s", relative)
	case name[0] == '~':
		return "", refusef(ErrOutside, `path is relative to a home folder (~), which is outside the workspace: %s; a file whose name begins so is "./~…"`, relative)
	case strings.IndexByte(name, 0) >= 0:
		return "", refusef(fs.ErrInvalid, "path has a NUL character: %s", relative)
	case strings.Contains(name, `\`):
		return "", refusef(fs.ErrInvalid, `path has a backslash: separate its parts with "/", such as "logs/app.log"`)
	}
	local := path.Clean(name)
	if !filepath.IsLocal(filepath.FromSlash(local)) {
		return "", refusef(ErrOutside, "path leads outside the workspace: %s", relative)
	}
	return local, nil
}

// covered returns what the disk has where trees are mounted.
func (t *Tool) covered() map[string]fs.FileInfo {
	var found map[string]fs.FileInfo
	for _, m := range t.mounts {
		if info, err := t.root.Stat(m.prefix); err == nil {
			if found == nil {
				found = map[string]fs.FileInfo{}
			}
			found[m.prefix] = info
		}
	}
	return found
}

// openBeside opens a file of the disk that is not under what is covered, by
// whatever other name it is reached: another case, another form of a letter, a
// link anywhere on the way.
func (t *Tool) openBeside(covered map[string]fs.FileInfo, name, local string) (*handle, error) {
	way := &walk{root: t.root}
	last, info, err := way.to(local, func(met fs.FileInfo) error {
		for prefix, info := range covered {
			if os.SameFile(met, info) {
				return refusef(fs.ErrNotExist, "path %s is another name of %s, which is a read-only tree: begin the path with %[2]s/", args.Quote(name), args.Quote(prefix))
			}
		}
		return nil
	})
	if err == nil {
		err = checkKind(name, info)
	}
	if err != nil {
		_ = way.Close()
		return nil, err
	}
	f, err := t.openWith(last, way.open(info))
	if err != nil {
		_ = way.Close()
		return nil, err
	}
	return &handle{File: f, under: way}, nil
}

// namesFolder says whether a path can only be that of a folder.
func namesFolder(name string) bool {
	switch name[strings.LastIndexByte(name, '/')+1:] {
	case "", ".", "..":
		return true
	}
	return false
}

// checkKind refuses what is no regular file.
func checkKind(name string, info fs.FileInfo) error {
	q := args.Quote(name)
	switch mode := info.Mode(); {
	case mode.IsRegular() && namesFolder(name):
		return refusef(syscall.ENOTDIR, "%s names a folder, but what is there is a file: send its path without the end", q)
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return refusef(syscall.EISDIR, "%s is a directory: send the path of a file in it", q)
	case mode&fs.ModeNamedPipe != 0:
		return refusef(engine.ErrNotRegular, "%s is a named pipe (FIFO): only regular files are read", q)
	case mode&fs.ModeSocket != 0:
		return refusef(engine.ErrNotRegular, "%s is a socket: only regular files are read", q)
	case mode&fs.ModeDevice != 0:
		return refusef(engine.ErrNotRegular, "%s is a device: only regular files are read", q)
	}
	return refusef(engine.ErrNotRegular, "%s is not a regular file: only those are read", q)
}
