package engine

import (
	"context"
	"errors"

	"excerpt/engine/internal/scan"
)

// An Index is what is kept of the lines of a file: how many line ends lie
// before each of its checkpoints. The engine makes and uses it by itself.
type Index struct {
	Path   string // of the sidecar that it is kept in
	Bytes  int64  // that the sidecar takes
	Covers Offset // how much of the file it knows, from the beginning
	Ends   int64  // line ends in that
	Step   int64  // bytes between checkpoints
	Stale  bool   // the file is not what it was made of, and it is not used
}

var errNoIndex = errors.New("no index can be kept of it")

// BuildIndex counts what is not known yet of the lines of the file, on several
// cores, and keeps the index in the sidecar, whatever the size of the file.
// There is no need for it: what [File.Count] and others learn of a large file
// is kept as well. It reports progress, see [WithProgress].
//
// It is an error if nothing can be kept: of a stream, with [NoCache], or where
// the sidecar can't be written.
func (f *File) BuildIndex(ctx context.Context) (Index, error) {
	var last *pass
	err := f.withSidecar(ctx, func(ctx context.Context, p *pass) error {
		last, p.asked = p, true
		if p.decoded != nil {
			return p.buildDecoded(ctx)
		}
		_, err := p.count(ctx, scan.Mark{}, p.src.Size(), scan.All, false)
		return err
	})
	if err != nil {
		return Index{}, err
	}
	return last.written, nil
}

// StatIndex says what the sidecar of the file has. If there is none, the error
// is an fs.ErrNotExist.
func (f *File) StatIndex() (Index, error) {
	var found Index
	err := f.withSidecar(context.Background(), func(_ context.Context, p *pass) error {
		var err error
		if p.decoded != nil {
			found, err = p.statDecoded()
			return err
		}
		found, err = p.statSidecar()
		return err
	})
	return found, err
}

// DropIndex removes the sidecar of the file. If there is none, the error is an
// fs.ErrNotExist.
func (f *File) DropIndex() error {
	s, err := f.acquire()
	if err != nil {
		return err
	}
	defer f.release(s)
	p := &pass{snapshot: s, f: f}
	if !p.cached() {
		return f.wrap("index", errNoIndex)
	}
	if p.decoded != nil {
		return p.folder().Remove(p.decodedName())
	}
	return p.folder().Remove(p.sidecarName())
}

func (f *File) withSidecar(ctx context.Context, fn func(context.Context, *pass) error) error {
	s, err := f.acquire()
	if err != nil {
		return err
	}
	defer f.release(s)
	return f.look(ctx, s, func(ctx context.Context, p *pass) error {
		if !p.cached() {
			return errNoIndex
		}
		return fn(ctx, p)
	})
}
