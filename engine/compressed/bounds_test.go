package compressed

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"excerpt/engine"
	"excerpt/engine/internal/sidecar"
	"excerpt/engine/internal/source"
)

// zeroReader gives zeros.
type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// bomb returns a file of few bytes that holds n zeros.
func bomb(t testing.TB, format Format, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch format {
	case Gzip:
		w, _ = gzip.NewWriterLevel(&b, 9)
	case Zstd:
		w, _ = zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	default:
		w = s2.NewWriter(&b, s2.WriterBlockSize(4<<20))
	}
	if _, err := io.CopyN(w, zeroReader{}, n); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// peak returns the largest heap while fn runs, beyond what was there before.
func peak(fn func()) uint64 {
	debug.FreeOSMemory()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	done, most := make(chan struct{}), make(chan uint64)
	go func() {
		largest := uint64(0)
		for {
			select {
			case <-done:
				most <- largest
				return
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&now)
				if now.HeapAlloc > before.HeapAlloc {
					largest = max(largest, now.HeapAlloc-before.HeapAlloc)
				}
			}
		}
	}()
	fn()
	close(done)
	return <-most
}

// Not parallel: it looks at the memory of the program.
func TestBombs(t *testing.T) {
	if raceEnabled {
		t.Skip("the detector takes memory too")
	}
	ctx := context.Background()
	for _, format := range []Format{Gzip, Zstd, S2} {
		n := int64(128 << 20)
		if *every {
			n = 512 << 20
		}
		b := bytes.Repeat(bomb(t, format, n/4), 4)
		path, opts := store(t, b)
		most := peak(func() {
			for range 2 {
				f := mustOpen(t, path, opts, usual)
				if lines, err := f.Count(ctx); err != nil || lines != 1 {
					t.Errorf("%v: %d lines, %v", format, lines, err)
				}
				if _, err := f.Tail(ctx, 10); err != nil {
					t.Error(err)
				}
				span, err := f.Bytes(ctx, -100<<20, engine.LastOffset)
				if err != nil {
					t.Fatal(err)
				}
				if n, err := span.WriteTo(io.Discard); n != 100<<20 || err != nil {
					t.Errorf("%d bytes, %v", n, err)
				}
				_ = f.Close()
			}
		})
		t.Logf("%v: %d to 1, %d MiB", format, n/int64(len(b)), most>>20)
		if most > 52<<20 {
			t.Errorf("%v: %d MiB", format, most>>20)
		}
	}
}

// A file of very many members costs little for each of them.
func TestManyMembers(t *testing.T) {
	const members = 10_000
	b := bytes.Repeat(gzipped(t, 6, []byte("a\n"), nil), members)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := inMemory(b, usual)
	got, err := readAll(f)
	runtime.ReadMemStats(&after)
	if err != nil || len(got) != 2*members {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / members; each > 4<<10 {
		t.Errorf("%d bytes for each member", each)
	}
}

// What stands before the data of a member is bounded, though it has no data.
func TestLongNames(t *testing.T) {
	const name, comment = 8, 16
	for _, flags := range []byte{name, comment} {
		for size, want := range map[int]error{longestName: nil, longestName + 1: errHeader, 10 * longestName: errHeader} {
			b := []byte{0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3}
			b = append(b, bytes.Repeat([]byte("n"), size)...)
			b = append(b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0) // of no data
			if _, err := readAll(inMemory(b, usual)); !errors.Is(err, want) {
				t.Errorf("flags %d, %d bytes: %v, want %v", flags, size, err, want)
			}
		}
	}
}

// Where nothing is wanted, nothing is decoded.
func TestTailOfNothing(t *testing.T) {
	ctx := context.Background()
	plain := content(t, "app", 300_000)
	path, opts := store(t, gzipped(t, 6, plain, nil))
	f := mustOpen(t, path, opts, usual)
	tail, err := f.Tail(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	n, err := tail.WriteTo(io.Discard)
	text, wrong := tail.Text(engine.Limits{Lines: 10, Bytes: 100})
	if err != nil || wrong != nil || n != 0 || len(text.Data) > 0 || text.Lines != 0 || text.Cut != 0 {
		t.Errorf("%d bytes, %v; %+v, %v", n, err, text, wrong)
	}
	for line, err := range tail.All() {
		t.Errorf("a line: %v, %v", line, err)
	}
	if known := sourceOf(f).table.known(); known > 0 {
		t.Errorf("%d bytes were decoded", known)
	}
	if start, end := tail.Offsets(); start != engine.LastOffset || end != engine.LastOffset {
		t.Errorf("from %d to %d, though nobody knows that yet", start, end)
	}
	lines, err := f.Count(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if start, end := tail.Offsets(); int(start) != len(plain) || start != end {
		t.Errorf("from %d to %d of %d", start, end, len(plain))
	}
	if text, err := tail.Text(engine.Limits{Lines: 10, Bytes: 100}); err != nil || int(text.Start) != len(plain) || text.End != text.Start {
		t.Errorf("%+v, %v", text, err)
	}
	if number, err := tail.Number(ctx); err != nil || int64(number) != lines+1 {
		t.Errorf("line %d of %d, %v", number, lines, err)
	}
}

// Not parallel: it looks at the memory of the program. More processors take no
// more memory, to convert or to verify.
func TestConvertMemory(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("the detector takes memory too")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	path, opts := store(t, bytes.Repeat(content(t, "app", 2<<20), 40))
	f := mustOpen(t, path, opts, usual)
	most := peak(func() {
		if _, err := Convert(context.Background(), f, path+".zst", &ConvertOptions{Cache: opts.Cache}); err != nil {
			t.Error(err)
		}
	})
	t.Logf("%d MiB", most>>20)
	if most > 56<<20 {
		t.Errorf("%d MiB", most>>20)
	}
}

// zstdLie returns a frame whose header says what it says, and of which there is
// little.
func zstdLie(window byte, contentSize uint64) []byte {
	b := []byte("\x28\xb5\x2f\xfd")
	if contentSize > 0 {
		b = append(b, 3<<6|1<<5) // a single segment, its size in 8 bytes
		b = binary.LittleEndian.AppendUint64(b, contentSize)
	} else {
		b = append(b, 0, window)
	}
	return append(b, 5<<3, 0, 0, 'h', 'e', 'l', 'l', 'o') // a raw block that is not the last
}

func TestLies(t *testing.T) {
	for _, lie := range []struct {
		name string
		b    []byte
		most uint64
	}{
		{"a window of 512 MiB", zstdLie((29-10)<<3, 0), 4},
		{"60 GiB in one segment", zstdLie(0, 60<<30), 4},
		{"128 MiB in one segment", zstdLie(0, 128<<20), 130},
		{"a window of 128 MiB", zstdLie((27-10)<<3, 0), 130},
		{"a skippable frame of 4 GiB", []byte("\x50\x2a\x4d\x18\xff\xff\xff\xffabc"), 4},
		{"an s2 chunk of 16 MiB", []byte("\xff\x06\x00\x00S2sTwO\x00\xff\xff\xffabcdefgh"), 4},
	} {
		var err error
		most := peak(func() {
			f := inMemory(lie.b, usual)
			_, err = readAll(f)
			_ = f.Close()
		})
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v", lie.name, err)
		}
		if most>>20 > lie.most && !raceEnabled {
			t.Errorf("%s: %d MiB", lie.name, most>>20)
		}
	}
}

func TestCancel(t *testing.T) {
	for _, format := range []Format{Gzip, Zstd, S2} {
		b := bytes.Repeat(bomb(t, format, 64<<20), 80)
		path, opts := store(t, b)
		f := mustOpen(t, path, opts, usual)
		for _, op := range []func(context.Context) error{
			func(ctx context.Context) error { _, err := f.Count(ctx); return err },
			func(ctx context.Context) error { _, err := f.Tail(ctx, 5); return err },
			func(ctx context.Context) error {
				span, err := f.All(ctx)
				if err == nil {
					_, err = span.WriteTo(io.Discard)
				}
				return err
			},
		} {
			ctx, cancel := context.WithCancel(context.Background())
			var cancelled time.Time
			time.AfterFunc(30*time.Millisecond, func() { cancelled = time.Now(); cancel() })
			err := op(ctx)
			if late := time.Since(cancelled); !errors.Is(err, context.Canceled) || late > 100*time.Millisecond {
				t.Errorf("%v: %v, %v after it was cancelled", format, err, late)
			}
		}
		done := make(chan error)
		go func() { _, err := f.Count(context.Background()); done <- err }()
		time.Sleep(20 * time.Millisecond)
		_ = f.Close()
		if err := <-done; !errors.Is(err, engine.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	}
	for name, b := range map[string][]byte{ // what no decoder returns from for long
		"empty blocks of zstd":               append([]byte("\x28\xb5\x2f\xfd\x00\x58"), make([]byte, 60_000_000)...),
		"empty blocks of a small zstd frame": append([]byte("\x28\xb5\x2f\xfd\x20\x02"), make([]byte, 60_000_000)...),
		"empty blocks of gzip":               append([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"), bytes.Repeat([]byte("\x00\x00\x00\xff\xff"), 30_000_000)...),
	} {
		f := inMemory(b, usual)
		done := make(chan error)
		go func() { _, err := f.Fill(context.Background(), 1, nil); done <- err }()
		time.Sleep(20 * time.Millisecond)
		closed := time.Now()
		f.Stop()
		if err := <-done; !errors.Is(err, source.ErrClosed) || time.Since(closed) > 100*time.Millisecond {
			t.Errorf("%s: %v, %v after it was closed", name, err, time.Since(closed))
		}
	}
	// Nothing that gives no bytes goes on for ever.
	empty := bytes.Repeat(gzipped(t, 6, nil, nil), 2_000_000)
	f := inMemory(empty, usual)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := f.Fill(ctx, 1, nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 120*time.Millisecond {
		t.Errorf("empty members: %v after %v", err, time.Since(start))
	}
}

// TestReaders: many read at once what is not known yet, and what is.
func TestReaders(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 300_000)
	for _, p := range chosen() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			b := p.make(t, plain)
			if b == nil {
				t.SkipNow()
			}
			path, opts := store(t, b)
			for range 2 {
				f := mustOpen(t, path, opts, small)
				var wg sync.WaitGroup
				for i := range 6 {
					wg.Go(func() {
						rng := rand.New(rand.NewPCG(uint64(i), 1))
						if i < 2 {
							compare(t, f, plain, rng, 5)
							return
						}
						off := 0
						for range 20 {
							if i < 4 {
								off = rng.IntN(len(plain))
							}
							got := make([]byte, 1+rng.IntN(60_000))
							n, err := f.ReadAt(got, int64(off))
							if want := plain[off:min(len(plain), off+len(got))]; !bytes.Equal(got[:n], want) || n < len(got) && err != io.EOF {
								t.Errorf("at %d: %d bytes, %v", off, n, err)
							}
							off = min(off+n, len(plain)-1)
						}
					})
				}
				wg.Wait()
				_ = f.Close()
			}
		})
	}
}

// TestChanges: a file that is changed, has grown or is another one is noticed.
func TestChanges(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	plain := content(t, "app", 400_000)
	more := content(t, "json", 100_000)
	gz := func(b []byte) []byte { return gzipped(t, 6, b, nil) }
	path, opts := store(t, gz(plain))
	f := mustOpen(t, path, opts, small)
	compare(t, f, plain, rand.New(rand.NewPCG(1, 1)), 10)
	if x, err := f.BuildIndex(ctx); err != nil || x.Stale || x.Covers != engine.Offset(len(plain)) || x.Bytes == 0 {
		t.Errorf("%+v, %v", x, err)
	}

	// It grows by a member.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	must(t, file.Write, gz(more))
	_ = file.Close()
	old, err := f.Head(ctx, 5)
	if err != nil {
		t.Fatal(err)
	}
	if change, err := f.Refresh(); change != engine.Grown || err != nil {
		t.Errorf("%v, %v", change, err)
	}
	both := append(bytes.Clone(plain), more...)
	compare(t, f, both, rand.New(rand.NewPCG(1, 2)), 10)
	if _, err := old.WriteTo(io.Discard); err != nil {
		t.Errorf("an older span: %v", err)
	}
	compare(t, mustOpen(t, path, opts, small), both, rand.New(rand.NewPCG(1, 3)), 10)

	// It is written anew, in place, of the same size.
	other := content(t, "app", 520_000)
	b := gz(other[20_000:])
	size := len(gz(plain)) + len(gz(more))
	b = append(b, make([]byte, max(0, size-len(b)))...)
	if err := os.WriteFile(path, b, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tail(ctx, 1); !errors.Is(err, engine.ErrTruncated) {
		t.Errorf("written anew: %v", err)
	}
	if change, err := f.Refresh(); change != engine.Truncated || err != nil {
		t.Errorf("%v, %v", change, err)
	}
	compare(t, f, other[20_000:], rand.New(rand.NewPCG(1, 4)), 10)

	// It becomes plain.
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, more, 0o600); err != nil {
		t.Fatal(err)
	}
	if change, err := f.Refresh(); change != engine.Replaced || err != nil {
		t.Errorf("%v, %v", change, err)
	}
	compare(t, f, more, rand.New(rand.NewPCG(1, 5)), 10)
	if FormatOf(f) != Plain || !Verified(f) {
		t.Errorf("%v", FormatOf(f))
	}

	// The one that was renamed keeps its sidecar.
	renamed := mustOpen(t, path+".1", opts, small)
	if renamed.Size() < 0 {
		t.Error("its sidecar was lost by a rename")
	}
	compare(t, renamed, other[20_000:], rand.New(rand.NewPCG(1, 6)), 10)
	if err := renamed.DropIndex(); err != nil {
		t.Error(err)
	}
	if _, err := renamed.StatIndex(); err == nil {
		t.Error("the sidecar is still there")
	}
}

// A damaged sidecar, or another file's, is not used.
func TestSidecar(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 100_000)
	b := gzipped(t, 6, plain, nil)
	f := inMemory(b, tiny)
	defer f.Close()
	if _, err := f.Fill(context.Background(), 1<<40, nil); err != nil {
		t.Fatal(err)
	}
	body, states, err := f.appendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	rest := bytes.Join(states, nil)
	size := int64(len(rest))
	if _, _, _, ok := f.parse(body, size); !ok {
		t.Fatal("it is not taken")
	}
	for _, other := range []int64{0, size - 1, size + 1} {
		if _, _, _, ok := f.parse(body, other); ok {
			t.Errorf("states of %d bytes, not %d: taken", other, size)
		}
	}
	for n := range len(body) {
		if _, _, _, ok := f.parse(body[:n], size); ok {
			t.Errorf("cut at %d of %d: taken", n, len(body))
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 / stride(1) {
		bad := bytes.Clone(body)
		for range 1 + rng.IntN(3) {
			bad[rng.IntN(len(bad))] = byte(rng.Uint32())
		}
		table, _, _, ok := f.parse(bad, size)
		if !ok {
			continue
		}
		// It passed for one, which its checksum would not let it: no harm.
		g := inMemory(b, tiny)
		g.table, g.err, g.size, g.limit = table, io.EOF, table.known(), table.known()
		g.rest = &sidecar.Rest{SectionReader: io.NewSectionReader(bytes.NewReader(rest), 0, size)}
		if got, err := readAll(g); err == nil && !bytes.Equal(got, plain) {
			t.Fatalf("%d wrong bytes", len(got))
		}
		_ = g.Close()
	}
}

// TestSidecarDamaged: whatever becomes of a sidecar, before a file is opened or
// while it is, what is read of that is right.
func TestSidecarDamaged(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	plain := content(t, "app", 120_000)
	read := func(t *testing.T, f *engine.File, at string) {
		t.Helper()
		last := make([]byte, 100)
		if _, err := f.ReadAt(last, int64(len(plain)-len(last))); err != nil || !bytes.Equal(last, plain[len(plain)-len(last):]) {
			t.Fatalf("%s: the end is %q, %v", at, last, err)
		}
		all, err := f.All(ctx)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		var got bytes.Buffer
		if _, err := all.WriteTo(&got); err != nil || !bytes.Equal(got.Bytes(), plain) {
			t.Fatalf("%s: %d bytes of %d, %v", at, got.Len(), len(plain), err)
		}
	}
	for _, p := range chosen() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			b := p.make(t, plain)
			if b == nil || p.format != Gzip && p.format != Zstd { // others have no states
				t.SkipNow()
			}
			path, opts := store(t, b)
			f := mustOpen(t, path, opts, small)
			x, err := f.BuildIndex(ctx)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := os.ReadFile(x.Path)
			if err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
			replace := func(b []byte) {
				_ = os.Remove(x.Path) // who has it open keeps it
				if err := os.WriteFile(x.Path, b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for i := 0; i < len(kept); i += 1 + len(kept)/(40/stride(1)+1) {
				bad := bytes.Clone(kept)
				bad[i] ^= 0x55
				for _, b := range [][]byte{bad, kept[:i], append(bytes.Clone(kept), bad[:i]...)} {
					replace(b)
					f := mustOpen(t, path, opts, small)
					read(t, f, fmt.Sprintf("at %d of %d", i, len(kept)))
					_ = f.Close()
				}
			}
			for what, change := range map[string]func() error{
				"removed":  func() error { return os.Remove(x.Path) },
				"replaced": func() error { replace([]byte("other")); return nil },
				"zeroed":   func() error { return os.WriteFile(x.Path, make([]byte, len(kept)), 0o600) },
				"cut":      func() error { return os.Truncate(x.Path, int64(len(kept)/4)) },
			} {
				replace(kept)
				f := mustOpen(t, path, opts, small)
				if f.Size() < 0 {
					t.Fatal("the sidecar is not used")
				}
				if err := change(); err != nil {
					t.Fatal(err)
				}
				read(t, f, what+" while it is open")
				table := sourceOf(f).table
				for _, p := range table.points {
					if p.inside && what == "zeroed" && p.out < table.known()-int64(len(table.tail)) {
						t.Errorf("the point at %d is there still", p.out)
					}
				}
				_ = f.Close()
			}
		})
	}
}
