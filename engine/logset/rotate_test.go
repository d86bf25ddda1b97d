package logset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"excerpt/engine"
)

// A writer appends lines to a log, each of which says its own number.
type writer struct {
	path string

	mu      sync.Mutex // who has it, has the writer wait
	file    *os.File
	written atomic.Int64 // lines
}

func newWriter(t testing.TB, path string) *writer {
	w := &writer{path: path}
	if err := w.reopen(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.file.Close() })
	return w
}

// reopen is what a program does that logrotate has sent a signal.
func (w *writer) reopen() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	file, err := os.OpenFile(w.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if w.file != nil {
		w.file.Close()
	}
	w.file = file
	return nil
}

func (w *writer) write(lines int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range lines {
		if _, err := io.WriteString(w.file, logLine(w.written.Load()+1)); err != nil {
			return err
		}
		w.written.Add(1)
	}
	return nil
}

func logLine(number int64) string { return fmt.Sprintf("%08d is the number of this line\n", number) }

// complete reports what is wrong with lines from a number on, of which there
// must be those up to written.
func complete(text string, from, written int64) error {
	number := from
	for line := range strings.Lines(text) {
		if want := logLine(number); line != want && !strings.HasPrefix(want, line) {
			return fmt.Errorf("line %d is %q", number, line)
		}
		number++
	}
	if number <= written {
		return fmt.Errorf("%d lines were written, and there are lines %d to %d", written, from, number-1)
	}
	return nil
}

// reported reports whether an error says that something was lost, which the
// reader would try again.
func reported(err error) bool {
	return errors.Is(err, engine.ErrTruncated) || errors.Is(err, errChanged)
}

// read opens the set and reads it in one of some ways, which must give every
// line that was written before once, under its own number.
func read(ctx context.Context, w *writer, way int) (err error) {
	written := w.written.Load()
	var s *Set
	defer func() {
		if err != nil && s != nil && !reported(err) {
			err = fmt.Errorf("%w\n%s", err, join(s.Members()))
		}
	}()
	s, err = Open(ctx, w.path, &engine.Options{Cache: engine.NoCache})
	if err != nil {
		return err
	}
	defer s.Close()
	return readFrom(ctx, s, written, way)
}

// ways is how many ways there are to read.
const ways = 4

func readFrom(ctx context.Context, s *Set, written int64, way int) error {
	var span *engine.Span
	var err error
	from := int64(1)
	switch way % ways {
	case 0:
		span, err = s.All(ctx)
	case 1:
		span, err = s.Tail(ctx, 7)
	case 2:
		from = max(1, written/2)
		span, err = s.Lines(ctx, engine.LineNumber(from), engine.LastLine)
	case 3:
		lines, err := s.Count(ctx)
		if err == nil && lines < written {
			err = fmt.Errorf("%d lines were written, and %d are counted", written, lines)
		}
		return err
	}
	var past *engine.RangeError
	if errors.As(err, &past) && written == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	var b strings.Builder
	if _, err := span.WriteTo(&b); err != nil {
		return err
	}
	if way%ways == 1 && b.Len() > 0 {
		number, err := span.Number(ctx)
		if err != nil {
			return err
		}
		from = int64(number)
	}
	return complete(b.String(), from, written)
}

func join(members []Member) string {
	var b strings.Builder
	for _, m := range members {
		fmt.Fprintln(&b, m)
	}
	return b.String()
}

// A step is what a rotation does to the folder at once.
type step struct {
	name string
	do   func() error
}

// errNothing is the error of a step that there is nothing to do for.
var errNothing = errors.New("there is nothing to do")

// rotation returns the steps of logrotate, in its order.
func rotation(w *writer, copytruncate, delaycompress bool) (steps []step) {
	numbered := func(number int, suffix string) string { return fmt.Sprintf("%s.%d%s", w.path, number, suffix) }
	add := func(name string, do func() error) { steps = append(steps, step{name, do}) }
	compress := func() {
		var packed []byte
		add("create the .gz", func() error {
			text, err := os.ReadFile(numbered(1, ""))
			if errors.Is(err, fs.ErrNotExist) {
				packed = nil
				return errNothing
			}
			packed = pack("x.gz", text)
			return errors.Join(err, os.WriteFile(numbered(1, ".gz"), nil, 0o600))
		})
		for _, part := range []int{10, 2, 1} {
			add(fmt.Sprintf("write a part of %d of the .gz", part), func() error {
				if packed == nil {
					return errNothing
				}
				return appendTo(numbered(1, ".gz"), packed, len(packed)/part)
			})
		}
		add("remove what was compressed", func() error {
			if packed == nil {
				return nil
			}
			return os.Remove(numbered(1, ""))
		})
	}
	if delaycompress {
		compress()
	}
	matches, _ := filepath.Glob(w.path + ".*")
	for number := len(matches) + 1; number > 0; number-- {
		for _, suffix := range []string{"", ".gz"} {
			add(fmt.Sprintf("rename %d%s", number, suffix), func() error {
				err := os.Rename(numbered(number, suffix), numbered(number+1, suffix))
				if errors.Is(err, fs.ErrNotExist) {
					return errNothing
				}
				return err
			})
		}
	}
	if copytruncate {
		add("create the copy", func() error { return os.WriteFile(numbered(1, ""), nil, 0o600) })
		add("copy half", func() error {
			text, err := os.ReadFile(w.path)
			return errors.Join(err, appendTo(numbered(1, ""), text, len(text)/2))
		})
		add("copy", func() error {
			text, err := os.ReadFile(w.path)
			return errors.Join(err, appendTo(numbered(1, ""), text, len(text)))
		})
		add("cut short", func() error {
			w.mu.Lock() // what logrotate loses here is not ours to find
			defer w.mu.Unlock()
			text, err := os.ReadFile(w.path)
			return errors.Join(err, appendTo(numbered(1, ""), text, len(text)), os.Truncate(w.path, 0))
		})
	} else {
		add("rename the live file", func() error { return os.Rename(w.path, numbered(1, "")) })
		add("create the live file", w.reopen)
	}
	if !delaycompress {
		compress()
	}
	return steps
}

// appendTo writes the first n bytes of b, less what the file has of them.
func appendTo(path string, b []byte, n int) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if has := int(info.Size()); has < n {
		_, err = file.Write(b[has:n])
	}
	return err
}

type mode struct{ copytruncate, delaycompress bool }

func (m mode) String() string {
	return fmt.Sprintf("copytruncate=%t,delaycompress=%t", m.copytruncate, m.delaycompress)
}

func modes() []mode { return []mode{{false, true}, {false, false}, {true, true}, {true, false}} }

// TestEveryStep reads a set between the steps of rotations, and one that was
// opened before a step after each later one.
func TestEveryStep(t *testing.T) {
	before := enough
	enough = 0 // nothing changes while it looks
	t.Cleanup(func() { enough = before })
	for _, m := range modes() {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			w := newWriter(t, filepath.Join(t.TempDir(), "app.log"))
			type held struct {
				set     *Set
				written int64
			}
			var sets []held
			rotations, succeeded, failed := 4, 0, 0
			for rotated := range rotations {
				for _, step := range rotation(w, m.copytruncate, m.delaycompress) {
					// While an unlocked copy is made, nothing may be lost either.
					if err := w.write(3); err != nil {
						t.Fatal(err)
					}
					if err := step.do(); err == errNothing {
						continue
					} else if err != nil {
						t.Fatal(step.name, err)
					}
					for way := range ways {
						if err := read(t.Context(), w, way); err != nil {
							t.Fatalf("after %q of rotation %d: %v", step.name, rotated, err)
						}
					}
					if rotated < rotations-2 {
						continue
					}
					sets = append(sets, held{open(t, w.path), w.written.Load()})
					for i, old := range sets {
						switch err := readFrom(t.Context(), old.set, old.written, i); {
						case err == nil:
							succeeded++
						case reported(err) && m.copytruncate:
							failed++
						default:
							t.Fatalf("set %d after %q of rotation %d: %v", i, step.name, rotated, err)
						}
					}
				}
			}
			if succeeded == 0 || m.copytruncate == (failed == 0) {
				t.Errorf("%d reads have succeeded, and %d have said that the log was cut short", succeeded, failed)
			}
		})
	}
}

// readWhile has readers read while rotate rotates the log that w writes, for a
// while.
func readWhile(t *testing.T, w *writer, rotate func() error) {
	duration := 800 * time.Millisecond
	if testing.Short() {
		duration /= 2
	}
	began := time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var (
		wg            sync.WaitGroup
		reads, losses atomic.Int64
		rotations     int64
	)
	for reader := range 2 {
		wg.Go(func() {
			for way := reader; ctx.Err() == nil; way++ {
				switch err := read(ctx, w, way); {
				case err == nil:
					reads.Add(1)
				case reported(err):
					losses.Add(1)
				case ctx.Err() == nil:
					t.Error(err)
					cancel()
				}
			}
		})
	}
	wg.Go(func() {
		for ctx.Err() == nil {
			if err := w.write(1 + int(w.written.Load()%3)); err != nil {
				t.Error(err)
				cancel()
			}
			time.Sleep(200 * time.Microsecond)
		}
	})
	for ctx.Err() == nil && (time.Since(began) < duration || min(rotations, reads.Load()) < 3) {
		if time.Since(began) > time.Minute {
			t.Errorf("%d rotations and %d reads", rotations, reads.Load())
			break
		}
		if err := rotate(); err != nil {
			t.Error(err)
		}
		rotations++
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	wg.Wait()
	t.Logf("%d lines, %d rotations, %d reads, %d more have reported a loss", w.written.Load(), rotations, reads.Load(), losses.Load())
	for way := range ways {
		if err := read(t.Context(), w, way); err != nil {
			t.Error(err)
		}
	}
}

// TestRotation reads in a loop while a log is rotated in the steps of logrotate.
func TestRotation(t *testing.T) {
	for _, m := range modes() {
		t.Run(m.String(), func(t *testing.T) {
			w := newWriter(t, filepath.Join(t.TempDir(), "app.log"))
			readWhile(t, w, func() error {
				for _, step := range rotation(w, m.copytruncate, m.delaycompress) {
					if err := step.do(); err != nil && err != errNothing {
						return fmt.Errorf("%s: %w", step.name, err)
					}
					time.Sleep(100 * time.Microsecond)
				}
				return nil
			})
		})
	}
}

// TestLogrotate does the same with logrotate itself.
func TestLogrotate(t *testing.T) {
	logrotate, err := exec.LookPath("logrotate")
	if err != nil {
		logrotate = "/usr/sbin/logrotate"
		if _, err := os.Stat(logrotate); err != nil {
			t.Skip("there is no logrotate here")
		}
	}
	for name, options := range map[string]string{
		"delaycompress":             "create\ncompress\ndelaycompress",
		"copytruncate":              "copytruncate\ncompress",
		"copytruncate and delaying": "copytruncate\ncompress\ndelaycompress",
		"extension":                 "create\ncompress\ndelaycompress\nextension .log\nstart 0",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w := newWriter(t, filepath.Join(dir, "app.log"))
			config := filepath.Join(dir, "logrotate.conf")
			write(t, config, fmt.Appendf(nil, "%q {\nrotate 1000\n%s\n}\n", w.path, options))
			copytruncate := strings.Contains(options, "copytruncate")
			readWhile(t, w, func() error {
				if copytruncate {
					// What is written between its copy and the cut is lost to
					// everybody, so nothing is.
					w.mu.Lock()
				}
				out, err := exec.Command(logrotate, "--force", "--state", filepath.Join(dir, "state"), config).CombinedOutput()
				if copytruncate {
					w.mu.Unlock()
				}
				if err != nil {
					return fmt.Errorf("%w: %s", err, out)
				}
				return w.reopen()
			})
			if files, _ := filepath.Glob(filepath.Join(dir, "app.*.gz")); len(files) == 0 || !slices.IsSorted(files) {
				t.Errorf("%q", files)
			}
		})
	}
}
