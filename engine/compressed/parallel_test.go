package compressed

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// bgzipped writes members that say how long they are, as bgzip does.
func bgzipped(t testing.TB, plain []byte) (out []byte) {
	parts(plain, 3_000, func(part []byte) {
		member := gzipped(t, 6, part, func(w *gzip.Writer) { w.Extra = []byte("BC\x02\x00\x00\x00") })
		binary.LittleEndian.PutUint16(member[16:], uint16(len(member)-1))
		out = append(out, member...)
	})
	return out
}

// alone are the producers of files that are decoded on several cores.
func alone(t *testing.T, plain []byte, fn func(t *testing.T, p producer, b []byte)) {
	found := 0
	for _, p := range producers {
		if p.format == Bzip2 || strings.HasPrefix(p.name, "zstd -") || strings.HasPrefix(p.name, "pigz") || strings.HasPrefix(p.name, "gzip") {
			continue // of one piece
		}
		b := p.make(t, plain)
		if len(b) < sniff {
			continue
		}
		f := inMemory(b, tiny)
		f.c.Workers = 2
		if d := newParallel(f, 0, places{}); d == nil {
			continue
		}
		found++
		t.Run(p.name, func(t *testing.T) { fn(t, p, b) })
	}
	if found < 6 {
		t.Errorf("only %d producers write what is decoded on several cores", found)
	}
}

// decodeWith decodes b with some workers, and says what came of it.
func decodeWith(t *testing.T, b []byte, s sizes, workers int) (got []byte, verdict string) {
	t.Helper()
	f := inMemory(b, s)
	f.c.Workers = workers
	defer f.Close()
	_, _ = f.Fill(context.Background(), 1<<40, nil)
	return verdictOf(t, f)
}

// verdictOf says what is known of a file that was decoded.
func verdictOf(t *testing.T, f *file) (got []byte, verdict string) {
	t.Helper()
	got, err := readAll(f)
	text := f.Description()
	if err == nil && (text == nil || text.Bytes != int64(len(got))) {
		t.Errorf("the description is %+v", text)
	}
	if text != nil {
		return got, fmt.Sprintf("%v, verified %d: %+v", err, f.verified, *text)
	}
	return got, fmt.Sprintf("%v, verified %d", err, f.verified)
}

// sameWithAll compares what several workers make of b with what one does.
func sameWithAll(t *testing.T, b []byte, s sizes) (got []byte) {
	t.Helper()
	got, verdict := decodeWith(t, b, s, 1)
	for _, workers := range []int{2, 5} {
		if also, v := decodeWith(t, b, s, workers); !bytes.Equal(got, also) || v != verdict {
			t.Fatalf("%d workers: %d bytes and %s; one: %d bytes and %s", workers, len(also), v, len(got), verdict)
		}
	}
	return got
}

// TestParallel: several cores give what one does, of what is whole, cut or
// changed, in the same words.
func TestParallel(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 25_000)
	alone(t, plain, func(t *testing.T, _ producer, b []byte) {
		if got := sameWithAll(t, b, tiny); !bytes.Equal(got, plain) {
			t.Fatalf("%d bytes of %d", len(got), len(plain))
		}
		rng := rand.New(rand.NewPCG(1, uint64(len(b))))
		for range 1 + 20/stride(1) {
			sameWithAll(t, b[:sniff+rng.IntN(len(b)-sniff)], tiny)
			bad := bytes.Clone(b)
			bad[rng.IntN(len(bad)-sniff)+sniff] ^= 1 << rng.IntN(8)
			sameWithAll(t, bad, tiny)
			sameWithAll(t, append(bytes.Clone(b), bad[rng.IntN(len(bad)):]...), tiny)
		}
	})
}

// Members may be longer or shorter than they say.
func TestParallelLies(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 20_000)
	honest := bgzipped(t, plain)
	for i, at := 0, 0; at < len(honest); i++ {
		size := int(binary.LittleEndian.Uint16(honest[at+16:])) + 1
		for _, lie := range []int{0, 17, size - 2, size, 2*size - 1, 0xffff} {
			b := bytes.Clone(honest)
			binary.LittleEndian.PutUint16(b[at+16:], uint16(lie))
			if got := sameWithAll(t, b, tiny); !bytes.Equal(got, plain) {
				t.Fatalf("member %d says %d: %d bytes of %d", i, lie, len(got), len(plain))
			}
		}
		at += size
	}
}

// What was begun ahead ends with the File, and waits for nobody.
func TestParallelClosed(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 100_000)
	alone(t, plain, func(t *testing.T, _ producer, b []byte) {
		f := inMemory(b, tiny)
		f.c.Workers = 4
		if _, err := f.Fill(context.Background(), 5_000, nil); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := f.Fill(ctx, 1<<40, nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		begun := time.Now()
		_ = f.Close()
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("it was closed after %v", took)
		}
	})
}

// A point may be known before anything behind it is: a pass adds it so. Nobody
// looks ahead from there.
func TestPointBeforeChunk(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 30_000)
	for _, p := range producers {
		b := p.make(t, plain)
		if b == nil || p.format == Bzip2 {
			continue
		}
		whole := inMemory(b, tiny)
		if _, err := whole.Fill(context.Background(), 1<<40, nil); err != nil {
			t.Fatal(err)
		}
		points, chunks := whole.table.points, whole.table.chunks
		for i := 1; i < len(points); i += 1 + len(points)/20 {
			f := inMemory(b, tiny)
			f.table.points = points[:i+1]
			f.table.chunks = chunks[:whole.table.chunkAt(points[i].out)]
			f.limit = f.table.known()
			got := make([]byte, f.limit)
			if f.limit != points[i].out {
				t.Fatalf("%s: no chunk begins at the point at %d", p.name, points[i].out)
			}
			if n, err := f.ReadAt(got, 0); err != nil || !bytes.Equal(got, plain[:n]) {
				t.Fatalf("%s, to the point at %d: %d bytes, %v", p.name, points[i].out, n, err)
			}
			_ = f.Close()
		}
		_ = whole.Close()
	}
}
