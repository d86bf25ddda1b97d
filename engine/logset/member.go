package logset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync"
	"sync/atomic"

	"excerpt/engine"
	"excerpt/engine/compressed"
	"excerpt/engine/internal/decoded"
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

// A part is a file of a set while it is open. What is found out of it, it keeps.
type part struct {
	name name
	path string
	info fs.FileInfo // of the open file, whatever its name stands for by now
	opts engine.Options

	touched atomic.Bool // something was read of it

	mu      sync.Mutex
	held    *os.File       // until f reads it
	f       *engine.File   // nil before it is needed
	src     decoded.Source // what f reads, if that is compressed
	plain   source.Source  // and if not
	stopped bool

	size  int64 // or source.Unknown
	ends  int64 // line ends, or -1
	state State
	err   error // why, if that is not Whole

	ending int64 // how much of its end was read without the rest
}

func newPart(n name, path string, file *os.File, info fs.FileInfo, opts engine.Options) *part {
	return &part{name: n, path: path, held: file, info: info, opts: opts, size: source.Unknown, ends: -1}
}

// open has the part be read. A compressed one costs something, and is opened
// when somebody reads it.
func (p *part) open() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.openLocked()
}

func (p *part) openLocked() error {
	switch {
	case p.stopped:
		return p.wrap(source.ErrClosed)
	case p.f != nil:
		return nil
	case p.held == nil: // it could not be opened before
		return p.wrap(p.err)
	}
	opts := p.opts
	opts.Open = func(string, int, fs.FileMode) (*os.File, error) {
		file := p.held
		p.held = nil
		return file, nil
	}
	f, err := compressed.Open(p.path, &opts)
	if err != nil {
		p.err = err
		return err
	}
	p.f, p.src = f, decoded.SourceOf(f)
	if p.src != nil {
		p.size = p.src.Size()
		return nil
	}
	p.plain = decoded.BytesOf(f)
	if p.size = p.plain.Size(); p.size == source.Unknown {
		_ = f.Close()
		p.f = nil
		p.err = p.wrap(errors.New("it does not say how long it is"))
	}
	return p.err
}

// known returns the size, or source.Unknown.
func (p *part) known() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}

// weight is what the part counts for when it is told how much is done.
func (p *part) weight() int64 { return p.info.Size() }

// fill has what lies before offset to be known, or all, and returns how much is.
// A part that is damaged ends there.
func (p *part) fill(ctx context.Context, to int64, report func(done, total int64)) (int64, error) {
	if size := p.known(); size != source.Unknown {
		return size, nil
	}
	if err := p.open(); err != nil {
		return 0, err
	}
	if size := p.known(); size != source.Unknown {
		return size, nil
	}
	p.touched.Store(true)
	has, err := p.src.Fill(ctx, to, report)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil:
		p.size = p.src.Size()
		return has, nil
	case isDamage(err):
		if p.ending > 0 { // its end was told from there
			return 0, p.wrap(err)
		}
		p.size, p.state, p.err = has, Partial, err
		return has, nil
	}
	return 0, p.wrap(err)
}

// isDamage reports whether err says that a file can be decoded so far and no
// farther.
func isDamage(err error) bool {
	return errors.Is(err, compressed.ErrDamaged) || errors.Is(err, compressed.ErrUnsupported)
}

// find is decoded.Joined.Find in the part, and says whether the part was found to
// end before to.
func (p *part) find(ctx context.Context, to, n int64) (m scan.Mark, all bool, err error) {
	if p.known() == 0 {
		return m, to > 0, nil
	}
	if err := p.open(); err != nil {
		return m, false, err
	}
	p.touched.Store(true)
	for {
		size := p.known()
		p.mu.Lock()
		ends := p.ends
		p.mu.Unlock()
		if ends >= 0 && ends < n && to >= size {
			return scan.Mark{Offset: size, Ends: ends}, true, nil
		}
		m, err = decoded.FindIn(ctx, p.f, min(to, size), n)
		switch {
		case err == nil:
		case size == source.Unknown && isDamage(err):
			if _, err := p.fill(ctx, source.Unknown, nil); err != nil {
				return m, false, err
			}
			continue // it has an end now
		default:
			return m, false, err
		}
		if m.Ends == n || m.Offset == to {
			return m, false, nil
		}
		p.mu.Lock()
		p.size, p.ends = m.Offset, m.Ends
		p.mu.Unlock()
		p.rest() // it is passed
		return m, true, nil
	}
}

// end has the last want bytes be readable, and returns how many are, and whether
// these are all.
func (p *part) end(ctx context.Context, want int64) (have int64, all bool, err error) {
	if size := p.known(); size != source.Unknown {
		return size, true, nil
	}
	if err := p.open(); err != nil {
		return 0, false, err
	}
	if size := p.known(); size != source.Unknown {
		return size, true, nil
	}
	p.touched.Store(true)
	have, err = p.src.Ending(ctx, want)
	switch {
	case isDamage(err): // it was decoded so far before
		have, err = p.fill(ctx, source.Unknown, nil)
		return have, true, err
	case err != nil:
		return 0, false, p.wrap(err)
	}
	p.mu.Lock()
	p.size = p.src.Size()
	if all = p.size != source.Unknown; all {
		have = p.size
	} else if have >= want {
		p.ending = max(p.ending, have)
	}
	p.mu.Unlock()
	if all || have >= want {
		return have, all, nil
	}
	have, err = p.fill(ctx, source.Unknown, nil)
	return have, true, err
}

// read reads len(b) bytes at off, all of which the part has. An offset below 0
// counts from its end.
func (p *part) read(ctx context.Context, b []byte, off int64) error {
	if len(b) == 0 {
		return nil
	}
	if err := p.open(); err != nil {
		return err
	}
	p.touched.Store(true)
	p.mu.Lock()
	if size := p.size; off < 0 && -off > p.ending && size != source.Unknown {
		off += size
	}
	p.mu.Unlock()
	if p.src == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, err := source.ReadFull(p.plain, b, off, p.plain.Size())
		return p.wrap(err)
	}
	n, err := p.src.ReadAtContext(ctx, b, off)
	if n == len(b) {
		return nil
	}
	return p.wrap(err)
}

// extent and lastData are those of source.Source.
func (p *part) extent(off int64) (end int64, hole, known bool) {
	if p.open() != nil || p.plain == nil {
		return math.MaxInt64, false, false
	}
	return p.plain.Extent(off)
}

func (p *part) lastData(end int64) int64 {
	if p.open() != nil || p.plain == nil {
		return end
	}
	return p.plain.LastData(end)
}

// check looks whether the file still has what was read of it.
func (p *part) check() error {
	if !p.touched.Load() {
		return nil
	}
	return p.verify()
}

// verify looks whether the file still has what it had when it was opened.
func (p *part) verify() error {
	p.mu.Lock()
	f := p.f
	p.mu.Unlock()
	if f == nil {
		return nil
	}
	_, err := f.All(context.Background()) // it looks, and reads nothing
	return err
}

// rest lets go of memory that holds what can be had again.
func (p *part) rest() {
	p.mu.Lock()
	src := p.src
	p.mu.Unlock()
	if r, ok := src.(interface{ Rest() }); ok {
		r.Rest()
	}
}

func (p *part) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	if p.f != nil {
		_ = p.f.Close()
	}
	if p.held != nil {
		_ = p.held.Close()
		p.held = nil
	}
}

// wrap gives err the path of the part, unless it has one or is a context's.
func (p *part) wrap(err error) error {
	var at *source.OffsetError
	var path *fs.PathError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &path):
		return err
	case errors.As(err, &at):
		err = fmt.Errorf("%w (at offset %d)", at.Err, at.Offset)
	}
	return &fs.PathError{Op: "read", Path: p.path, Err: err}
}
