package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"excerpt/bench/peers/internal/records"
)

// A question is asked of all who can be asked it, on a file that others were
// seen to be wrong on.
type question struct {
	name string
	file func(*os.File) error
	ask  []ask
}

// An ask is a part of a file, and what it is, or the beginning of that.
type ask struct {
	what  string // last, first, lines, count
	n     int    // of lines, for last and first
	want  string
	begin bool // want is the beginning: the rest is too long
}

func written(text string) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.WriteString(text)
		return err
	}
}

// short lines of 16 bytes.
func short(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "line %010d\n", i+1)
	}
	return b.String()
}

func questions() []question {
	long := "first\n" + strings.Repeat("x", 10_000_000) + "\n"
	blocks := short(4 * 65536 / 16)
	large := short(2_000_000)
	empty := strings.Repeat("\n", 100_000)
	scripts := "第一行\n" + strings.Repeat("日志🙂", 3000) + "\n"
	odd := "a\x00b\nc\xff\xfe\nd\re\ff\u2028g\nh\r\n"
	return []question{
		{"a line of 10,000,000 bytes", written(long), []ask{
			{"last", 1, long[6:], false},
			{"first", 2, long, false},
			{"count", 0, "2", false},
		}},
		{"a size that is a multiple of 65,536", written(blocks), []ask{
			{"last", 16384, blocks, false},
			{"last", 20000, blocks, false},
			{"last", 16383, blocks[16:], false},
			{"last", 4096, blocks[3*65536:], false},
			{"count", 0, "16384", false},
		}},
		{"2,000,000 lines", written(large), []ask{
			{"last", 1_999_999, large[16:], false},
			{"last", 1_000_000, large[len(large)/2:], false},
			{"lines", 0, "line 0000000002\nline 0000000003\n", false},
		}},
		{"empty lines", written(empty), []ask{
			{"last", 50_000, empty[:50_000], false},
			{"first", 10, empty[:10], false},
			{"count", 0, "100000", false},
		}},
		{"no line end at the end", written("one\ntwo\nthree\nfour"), []ask{
			{"last", 1, "four", false},
			{"last", 2, "three\nfour", false},
			{"first", 9, "one\ntwo\nthree\nfour", false},
			{"lines", 0, "two\nthree\n", false},
			// Of their number wc says by wish that it is 3.
		}},
		{"NULs, invalid UTF-8, CR, form feed, U+2028", written(odd), []ask{
			{"last", 3, odd[4:], false},
			{"first", 3, odd[:len(odd)-3], false},
			{"lines", 0, odd[4 : len(odd)-3], false},
			{"count", 0, "4", false},
		}},
		{"many-byte characters", written(scripts), []ask{
			{"last", 1, scripts[10:], false},
			{"first", 2, scripts, false},
			{"count", 0, "2", false},
		}},
		{"a hole of 1 TiB", func(f *os.File) error {
			return errors.Join(written("one\ntwo\nthree\n")(f), f.Truncate(1<<40))
		}, []ask{
			{"last", 1, strings.Repeat("\x00", 4096), true},
			{"last", 3, "two\nthree\n", true},
		}},
	}
}

// procFile says that it is empty, and is not.
const procFile = "/proc/version"

// askedFor is how long an answer may take.
const askedFor = 5 * time.Second

// answerers are all who are asked, and how.
func (r *recorder) answerers() []answerer {
	line := func(tool string, lines map[string]string) answerer {
		return answerer{name: tool, answer: func(ctx context.Context, a ask, path string, w io.Writer) error {
			line, ok := lines[a.what]
			if !ok {
				return errNotAsked
			}
			line = strings.ReplaceAll(line, "LINES", fmt.Sprint(a.n))
			if err := installed(line); err != nil {
				return err
			}
			return pipe(r.process(ctx, line, path), w)
		}}
	}
	program := func(name string, what string, fn func(f *os.File, size int64, n int, w io.Writer) error) answerer {
		return answerer{name: name, answer: func(_ context.Context, a ask, path string, w io.Writer) error {
			if a.what != what || a.begin { // they do not stop
				return errNotAsked
			}
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			info, err := f.Stat()
			if err != nil {
				return err
			}
			return fn(f, info.Size(), a.n, w)
		}}
	}
	return []answerer{
		line("excerpt", map[string]string{
			"last": "excerpt tail -n LINES LOG", "first": "excerpt head -n LINES LOG", "lines": "excerpt lines 2-3 LOG", "count": "excerpt count LOG",
		}),
		line("GNU", map[string]string{
			"last": "tail -n LINES LOG", "first": "head -n LINES LOG", "lines": "sed -n 2,3p LOG", "count": "wc -l LOG",
		}),
		line("uutils", map[string]string{
			"last": "coreutils tail -n LINES LOG", "first": "coreutils head -n LINES LOG", "count": "coreutils wc -l LOG",
		}),
		line("busybox", map[string]string{
			"last": "busybox tail -n LINES LOG", "first": "busybox head -n LINES LOG", "lines": "busybox sed -n 2,3p LOG", "count": "busybox wc -l LOG",
		}),
		line("ripgrep", map[string]string{"count": "rg --no-config -c '' LOG"}),
		line("mawk", map[string]string{"lines": "mawk 'NR>=2{print} NR==3{exit}' LOG", "count": "mawk 'END{printf(\"%d\", NR)}' LOG"}),
		line("gawk", map[string]string{"lines": "gawk 'NR>=2{print} NR==3{exit}' LOG", "count": "gawk 'END{print NR}' LOG"}),
		program("ReadAt and LastIndexByte", "last", func(f *os.File, size int64, n int, w io.Writer) error {
			return lastLines(f, size, int64(n), w)
		}),
		program("the same, line by line", "last", func(f *os.File, size int64, n int, w io.Writer) error {
			return lastStrings(f, size, int64(n), w)
		}),
		program("bufio.Scanner", "count", func(f *os.File, _ int64, _ int, w io.Writer) error {
			s, n := bufio.NewScanner(f), 0
			for s.Scan() {
				n++
			}
			fmt.Fprint(w, n)
			return s.Err()
		}),
	}
}

type answerer struct {
	name   string
	answer answer
	ready  func(a ask, path string) (answer, func(), error) // of a server, which begins before it is asked, and ends
}

// An answer writes what it finds.
type answer func(ctx context.Context, a ask, path string, w io.Writer) error

// errNotAsked is of what cannot be asked.
var errNotAsked = errors.New("it has no such operation")

// answers asks all of everything, and keeps who is wrong.
func (r *recorder) answers() error {
	for _, q := range questions() {
		m := records.Measure{Group: records.Answers, Case: q.name}
		if !r.wanted(m) {
			continue
		}
		path := filepath.Join(r.tmp, "question.log")
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		if err := errors.Join(q.file(f), f.Close()); err != nil {
			return err
		}
		if err := r.askAll(m, path, q.ask); err != nil {
			return err
		}
	}
	m := records.Measure{Group: records.Answers, Case: "a file of /proc, whose size is said to be 0"}
	if !r.wanted(m) {
		return nil
	}
	text, err := os.ReadFile(procFile)
	if err != nil {
		return nil // not Linux
	}
	return r.askAll(m, procFile, []ask{{"last", 1, string(text), false}, {"first", 1, string(text), false}, {"count", 0, "1", false}})
}

func (r *recorder) askAll(m records.Measure, path string, asks []ask) error {
	for _, who := range append(r.answerers(), r.filesystemAnswers()) {
		s := records.Side{Name: who.name}
		var wrong []string
		asked := false
		for _, a := range asks {
			err := r.askOne(who, a, path)
			switch {
			case r.ctx.Err() != nil:
				return r.ctx.Err()
			case errors.Is(err, errNotAsked), errors.Is(err, exec.ErrNotFound):
				continue
			case err != nil && who.name == "excerpt":
				return fmt.Errorf("excerpt is wrong, of %s: %w", m.Case, err)
			case err != nil:
				wrong = append(wrong, err.Error())
			}
			asked = true
		}
		if asked {
			s.Wrong = strings.Join(wrong, "; ")
			m.Sides = append(m.Sides, s)
		}
	}
	return r.put(m)
}

var errEnough = errors.New("enough was read")

// askOne returns what is wrong with an answer.
func (r *recorder) askOne(who answerer, a ask, path string) error {
	answer := who.answer
	if who.ready != nil {
		var err error
		var end func()
		if answer, end, err = who.ready(a, path); err != nil {
			return err
		}
		defer end()
	}
	ctx, cancel := context.WithTimeout(r.ctx, askedFor)
	defer cancel()
	got := &atMost{n: math.MaxInt}
	if a.begin {
		got.n = len(a.want)
	}
	err := answer(ctx, a, path, got)
	what := map[string]string{
		"last": fmt.Sprintf("the last %s", lines(a.n)), "first": fmt.Sprintf("the first %s", lines(a.n)), "lines": "lines 2 and 3", "count": "the number of lines",
	}[a.what]
	said := got.kept
	if a.what == "count" {
		if f := bytes.Fields(said); len(f) > 0 {
			said = f[0]
		}
	}
	switch {
	case errors.Is(err, errNotAsked), errors.Is(err, exec.ErrNotFound):
		return err
	case len(got.kept) == got.n: // what comes after does not matter
	case ctx.Err() != nil:
		return fmt.Errorf("%s: no answer in %v", what, askedFor)
	case err != nil:
		return fmt.Errorf("%s: %v", what, firstLine(err.Error()))
	}
	if string(said) == a.want {
		return nil
	}
	if a.what == "count" {
		return fmt.Errorf("%s: %.20s, not %s", what, said, a.want)
	}
	if len(said) == len(a.want) {
		return fmt.Errorf("%s: %s, but other ones", what, records.Count(len(said), "byte"))
	}
	return fmt.Errorf("%s: %s, not %s", what, records.Count(len(said), "byte"), records.Digits(float64(len(a.want))))
}

func lines(n int) string { return records.Count(n, "line") }

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// atMost keeps n bytes of what is written to it, and refuses more.
type atMost struct {
	kept []byte
	n    int
}

func (w *atMost) Write(p []byte) (int, error) {
	n := min(len(p), w.n-len(w.kept))
	w.kept = append(w.kept, p[:n]...)
	if n < len(p) {
		return n, errEnough
	}
	return n, nil
}

// filesystemAnswers asks the MCP server. What is not UTF-8 can't be in its
// answer, and a last line end need not.
func (r *recorder) filesystemAnswers() answerer {
	return answerer{name: "MCP filesystem server", ready: func(a ask, path string) (answer, func(), error) {
		selector := map[string]string{"last": "tail", "first": "head"}[a.what]
		if selector == "" || a.begin || !slices.Equal([]byte(a.want), bytes.ToValidUTF8([]byte(a.want), nil)) || path == procFile {
			return nil, nil, errNotAsked
		}
		cmd, err := r.filesystem(filesystemNewest, filepath.Dir(path))
		if err != nil {
			return nil, nil, err
		}
		s, err := start(r.ctx, cmd)
		if err != nil {
			return nil, nil, err
		}
		end := func() {
			_ = cmd.Process.Kill() // it may still be at work
			_ = s.Close()
		}
		return func(ctx context.Context, a ask, path string, w io.Writer) error {
			text, err := s.text(ctx, "read_text_file", map[string]any{"path": path, selector: a.n})
			if err != nil {
				return err
			}
			if text+"\n" == a.want {
				text = a.want
			}
			_, err = io.WriteString(w, text)
			return err
		}, end, nil
	}}
}
