package logset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"excerpt/engine"
	"excerpt/engine/compressed"
	"excerpt/engine/internal/decoded"
)

// Open opens the rotated log of which name is the live file, such as app.log. A
// nil opts means the defaults; Stream and Once are not used. The caller closes
// the Set.
//
// Open finds the other files by their names, in the same folder. It opens all of
// them, so that it does no harm when they are renamed, compressed or removed
// later, and looks again whether they still have these names; if not, it begins
// anew. So does it, for some 30 ms, if a number or the live file is missing: that
// is so for a moment when a log is rotated. In the end there is a Set, and
// [Set.Members] tells what is wrong with it. The error is an fs.ErrNotExist if
// there is no such file at all.
//
// A compressed file is not decoded, unless it stands beside one with the same
// number or date, or before a plain one that it may have been made of, since it
// was not modified before that: then it is compared with that one, which takes
// as long as both take to read, as far as they are the same.
func Open(ctx context.Context, name string, opts *engine.Options) (*Set, error) {
	o := &opener{name: name, dir: filepath.Dir(name), live: filepath.Base(name), open: os.OpenFile}
	if opts != nil {
		o.opts = *opts
		if opts.Open != nil {
			o.open = opts.Open
		}
	}
	o.opts.Stream, o.opts.Once = false, false
	for try := 0; ; try++ {
		found, err := o.look(ctx)
		switch {
		case err == nil && found.settled, err == nil && try >= enough:
			return o.set(found), nil
		case err == nil:
			found.close()
		case !errors.Is(err, errChanged):
			return nil, err
		case try >= most:
			return nil, &fs.PathError{Op: "open", Path: name, Err: errChanged}
		}
		select {
		case <-time.After(min(time.Millisecond<<try, 32*time.Millisecond)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// enough is how many more looks are taken at a set in which something is
// missing. Tests have fewer.
var enough = 5

const (
	most        = 50 // more looks at one that changes: a second and a half
	mostMembers = 10_000
)

var errChanged = errors.New("its files were renamed or rewritten each time they were looked at: try again")

// opener opens a set.
type opener struct {
	name, dir, live string
	opts            engine.Options
	open            func(name string, flag int, perm fs.FileMode) (*os.File, error)
}

// found is what was there at one look.
type found struct {
	parts   []*part // the oldest first
	settled bool    // another look would find no more
}

func (f *found) close() {
	for _, p := range f.parts {
		p.stop()
	}
}

func (o *opener) set(f *found) *Set {
	j := &joined{workers: workersOf(o.opts)}
	for _, p := range f.parts {
		switch p.state {
		case Whole, Partial, Ambiguous:
			j.parts = append(j.parts, p)
		default:
			p.stop()
		}
	}
	file := decoded.JoinedFile(o.name, &o.opts, j)
	return &Set{file.(*engine.File), f.parts}
}

// look opens what is there. It is errChanged if that was not the same all the
// time.
func (o *opener) look(ctx context.Context) (_ *found, err error) {
	names, err := o.list()
	if err != nil {
		return nil, err
	}
	f := &found{settled: true}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	if len(names) == 0 {
		file, err := engine.Open(o.name, &o.opts) // says what is wrong
		if err == nil {
			file.Close()
			err = errChanged
		}
		return nil, err
	}
	// The newest first: what is written while they are opened is then missing at
	// the end, and not between.
	for _, n := range slices.Backward(names) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := o.part(n)
		if err != nil {
			return nil, err
		}
		f.parts = append(f.parts, p)
	}
	slices.Reverse(f.parts)
	if err := o.same(names, f.parts); err != nil {
		return nil, err
	}
	orderKinds(f.parts)
	if err := f.compare(ctx); err != nil {
		if errors.Is(err, engine.ErrTruncated) {
			err = errChanged
		}
		return nil, err
	}
	for _, p := range f.parts {
		if p.isRead() && p.verify() != nil {
			return nil, errChanged
		}
	}
	o.addMissing(f, names)
	return f, nil
}

// list returns the names of the set, the oldest first.
func (o *opener) list() ([]name, error) {
	dir, err := o.open(o.dir, os.O_RDONLY, 0)
	if err != nil {
		return nil, o.unlisted(err)
	}
	defer dir.Close()
	var names []name
	for {
		entries, err := dir.ReadDir(1000)
		for _, e := range entries {
			if n, ok := parse(o.live, e.Name()); ok {
				n.folder, n.link = e.IsDir(), e.Type()&fs.ModeSymlink != 0
				names = append(names, n)
			}
		}
		if len(names) > mostMembers {
			return nil, &fs.PathError{Op: "open", Path: o.name, Err: fmt.Errorf("there are more than %d files of this log", mostMembers)}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, o.unlisted(err)
		}
	}
	slices.SortFunc(names, older)
	return withoutFolders(slices.Compact(names)), nil
}

// withoutFolders leaves out the folders that are not in the place of a file that
// should be there.
func withoutFolders(names []name) []name {
	last := name{}
	return slices.DeleteFunc(names, func(n name) bool {
		if n.folder {
			live := n.kind.live && !n.packed()
			gap := !n.kind.live && !n.kind.dated && n.kind == last.kind && n.number < last.number
			return last.file == "" || !live && !gap
		}
		last = n
		return false
	})
}

// unlisted says that the folder can't be read, of the log that was asked for.
func (o *opener) unlisted(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &fs.PathError{Op: "open", Path: o.name, Err: fmt.Errorf("its folder can't be listed: %w", err)}
}

// part opens a file. What can't be read is a part, too.
func (o *opener) part(n name) (*part, error) {
	path := filepath.Join(o.dir, n.file)
	if n.file == o.live {
		path = o.name
	}
	bad := func(err error) (*part, error) {
		return &part{name: n, path: path, state: Unreadable, err: err}, nil
	}
	if n.folder {
		return bad(&fs.PathError{Op: "open", Path: path, Err: syscall.EISDIR})
	}
	file, err := o.open(path, os.O_RDONLY|decoded.NonBlock, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist) && n.link: // names are looked at again later
		return bad(fmt.Errorf("it is a link to what is not there: %w", fs.ErrNotExist))
	case errors.Is(err, fs.ErrNotExist):
		return nil, errChanged
	case err != nil:
		return bad(err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: engine.ErrNotRegular}
	}
	if err != nil {
		_ = file.Close()
		return bad(err)
	}
	p := newPart(n, path, file, info, o.opts)
	head := make([]byte, 10)
	read, err := file.ReadAt(head, 0)
	format := compressed.Detect(head[:read])
	switch {
	case err != nil && err != io.EOF:
	case format != compressed.Plain && format != compressed.XZ:
		return p, nil
	case read == 0 && emptyIsWhole(n):
		if err = p.open(); err == nil {
			return p, nil
		}
	case format == compressed.Plain && n.packed() && read < len(head):
		p.stop()
		p.size, p.ends, p.state = 0, 0, Partial
		p.err = errors.New("it has only begun to be compressed")
		return p, nil
	case format == compressed.Plain && n.packed():
		err = errors.New("it does not begin like a compressed file that can be read")
	default:
		if err = p.open(); err == nil {
			return p, nil
		}
	}
	p.stop()
	return bad(err)
}

// emptyIsWhole reports whether a program that compresses nothing may have left
// nothing.
func emptyIsWhole(n name) bool {
	suffix := filepath.Ext(n.file)
	return !n.packed() || suffix == ".s2" || suffix == ".sz"
}

// same reports whether the names are still those, and of these files.
func (o *opener) same(names []name, parts []*part) error {
	now, err := o.list()
	if err != nil {
		return err
	}
	if !slices.Equal(names, now) {
		return errChanged
	}
	for _, p := range parts {
		if p.info == nil {
			continue
		}
		info, err := o.stat(p.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return errChanged
		case err != nil:
			return err
		case !os.SameFile(info, p.info):
			return errChanged
		}
	}
	return nil
}

func (o *opener) stat(path string) (fs.FileInfo, error) {
	if o.opts.Open == nil {
		return os.Stat(path)
	}
	file, err := o.open(path, os.O_RDONLY|decoded.NonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return file.Stat()
}

// orderKinds puts the kinds of names in the order of their newest files, and the
// live file last. There is more than one kind if the configuration has changed.
func orderKinds(parts []*part) {
	newest := map[kind]time.Time{}
	for _, p := range parts {
		if p.info != nil && p.info.ModTime().After(newest[p.name.kind]) {
			newest[p.name.kind] = p.info.ModTime()
		}
	}
	slices.SortStableFunc(parts, func(a, b *part) int {
		if a.name.kind.live != b.name.kind.live {
			return btoi(a.name.kind.live) - btoi(b.name.kind.live)
		}
		return newest[a.name.kind].Compare(newest[b.name.kind])
	})
	for i, p := range parts[:max(len(parts)-1, 0)] {
		if next := parts[i+1]; p.name.kind != next.name.kind && !next.name.kind.live && p.state == Whole {
			p.state = Ambiguous
			p.err = fmt.Errorf("it and those before it have another kind of name than %s and those behind it, and are taken to be older since they were modified earlier", next.name.file)
		}
	}
}

// addMissing adds what should be there.
func (o *opener) addMissing(f *found, names []name) {
	missing := gaps(o.live, names)
	if last := names[len(names)-1]; !last.kind.live {
		missing = append(missing, name{file: o.live, kind: kind{live: true}})
	}
	for _, n := range missing {
		p := &part{name: n, path: filepath.Join(o.dir, n.file), state: Missing, err: errors.New("there are files with larger numbers")}
		if n.kind.live {
			p.path, p.err = o.name, errors.New("only older files of the log are there")
		}
		at := slices.IndexFunc(f.parts, func(q *part) bool {
			return q.name.kind == n.kind && older(n, q.name) < 0 || q.name.kind.live
		})
		if at < 0 {
			at = len(f.parts)
		}
		f.parts = slices.Insert(f.parts, at, p)
		f.settled = false
	}
}
