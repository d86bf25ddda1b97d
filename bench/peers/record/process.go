package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"

	"github.com/nxadm/tail"
	"golang.org/x/exp/mmap"

	"excerpt/bench/peers/internal/records"
	"excerpt/engine"
)

// inProcess measures the library beside what Go programs do.
func (r *recorder) inProcess(size int64) error {
	var kept *mmap.ReaderAt // it stays mapped, that is the point
	defer func() {
		if kept != nil {
			_ = kept.Close()
		}
	}()
	return r.onLog(size,
		comparison{"count lines, one core, in a program", []side{
			r.inProgram("excerpt", "File.Count", 1, r.count).number(),
			program("one bytes.Count of a mapping", "bytes.Count", func(w io.Writer) (err error) {
				if kept == nil {
					if kept, err = mmap.Open(r.log.Path); err != nil {
						return err
					}
				}
				view := reflect.ValueOf(kept).Elem().FieldByName("data").Bytes()
				_, err = fmt.Fprint(w, bytes.Count(view, []byte{'\n'}))
				return err
			}).number().goal(0.9),
			r.readLoop(),
			program("bufio.Scanner", "for s.Scan() { n++ }", func(w io.Writer) error {
				return r.scan(func(s *bufio.Scanner) error {
					n := 0
					for s.Scan() {
						n++
					}
					fmt.Fprint(w, n)
					return s.Err()
				})
			}).number().upTo(medium),
		}},
		comparison{"describe a file, all cores, in a program", []side{
			r.inProgram("excerpt", "File.Describe", 0, func(f *engine.File, w io.Writer) error {
				d, err := f.Describe(r.ctx)
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(w, d.Lines)
				return err
			}).number(),
			r.inProgram("excerpt's own count", "File.Count", 0, r.count).number().goal(0.5),
		}},
		comparison{"1,000 lines from the deepest tenth, in a program", []side{
			r.inProgram("excerpt", "File.Lines, Span.WriteTo", 1, func(f *engine.File, w io.Writer) error {
				first, last := r.deep()
				span, err := f.Lines(r.ctx, engine.LineNumber(first), engine.LineNumber(last))
				if err != nil {
					return err
				}
				_, err = span.WriteTo(w)
				return err
			}),
			program("bufio.Scanner", "for s.Scan() { … }", func(w io.Writer) error {
				first, last := r.deep()
				return r.scan(func(s *bufio.Scanner) error {
					for n := int64(1); n <= last && s.Scan(); n++ {
						if n >= first {
							if _, err := w.Write(append(s.Bytes(), '\n')); err != nil {
								return err
							}
						}
					}
					return s.Err()
				})
			}).upTo(medium),
		}},
		comparison{"last million lines, in a program", []side{
			r.inProgram("excerpt", "File.Tail, Span.WriteTo", 1, func(f *engine.File, w io.Writer) error {
				span, err := f.Tail(r.ctx, r.many())
				if err != nil {
					return err
				}
				_, err = span.WriteTo(w)
				return err
			}),
			program("ReadAt and LastIndexByte", "chunks from the end, then io.Copy", func(w io.Writer) error {
				return r.file(func(f *os.File) error { return lastLines(f, r.log.Size, r.many(), w) })
			}).goal(5),
			program("the same, line by line", "each line a string, newest first", func(w io.Writer) error {
				return r.file(func(f *os.File) error { return lastStrings(f, r.log.Size, r.many(), w) })
			}).goal(5),
			program("nxadm/tail, told where they begin", "for line := range t.Lines", r.follow).goal(5),
		}},
	)
}

// program returns the side of what a program does.
func program(name, what string, fn func(io.Writer) error) side {
	return side{Side: records.Side{Name: name, Command: what}, run: fn}
}

// inProgram returns a side of ours, which opens the log and has so many cores,
// or all.
func (r *recorder) inProgram(name, what string, cores int, fn func(*engine.File, io.Writer) error) side {
	return program(name, what, func(w io.Writer) error {
		f, err := engine.Open(r.log.Path, &engine.Options{Workers: cores, Cache: engine.NoCache})
		if err != nil {
			return err
		}
		return errors.Join(fn(f, w), f.Close())
	})
}

func (r *recorder) count(f *engine.File, w io.Writer) error {
	n, err := f.Count(r.ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(w, n)
	return err
}

func (r *recorder) file(fn func(*os.File) error) error {
	f, err := os.Open(r.log.Path)
	if err != nil {
		return err
	}
	return errors.Join(fn(f), f.Close())
}

func (r *recorder) scan(fn func(*bufio.Scanner) error) error {
	return r.file(func(f *os.File) error { return fn(bufio.NewScanner(f)) })
}

// readLoop counts as a program does that knows nothing better.
func (r *recorder) readLoop() side {
	return program("a loop of ReadAt", "bytes.Count of 256 KiB", func(w io.Writer) error {
		return r.file(func(f *os.File) error {
			buf := make([]byte, 256<<10)
			count := 0
			for off := int64(0); ; {
				n, err := f.ReadAt(buf, off)
				count += bytes.Count(buf[:n], []byte{'\n'})
				off += int64(n)
				if err == io.EOF {
					_, err := fmt.Fprint(w, count)
					return err
				}
				if err != nil {
					return err
				}
			}
		})
	}).number()
}

// lastLines finds the last n lines as a program does: it looks for line ends in
// chunks from the end, and copies what is behind.
func lastLines(r io.ReaderAt, size, n int64, w io.Writer) error {
	buf := make([]byte, 64<<10)
	start := int64(0)
	for off := size; off > 0 && start == 0; {
		from := max(0, off-int64(len(buf)))
		chunk := buf[:off-from]
		if _, err := r.ReadAt(chunk, from); err != nil && err != io.EOF {
			return err
		}
		if off == size && chunk[len(chunk)-1] == '\n' {
			chunk = chunk[:len(chunk)-1]
		}
		for {
			i := bytes.LastIndexByte(chunk, '\n')
			if i < 0 {
				break
			}
			if n--; n == 0 {
				start = from + int64(i) + 1
				break
			}
			chunk = chunk[:i]
		}
		off = from
	}
	_, err := io.CopyBuffer(w, struct{ io.Reader }{io.NewSectionReader(r, start, size-start)}, buf)
	return err
}

// lastStrings does it as readers of lines from the end do: it makes a string of
// each, and puts them in order again.
func lastStrings(r io.ReaderAt, size, n int64, w io.Writer) error {
	var (
		lines []string
		rest  []byte // the beginning of it is not read yet
		end   []byte // of the last line
		off   = size
		buf   = make([]byte, 64<<10)
	)
	for off > 0 && int64(len(lines)) < n {
		from := max(0, off-int64(len(buf)))
		chunk := buf[:off-from]
		if _, err := r.ReadAt(chunk, from); err != nil && err != io.EOF {
			return err
		}
		if off == size {
			if body, ok := bytes.CutSuffix(chunk, []byte{'\n'}); ok {
				chunk, end = body, []byte{'\n'}
			}
		}
		for int64(len(lines)) < n {
			i := bytes.LastIndexByte(chunk, '\n')
			if i < 0 {
				break
			}
			lines = append(lines, string(chunk[i+1:])+string(rest))
			rest = rest[:0]
			chunk = chunk[:i]
		}
		rest = append(bytes.Clone(chunk), rest...)
		off = from
	}
	if size > 0 && off == 0 && int64(len(lines)) < n {
		lines = append(lines, string(rest))
	}
	out := bufio.NewWriter(w)
	for i, line := range slices.Backward(lines) {
		_, _ = out.WriteString(line)
		if i > 0 {
			_ = out.WriteByte('\n')
		}
	}
	_, _ = out.Write(end)
	return out.Flush()
}

// follow reads the last lines with nxadm/tail. It can't look for where they
// begin, so it is told.
func (r *recorder) follow(w io.Writer) error {
	start := r.log.Start(r.log.Lines - r.many() + 1)
	t, err := tail.TailFile(r.log.Path, tail.Config{
		Location: &tail.SeekInfo{Offset: start}, MustExist: true, Logger: tail.DiscardingLogger,
	})
	if err != nil {
		return err
	}
	defer t.Cleanup()
	out := bufio.NewWriter(w)
	for line := range t.Lines {
		_, _ = out.WriteString(line.Text)
		_ = out.WriteByte('\n')
	}
	if err := t.Wait(); err != nil {
		return err
	}
	return out.Flush()
}
