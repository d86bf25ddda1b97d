package compressed

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"excerpt/engine/internal/decoded"
)

// inMemory returns the source of b.
func inMemory(b []byte, s sizes) *file { return withWorkers(2, b, s) }

func withWorkers(n int, b []byte, s sizes) *file {
	c := decoded.File{
		ReaderAt: bytes.NewReader(b), Size: int64(len(b)), Workers: n,
		Now: func() (decoded.Identity, error) { return decoded.Identity{}, nil },
	}
	return newSource(c, Detect(b[:min(len(b), sniff)]), s)
}

// readAll reads a source to its end, or to its first error.
func readAll(f *file) ([]byte, error) {
	r := io.NewSectionReader(f, 0, 1<<40)
	return io.ReadAll(r)
}

// checkDamaged reads what may be damaged, and compares what it gives with what
// it held.
func checkDamaged(t *testing.T, b, plain []byte, s sizes, flipped bool) (whole bool) {
	t.Helper()
	f := inMemory(b, s)
	defer f.Close()
	got, err := readAll(f)
	var damage *DamageError
	switch {
	case err == nil:
		if !bytes.Equal(got, plain[:min(len(got), len(plain))]) || flipped && len(got) != len(plain) {
			t.Errorf("%d bytes are given as the whole of %d", len(got), len(plain))
		}
		return len(got) == len(plain)
	case errors.Is(err, ErrUnsupported):
		return false
	case !errors.As(err, &damage) || !errors.Is(err, ErrDamaged):
		t.Fatalf("%v is no DamageError", err)
	}
	if damage.Compressed < 0 || damage.Compressed > int64(len(b)) || damage.Verified > damage.Decoded || damage.Error() == "" {
		t.Errorf("%v, of %d bytes", damage, len(b))
	}
	if v := damage.Verified; v > int64(len(got)) || !bytes.Equal(got[:v], plain[:v]) {
		t.Errorf("%d verified bytes of %d are wrong, or not given: %v", v, len(got), damage)
	}
	// What is not verified is given of a file that was cut only.
	if cut := errors.Is(err, io.ErrUnexpectedEOF); !bytes.HasPrefix(plain, got) && !(cut && flipped) {
		t.Errorf("%d wrong bytes are given: %v", len(got), damage)
	}
	// It stays so.
	again, err2 := readAll(f)
	if !bytes.Equal(again, got) || err2 == nil || err2.Error() != err.Error() {
		t.Errorf("then %d bytes and %v, now %d and %v", len(got), err, len(again), err2)
	}
	return false
}

// damaged are the files that are damaged in every way.
func damaged(t *testing.T, fn func(t *testing.T, p producer, b, plain []byte)) {
	plain := content(t, "app", 2_500)
	for _, p := range chosen() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			b := p.make(t, plain)
			if b == nil {
				t.SkipNow()
			}
			if p.format == Bzip2 && testing.Short() {
				t.Skip("slow")
			}
			if len(b) > 20_000 { // padding
				b = b[:20_000]
			}
			fn(t, p, b, plain)
		})
	}
}

// tiny is small for files of some kilobytes.
var tiny = sizes{
	chunk: 500, outside: 400, inside: 800, frame: 800, windows: 1, first: 300, more: 1000, wide: 64 << 10,
	cache: 300 << 10, states: 100 << 10, keep: 1, line: 256, ending: 100,
}

var every = flag.Bool("every", false, "every kind of text, damage at every byte, not at each fifth, and larger bombs")

// stride is n, or more where there is no time for that.
func stride(n int) int {
	switch {
	case *every:
		return n
	case raceEnabled:
		return 61 * n
	case testing.Short():
		return 11 * n
	}
	return 5 * n
}

// TestCut: a file that ends anywhere gives what could be decoded.
func TestCut(t *testing.T) {
	t.Parallel()
	damaged(t, func(t *testing.T, p producer, b, plain []byte) {
		for n := sniff; n < len(b); n += stride(1 + n/1000) {
			if Detect(b[:n]) != p.format {
				continue
			}
			checkDamaged(t, b[:n], plain, tiny, false)
			if t.Failed() {
				t.Fatalf("cut at %d of %d", n, len(b))
			}
		}
	})
}

// TestFlipped: with any byte changed, nothing is given that a checksum says is
// wrong.
func TestFlipped(t *testing.T) {
	t.Parallel()
	damaged(t, func(t *testing.T, p producer, b, plain []byte) {
		if strings.Contains(p.name, "--no-check") || strings.Contains(p.name, "--check=none") || p.name == "zstd without checksums, each frame behind a skippable one" {
			t.Skip("no checksums")
		}
		atOnce := small // so that nothing is given before its checksum was seen
		atOnce.first = 1 << 20
		step := stride(1)
		if strings.Contains(p.name, "--long") {
			step *= 16 // each takes a window of 128 MiB
		}
		for i := 0; i < len(b); i += step {
			bad := bytes.Clone(b)
			bad[i] ^= 1 << (i % 8)
			if Detect(bad[:sniff]) != p.format {
				continue
			}
			checkDamaged(t, bad, plain, atOnce, true)
			if t.Failed() {
				t.Fatalf("byte %d of %d was changed", i, len(b))
			}
		}
	})
}

// TestDamagedLater: a file that was read once, and is damaged then without a
// trace, gives no wrong byte.
func TestDamagedLater(t *testing.T) {
	t.Parallel()
	damaged(t, func(t *testing.T, p producer, b, plain []byte) {
		step := stride(1 + len(b)/300)
		if strings.Contains(p.name, "--long") {
			step *= 16
		}
		for i := 0; i < len(b); i += step {
			bad := bytes.Clone(b)
			f := inMemory(bad, tiny)
			if _, err := f.Fill(context.Background(), 1<<40, nil); err != nil {
				t.Fatal(err)
			}
			f.cache.keep(0)
			bad[i] ^= 0x55
			f.cache.mu.Lock()
			for _, e := range f.cache.entries {
				f.cache.drop(e)
			}
			f.cache.mu.Unlock()
			got, err := readAll(f)
			if !bytes.HasPrefix(plain, got) || err == nil && len(got) < len(plain) {
				t.Fatalf("byte %d of %d was changed: %d bytes and %v", i, len(b), len(got), err)
			}
			_ = f.Close()
		}
	})
}

// What is damaged far behind has lines before it.
func TestBeforeDamage(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 800_000)
	ctx := context.Background()
	for _, p := range chosen() {
		if p.format == Bzip2 || p.name == "s2, blocks of 4 MiB, padded" {
			continue // they have one block or two
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			b := p.make(t, plain)
			if b == nil {
				t.SkipNow()
			}
			path, opts := store(t, b[:len(b)*9/10])
			f := mustOpen(t, path, opts, small)
			head, err := f.Head(ctx, 100)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if _, err := head.WriteTo(&got); err != nil || got.Len() == 0 || !bytes.HasPrefix(plain, got.Bytes()) {
				t.Errorf("%d bytes, %v", got.Len(), err)
			}
			if _, err := f.Tail(ctx, 1); !errors.Is(err, ErrDamaged) {
				t.Errorf("tail: %v", err)
			}
			if _, err := f.Count(ctx); !errors.Is(err, ErrDamaged) {
				t.Errorf("count: %v", err)
			}
			all, err := f.All(ctx)
			if err != nil {
				t.Fatal(err)
			}
			got.Reset()
			if _, err := all.WriteTo(&got); !errors.Is(err, ErrDamaged) || !bytes.HasPrefix(plain, got.Bytes()) || got.Len() < 400_000 {
				t.Errorf("all: %d bytes, %v", got.Len(), err)
			}
			readable, _ := readAll(sourceOf(f))
			if !bytes.Equal(got.Bytes(), readable) {
				t.Errorf("all: %d bytes of %d that can be read", got.Len(), len(readable))
			}
			got.Reset()
			if _, err := all.WriteNumbered(&got); !errors.Is(err, ErrDamaged) || got.Len() < len(readable) {
				t.Errorf("all, with numbers: %d bytes of more than %d that can be read, %v", got.Len(), len(readable), err)
			}
			if Verified(f) {
				t.Error("it is said to be verified")
			}
			if _, err := f.BuildIndex(ctx); !errors.Is(err, ErrDamaged) {
				t.Errorf("index: %v", err)
			}
		})
	}
}

func fuzz(f *testing.F, format Format) {
	plain := []byte("first\nsecond\nthird, somewhat longer than the others\n")
	for _, p := range producers {
		if p.format == format {
			if b := p.make(f, plain); b != nil && len(b) < 5000 {
				f.Add(b)
				f.Add(append(b, b...))
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if Detect(b[:min(len(b), sniff)]) != format {
			return
		}
		sameWithAll(t, b, tiny)
		src := inMemory(b, tiny)
		defer src.Close()
		_, _ = src.Fill(context.Background(), 1<<20, func(int64, int64) {})
		once := make([]byte, 1<<20)
		n, err := src.ReadAt(once, 0)
		once = once[:n]
		// Whatever it is: read again, from its points, it is the same.
		src.cache.mu.Lock()
		for _, e := range src.cache.entries {
			src.cache.drop(e)
		}
		src.cache.mu.Unlock()
		again := make([]byte, 1<<20)
		m, err2 := src.ReadAt(again, 0)
		if !bytes.Equal(again[:m], once) || (err == nil) != (err2 == nil) {
			t.Errorf("%d bytes and %v, then %d and %v", n, err, m, err2)
		}
	})
}

func FuzzGzip(f *testing.F)   { fuzz(f, Gzip) }
func FuzzZstd(f *testing.F)   { fuzz(f, Zstd) }
func FuzzS2(f *testing.F)     { fuzz(f, S2) }
func FuzzSnappy(f *testing.F) { fuzz(f, Snappy) }
func FuzzXZ(f *testing.F)     { fuzz(f, XZ) }
func FuzzBzip2(f *testing.F)  { fuzz(f, Bzip2) }

// What follows the last member and is none is called that, however short it is;
// all before it is given.
func TestGarbage(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 2_500)
	for _, p := range producers {
		least := map[string]int{"gzip -6": 1, "klauspost zstd": 4}[p.name]
		b := p.make(t, plain)
		if least == 0 || b == nil {
			continue
		}
		for n := least; n < 40; n++ {
			f := inMemory(append(bytes.Clone(b), strings.Repeat("garbage\n", 5)[:n]...), usual)
			got, err := readAll(f)
			if !bytes.Equal(got, plain) || !errors.Is(err, errGarbage) {
				t.Errorf("%s, and %d bytes: %d bytes of %d, %v", p.name, n, len(got), len(plain), err)
			}
			_ = f.Close()
		}
	}
}

// TestWrongChecksum: a frame whose checksum is wrong is the end of what is
// given, wherever it is, and however many there are.
func TestWrongChecksum(t *testing.T) {
	t.Parallel()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := content(t, "app", 3_000_000)
	for _, test := range []struct{ size, frames, wrong int }{ // of a frame; how many; which
		{2, 20_000, 0},
		{2, 20_000, 9_000},
		{2, 20_000, 19_999},
		{100_000, 30, 17},
		{3_000_000, 1, 0},
	} {
		var b []byte
		var end int // of the wrong frame
		for i := range test.frames {
			b = encoder.EncodeAll(plain[i*test.size:][:test.size], b)
			if i == test.wrong {
				end = len(b)
				b[end-1] ^= 1
			}
		}
		for _, workers := range []int{1, 2} {
			f := withWorkers(workers, b, usual)
			before := int64(test.wrong * test.size)
			f.finished = func(*pass) { // others read meanwhile
				if f.limit > before {
					t.Errorf("%+v, %d workers: %d bytes can be read, of which %d are right", test, workers, f.limit, before)
				}
			}
			_, err := f.Fill(context.Background(), 1<<40, nil)
			want := DamageError{
				Format: Zstd, Compressed: int64(end), Decoded: before + int64(test.size), Verified: before,
				Err: errChecksum, readable: before,
			}
			var got *DamageError
			if !errors.As(err, &got) || *got != want {
				t.Errorf("%+v, %d workers: %+v, want %+v", test, workers, err, &want)
			}
			if all, _ := readAll(f); !bytes.Equal(all, plain[:before]) {
				t.Errorf("%+v, %d workers: %d bytes, want %d", test, workers, len(all), before)
			}
			_ = f.Close()
		}
	}
}
