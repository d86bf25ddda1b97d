package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"excerpt/bench/peers/internal/records"
	"excerpt/engine"
	"excerpt/engine/compressed"
)

// compressedSize is the size of the log that is compressed, or less if no log
// is as large.
const compressedSize = 1 << 30

// Goals for compressed logs.
const (
	secondTail     = 100      // × gzip -dc | tail
	secondRead     = 1.7      // × plain decoding of a .gz
	firstPass      = 1 / 1.08 // × plain decoding
	secondResident = 30 << 20
)

// An archive is a compressed log, beside the log. In the lines of its sides ARC
// stands for it.
type archive struct {
	kind     string // in the records
	suffix   string
	made     string    // the command that makes it
	decoders []decoder // the first is what it is asked of to be faster than
	sidecar  float64   // how much of it the sidecar may take
}

// A decoder is another program that decodes it all.
type decoder struct{ name, line string }

var archives = []archive{
	{".gz", ".gz", "gzip -6 -c LOG", []decoder{{"gzip -dc", "gzip -dc ARC"}, {"pigz -dc", "pigz -dc ARC"}}, 0.01},
	{".zst of one frame", ".zst", "zstd -q -3 -c LOG", []decoder{{"zstd -dc", "zstd -q -dc ARC"}}, 0.04},
	{".zst of many frames", ".frames.zst", "pzstd -q -3 -c LOG", []decoder{{"zstd -dc", "zstd -q -dc ARC"}, {"pzstd -dc", "pzstd -q -dc ARC"}}, 0.04},
}

// path returns where the archive of the log is.
func (a archive) path(r *recorder) string { return r.log.Path + a.suffix }

// compressed measures the command and the library on compressed logs, beside
// those who decode them.
func (r *recorder) compressed() error {
	size := min(compressedSize, r.sizes[len(r.sizes)-1])
	for _, a := range archives {
		of := records.Measure{Group: records.Compressed, Kind: a.kind, Size: size}
		ready := func() error { return r.compress(a, size) }
		err := r.compareAll(of, ready, r.archiveCases(a)...)
		if err == nil {
			err = r.archiveMemory(a, size, ready)
		}
		if errors.Is(err, exec.ErrNotFound) {
			fmt.Printf("not installed, so that there is no %s: %v\n", a.kind, err)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return r.rotated(size)
}

// archiveCases are the comparisons on an archive.
func (r *recorder) archiveCases(a archive) []comparison {
	c := func(name, line string) side { return r.command(name, strings.ReplaceAll(line, "ARC", "LOG"+a.suffix)) }
	seen := func(s side) side { return r.seen(s, a) }
	var tails, reads []side
	for _, d := range a.decoders {
		tails = append(tails, c(d.name+" | tail", d.line+" | tail -n 10"))
		reads = append(reads, c(d.name, d.line))
	}
	d := a.decoders[0]
	first := append([]side{r.unseen(c("excerpt", "excerpt tail -n 10 ARC"), a)}, tails...)
	again := append([]side{seen(c("excerpt", "excerpt tail -n 10 ARC")).times(5)}, tails...)
	deep := []side{
		seen(c("excerpt", "excerpt lines FIRST-LAST ARC")).times(5),
		c(d.name+" | sed", d.line+" | sed -n 'FIRST,LASTp;LASTq'"),
	}
	readGoal := 0.0
	if a.kind == ".gz" {
		readGoal = secondRead
		again[1] = again[1].goal(secondTail)
		gztool := c("gztool -t", "gztool -v0 -t ARC | tail -n 10")
		gztool.before = func() error { return r.dropGztool(a) }
		first = append(first, gztool) // it leaves its index for those that follow
		again = append(again, c("gztool -t, with its index", "gztool -v0 -t ARC | tail -n 10"))
		deep = append(deep, c("gztool -L, with its index", "gztool -v0 -L FIRST -R 1000 ARC"))
	}
	return []comparison{
		{"last 10 lines, never read before", first},
		{"last 10 lines, read before", again},
		{"1,000 lines from the deepest tenth, read before", deep},
		{"count lines, read before", []side{
			seen(c("excerpt", "excerpt count ARC")).number().times(5),
			c(d.name+" | wc", d.line+" | wc -l").number(),
		}},
		{"whole file, to a pipe, read before", append([]side{seen(c("excerpt", "excerpt lines 1- ARC"))}, reads...)},
		{"first pass, in a program", []side{
			r.forgotten(program("excerpt", "File.Count", func(w io.Writer) error {
				return r.withArchive(a, r.passCache(), func(f *engine.File) error {
					if _, err := f.Count(r.ctx); err != nil { // all of it is decoded for that
						return err
					}
					_, err := fmt.Fprint(w, f.Size())
					return err
				})
			})),
			program("plain decoding", "klauspost/compress", func(w io.Writer) error {
				n, err := r.decode(a, io.Discard)
				fmt.Fprint(w, n)
				return err
			}).goal(firstPass),
		}},
		{"whole file, read before, in a program", []side{
			seen(program("excerpt", "File.All, Span.WriteTo", func(w io.Writer) error {
				return r.withArchive(a, "", func(f *engine.File) error {
					span, err := f.All(r.ctx)
					if err != nil {
						return err
					}
					_, err = span.WriteTo(w)
					return err
				})
			})),
			program("plain decoding", "klauspost/compress", func(w io.Writer) error {
				_, err := r.decode(a, w)
				return err
			}).goal(readGoal),
		}},
	}
}

// compress makes the log of a size the one that is measured, and its archive if
// that is not there.
func (r *recorder) compress(a archive, size int64) error {
	if err := r.load(size); err != nil {
		return err
	}
	return r.make(a.path(r), a.made, r.log.Path)
}

// make writes what a command prints of a file, if it is not there.
func (r *recorder) make(path, line, of string) error {
	if there(path) {
		return nil
	}
	if err := installed(line); err != nil {
		return err
	}
	return whole(path, func(w io.Writer) error { return pipe(r.process(r.ctx, line, of), w) })
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// whole writes a file that is there when all of it is.
func whole(path string, write func(io.Writer) error) error {
	f, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}

// seen has the archive read before a side runs, by another process.
func (r *recorder) seen(s side, a archive) side {
	s.before = func() error { return pipe(r.process(r.ctx, "excerpt index LOG", a.path(r)), io.Discard) }
	return s
}

// unseen has what is known of the archive dropped before a side runs.
func (r *recorder) unseen(s side, a archive) side {
	s.before = func() error { return pipe(r.process(r.ctx, "excerpt index --drop LOG", a.path(r)), io.Discard) }
	return s
}

// passCache is where first passes in this program leave what they know.
func (r *recorder) passCache() string { return filepath.Join(r.tmp, "passes") }

func (r *recorder) forgotten(s side) side {
	s.before = func() error { return os.RemoveAll(r.passCache()) }
	return s
}

// dropGztool removes gztool's index.
func (r *recorder) dropGztool(a archive) error {
	err := os.Remove(strings.TrimSuffix(a.path(r), ".gz") + ".gzi")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (r *recorder) withArchive(a archive, cache string, fn func(*engine.File) error) error {
	f, err := compressed.Open(a.path(r), &engine.Options{Cache: cache})
	if err != nil {
		return err
	}
	return errors.Join(fn(f), f.Close())
}

// decode decodes an archive as a program does that uses the codec's package.
func (r *recorder) decode(a archive, w io.Writer) (int64, error) {
	file, err := os.Open(a.path(r))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<20)
	var out io.Reader
	if a.kind == ".gz" {
		if out, err = gzip.NewReader(in); err != nil {
			return 0, err
		}
	} else {
		d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return 0, err
		}
		defer d.Close()
		out = d
	}
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{out}, make([]byte, 1<<20))
}

// archiveMemory measures what reading the archive has resident, and what is
// kept of it.
func (r *recorder) archiveMemory(a archive, size int64, ready func() error) error {
	m := records.Measure{Group: records.Memory, Case: "resident, for the last 10 lines of a compressed log", Kind: a.kind, Size: size}
	if r.wanted(m) {
		if err := ready(); err != nil {
			return err
		}
		line := "excerpt tail -n 10 LOG" + a.suffix
		for _, one := range []struct {
			how     string
			limit   float64
			prepare func(side, archive) side
		}{{"read before", secondResident, r.seen}, {"never read before", 0, r.unseen}} {
			if err := one.prepare(side{}, a).before(); err != nil {
				return err
			}
			s := records.Side{Name: line + ", " + one.how, Limit: one.limit}
			var err error
			if s.Memory, err = r.resident(line); err != nil {
				return err
			}
			m.Sides = append(m.Sides, s)
		}
		if err := r.put(m); err != nil {
			return err
		}
	}
	m.Case = "kept of a compressed log"
	if !r.wanted(m) {
		return nil
	}
	if err := ready(); err != nil {
		return err
	}
	if err := r.seen(side{}, a).before(); err != nil {
		return err
	}
	info, err := os.Stat(a.path(r))
	if err != nil {
		return err
	}
	var index engine.Index
	err = r.withArchive(a, "", func(f *engine.File) (err error) {
		index, err = f.StatIndex()
		return err
	})
	if err != nil {
		return err
	}
	m.Sides = []records.Side{
		{Name: "sidecar", Memory: index.Bytes, Limit: a.sidecar * float64(info.Size())},
		{Name: "the compressed log", Memory: info.Size()},
	}
	return r.put(m)
}

// rotated measures a set of rotated logs, the newest of which has just begun,
// beside those who join them. SET stands for the newest in its lines.
func (r *recorder) rotated(size int64) error {
	c := r.command
	const all = "zcat -f SET.2.gz SET.1 SET"
	of := records.Measure{Group: records.Compressed, Kind: "rotated", Size: size}
	seen := func(s side) side {
		s.before = func() error { return pipe(r.process(r.ctx, "excerpt count --rotated SET", ""), io.Discard) }
		return s
	}
	list := []comparison{
		{"last 10 lines of a rotated set, read before", []side{
			seen(c("excerpt", "excerpt tail -n 10 --rotated SET")).times(5),
			c("zcat -f | tail", all+" | tail -n 10"),
		}},
		{"1,000 lines from the deepest tenth of a rotated set, read before", []side{
			seen(c("excerpt", "excerpt lines --rotated FIRST-LAST SET")).times(5),
			c("zcat -f | sed", all+" | sed -n 'FIRST,LASTp;LASTq'"),
		}},
		{"count lines of a rotated set, read before", []side{
			seen(c("excerpt", "excerpt count --rotated SET")).number().times(5),
			c("zcat -f | wc", all+" | wc -l").number(),
		}},
		{"whole rotated set, to a pipe, read before", []side{
			seen(c("excerpt", "excerpt lines --rotated 1- SET")),
			c("zcat -f", all),
		}},
	}
	help, err := r.process(r.ctx, "excerpt help tail", "").Output()
	if err != nil {
		return err
	}
	if !strings.Contains(string(help), "--rotated") {
		fmt.Println("\nexcerpt has no --rotated: rotated sets are left out")
		return nil
	}
	err = r.compareAll(of, func() error {
		if err := r.load(size); err != nil {
			return err
		}
		return r.rotate()
	}, list...)
	if errors.Is(err, exec.ErrNotFound) {
		fmt.Printf("not installed, so that there is no rotated set: %v\n", err)
		return nil
	}
	return err
}

// newest returns the newest file of the set that the log is, cut in three.
func (r *recorder) newest() string {
	return filepath.Join(strings.TrimSuffix(r.log.Path, ".log")+"-rotated", "app.log")
}

// rotate makes the set, if it is not there.
func (r *recorder) rotate() error {
	newest := r.newest()
	if err := os.MkdirAll(filepath.Dir(newest), 0o777); err != nil {
		return err
	}
	half, last := r.log.Start(r.log.Lines/2), r.log.Start(r.log.Lines-4)
	for _, one := range []struct {
		path     string
		from, to int64
	}{{newest + ".2", 0, half}, {newest + ".1", half, last}, {newest, last, r.log.Size}} {
		if there(one.path) || there(one.path+".gz") {
			continue
		}
		err := whole(one.path, func(w io.Writer) error {
			return r.file(func(f *os.File) error {
				_, err := io.Copy(w, io.NewSectionReader(f, one.from, one.to-one.from))
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	if err := r.make(newest+".2.gz", "gzip -6 -c LOG", newest+".2"); err != nil {
		return err
	}
	if err := os.Remove(newest + ".2"); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
