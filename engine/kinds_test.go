package engine_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"testing/iotest"

	"excerpt/engine"
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

// The sidecars of tests are not kept in the user's folder.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // they make much garbage, and spend half of their time on it else
	// More at once than cores: they wait for the disk and for other programs.
	_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0)))
	source.MapAfter = 0 // or most files would be too short to be mapped
	source.Trial.Piece, source.Trial.After, source.Trial.Again = 8<<10, 64<<10, 256<<10
	dir, err := os.MkdirTemp("", "excerpt-test-*")
	if err != nil {
		panic(err)
	}
	for _, variable := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		if err := os.Setenv(variable, dir); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// quick says that little is better than nothing.
func quick() bool { return testing.Short() || raceEnabled }

// tb is what testing.TB and rapid.T have in common.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// A kind is a way to open some content.
type kind struct {
	name   string
	stream bool
	once   bool // one selection, one read
	open   func(content []byte) (*engine.File, error)
}

// openIn opens what a kind makes, and returns what closes it.
func (k kind) openIn(t tb, content []byte, plan scan.Plan) (*engine.File, func()) {
	t.Helper()
	f, err := k.open(content)
	if err != nil {
		t.Fatalf("%s: open: %v", k.name, err)
	}
	f.SetPlan(plan)
	return f, func() {
		if err := f.Close(); err != nil {
			t.Errorf("%s: close: %v", k.name, err)
		}
	}
}

// readerAt is the cheapest kind, for exhaustive tests.
var readerAt = kind{name: "New", open: func(content []byte) (*engine.File, error) {
	return engine.New("mem", bytes.NewReader(content), int64(len(content)), nil), nil
}}

// kinds returns all of them. dir is for those that need a file.
func kinds(dir string) []kind {
	file := func(name string, opts engine.Options, mapAfter int64) kind {
		return kind{name: name, open: func(content []byte) (*engine.File, error) {
			path := filepath.Join(dir, name)
			// A new file each time: the one before may be mapped still.
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				return nil, err
			}
			if err := os.WriteFile(path, content, 0o600); err != nil {
				return nil, err
			}
			f, err := engine.Open(path, &opts)
			if err == nil {
				f.SetMapAfter(mapAfter)
			}
			return f, err
		}}
	}
	stream := func(name string, opts engine.Options, wrap func(io.Reader) io.Reader) kind {
		return kind{name, true, opts.Once, func(content []byte) (*engine.File, error) {
			return engine.NewStream(name, wrap(bytes.NewReader(content)), &opts), nil
		}}
	}
	once := engine.Options{Once: true}
	return []kind{
		readerAt,
		{name: "New nasty", open: func(content []byte) (*engine.File, error) {
			return engine.New("nasty", nasty(content), int64(len(content)), nil), nil
		}},
		file("mapped", engine.Options{}, 0),
		file("mapped on the way", engine.Options{}, 5),
		file("unmapped", engine.Options{Unmapped: true}, 0),
		stream("stream", engine.Options{}, func(r io.Reader) io.Reader { return r }),
		stream("stream of one byte", engine.Options{}, iotest.OneByteReader),
		stream("stream of halves", engine.Options{}, iotest.HalfReader),
		stream("stream of data and EOF", engine.Options{}, iotest.DataErrReader),
		stream("once", once, func(r io.Reader) io.Reader { return r }),
		stream("once, of halves", once, iotest.HalfReader),
		stream("once, of data and EOF", once, iotest.DataErrReader),
	}
}

// nasty does all that io.ReaderAt allows: it says io.EOF with the last byte,
// and uses the rest of a buffer as scratch space.
type nasty []byte

func (r nasty) ReadAt(p []byte, off int64) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	if off >= int64(len(r)) {
		return 0, io.EOF
	}
	n := copy(p, r[off:])
	if off+int64(n) == int64(len(r)) {
		return n, io.EOF
	}
	return n, nil
}

// tiny makes several goroutines share out the shortest files.
var tiny = scan.Plan{Workers: 3, Alone: 2, Stripe: 2, Block: 1, First: 1}
