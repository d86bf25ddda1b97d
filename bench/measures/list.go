package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"excerpt/corpus"
	"excerpt/engine"

	"golang.org/x/exp/mmap"
)

// bench is what the measures share.
type bench struct {
	options
	ctx     context.Context
	tmp     string
	excerpt string // the built command
	log     string // the corpus
	bytes   int64
	lines   int64
	file    *engine.File
}

func newBench(ctx context.Context, o options) (*bench, error) {
	size, err := parseSize(o.size)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "measures-*")
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, ctx: ctx, tmp: tmp, bytes: size, excerpt: filepath.Join(tmp, "excerpt")}
	if b.log, err = corpus.File(ctx, o.dir, "app", 1, size); err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", b.excerpt, "./cmd/excerpt")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	if b.file, err = engine.Open(b.log, nil); err != nil {
		return nil, err
	}
	b.lines, err = b.file.Count(ctx)
	return b, err
}

func (b *bench) close() {
	_ = b.file.Close()
	_ = os.RemoveAll(b.tmp)
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
			b.command("excerpt count", 0, number, on("0", b.excerpt, "count", b.log)...),
			[]side{b.command("wc -l", 1.4, number, on("0", "wc", "-l", b.log)...)},
		},
		{
			"count, " + all + " cores",
			b.command("excerpt count", 0, number, b.excerpt, "count", b.log),
			[]side{b.command("wc -l", 2.2, number, "wc", "-l", b.log)},
		},
		{
			"count, one core, in process",
			side{name: "Count", run: b.countAlone},
			[]side{{name: "bytes.Count of the kept mapping", goal: 0.9, run: b.bytesCount()}},
		},
		{
			"1,000 lines from the deepest tenth",
			b.command("excerpt lines", 0, whole, b.excerpt, "lines", first+"-"+last, b.log),
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
			"count, cold cache",
			b.cold(b.command("excerpt count", 0, number, b.excerpt, "count", b.log)),
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

// cold takes the log out of the system's cache before each run.
func (b *bench) cold(s side) side {
	s.before = func() error { return evict(b.log) }
	return s
}

// countAlone counts on one core, on a file opened before.
func (b *bench) countAlone() (string, error) {
	f, err := engine.Open(b.log, &engine.Options{Workers: 1})
	if err != nil {
		return "", err
	}
	defer f.Close()
	n, err := f.Count(b.ctx)
	return strconv.FormatInt(n, 10), err
}

// bytesCount is the limit: one call on a mapping whose pages are all there.
func (b *bench) bytesCount() func() (string, error) {
	var r *mmap.ReaderAt
	return func() (string, error) {
		if r == nil {
			var err error
			if r, err = mmap.Open(b.log); err != nil {
				return "", err
			}
		}
		view := reflect.ValueOf(r).Elem().FieldByName("data").Bytes()
		n := bytes.Count(view, []byte{'\n'})
		runtime.KeepAlive(r) // it unmaps when it is collected
		return strconv.Itoa(n), nil
	}
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

// parseSize reads 4GiB and the like.
func parseSize(s string) (int64, error) {
	for i, unit := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			n, err := strconv.ParseInt(number, 10, 20)
			if err != nil || n <= 0 {
				break
			}
			return n << (10 * (i + 1)), nil
		}
	}
	return 0, fmt.Errorf("size %q: want a number and KiB, MiB or GiB, such as 4GiB", s)
}
