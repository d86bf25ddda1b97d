package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"excerpt/corpus"
	"excerpt/engine"
	"excerpt/internal/size"

	"golang.org/x/exp/mmap"
)

// bench is what the measures share.
type bench struct {
	options
	ctx     context.Context
	tmp     string
	excerpt string // the built command
	log     string // the corpus
	lines   int64
	kept    *mmap.ReaderAt // the log, while one measure wants it mapped
}

func newBench(ctx context.Context, o options) (*bench, error) {
	n, err := size.Parse(o.size)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "measures-*")
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, ctx: ctx, tmp: tmp, excerpt: filepath.Join(tmp, "excerpt")}
	if b.log, err = corpus.File(ctx, o.dir, "app", 1, n); err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", b.excerpt, "./cmd/excerpt")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	b.lines, err = countLines(ctx, b.log, &engine.Options{Cache: engine.NoCache})
	return b, err
}

func (b *bench) close() { _ = os.RemoveAll(b.tmp) }

func countLines(ctx context.Context, log string, opts *engine.Options) (int64, error) {
	f, err := engine.Open(log, opts)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.Count(ctx)
}

func (b *bench) measures() []measure {
	deep := b.lines / 100 * 95
	first, last := strconv.FormatInt(deep, 10), strconv.FormatInt(deep+999, 10)
	on := func(cpus string, args ...string) []string { return append([]string{"taskset", "-c", cpus}, args...) }
	all := "0-" + strconv.Itoa(runtime.NumCPU()-1)
	million := strconv.FormatInt(min(b.lines/2, 1_000_000), 10)
	return []measure{
		{
			"count, one core",
			b.command("excerpt count", 0, number, on("0", b.excerpt, "count", "--no-index", b.log)...),
			[]side{b.command("wc -l", 1.4, number, on("0", "wc", "-l", b.log)...)},
		},
		{
			"count, " + all + " cores",
			b.command("excerpt count", 0, number, b.excerpt, "count", "--no-index", b.log),
			[]side{b.command("wc -l", 2.2, number, "wc", "-l", b.log)},
		},
		{
			"count, one core, in process",
			side{name: "Count", run: b.countAlone},
			[]side{{name: "bytes.Count of the kept mapping", goal: 0.9, run: b.bytesCount}},
		},
		{
			"describe, " + all + " cores, in process",
			side{name: "Describe", run: b.describe},
			[]side{{name: "Count", goal: 0.5, run: b.count}},
		},
		{
			"1,000 lines from the deepest tenth",
			b.command("excerpt lines", 0, whole, b.excerpt, "lines", "--no-index", first+"-"+last, b.log),
			[]side{
				b.command("sed -n A,Bp;Bq", 8, whole, "sed", "-n", first+","+last+"p;"+last+"q", b.log),
				b.command("tail -n +A | head", 2.5, whole, "sh", "-c", "tail -n +"+first+" '"+b.log+"' | head -n 1000"),
			},
		},
		{
			"tail of " + million + " lines, to a pipe",
			b.command("excerpt tail", 0, hash, b.excerpt, "tail", "-n", million, b.log),
			[]side{b.command("tail", 1, hash, "tail", "-n", million, b.log)},
		},
		{
			"tail of 10 lines, 50 processes",
			b.repeated(b.command("excerpt tail", 0, whole, b.excerpt, "tail", "-n", "10", b.log)),
			[]side{b.repeated(b.command("tail", 1/1.7, whole, "tail", "-n", "10", b.log))},
		},
		{
			"the index of a file that has none",
			b.unindexed(b.command("excerpt index", 0, number, b.excerpt, "index", b.log)),
			[]side{b.command("excerpt count --no-index", 0.9, number, b.excerpt, "count", "--no-index", b.log)},
		},
		{
			"1,000 lines with the index, 50 processes",
			b.repeated(b.command("excerpt lines", 0, b.right(first, last), b.excerpt, "lines", first+"-"+last, b.log)),
			[]side{b.repeated(b.command("tail -n 10", 1.0/3, ignored, "tail", "-n", "10", b.log))},
		},
		{
			"count, cold cache",
			b.cold(b.command("excerpt count", 0, number, b.excerpt, "count", "--no-index", b.log)),
			[]side{
				b.cold(b.command("wc -l", 0.95, number, "wc", "-l", b.log)),
				b.cold(side{name: "a loop of read", goal: 0.95, run: b.readLoop}),
			},
		},
	}
}

// number takes the first number that is printed.
func number(r io.Reader) (string, error) {
	out, err := io.ReadAll(r)
	if f := strings.Fields(string(out)); len(f) > 0 {
		return f[0], err
	}
	return "", errors.New("it printed nothing")
}

func whole(r io.Reader) (string, error) {
	out, err := io.ReadAll(r)
	return string(out), err
}

var seed = maphash.MakeSeed()

// hash reads what is printed and keeps its length and hash.
func hash(r io.Reader) (string, error) {
	var h maphash.Hash
	h.SetSeed(seed)
	n, err := io.CopyBuffer(&h, r, make([]byte, 1<<20))
	return fmt.Sprint(n, h.Sum64()), err
}

// ignored is the result of a command that does other work, as a measure of time.
func ignored(r io.Reader) (string, error) {
	_, err := io.Copy(io.Discard, r)
	return "", err
}

// right has the result of ignored if the lines from first to last are printed.
func (b *bench) right(first, last string) func(io.Reader) (string, error) {
	want, err := exec.CommandContext(b.ctx, "sed", "-n", first+","+last+"p;"+last+"q", b.log).Output()
	return func(r io.Reader) (string, error) {
		got, failed := io.ReadAll(r)
		if err == nil && failed == nil && !bytes.Equal(got, want) {
			failed = errors.New("these are other lines than those of sed")
		}
		return "", errors.Join(err, failed)
	}
}

// unindexed drops the index of the log before each run.
func (b *bench) unindexed(s side) side {
	s.before = func() error {
		f, err := engine.Open(b.log, nil)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := f.DropIndex(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return s
}

// repeated makes a short command long enough to be timed.
func (b *bench) repeated(s side) side {
	once := s.run
	s.run = func() (result string, err error) {
		for range 50 {
			if result, err = once(); err != nil {
				return "", err
			}
		}
		return result, nil
	}
	return s
}

// cold takes the log out of the system's cache before each run, which can't be
// done while it is mapped.
func (b *bench) cold(s side) side {
	s.before = func() error {
		if b.kept != nil {
			_ = b.kept.Close()
			b.kept = nil
		}
		return evict(b.log)
	}
	return s
}

// countAlone counts on one core.
func (b *bench) countAlone() (string, error) {
	n, err := countLines(b.ctx, b.log, &engine.Options{Workers: 1, Cache: engine.NoCache})
	return strconv.FormatInt(n, 10), err
}

// count counts on all cores.
func (b *bench) count() (string, error) {
	n, err := countLines(b.ctx, b.log, &engine.Options{Cache: engine.NoCache})
	return strconv.FormatInt(n, 10), err
}

// describe finds out all that there is to know, the number of lines too.
func (b *bench) describe() (string, error) {
	f, err := engine.Open(b.log, nil)
	if err != nil {
		return "", err
	}
	defer f.Close()
	d, err := f.Describe(b.ctx)
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(d.Lines, 10), nil
}

// bytesCount is the limit: one call on a mapping whose pages are all there.
func (b *bench) bytesCount() (string, error) {
	if b.kept == nil {
		var err error
		if b.kept, err = mmap.Open(b.log); err != nil {
			return "", err
		}
	}
	view := reflect.ValueOf(b.kept).Elem().FieldByName("data").Bytes()
	return strconv.Itoa(bytes.Count(view, []byte{'\n'})), nil
}

// readLoop is what a program has that knows nothing better.
func (b *bench) readLoop() (string, error) {
	f, err := os.Open(b.log)
	if err != nil {
		return "", err
	}
	defer f.Close()
	buf := make([]byte, 256<<10)
	count := 0
	for off := int64(0); ; {
		n, err := f.ReadAt(buf, off)
		count += bytes.Count(buf[:n], []byte{'\n'})
		off += int64(n)
		if err == io.EOF {
			return strconv.Itoa(count), nil
		}
		if err != nil {
			return "", err
		}
	}
}
