package engine_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"excerpt/engine"
)

// rewrite writes the file anew, in two writes, until the test is done: it is
// shorter for a moment each time.
func rewrite(t *testing.T, path string, write func(*os.File)) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
			if err != nil {
				t.Error(err)
				return
			}
			write(f)
			f.Close()
			time.Sleep(50 * time.Microsecond)
		}
	})
	t.Cleanup(func() {
		close(done)
		wg.Wait()
	})
}

// A file that is cut and is whole again before anybody looks: the zeros that
// it had in between are in no answer.
func TestRewrittenMeanwhile(t *testing.T) {
	small := bytes.Repeat([]byte("a line of some text, 32 bytes..\n"), 110)
	half := len(small)/2 + 7
	large := bytes.Repeat(small, 64)
	hole := [2]int{len(large) / 2, len(large)/2 + 100<<10}
	clear(large[hole[0]:hole[1]])
	for _, file := range []struct {
		name    string
		content []byte
		write   func(*os.File)
	}{
		{"small", small, func(f *os.File) {
			f.Write(small[:half])
			f.Write(small[half:])
		}},
		{"with a hole", large, func(f *os.File) {
			f.Write(large[:hole[0]])
			f.WriteAt(large[hole[1]:], int64(hole[1]))
		}},
	} {
		t.Run(file.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.log")
			must(0, os.WriteFile(path, nil, 0o600))
			f := must(os.OpenFile(path, os.O_WRONLY, 0))
			file.write(f)
			f.Close()
			lines := int64(bytes.Count(file.content, []byte("\n")))
			tail := len(file.content) - 32*50
			rewrite(t, path, file.write)
			right := 0
			for end := time.Now().Add(700 * time.Millisecond); time.Now().Before(end); {
				f, err := engine.Open(path, nil)
				if err != nil || f.Size() != int64(len(file.content)) {
					continue
				}
				if n, err := f.Count(ctx); err == nil && n != lines {
					t.Fatalf("%d lines, want %d", n, lines)
				} else if err == nil {
					right++
				}
				if s, err := f.Tail(ctx, 50); err == nil {
					if start, _ := s.Offsets(); int(start) != tail {
						t.Fatalf("the tail begins at %d, want %d", start, tail)
					}
				}
				if s, err := f.All(ctx); err == nil {
					var got bytes.Buffer
					if _, err := s.WriteTo(&got); !bytes.HasPrefix(file.content, got.Bytes()) || err == nil && got.Len() != len(file.content) {
						t.Fatalf("%d bytes written, not those of the file, %v", got.Len(), err)
					}
				}
				f.Close()
			}
			t.Logf("%d right answers", right)
		})
	}
}

// A number that was counted while the file was short is not kept.
func TestNumberIsNotKeptAfterError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	content := bytes.Repeat([]byte("12345678\n"), 300)
	must(0, os.WriteFile(path, content, 0o600))
	f := must(engine.Open(path, nil))
	defer f.Close()
	last := must(f.Tail(ctx, 1))
	must(0, os.Truncate(path, 900))
	for range 2 {
		if n, err := last.Number(ctx); !errors.Is(err, engine.ErrTruncated) || n != 0 {
			t.Errorf("%d, %v, want ErrTruncated", n, err)
		}
	}
	must(0, os.WriteFile(path, content, 0o600))
	if n, err := last.Number(ctx); n != 300 || err != nil {
		t.Errorf("%d, %v, want 300", n, err)
	}
}

// What is shorter now, or has other times, is not what it was, also if it
// begins in the same way.
func TestOtherFileWithTheSameHead(t *testing.T) {
	head := bytes.Repeat([]byte("banner\n"), 100)
	old := append(bytes.Clone(head), bytes.Repeat([]byte("old text\n"), 5000)...)
	for name, fresh := range map[string][]byte{
		"shorter": append(bytes.Clone(head), bytes.Repeat([]byte("NEW!\n"), 3000)...),
		"longer":  append(bytes.Clone(head), bytes.Repeat([]byte("NEW!\n"), 20000)...),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.log")
			must(0, os.WriteFile(path, old, 0o600))
			info := must(os.Stat(path))
			f := must(engine.Open(path, nil))
			defer f.Close()
			span := must(f.Lines(ctx, 1000, 1001))
			must(0, os.WriteFile(path, fresh, 0o600))
			must(0, os.Chtimes(path, info.ModTime(), info.ModTime()))
			if _, err := span.WriteTo(io.Discard); !errors.Is(err, engine.ErrTruncated) {
				t.Errorf("WriteTo: %v", err)
			}
			if _, err := span.Number(ctx); err != nil { // it was known before
				t.Errorf("Number: %v", err)
			}
			if _, err := f.Head(ctx, 2000); !errors.Is(err, engine.ErrTruncated) {
				t.Errorf("Head: %v", err)
			}
			if _, err := f.Lines(ctx, 1<<40, 1<<40); !errors.Is(err, engine.ErrTruncated) {
				t.Errorf("Lines past the end: %v", err)
			}
			if n, err := f.Count(ctx); !errors.Is(err, engine.ErrTruncated) {
				t.Errorf("Count: %d, %v", n, err)
			}
		})
	}
}

// wild says that it has read what it can't have.
type wild int

func (w wild) ReadAt([]byte, int64) (int, error) { return int(w), nil }
func (w wild) Read([]byte) (int, error)          { return int(w), nil }

func TestWildReaders(t *testing.T) {
	for _, n := range []wild{-1, 1 << 30} {
		for _, f := range []*engine.File{engine.New("wild", n, 1000, nil), engine.NewStream("wild", n, nil)} {
			if got, err := f.Count(ctx); err == nil {
				t.Errorf("Count: %d", got)
			}
			if s, err := f.Tail(ctx, 5); err == nil {
				if _, err := s.WriteTo(io.Discard); err == nil {
					t.Error("Tail: no error")
				}
			}
			for _, err := range must(f.All(ctx)).All() {
				if err == nil {
					t.Error("All: no error")
				}
			}
		}
	}
}

// Spans of a file that was replaced know nothing of the one that it was
// replaced by, however they are used.
func TestSpanOfReplacedFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.log")
	must(0, os.WriteFile(path, bytes.Repeat([]byte("old\n"), 1000), 0o600))
	f := must(engine.Open(path, nil))
	defer f.Close()
	uses := map[string]func(*engine.Span) error{
		"Number":        func(s *engine.Span) error { _, err := s.Number(ctx); return err },
		"Skip":          func(s *engine.Span) error { _, err := s.Skip(1); return err },
		"WriteTo":       func(s *engine.Span) error { _, err := s.WriteTo(io.Discard); return err },
		"WriteNumbered": func(s *engine.Span) error { _, err := s.WriteNumbered(io.Discard); return err },
		"Text":          func(s *engine.Span) error { _, err := s.Text(engine.Limits{}); return err },
		"All": func(s *engine.Span) error {
			for _, err := range s.All() {
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	spans := map[string]*engine.Span{}
	for name := range uses {
		spans[name] = must(f.Tail(ctx, 10))
	}
	fresh := filepath.Join(dir, "fresh")
	must(0, os.WriteFile(fresh, bytes.Repeat([]byte("new\n"), 2000), 0o600))
	must(0, os.Rename(fresh, path))
	if change, err := f.Refresh(); change != engine.Replaced || err != nil {
		t.Fatalf("%v, %v", change, err)
	}
	for name, use := range uses {
		if err := use(spans[name]); !errors.Is(err, engine.ErrTruncated) {
			t.Errorf("%s: %v, want ErrTruncated", name, err)
		}
	}
}
