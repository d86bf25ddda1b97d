package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"excerpt/bench/peers/internal/records"
	"excerpt/engine"
)

// medium is the largest log for sides that would take minutes on a larger one.
const medium = 4 << 30

// processes is how often a command that takes a millisecond or so is run.
const processes = 50

// A comparison is a measure beside others. Ours is the first side.
type comparison struct {
	name  string
	sides []side
}

// warm measures the command beside what is installed.
func (r *recorder) warm(size int64) error {
	c := r.command
	return r.onLog(size,
		comparison{"count lines, one core", []side{
			c("excerpt", "taskset -c 0 excerpt count --no-index LOG").number(),
			c("GNU wc -l", "taskset -c 0 wc -l LOG").number().goal(1.4),
			c("uutils wc -l", "taskset -c 0 coreutils wc -l LOG").number(),
			c("busybox wc -l", "taskset -c 0 busybox wc -l LOG").number().upTo(medium),
			c("ripgrep -c", "taskset -c 0 rg --no-config -c '' LOG").number(),
			c("mawk", "taskset -c 0 mawk 'END{printf(\"%d\", NR)}' LOG").number().upTo(medium),
			c("gawk", "taskset -c 0 gawk 'END{print NR}' LOG").number().upTo(medium),
		}},
		comparison{"count lines, all cores", []side{
			c("excerpt", "excerpt count --no-index LOG").number(),
			c("GNU wc -l", "wc -l LOG").number().goal(2.2),
		}},
		comparison{"1,000 lines from the deepest tenth", []side{
			c("excerpt", "excerpt lines --no-index FIRST-LAST LOG"),
			c("GNU sed -n A,Bp", "sed -n 'FIRST,LASTp;LASTq' LOG").goal(8),
			c("GNU tail -n +A | head", "tail -n +FIRST LOG | head -n 1000").goal(2.5),
			c("uutils tail -n +A | head", "coreutils tail -n +FIRST LOG | head -n 1000").upTo(medium),
			c("busybox sed", "busybox sed -n 'FIRST,LASTp;LASTq' LOG").upTo(medium),
			c("mawk", "mawk 'NR>=FIRST{print} NR==LAST{exit}' LOG").upTo(medium),
			c("gawk", "gawk 'NR>=FIRST{print} NR==LAST{exit}' LOG").upTo(medium),
		}},
		comparison{"the same lines, with the index", []side{
			r.indexed(c("excerpt", "excerpt lines FIRST-LAST LOG")).times(processes),
			c("GNU sed -n A,Bp", "sed -n 'FIRST,LASTp;LASTq' LOG"),
			c("GNU tail -n +A | head", "tail -n +FIRST LOG | head -n 1000"),
		}},
		comparison{"count lines once more, with the index", []side{
			r.indexed(c("excerpt", "excerpt count LOG")).number().times(processes),
			c("GNU wc -l", "wc -l LOG").number(),
		}},
		comparison{"first 1,000 lines", []side{
			c("excerpt", "excerpt head -n 1000 LOG").times(processes),
			c("GNU head", "head -n 1000 LOG").times(processes),
			c("uutils head", "coreutils head -n 1000 LOG").times(processes),
			c("busybox head", "busybox head -n 1000 LOG").times(processes),
			c("GNU sed", "sed 1000q LOG").times(processes),
		}},
		comparison{"last 10 lines", []side{
			c("excerpt", "excerpt tail -n 10 LOG").times(processes),
			c("GNU tail", "tail -n 10 LOG").times(processes).goal(1 / 1.7),
			c("uutils tail", "coreutils tail -n 10 LOG").times(processes),
			c("busybox tail", "busybox tail -n 10 LOG").times(processes),
			c("the least in Go", "least LOG").times(processes),
		}},
		comparison{"last million lines, to a pipe", []side{
			c("excerpt", "excerpt tail -n MANY LOG"),
			c("GNU tail", "tail -n MANY LOG").goal(1),
			c("uutils tail", "coreutils tail -n MANY LOG"),
			c("busybox tail", "busybox tail -n MANY LOG").upTo(medium),
		}},
		comparison{"whole file, to a pipe", []side{
			c("excerpt", "excerpt lines 1- LOG"),
			c("GNU cat", "cat LOG"),
		}},
		comparison{"build the index", []side{
			r.unindexed(c("excerpt", "excerpt index LOG")).number(),
			c("excerpt count, without", "excerpt count --no-index LOG").number().goal(0.9),
		}},
	)
}

// appended measures it on a log as programs write them: in small pieces, so that
// it lies in the system's cache in small pages.
func (r *recorder) appended(size int64) error {
	if size > medium {
		return nil
	}
	c := r.command
	defer func() {
		r.log = nil
		_ = os.Remove(filepath.Join(r.tmp, appended))
	}()
	m := records.Measure{Group: records.Compare, Kind: "app", Size: size}
	return r.compareAll(m, func() error { return r.append(size) },
		comparison{"count lines, one core, of a log cached in small pages", []side{
			c("excerpt", "taskset -c 0 excerpt count --no-index LOG").number(),
			c("GNU wc -l", "taskset -c 0 wc -l LOG").number(),
		}},
		comparison{"count lines, all cores, of a log cached in small pages", []side{
			c("excerpt", "excerpt count --no-index LOG").number(),
			c("GNU wc -l", "wc -l LOG").number(),
		}},
		comparison{"last million lines, to a pipe, of a log cached in small pages", []side{
			c("excerpt", "excerpt tail -n MANY LOG"),
			c("GNU tail", "tail -n MANY LOG"),
		}},
	)
}

const appended = "appended.log"

// append makes a copy of the log of a size the one that is measured. It is
// written a page at a time, and anew in each run.
func (r *recorder) append(size int64) error {
	if r.log != nil && filepath.Dir(r.log.Path) == r.tmp {
		return nil
	}
	if err := r.load(size); err != nil {
		return err
	}
	from, err := os.Open(r.log.Path)
	if err != nil {
		return err
	}
	defer from.Close()
	log := *r.log
	log.Path = filepath.Join(r.tmp, appended)
	to, err := os.Create(log.Path)
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, 4<<10))
	r.log = &log
	return errors.Join(err, to.Close())
}

// cold measures it with nothing of the log in the system's cache.
func (r *recorder) cold(size int64) error {
	c := func(name, line string) side {
		s := r.command(name, line)
		s.before = func() error { return r.log.Evict() }
		return s
	}
	loop := r.readLoop()
	loop.before = func() error { return r.log.Evict() }
	return r.onLog(size,
		comparison{"last 10 lines, cold cache", []side{
			c("excerpt", "excerpt tail -n 10 LOG"),
			c("GNU tail", "tail -n 10 LOG"),
		}},
		comparison{"count lines, cold cache", []side{
			c("excerpt", "excerpt count --no-index LOG").number(),
			c("GNU wc -l", "wc -l LOG").number().goal(0.95),
			loop.goal(0.95),
		}},
	)
}

// onLog measures those that are wanted on the log of a size.
func (r *recorder) onLog(size int64, list ...comparison) error {
	m := records.Measure{Group: records.Compare, Kind: "app", Size: size}
	return r.compareAll(m, func() error { return r.load(size) }, list...)
}

// compareAll measures those that are wanted, each as a case of a measure, when
// what they work on was made ready.
func (r *recorder) compareAll(m records.Measure, ready func() error, list ...comparison) error {
	for _, one := range list {
		m.Case = one.name
		if !r.wanted(m) {
			continue
		}
		if err := ready(); err != nil {
			return err
		}
		if err := r.compare(m, one.sides...); err != nil {
			return err
		}
	}
	return nil
}

// indexed has the log indexed before a side runs. It takes no time if it is.
func (r *recorder) indexed(s side) side {
	s.before = func() error {
		return r.withLog(func(f *engine.File) error {
			_, err := f.BuildIndex(r.ctx)
			return err
		})
	}
	return s
}

// unindexed drops the index of the log before a side runs.
func (r *recorder) unindexed(s side) side {
	s.before = func() error {
		return r.withLog(func(f *engine.File) error {
			if err := f.DropIndex(); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		})
	}
	return s
}

func (r *recorder) withLog(fn func(*engine.File) error) error {
	f, err := engine.Open(r.log.Path, nil)
	if err != nil {
		return err
	}
	return errors.Join(fn(f), f.Close())
}

// goal sets how many times as long as ours a side is to take.
func (s side) goal(ratio float64) side {
	s.Goal = ratio
	return s
}

// number says that the side finds the first number that it prints.
func (s side) number() side {
	s.onlyNumber = true
	return s
}

// upTo says on which logs the side is tried.
func (s side) upTo(size int64) side {
	s.most = size
	return s
}

// times has the side run n times for one time.
func (s side) times(n int) side {
	s.repeat = n
	return s
}
