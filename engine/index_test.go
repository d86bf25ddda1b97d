package engine_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"excerpt/corpus"
	"excerpt/engine"
	"excerpt/engine/internal/reference"
	"excerpt/engine/internal/scan"
)

// history is a log that lives on a disk, and is looked at between the changes
// by whoever has looked at it before, and by others that find their sidecars.
type history struct {
	t     *rapid.T
	dir   string
	path  string
	now   []byte
	saved []byte // an old copy
	cache string
	open  []*engine.File
}

func (h *history) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// openAnother opens the log as another program does.
func (h *history) openAnother() *engine.File {
	f, err := engine.Open(h.path, &engine.Options{Unmapped: rapid.Bool().Draw(h.t, "unmapped"), Cache: h.cache})
	h.must(err)
	f.SetPlan(plans().Draw(h.t, "plan"))
	f.SetSizes(1<<rapid.IntRange(0, 6).Draw(h.t, "step"), rapid.Int64Range(0, 64).Draw(h.t, "near"), rapid.Int64Range(1, 256).Draw(h.t, "keep"))
	return f
}

func (h *history) change() {
	h.t.Helper()
	before, err := os.Stat(h.path)
	h.must(err)
	timeOf := func(info fs.FileInfo) { h.must(os.Chtimes(h.path, info.ModTime(), info.ModTime())) }
	other := func(size int) []byte { // of that size
		b := logs(3000).Draw(h.t, "other")
		for len(b) < size {
			b = append(b, b...)
			b = append(b, 'x')
		}
		return b[:size]
	}
	switch what := rapid.SampledFrom([]string{
		"append", "append", "append half a line", "truncate", "copytruncate and regrow", "same size and time",
		"same size, time and file", "a byte and the time", "rename", "touch", "save", "restore", "restore in place",
	}).Draw(h.t, "change"); what {
	case "append":
		more := logs(3000).Draw(h.t, "more")
		h.must(appendTo(h.path, more))
		h.now = append(bytes.Clone(h.now), more...)
	case "append half a line":
		h.must(appendTo(h.path, []byte("half")))
		h.now = append(bytes.Clone(h.now), "half"...)
	case "truncate":
		h.now = h.now[:rapid.IntRange(0, len(h.now)).Draw(h.t, "to")]
		h.must(os.Truncate(h.path, int64(len(h.now))))
	case "copytruncate and regrow":
		h.must(os.Truncate(h.path, 0))
		h.now = other(len(h.now) + rapid.IntRange(0, 3000).Draw(h.t, "further"))
		h.must(appendTo(h.path, h.now))
	case "same size and time":
		h.now = other(len(h.now))
		h.must(replace(h.path, h.now))
		timeOf(before)
	case "same size, time and file":
		h.now = other(len(h.now))
		h.must(os.WriteFile(h.path, h.now, 0o600))
		timeOf(before)
	case "a byte and the time":
		if len(h.now) == 0 {
			return
		}
		h.now = bytes.Clone(h.now)
		h.now[rapid.IntRange(0, len(h.now)-1).Draw(h.t, "at")] ^= '\n' ^ 'x'
		h.must(os.WriteFile(h.path, h.now, 0o600))
		timeOf(before)
	case "rename":
		path := filepath.Join(h.dir, rapid.SampledFrom([]string{"app.log", "app.log.1"}).Draw(h.t, "name"))
		h.must(os.Rename(h.path, path))
		h.path = path
		for _, f := range h.open {
			f.Close()
		}
		h.open = nil
	case "touch":
		h.must(os.Chtimes(h.path, time.Now(), time.Now()))
	case "save":
		h.saved = h.now
		h.must(replace(h.path+".old", h.now))
		h.must(os.Chtimes(h.path+".old", before.ModTime(), before.ModTime()))
	case "restore", "restore in place":
		if h.saved == nil {
			return
		}
		old, err := os.Stat(h.path + ".old")
		if err != nil {
			return // under another name
		}
		h.now = h.saved
		if what == "restore" {
			h.must(replace(h.path, h.now))
		} else {
			h.must(os.WriteFile(h.path, h.now, 0o600))
		}
		timeOf(old)
	}
}

// look compares what is found with the index of whoever looked before, and
// with the sidecar.
func (h *history) look() {
	h.t.Helper()
	for _, f := range h.open {
		_, err := f.Refresh()
		h.must(err)
	}
	if len(h.open) == 0 || rapid.Bool().Draw(h.t, "another") {
		h.open = append(h.open, h.openAnother())
	}
	for _, f := range h.open {
		for range rapid.IntRange(0, 3).Draw(h.t, "selections") {
			checkFile(h.t, f, h.now, kind{name: "history"}, tiny, aSelection(h.now).Draw(h.t, "selection"), nil)
		}
		if rapid.Bool().Draw(h.t, "count") {
			checkCount(h.t, f, h.now)
		}
		if rapid.IntRange(0, 9).Draw(h.t, "index") == 0 {
			_, err := f.BuildIndex(ctx)
			h.must(err)
		}
	}
}

// TestIndexHistory: whatever becomes of a file, its index never gives a wrong
// line.
func TestIndexHistory(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "")
		h := &history{t: t, dir: dir, path: filepath.Join(dir, "app.log"), cache: filepath.Join(dir, "cache")}
		h.must(err)
		h.now = logs(5000).Draw(t, "content")
		h.must(os.WriteFile(h.path, h.now, 0o600))
		h.look()
		for range rapid.IntRange(1, 10).Draw(t, "changes") {
			h.change()
			h.look()
		}
		for _, f := range h.open {
			f.Close()
		}
		h.must(os.RemoveAll(dir))
	})
}

// indexed writes a log and a sidecar of it, and returns the sidecar's path.
func indexed(t *testing.T, content []byte) (path, cache, sidecar string) {
	t.Helper()
	cache = t.TempDir()
	f, path := openFile(t, content, &engine.Options{Cache: cache})
	f.SetSizes(64, 16, 1<<40)
	made, err := f.BuildIndex(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if made.Covers != engine.Offset(len(content)) || made.Ends != int64(bytes.Count(content, []byte("\n"))) || made.Stale {
		t.Fatalf("%+v", made)
	}
	return path, cache, made.Path
}

// right opens a log with what is in the cache, and compares it.
func right(t *testing.T, path, cache string, content []byte) {
	t.Helper()
	f, err := engine.Open(path, &engine.Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.SetSizes(64, 16, 64)
	want, err := reference.Count(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for n := engine.LineNumber(want); n > 0; n = n * 2 / 3 {
		span, err := f.Lines(ctx, n, n)
		if err != nil {
			t.Fatal(err)
		}
		ref, err := reference.Lines(bytes.NewReader(content), int64(n), int64(n))
		if err != nil {
			t.Fatal(err)
		}
		if start, end := span.Offsets(); int64(start) != ref.Start || int64(end) != ref.End {
			t.Fatalf("line %d: %d to %d, want %d to %d", n, start, end, ref.Start, ref.End)
		}
	}
	if got, err := f.Count(ctx); got != want || err != nil {
		t.Fatalf("Count = %d, %v; want %d", got, err, want)
	}
}

// TestDamagedSidecar: each byte another one, and each length.
func TestDamagedSidecar(t *testing.T) {
	t.Parallel()
	content := numbered(200)
	path, cache, sidecar := indexed(t, content)
	good, err := os.ReadFile(sidecar)
	if err != nil {
		t.Fatal(err)
	}
	try := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(sidecar, b, 0o600); err != nil {
			t.Fatal(err)
		}
		right(t, path, cache, content)
	}
	for i := range good {
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := bytes.Clone(good)
			bad[i] ^= flip
			try(bad)
		}
		try(good[:i])
		try(append(bytes.Clone(good), good[:i+1]...))
	}
	words := bytes.Clone(good) // of a machine that writes numbers the other way round
	for i := 0; i+8 <= len(words); i += 8 {
		for a, b := i, i+7; a < b; a, b = a+1, b-1 {
			words[a], words[b] = words[b], words[a]
		}
	}
	try(words)
	try(nil)
}

// TestNoPlaceForSidecars: an error only for who asked for the index itself.
func TestNoPlaceForSidecars(t *testing.T) {
	t.Parallel()
	content := numbered(500)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, cache := range []string{file, filepath.Join(file, "below"), "/proc/nowhere", "/dev/full/x"} {
		f, path := openFile(t, content, &engine.Options{Cache: cache})
		f.SetSizes(64, 16, 64)
		if made, err := f.BuildIndex(ctx); err == nil {
			t.Errorf("%s: %+v", cache, made)
		}
		right(t, path, cache, content)
		if _, err := f.StatIndex(); err == nil {
			t.Errorf("%s: there is one", cache)
		}
	}
	f, _ := openFile(t, content, &engine.Options{Cache: engine.NoCache})
	if _, err := f.BuildIndex(ctx); err == nil {
		t.Error("kept, with NoCache")
	}
}

// TestSidecarOfAnother: a sidecar under the name of one of another file.
func TestSidecarOfAnother(t *testing.T) {
	t.Parallel()
	one, two := numbered(300), bytes.ReplaceAll(numbered(300), []byte("\n"), []byte("\n\n"))
	path, cache, sidecar := indexed(t, one)
	_, _, other := indexed(t, two)
	b, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(sidecar, b, 0o600); err != nil {
		t.Fatal(err)
	}
	right(t, path, cache, one)
}

// TestIndexIsFound: by another File, under another name, after growth; and it
// is said when it fits no more.
func TestIndexIsFound(t *testing.T) {
	t.Parallel()
	content := numbered(1000)
	path, cache, _ := indexed(t, content)
	stat := func() (engine.Index, error) {
		f, err := engine.Open(path, &engine.Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		return f.StatIndex()
	}
	if x, err := stat(); err != nil || x.Stale || x.Covers != engine.Offset(len(content)) {
		t.Errorf("%+v, %v", x, err)
	}
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	path += ".1"
	if x, err := stat(); err != nil || x.Stale {
		t.Errorf("renamed: %+v, %v", x, err)
	}
	if err := appendTo(path, numbered(10)); err != nil {
		t.Fatal(err)
	}
	if x, err := stat(); err != nil || x.Stale {
		t.Errorf("grown: %+v, %v", x, err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if x, err := stat(); err != nil || !x.Stale {
		t.Errorf("cut short: %+v, %v", x, err)
	}
	f, err := engine.Open(path, &engine.Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.DropIndex(); err != nil {
		t.Error(err)
	}
	if err := f.DropIndex(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("dropped twice: %v", err)
	}
	if x, err := f.StatIndex(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("dropped: %+v, %v", x, err)
	}
}

// reads is a reader that tells how much was read of it.
type reads struct {
	*bytes.Reader
	mu    sync.Mutex
	bytes int
}

func (r *reads) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.Reader.ReadAt(p, off)
	r.mu.Lock()
	r.bytes += n
	r.mu.Unlock()
	return n, err
}

// TestIndexSpares: what was counted once is not read again.
func TestIndexSpares(t *testing.T) {
	t.Parallel()
	content := numbered(30_000_000)
	r := &reads{Reader: bytes.NewReader(content)}
	f := engine.New("mem", r, int64(len(content)), nil)
	defer f.Close()
	n, err := f.Count(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r.bytes = 0
	for range 3 {
		if again, err := f.Count(ctx); again != n || err != nil {
			t.Fatal(again, err)
		}
	}
	if r.bytes > 16 {
		t.Errorf("%d bytes were read for the number of lines", r.bytes)
	}
	for line := engine.LineNumber(1); line < engine.LineNumber(n); line += 277_777 {
		r.bytes = 0
		span, err := f.Lines(ctx, line, line)
		if err != nil {
			t.Fatal(err)
		}
		if r.bytes > 512<<10 {
			t.Errorf("line %d: %d bytes were read", line, r.bytes)
		}
		r.bytes = 0
		tail, err := f.Tail(ctx, n-int64(line)+1)
		if err != nil {
			t.Fatal(err)
		}
		r.bytes = 0
		if got, err := tail.Number(ctx); got != line || err != nil {
			t.Fatalf("the tail begins with line %d, %v; want %d", got, err, line)
		}
		if a, _ := span.Offsets(); r.bytes > 512<<10 {
			t.Errorf("the number of line %d at %d: %d bytes were read", line, a, r.bytes)
		}
	}
}

// TestSidecarByItself: a large log leaves one, and it is used.
func TestSidecarByItself(t *testing.T) {
	if testing.Short() {
		t.Skip("100 MiB")
	}
	t.Parallel()
	cache := t.TempDir()
	path, err := corpus.File(ctx, t.TempDir(), "app", 1, 100<<20)
	if err != nil {
		t.Fatal(err)
	}
	var counts []int64
	for range 2 {
		f, err := engine.Open(path, &engine.Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var done []int64
		n, err := f.Count(engine.WithProgress(ctx, func(at, _ int64) { done = append(done, at) }))
		if err != nil {
			t.Fatal(err)
		}
		if counts = append(counts, n); len(counts) == 2 && len(done) > 0 {
			t.Errorf("it was counted again, at %d", done)
		}
		x, err := f.StatIndex()
		if err != nil || x.Covers != 100<<20 || x.Stale || x.Bytes > 100<<20*5/100_000 {
			t.Errorf("%+v, %v", x, err)
		}
	}
	if counts[0] != counts[1] {
		t.Error(counts)
	}
}

// TestManyReadersOfOneIndex: a hundred while it is built, and built again.
func TestManyReadersOfOneIndex(t *testing.T) {
	t.Parallel()
	content := numbered(100_000)
	lines := bytes.Count(content, []byte("\n"))
	f, path := openFile(t, content, &engine.Options{Cache: t.TempDir()})
	f.SetSizes(64, 16, 256)
	var wg sync.WaitGroup
	stop, cancel := context.WithCancel(ctx)
	wg.Go(func() {
		for stop.Err() == nil {
			if _, err := f.BuildIndex(ctx); err != nil {
				t.Error(err)
			}
			if err := os.Chtimes(path, time.Now(), time.Now()); err != nil { // all is to be counted again
				t.Error(err)
			}
		}
	})
	var readers sync.WaitGroup
	for i := range 100 {
		readers.Go(func() {
			for j := range 20 {
				n := engine.LineNumber(1 + (i*7919+j*104729)%lines)
				span, err := f.Lines(ctx, n, n)
				if err != nil {
					t.Error(err)
					return
				}
				ref, _ := reference.Lines(bytes.NewReader(content), int64(n), int64(n))
				if start, _ := span.Offsets(); int64(start) != ref.Start {
					t.Errorf("line %d at %d, want %d", n, start, ref.Start)
				}
			}
		})
	}
	readers.Wait()
	cancel()
	wg.Wait()
}

// TestOverwrittenInTheMiddle: where no sample is, but at a new time.
func TestOverwrittenInTheMiddle(t *testing.T) {
	t.Parallel()
	content := numbered(1 << 20)
	for _, again := range []bool{false, true} { // by who knows the file
		cache := t.TempDir()
		f, path := openFile(t, content, &engine.Options{Cache: cache})
		f.SetSizes(256, 16, 256)
		if _, err := f.BuildIndex(ctx); err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(content)
		copy(changed[5000:], "\n\n\n\n\n\n\n\n\n")
		time.Sleep(50 * time.Millisecond)
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt(changed[5000:5009], 5000); err != nil {
			t.Fatal(err)
		}
		file.Close()
		if again {
			checkCount(t, f, changed)
		} else {
			right(t, path, cache, changed)
		}
	}
}

// TestIndexOfCancelled: what was counted before a context ended is known.
func TestIndexOfCancelled(t *testing.T) {
	t.Parallel()
	content := numbered(1 << 20)
	f, _ := openFile(t, content, &engine.Options{Cache: engine.NoCache})
	f.SetPlan(scan.Plan{Workers: 1, Stripe: 8192, Block: 4096})
	f.SetSizes(256, 16, 1<<40)
	stopped, cancel := context.WithCancel(ctx)
	_, err := f.Count(engine.WithProgress(stopped, func(done, total int64) {
		if done > total/2 {
			cancel()
		}
	}))
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	first := int64(0)
	n, err := f.Count(engine.WithProgress(ctx, func(done, _ int64) {
		if first == 0 {
			first = done
		}
	}))
	if want, _ := reference.Count(bytes.NewReader(content)); n != want || err != nil {
		t.Errorf("Count = %d, %v; want %d", n, err, want)
	}
	if first < 1<<19 {
		t.Errorf("it was counted again from %d on", first)
	}
}

// TestOverwrittenWhileCounted: a file that is appended to while it is counted,
// and overwritten while it is counted for the second time, is not known after.
func TestOverwrittenWhileCounted(t *testing.T) {
	t.Parallel()
	content := numbered(2 << 20)
	cache := t.TempDir()
	f, path := openFile(t, content, &engine.Options{Cache: cache})
	f.SetPlan(scan.Plan{Workers: 1, Stripe: 64 << 10, Block: 16 << 10})
	f.SetSizes(4096, 1024, 1<<20)
	w, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	now := bytes.Clone(content)
	grow := func() {
		if _, err := w.WriteAt([]byte("more\n"), int64(len(now))); err != nil {
			t.Error(err)
		}
		now = append(now, "more\n"...)
	}
	last, pass, overwritten := int64(len(content)), 0, false
	_, err = f.Count(engine.WithProgress(ctx, func(done, _ int64) {
		if done <= last {
			if pass++; pass == 1 {
				grow()
			}
		}
		last = done
		if pass == 2 && done > 1<<20 && !overwritten {
			overwritten = true
			lines := bytes.Repeat([]byte("\n"), 128<<10)
			copy(now[64<<10:], lines)
			if _, err := w.WriteAt(lines, 64<<10); err != nil {
				t.Error(err)
			}
			grow()
		}
	}))
	if err != nil || !overwritten {
		t.Fatalf("%v, overwritten: %t", err, overwritten)
	}
	if c, err := f.Refresh(); c != engine.Grown || err != nil {
		t.Fatal(c, err)
	}
	checkCount(t, f, now)
	right(t, path, cache, now)
}

// TestDropWhileActive: a sidecar that was removed is not missed, though the
// log is being written.
func TestDropWhileActive(t *testing.T) {
	t.Parallel()
	content := numbered(100_000)
	f, path := openFile(t, content, &engine.Options{Cache: t.TempDir()})
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := appendTo(path, []byte("x\n")); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for range 50 {
		if _, err := f.BuildIndex(ctx); err != nil {
			t.Error(err)
		}
		if err := f.DropIndex(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}
