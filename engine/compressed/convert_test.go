package compressed

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"excerpt/engine"
)

// onlyIn fails if a folder has other files than these.
func onlyIn(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		if !entry.IsDir() {
			got = append(got, entry.Name())
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("there are %q, want %q", got, want)
	}
}

// TestConvert: what was converted holds the same, for every reader.
func TestConvert(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	lines := content(t, "app", 3<<19)
	texts := map[string][]byte{
		"empty": {}, "byte": []byte("x"), "lines": lines, "no line end": lines[:1<<20+7],
		"one line": bytes.Repeat([]byte("x"), 5<<19), "a frame": append(bytes.Repeat([]byte("y"), mostFrame-1), '\n'),
	}
	for name, plain := range texts {
		for _, make := range []func() []byte{
			func() []byte { return plain },
			func() []byte { return gzipped(t, 1, plain, nil) },
		} {
			path, opts := store(t, make())
			old := time.Now().Add(-time.Hour).Truncate(time.Second)
			if err := errors.Join(os.Chmod(path, 0o640), os.Chtimes(path, old, old)); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			f := mustOpen(t, path, opts, usual)
			out := path + ".zst"
			n, err := Convert(ctx, f, out, &ConvertOptions{Like: info, Cache: opts.Cache})
			if err != nil || n != int64(len(plain)) {
				t.Fatalf("%s: %d bytes, %v", name, n, err)
			}
			onlyIn(t, filepath.Dir(path), "log", "log.zst")
			now, err := os.Stat(out)
			if err != nil || !now.ModTime().Equal(old) || runtime.GOOS != "windows" && now.Mode() != info.Mode() {
				t.Errorf("%s: it is %v of %v, %v", name, now.Mode(), now.ModTime(), err)
			}
			b, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			checkFrames(t, name, b, plain)
			again := mustOpen(t, out, opts, usual)
			compare(t, again, plain, rand.New(rand.NewPCG(1, 1)), 5)
		}
	}
}

// checkFrames looks at the frames of a converted file, as a reader of zstd does
// that knows nothing of tables, and as one that goes by the table.
func checkFrames(t *testing.T, name string, b, plain []byte) {
	t.Helper()
	d, err := zstd.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if got, err := io.ReadAll(d); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("%s: %d bytes, %v", name, len(got), err)
	}
	if path, err := exec.LookPath("zstd"); err == nil {
		cmd := exec.Command(path, "-dc")
		cmd.Stdin = bytes.NewReader(b)
		if got, err := cmd.Output(); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: zstd -dc: %d bytes, %v", name, len(got), err)
		}
	}
	f := inMemory(b, usual)
	defer f.Close()
	table, err := f.findTable()
	if len(plain) == 0 {
		return
	}
	if err != nil {
		t.Fatal(name, err)
	}
	if err := f.compareTable(context.Background(), table); err != nil || !table.summed || table.size() != int64(len(plain)) {
		t.Errorf("%s: table of %d bytes, %v", name, table.size(), err)
	}
	for i, frame := range table.frames[:len(table.frames)-1] {
		next := table.frames[i+1]
		var h zstd.Header
		if err := h.Decode(b[frame.in:]); err != nil || !h.HasCheckSum {
			t.Errorf("%s: frame %d: %+v, %v", name, i, h, err)
		}
		part := plain[frame.out:next.out]
		if last := int(next.out) == len(plain); len(part) > mostFrame || len(part) == 0 ||
			!last && part[len(part)-1] != '\n' && bytes.IndexByte(part, '\n') >= 0 {
			t.Errorf("%s: frame %d has %d bytes, up to %q", name, i, len(part), part[max(0, len(part)-10):])
		}
		if got, err := f.decodeFrame(frame, next, true, make([]byte, 0, len(part))); err != nil || !bytes.Equal(got, part) {
			t.Errorf("%s: frame %d: %v", name, i, err)
		}
	}
}

// TestConvertFails: whatever goes wrong, nothing is left, and what is there stays.
func TestConvertFails(t *testing.T) {
	t.Parallel()
	plain := bytes.Repeat(content(t, "app", 3<<20), 4)
	gz := gzipped(t, 1, plain[:3<<20], nil)
	broken := bytes.Clone(gz)
	broken[len(broken)/2] ^= 1
	for _, c := range []struct {
		name  string
		b     []byte
		out   string
		opts  ConvertOptions
		while func(path string, cancel func()) // called on the way
		want  error
	}{
		{"cut", gz[:len(gz)-100], "out", ConvertOptions{}, nil, ErrDamaged},
		{"damaged", broken, "out", ConvertOptions{}, nil, ErrDamaged},
		{"cancelled", plain, "out", ConvertOptions{}, func(_ string, cancel func()) { cancel() }, context.Canceled},
		{"cut short meanwhile", plain, "out", ConvertOptions{}, func(path string, _ func()) { _ = os.Truncate(path, 9<<20) }, engine.ErrTruncated},
		{"itself", gz, "log", ConvertOptions{Replace: true}, nil, errSelf},
		{"itself, by another name", gz, "hard", ConvertOptions{Replace: true}, nil, errSelf},
		{"itself, by a link", gz, "soft", ConvertOptions{Replace: true}, nil, errSelf},
		{"there", gz, "other", ConvertOptions{}, nil, fs.ErrExist},
		{"a link to nothing", gz, "nothing", ConvertOptions{}, nil, fs.ErrExist},
		{"there, and cut", gz[:len(gz)-100], "other", ConvertOptions{Replace: true}, nil, ErrDamaged},
		{"a folder", gz, "folder", ConvertOptions{Replace: true}, nil, errSpecial},
		{"no folder", gz, "none/out", ConvertOptions{}, nil, fs.ErrNotExist},
	} {
		path, opts := store(t, c.b)
		dir := filepath.Dir(path)
		if err := errors.Join(
			os.WriteFile(filepath.Join(dir, "other"), []byte("other"), 0o600),
			os.Mkdir(filepath.Join(dir, "folder"), 0o700),
			os.Link(path, filepath.Join(dir, "hard")),
			os.Symlink("log", filepath.Join(dir, "soft")),
			os.Symlink("gone", filepath.Join(dir, "nothing")),
		); err != nil {
			t.Skip(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		c.opts.Like, c.opts.Cache = info, opts.Cache
		f := mustOpen(t, path, opts, usual)
		ctx, cancel := context.WithCancel(context.Background())
		if c.while != nil {
			ctx = engine.WithProgress(ctx, func(int64, int64) { c.while(path, cancel) })
		}
		_, err = Convert(ctx, f, filepath.Join(dir, c.out), &c.opts)
		cancel()
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), ".out-") {
			t.Errorf("%s: %v names the temporary file", c.name, err)
		}
		onlyIn(t, dir, "hard", "log", "nothing", "other", "soft")
		if b, _ := os.ReadFile(filepath.Join(dir, "other")); string(b) != "other" {
			t.Errorf("%s: the other file has %d bytes", c.name, len(b))
		}
	}
}

func TestConvertReplaces(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 100_000)
	path, opts := store(t, plain)
	out := path + ".zst"
	if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := mustOpen(t, path, opts, usual)
	if _, err := Convert(context.Background(), f, out, &ConvertOptions{Replace: true, Cache: engine.NoCache}); err != nil {
		t.Fatal(err)
	}
	compare(t, mustOpen(t, out, opts, usual), plain, rand.New(rand.NewPCG(1, 1)), 5)
	onlyIn(t, filepath.Dir(path), "log", "log.zst")
	if _, err := os.Stat(opts.Cache); err == nil {
		t.Error("something is kept of it")
	}
}

// A new file that is large is known already.
func TestConvertKeeps(t *testing.T) {
	t.Parallel()
	plain := bytes.Repeat(content(t, "app", 100_000), 90)
	path, opts := store(t, plain)
	f := mustOpen(t, path, opts, usual)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	out := path + ".zst"
	if _, err := Convert(context.Background(), f, out, &ConvertOptions{Like: info, Cache: opts.Cache}); err != nil {
		t.Fatal(err)
	}
	if again := mustOpen(t, out, opts, usual); !Verified(again) || again.Size() != int64(len(plain)) {
		t.Errorf("verified %v, size %d", Verified(again), again.Size())
	}
}

// A fullDisk takes some bytes.
type fullDisk int

var errFull = errors.New("no space left")

func (d *fullDisk) Write(p []byte) (int, error) {
	if *d -= fullDisk(len(p)); *d < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// A disk that is full at any moment is an error, and nothing waits for ever.
func TestConvertFullDisk(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 60_000)
	for room := fullDisk(0); ; room += 997 {
		disk := room
		w, err := newFrameWriter(&disk, 4<<10)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = w.Write(plain); err != nil {
			w.stop()
		} else {
			err = w.close()
		}
		if err == nil {
			if room < 10_000 {
				t.Errorf("all is in %d bytes", room)
			}
			break
		}
		if !errors.Is(err, errFull) {
			t.Fatalf("room for %d: %v", room, err)
		}
	}
	// The same of a file: one that can't be written to.
	path, _ := store(t, nil)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	f := engine.New("text", bytes.NewReader(plain), int64(len(plain)), nil)
	if _, err := writeSeekable(context.Background(), f, file); err == nil {
		t.Error("it is written to a file that can't be")
	}
}

// TestConvertVerifies: what is not on the disk as it was read is not accepted.
func TestConvertVerifies(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	plain := content(t, "app", 100_000)
	var b bytes.Buffer
	w, err := newFrameWriter(&b, 16<<10)
	if err != nil {
		t.Fatal(err)
	}
	must(t, w.Write, plain)
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	want, err := summarize(ctx, engine.New("text", bytes.NewReader(plain), int64(len(plain)), nil), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	check := func(b []byte) error {
		path, _ := store(t, b)
		return verify(ctx, path, want, engine.NoCache)
	}
	if err := check(b.Bytes()); err != nil {
		t.Error(err)
	}
	for i := 0; i < b.Len()-400; i += stride(b.Len() / 50) {
		bad := bytes.Clone(b.Bytes())
		bad[i] ^= 4
		if err := check(bad); err == nil {
			t.Errorf("byte %d of %d was changed", i, b.Len())
		}
		if err := check(bad[:i]); err == nil {
			t.Errorf("it ends at %d of %d", i, b.Len())
		}
	}
	plain[50_000] ^= 1
	if err := check(zstdFrame(t, plain)); !errors.Is(err, errWritten) {
		t.Errorf("another text: %v", err)
	}
}
