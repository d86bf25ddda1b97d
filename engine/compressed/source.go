package compressed

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"excerpt/engine/internal/decoded"
	"excerpt/engine/internal/describe"
	"excerpt/engine/internal/index"
	"excerpt/engine/internal/sidecar"
	"excerpt/engine/internal/source"
)

// sizes are in decoded bytes. Tests make them small.
type sizes struct {
	chunk   int   // what is cached and checked at a time, about
	outside int64 // between places to begin at that need no state
	inside  int64 // and those that do, of gzip
	frame   int64 // and of zstd
	windows int64 // and how many windows of zstd, at least
	first   int64 // what is decoded at first
	more    int64 // what is decoded at a time later, and ahead of a checksum
	wide    int64 // what is decoded on other cores, for nobody yet
	cache   int   // of chunks, in all
	states  int   // of points, in all, in bytes
	keep    int64 // what has to be decoded for a sidecar to pay
	line    int64 // the step of the index of lines
	ending  int64 // compressed bytes of the end that are searched first; 0: none are
	far     int64 // what a look at the table of a seekable file is cheaper than to decode
}

var usual = sizes{
	chunk: 1 << 20, outside: 1 << 20, inside: 4 << 20, frame: 96 << 20, windows: 50,
	first: 1 << 20, more: 4 << 20, wide: 8 << 20, cache: 16 << 20, states: 16 << 20, keep: 8 << 20, line: index.Step,
	ending: 256 << 10, far: 8 << 20,
}

// slack is by how much a chunk can be longer than it is meant to be: the
// largest block of zstd, so that each is read whole.
const slack = 128 << 10

// A file is the source of what a compressed file holds.
type file struct {
	c      decoded.File
	format Format
	sizes

	evidence evidence
	rest     *sidecar.Rest // of the sidecar: states; nil: there is none

	stopped atomic.Bool
	filling chan struct{} // has one token: who holds it goes on with the pass
	pass    *pass         // nil before it has begun, and after it has ended

	mu       sync.RWMutex
	table    table
	limit    int64            // how much of it can be read
	size     int64            // or source.Unknown
	verified int64            // how much was right by the checksums of the format
	err      error            // why there is nothing behind limit; io.EOF at the end
	text     *describe.Result // what all of it is like; nil: not known

	seek    seeking
	cache   cache
	reading reading
	endings endings

	finished func(*pass) // for tests
}

func newSource(c decoded.File, format Format, s sizes) *file {
	f := &file{c: c, format: format, sizes: s, size: source.Unknown, filling: make(chan struct{}, 1)}
	f.filling <- struct{}{}
	f.cache.limit, f.cache.buffer = s.cache, s.chunk+slack
	f.cache.spare = free0
	f.table.points = []point{{}}
	f.table.lines = index.New(s.line)
	f.reading.busy = map[int64]chan struct{}{}
	f.load()
	return f
}

// decoder returns one that begins at p, for the caller to retire.
func (f *file) decoder(p *point, want places) (decoder, error) {
	dec, err := f.spare()
	if err == nil {
		err = dec.begin(p, want)
	}
	return dec, err
}

// spare returns a decoder that was retired, or a new one.
func (f *file) spare() (decoder, error) {
	r := &f.reading
	r.mu.Lock()
	if n := len(r.retired); n > 0 {
		dec := r.retired[n-1]
		r.retired = r.retired[:n-1]
		r.mu.Unlock()
		return dec, nil
	}
	r.mu.Unlock()
	in := newInput(unstopped{f}, f.c.Size)
	switch f.format {
	case Gzip:
		return &gzipDecoder{input: in}, nil
	case Zstd:
		return newZstd(in)
	case S2, Snappy:
		return newS2(in, f.format), nil
	case XZ:
		return &xzDecoder{input: in}, nil
	}
	return &bzip2Decoder{input: in}, nil
}

// unstopped reads the compressed file until the source is stopped: decoders can
// read much of it that gives no bytes, and nobody asks them to end meanwhile.
type unstopped struct{ f *file }

func (u unstopped) ReadAt(p []byte, off int64) (int, error) {
	if u.f.stopped.Load() {
		return 0, source.ErrClosed
	}
	return u.f.c.ReadAt(p, off)
}

// retire takes back a decoder.
func (f *file) retire(dec decoder) {
	r := &f.reading
	r.mu.Lock()
	keep := !r.closed && len(r.retired) < mostParked
	if keep {
		r.retired = append(r.retired, dec)
	}
	r.mu.Unlock()
	if !keep {
		dec.close()
	}
}

func (f *file) Size() int64 {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.size
}

func (f *file) Index() index.Index {
	f.mu.RLock()
	defer f.mu.RUnlock()
	x := f.table.lines
	if x.Known().Offset > f.limit {
		return x.Cut(f.limit)
	}
	return x.Copy()
}

func (f *file) Verified() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.err == io.EOF
}

func (f *file) VerifiedTo() int64 {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.verified
}

// Description returns what all of it is like, or nil.
func (f *file) Description() *describe.Result {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.text
}

func (f *file) Extent(int64) (int64, bool, bool) { return f.Size(), false, false }
func (f *file) LastData(end int64) int64         { return end }
func (f *file) Stop()                            { f.stopped.Store(true) }

func (f *file) Workers(n int) int {
	if !f.Verified() { // what it reads is decoded in order
		return 1
	}
	return n
}

func (f *file) workers() int {
	if f.c.Workers > 0 {
		return f.c.Workers
	}
	return min(runtime.GOMAXPROCS(0), 8)
}

// Close waits for what was decoded ahead.
func (f *file) Close() error {
	f.Stop()
	for _, held := range f.endings.all {
		_ = held.Close()
	}
	f.reading.close()
	if f.pass != nil {
		f.pass.close()
		f.pass = nil
	}
	f.cache.close()
	if f.rest != nil {
		_ = f.rest.Close()
	}
	return nil
}

// View lends copies.
func (f *file) View(ctx context.Context, fn func(source.View) error) error {
	return source.ViewOf(ctx, withContext{ctx, f}, f.Size(), fn)
}

type withContext struct {
	ctx context.Context
	f   *file
}

func (r withContext) ReadAt(p []byte, off int64) (int, error) {
	return r.f.ReadAtContext(r.ctx, p, off)
}

// ReadAt reads as io.ReaderAt demands.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	return f.ReadAtContext(context.Background(), p, off)
}

// ReadAtContext decodes what it needs.
func (f *file) ReadAtContext(ctx context.Context, p []byte, off int64) (int, error) {
	if off < 0 {
		of, at, err := f.endingAt(off)
		if err != nil {
			return 0, err
		}
		return of.ReadAtContext(ctx, p, at)
	}
	n := 0
	for n < len(p) {
		if err := f.check(ctx); err != nil {
			return n, err
		}
		m, err := f.read(ctx, p[n:], off+int64(n))
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (f *file) check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.stopped.Load() {
		return source.ErrClosed
	}
	return nil
}

// read reads what one chunk has at off.
func (f *file) read(ctx context.Context, p []byte, off int64) (int, error) {
	f.mu.RLock()
	limit, ended, table, tail := f.limit, f.err, f.seek.table, f.table.tail
	f.mu.RUnlock()
	if off >= limit {
		if ended != nil {
			return 0, ended
		}
		if table != nil && off > limit {
			return f.readSeekable(table, p, off)
		}
		_, err := f.Fill(ctx, off+1, decoded.Report(ctx))
		return 0, err
	}
	if at := off - (limit - int64(len(tail))); ended == io.EOF && at >= 0 {
		return copy(p, tail[at:]), nil
	}
	f.mu.RLock()
	c := f.table.chunkAt(off)
	start := f.table.start(c)
	f.mu.RUnlock()
	e, err := f.chunk(ctx, c)
	if err != nil {
		return 0, err
	}
	n := copy(p[:min(int64(len(p)), limit-off)], e.buf[off-start:])
	f.cache.release(e)
	return n, nil
}

func sumOf(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// damage says that err came up after decoded bytes, and read ones.
func (f *file) damage(err error, read, decoded int64) error {
	if errors.Is(err, ErrUnsupported) || err == source.ErrClosed {
		return err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	return &DamageError{Format: f.format, Compressed: read, Decoded: decoded, Verified: min(f.verified, decoded), Err: err}
}
