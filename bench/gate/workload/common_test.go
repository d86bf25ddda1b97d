package workload

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"excerpt/bench/gate/counting"
	"excerpt/corpus"
	"excerpt/engine"
)

var ctx = context.Background()

// size is that of the logs: more than is read before a file is mapped, and
// more than a scan does alone.
const size = 16 << 20

// A log is a corpus, and a second copy of its text.
type log struct {
	path string
	text []byte
	file *os.File // of path
}

var logs = map[corpus.Kind]*log{}

// open returns the log of a kind, which is made in bench/data if it is not there.
func open(b *testing.B, kind corpus.Kind) *log {
	b.Helper()
	if l := logs[kind]; l != nil {
		return l
	}
	l := new(log)
	var err error
	if l.path, err = corpus.File(ctx, filepath.Join("..", "..", "data"), kind, 1, size); err != nil {
		b.Fatal(err)
	}
	if l.text, err = os.ReadFile(l.path); err != nil {
		b.Fatal(err)
	}
	if l.file, err = os.Open(l.path); err != nil {
		b.Fatal(err)
	}
	logs[kind] = l
	return l
}

// lines returns how many lines the log has.
func (l *log) lines() int64 { return int64(bytes.Count(l.text, []byte("\n"))) }

// part returns the lines from first to last.
func (l *log) part(first, last int64) []byte {
	text := l.text
	for range first - 1 {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	end := 0
	for range last - first + 1 {
		end += bytes.IndexByte(text[end:], '\n') + 1
	}
	return text[:end]
}

// tail returns the last n lines.
func (l *log) tail(n int64) []byte { return l.part(l.lines()-n+1, l.lines()) }

// open opens the log as a file of whose lines nothing is known.
func (l *log) open() (*engine.File, error) {
	return engine.Open(l.path, &engine.Options{Cache: engine.NoCache})
}

// A task is what a benchmark does with a file in an iteration. What it returns
// is its result: a number of lines or of bytes, say.
type task func(f *engine.File) (int64, error)

// again runs a task again and again on a file that stays open, and that was
// counted: it is mapped where it can be, and its lines are known.
func again(b *testing.B, l *log, want int64, do task) {
	b.Helper()
	measure(b, nil, want, do, true, l.open)
}

// anew runs a task each time on a file that was just opened, and whose lines
// are not known.
func anew(b *testing.B, l *log, want int64, do task) {
	b.Helper()
	measure(b, nil, want, do, false, l.open)
}

// both runs a task, again or anew, on the file and on an io.ReaderAt.
func both(b *testing.B, l *log, want int64, do task, keep bool) {
	b.Helper()
	b.Run("file", func(b *testing.B) { measure(b, nil, want, do, keep, l.open) })
	b.Run("readat", func(b *testing.B) {
		r := counting.NewReader(l.file)
		measure(b, r, want, do, keep, func() (*engine.File, error) { return engine.New("log", r, size, nil), nil })
	})
}

func measure(b *testing.B, r *counting.Reader, want int64, do task, keep bool, open func() (*engine.File, error)) {
	b.Helper()
	once := func() (int64, error) {
		f, err := open()
		if err != nil {
			return 0, err
		}
		n, err := do(f)
		if closed := f.Close(); err == nil {
			err = closed
		}
		return n, err
	}
	if keep {
		f, err := open()
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		if _, err := f.Count(ctx); err != nil {
			b.Fatal(err)
		}
		once = func() (int64, error) { return do(f) }
	}
	run(b, r, want, once)
}

// run is the benchmark itself: it compares the result, and then measures.
func run(b *testing.B, r *counting.Reader, want int64, once func() (int64, error)) {
	b.Helper()
	for range 3 { // buffers are there, and what can be known is known
		got, err := once()
		if err != nil {
			b.Fatal(err)
		}
		if got != want {
			b.Fatalf("the result is %d, not %d", got, want)
		}
	}
	b.ReportAllocs()
	process := counting.StartProcess()
	if r != nil {
		r.Take()
	}
	for b.Loop() {
		if _, err := once(); err != nil {
			b.Fatal(err)
		}
	}
	if r != nil {
		r.Report(b)
	} else {
		process.Report(b)
	}
}
