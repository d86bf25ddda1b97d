package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"excerpt/engine"
)

func openFile(t testing.TB, content []byte, opts *engine.Options) (*engine.File, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.log")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := engine.Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, path
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	content := numbered(10_000)
	want := map[string]engine.Change{
		"grown":                  engine.Grown,
		"replaced":               engine.Replaced,
		"deleted and made again": engine.Replaced,
	}
	for _, change := range changes {
		for _, unmapped := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, unmapped=%t", change.name, unmapped), func(t *testing.T) {
				f, path := openFile(t, content, &engine.Options{Unmapped: unmapped})
				before, err := f.Lines(ctx, 10, 20)
				if err != nil {
					t.Fatal(err)
				}
				if c, err := f.Refresh(); c != engine.Unchanged || err != nil {
					t.Fatalf("at first: %v, %v", c, err)
				}
				if err := change.make(path, bytes.Clone(content)); err != nil {
					t.Fatal(err)
				}
				got, err := f.Refresh()
				if change.name == "deleted" {
					if !errors.Is(err, fs.ErrNotExist) {
						t.Fatalf("%v, %v; want fs.ErrNotExist", got, err)
					}
					checkFile(t, f, content, kind{name: "deleted"}, tiny, selection{"tail", 3, 0}, nil)
					return
				}
				expected, ok := want[change.name]
				if !ok {
					expected = engine.Truncated
				}
				if got != expected || err != nil {
					t.Fatalf("%v, %v; want %v", got, err, expected)
				}
				now, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for _, sel := range []selection{{op: "all"}, {"tail", 3, 0}, {"lines", 5, 7}} {
					checkFile(t, f, now, kind{name: change.name}, tiny, sel, nil)
				}
				if f.Size() != int64(len(now)) {
					t.Errorf("Size = %d, want %d", f.Size(), len(now))
				}
				var b bytes.Buffer
				_, err = before.WriteTo(&b)
				if got == engine.Grown {
					want, _ := (selection{"lines", 10, 20}).reference(content)
					if err := errors.Join(err, same(b.Bytes(), want.Bytes)); err != nil {
						t.Errorf("a span from before: %v", err)
					}
				} else if !errors.Is(err, engine.ErrTruncated) || b.Len() > 0 {
					t.Errorf("a span from before: %d bytes, %v; want ErrTruncated", b.Len(), err)
				}
				if c, err := f.Refresh(); c != engine.Unchanged || err != nil {
					t.Errorf("once more: %v, %v", c, err)
				}
			})
		}
	}
}

// A file that is caught while a line, or a character, is half written.
func TestGrowingInPieces(t *testing.T) {
	t.Parallel()
	whole := []byte("one\r\n\u4e16\u754c\n\n\U0001f600 end\nlast")
	for _, unmapped := range []bool{false, true} {
		f, path := openFile(t, nil, &engine.Options{Unmapped: unmapped})
		for n := range len(whole) {
			if err := appendTo(path, whole[n:n+1]); err != nil {
				t.Fatal(err)
			}
			if c, err := f.Refresh(); c != engine.Grown || err != nil {
				t.Fatalf("at %d bytes: %v, %v", n+1, c, err)
			}
			now := whole[:n+1]
			for _, sel := range selections(3) {
				checkFile(t, f, now, kind{name: "growing"}, tiny, sel, nil)
			}
			checkCount(t, f, now)
		}
	}
}

// What is no regular file does not change.
func TestRefreshOfReaders(t *testing.T) {
	for _, f := range []*engine.File{
		engine.New("mem", bytes.NewReader([]byte("a\n")), 2, nil),
		engine.NewStream("stream", bytes.NewReader([]byte("a\n")), nil),
	} {
		if c, err := f.Refresh(); c != engine.Unchanged || err != nil {
			t.Errorf("%s: %v, %v", f.Name(), c, err)
		}
		f.Close()
		if _, err := f.Refresh(); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("%s: %v after Close", f.Name(), err)
		}
	}
}

// TestHistory lets a log live: it grows, is cut, written anew, rotated, and
// looked at after each of these.
func TestHistory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, "app.log")
		now := logs(5000).Draw(t, "content")
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(replace(path, now))
		f, err := engine.Open(path, &engine.Options{Unmapped: rapid.Bool().Draw(t, "unmapped")})
		must(err)
		defer f.Close()
		f.SetPlan(plans().Draw(t, "plan"))
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			old, sel := now, aSelection(now).Draw(t, "before")
			span, before := sel.locate(ctx, f)
			renamed := false
			switch rapid.SampledFrom([]string{"append", "append", "cut", "rewrite", "rename", "nothing"}).Draw(t, "change") {
			case "append":
				more := logs(5000).Draw(t, "more")
				must(appendTo(path, more))
				now = append(bytes.Clone(now), more...)
			case "cut":
				now = now[:rapid.IntRange(0, len(now)).Draw(t, "to")]
				must(os.Truncate(path, int64(len(now))))
			case "rewrite":
				now = logs(5000).Draw(t, "other")
				must(os.WriteFile(path, now, 0o600))
			case "rename":
				now = logs(5000).Draw(t, "other")
				renamed = true
				must(replace(path, now))
			}
			want := changeOf(old, now)
			if renamed {
				want = engine.Replaced
			}
			got, err := f.Refresh()
			if err != nil || got != want {
				t.Fatalf("%v, %v; want %v", got, err, want)
			}
			if before == nil {
				var b bytes.Buffer
				_, err := span.WriteTo(&b)
				was, _ := sel.reference(old)
				if want == engine.Replaced || want == engine.Truncated {
					if was.Lines > 0 && !errors.Is(err, engine.ErrTruncated) {
						t.Fatalf("a span from before: %v, want ErrTruncated", err)
					}
				} else if err := errors.Join(err, same(b.Bytes(), now[was.Start:was.End])); err != nil {
					t.Fatalf("a span from before: %v", err)
				}
			}
			checkFile(t, f, now, kind{name: "history"}, tiny, aSelection(now).Draw(t, "selection"), nil)
			checkCount(t, f, now)
		}
	})
}

// changeOf is what can be known of a change that was made in place.
func changeOf(old, now []byte) engine.Change {
	const seen = 256
	ends := func(b []byte) string { // of the part that was there
		return string(b[:min(seen, len(old))]) + string(b[max(0, len(old)-seen):len(old)])
	}
	switch {
	case len(now) < len(old) || ends(now) != ends(old):
		return engine.Truncated
	case len(now) > len(old):
		return engine.Grown
	}
	return engine.Unchanged
}

// A log that is cut between two looks at it, while it is being opened, is still
// a file that changes, and no stream.
func TestCutWhileOpened(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "app.log")
	stop := make(chan struct{})
	stopped := make(chan error)
	if err := os.WriteFile(path, numbered(8000), 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			if err := os.WriteFile(path, numbered(8000), 0o600); err != nil {
				stopped <- err
				return
			}
		}
	}()
	defer func() {
		close(stop)
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	}()
	for range 20_000 {
		f, err := engine.Open(path, nil)
		switch {
		case errors.Is(err, engine.ErrTruncated):
			continue
		case err != nil:
			t.Fatal(err)
		}
		if f.Size() < 0 {
			t.Fatal("a regular file was taken for a stream")
		}
		f.Close()
	}
}
