package compressed

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/s2"

	"excerpt/engine"
	"excerpt/engine/internal/source"
)

var ends = sizes{
	chunk: 4 << 10, outside: 4 << 10, inside: 24 << 10, frame: 24 << 10, windows: 1, first: 4 << 10, more: 8 << 10, wide: 64 << 10,
	cache: 400 << 10, states: 200 << 10, keep: 1, line: 4 << 10, ending: 1 << 10,
}

// lastBytes reads the last n bytes of a source that was not decoded.
func lastBytes(ctx context.Context, f *file, n int64) ([]byte, error) {
	have, err := f.Ending(ctx, n)
	if err != nil {
		return nil, err
	}
	b := make([]byte, min(n, have))
	got, err := f.ReadAtContext(ctx, b, -int64(len(b)))
	if got == len(b) {
		err = nil
	}
	return b, err
}

// TestEnding: what is read of the end is what is there, before and after all was
// decoded, and where there are several members, frames or chunks it takes not
// all.
func TestEnding(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 300_000)
	for _, p := range chosen() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			b := p.make(t, plain)
			if b == nil {
				t.SkipNow()
			}
			rng := rand.New(rand.NewPCG(1, uint64(len(b))))
			without, rounds := 0, 1
			if several[p.name] {
				rounds = 6
			}
			for range rounds {
				f := inMemory(b, ends)
				var read [][]byte
				for range 3 {
					got, err := lastBytes(ctx, f, 1+rng.Int64N(60_000))
					if err != nil || !bytes.HasSuffix(plain, got) {
						t.Fatalf("%d bytes, %v", len(got), err)
					}
					if len(got) > 0 {
						read = append(read, got)
					}
				}
				if f.Size() == source.Unknown && len(read) > 0 {
					without++
					if f.Verified() {
						t.Error("it is said to be verified")
					}
				}
				if size, err := f.Fill(ctx, source.Unknown, nil); err != nil || size != int64(len(plain)) {
					t.Fatal(size, err)
				}
				for _, want := range read {
					got := make([]byte, len(want))
					if _, err := f.ReadAtContext(ctx, got, -int64(len(got))); err != nil || !bytes.Equal(got, want) {
						t.Fatalf("then %d bytes, %v", len(got), err)
					}
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
			if several[p.name] && without == 0 {
				t.Errorf("each of %d took the rest", rounds)
			}
		})
	}
}

// several are producers of whose files the end is decoded alone.
var several = map[string]bool{
	"bgzip -c":                      true,
	"cat a.gz b.gz":                 true,
	"nginx: a member at each flush": true,
	"seekable zstd":                 true,
	"cat a.zst b.zst":               true,
	"s2":                            true,
	"s2, with an index":             true,
	"snappy":                        true,
}

var ctx = context.Background()

// TestEndingOfDamaged: with any byte changed, what is read of the end is right,
// or nothing is. In s2, a chunk can become one that is to be skipped, which no
// checksum tells.
func TestEndingOfDamaged(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 5_000)
	for _, p := range chosen() {
		if !several[p.name] {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			b := p.make(t, plain)
			if b == nil {
				t.SkipNow()
			}
			for at := 0; at < len(b); at += stride(3) {
				damaged := bytes.Clone(b)
				damaged[at] ^= byte(1 + at%255)
				if Detect(damaged) != p.format {
					continue
				}
				f := inMemory(damaged, tiny)
				got, err := lastBytes(ctx, f, 1_000)
				if err == nil && !bytes.HasSuffix(plain, got) && p.format != S2 && p.format != Snappy {
					t.Errorf("with byte %d changed, %d wrong bytes", at, len(got))
				}
				f.Close()
			}
		})
	}
}

// fooling returns a gzip file whose last member has, in a stored block, what
// looks like a member up to the end of the file: with a checksum and a length
// that are right of both.
func fooling(t *testing.T) (file, plain, fake []byte) {
	const size = 4_000
	fake = bytes.Repeat([]byte("what is not there\n"), size)[:size]
	inside := gzipped(t, 9, fake, nil)
	inside = inside[:len(inside)-8]
	last := content(t, "app", size)[:size]
	copy(last[size-len(inside):], inside)
	forge(last, crc32.ChecksumIEEE(fake))
	before := content(t, "app", 100_000)
	file = gzipped(t, 6, before, nil)
	file = append(file, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x01"...)
	file = binary.LittleEndian.AppendUint16(file, size)
	file = binary.LittleEndian.AppendUint16(file, ^uint16(size))
	file = append(file, last...)
	file = binary.LittleEndian.AppendUint32(file, crc32.ChecksumIEEE(last))
	file = binary.LittleEndian.AppendUint32(file, size)
	return file, append(before, last...), fake
}

// forge changes the first bytes of b so that it has the checksum.
func forge(b []byte, sum uint32) {
	clear(b[:4])
	base := crc32.ChecksumIEEE(b)
	var change, of [32]uint32 // which bits of the sum change with which bits of b
	for i := range 32 {
		b[i/8] ^= 1 << (i % 8)
		change[i], of[i] = crc32.ChecksumIEEE(b)^base, 1<<i
		b[i/8] ^= 1 << (i % 8)
	}
	want, bits := sum^base, uint32(0)
	for bit := range 32 { // Gauss
		for i := bit; i < 32; i++ {
			if change[i]>>bit&1 != 0 {
				change[bit], change[i] = change[i], change[bit]
				of[bit], of[i] = of[i], of[bit]
				break
			}
		}
		for i := range 32 {
			if i != bit && change[i]>>bit&1 != 0 {
				change[i] ^= change[bit]
				of[i] ^= of[bit]
			}
		}
	}
	for bit := range 32 {
		if want>>bit&1 != 0 {
			bits ^= of[bit]
		}
	}
	binary.LittleEndian.PutUint32(b, bits)
}

// TestFoolingEnding: an end that is not what it looks like is not verified, and
// is an error once all was decoded.
func TestFoolingEnding(t *testing.T) {
	t.Parallel()
	b, plain, fake := fooling(t)
	s := ends
	s.ending = 100 // which lies in the fake member only
	path, opts := store(t, b)
	f := mustOpen(t, path, opts, s)
	span, err := f.Tail(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	text, err := span.Text(engine.Limits{})
	if err != nil || !bytes.HasSuffix(fake, text.Data) {
		t.Fatalf("nobody was fooled, which tests nothing: %q, %v", text.Data, err)
	}
	if !text.Unverified || Verified(f) {
		t.Error("it is verified")
	}
	if lines, err := f.Count(ctx); err != nil || lines != int64(bytes.Count(plain, []byte("\n")))+1 {
		t.Error(lines, err)
	}
	if _, err := span.Text(engine.Limits{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("then the tail is read, %v", err)
	}
	span, err = f.Tail(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := span.Text(engine.Limits{Bytes: 10_000}); err != nil || !bytes.HasSuffix(plain, text.Data) || text.Unverified {
		t.Errorf("%.100q, %v", text.Data, err)
	}
}

// TestHostileEnding: to search for a beginning takes no long time, whatever
// there is that looks like one.
func TestHostileEnding(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	t.Parallel()
	bomb := gzipped(t, 9, make([]byte, 40<<20), nil)
	many := bytes.Repeat([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x00\x00\x00\xff\xff"), 1<<20)
	frames := bytes.Repeat([]byte("\x28\xb5\x2f\xfd\x24\x00\x01\x00\x00\x99\xe9\xd8\x51"), 1<<20) // empty
	chunks := bytes.Repeat([]byte("\x01\x04\x00\x00\x00\x00\x00\x00"), 1<<20)
	for name, b := range map[string][]byte{
		"beginnings of members": append(gzipped(t, 6, []byte("x"), nil), many...),
		"bombs":                 bytes.Repeat(bomb, 100),
		"frames":                append(frames, "x"...),
		"chunks":                append([]byte("\xff\x06\x00\x00sNaPpY"), chunks...),
		"zeros":                 append(gzipped(t, 6, []byte("x"), nil), make([]byte, 40<<20)...),
	} {
		f := inMemory(b, usual)
		began := time.Now()
		have, err := f.Ending(ctx, 1<<20)
		took := time.Since(began)
		t.Logf("%s: %d bytes, %v, after %v", name, have, err, took)
		if took > 20*time.Second {
			t.Errorf("%s: it takes %v", name, took)
		}
		ended, cancel := context.WithTimeout(ctx, time.Millisecond)
		g := inMemory(b, usual)
		began = time.Now()
		_, err = g.Ending(ended, 1<<40)
		if took := time.Since(began); took > 2*time.Second || took > 100*time.Millisecond && err == nil {
			t.Errorf("%s: it goes on for %v when it was cancelled: %v", name, took, err)
		}
		cancel()
		f.Close()
		g.Close()
	}
}

// TestEndingAtOnce: tails are read while the file is decoded.
func TestEndingAtOnce(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 600_000)
	var b bytes.Buffer
	w := s2.NewWriter(&b, s2.WriterBlockSize(16<<10))
	must(t, w.Write, plain)
	w.Close()
	var members []byte
	parts(plain, 40_000, func(part []byte) { members = append(members, gzipped(t, 6, part, nil)...) })
	for _, b := range [][]byte{b.Bytes(), members, zstdSeekable(t, plain)} {
		path, opts := store(t, b)
		for range 5 {
			f := mustOpen(t, path, opts, ends)
			var all sync.WaitGroup
			for i := range 6 {
				all.Go(func() {
					if i == 0 {
						if n, err := f.Count(ctx); err != nil || n == 0 {
							t.Error(n, err)
						}
						return
					}
					span, err := f.Tail(ctx, int64(i*100))
					if err != nil {
						t.Error(err)
						return
					}
					var got bytes.Buffer
					if _, err := span.WriteTo(&got); err != nil || got.Len() == 0 || !bytes.HasSuffix(plain, got.Bytes()) {
						t.Error(got.Len(), err)
					}
				})
			}
			all.Wait()
		}
	}
}
