package corpus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"
	"unicode/utf8"
)

func made(t testing.TB, kind Kind, seed uint64, size int64) []byte {
	t.Helper()
	b := bytes.NewBuffer(make([]byte, 0, size))
	if err := Write(t.Context(), b, kind, seed, size); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// golden is the first half of the SHA-256 of corpora of seed 7. When one
// changes on purpose, raise fileVersion.
var golden = map[Kind][3]string{
	// 1000 bytes, 1 MiB, 5 MiB + 12345 bytes
	"app":     {"3a6b031f436ef0b63306443274223754", "517d6396700851b8959777135a2ada31", "8543f62c176cc51fea91ff3b701d8925"},
	"access":  {"84db7efe74c0e41a34af12f2f3757ea4", "e0e82b87c298abdc9004a6906496872f", "af846c7f157253c6228d3ac077a8eba3"},
	"json":    {"7197d54932eaa32c13f5a4a1bd2b5402", "66411c5bf53c064d57883d0e5cd6ac69", "f746ab189ab93efb046788c07dd1f6f4"},
	"stack":   {"0858f313c43955df68922c890dac1b18", "008b4ece1b39ddc4a4f814ab6e52f792", "6cdf858104306cc6236e6bbf7fd23b54"},
	"script":  {"2bdbf225207bdf9397eff76ca38384fd", "c76112ac18f04530c6a9e1a0f529447e", "5006eddd926440cacf3f0b7873610896"},
	"crlf":    {"65c219f053dc9178f04f01bae9c67b02", "d495a1eee709a0af30a70ed1524b5ca6", "b2bcb5fc9d1dd3029e5cad0c9e658446"},
	"long":    {"48100790e9025ae7eaedba0aa6852717", "62b4f934ecf779dc904613381a720dbd", "e8763405252c57e64702dd680f09126d"},
	"oneline": {"81b413929eefed3eb6d0784211e27701", "4f2c11e9d6bc161b014984bcf2c65073", "6c239c9a0abc26905426ebe6f44fbe73"},
	"noeol":   {"099a8cdf5c0ff4f753ae27522324e91a", "1969c351cccecab75a66cf0e9649fea9", "b38e44039bd3b9777367e1b2c4047474"},
	"invalid": {"defc17fb64ced88ddda56ae82dc5ffd8", "7363d6dbd7971fad316063569825163b", "3045e58297e7ca2fa5a5dbde0d5fd9e2"},
}

func TestGolden(t *testing.T) {
	for _, kind := range Kinds() {
		for i, size := range []int64{1000, 1 << 20, 5<<20 + 12345} {
			h := sha256.New()
			if err := Write(t.Context(), h, kind, 7, size); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%x", h.Sum(nil)[:16]); got != golden[kind][i] {
				t.Errorf("%s of %d bytes: hash is %s, was %s", kind, size, got, golden[kind][i])
			}
		}
	}
}

// sizes has the small ones, and those about the borders of blocks.
func sizes(seed uint64) []int64 {
	s := []int64{0, 1, 2, 3, 4, 5, 17, 60, 100, 700, 5000}
	for n := int64(minLine - 2); n <= minLine+2; n++ {
		s = append(s, n)
	}
	p := plan{seed: seed}
	for i := int64(1); i <= 2; i++ {
		for _, border := range []int64{i * blockSize, p.offset(i), p.offset(i) + minLine, p.offset(i) + maxShort} {
			s = append(s, border-1, border, border+1)
		}
	}
	return s
}

func TestPromises(t *testing.T) {
	const seed = 3
	for _, kind := range Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			for _, size := range sizes(seed) {
				b := made(t, kind, seed, size)
				if int64(len(b)) != size {
					t.Fatalf("%d bytes, want %d", len(b), size)
				}
				if size == 0 {
					continue
				}
				if err := promise(kind, b); err != nil {
					t.Errorf("%d bytes: %v", size, err)
				}
			}
		})
	}
}

// promise checks what the documentation says of a corpus that is not empty.
func promise(kind Kind, b []byte) error {
	lf := bytes.Count(b, []byte("\n"))
	crlf := bytes.Count(b, []byte("\r\n"))
	cr := bytes.Count(b, []byte("\r"))
	switch {
	case bytes.HasSuffix(b, []byte("\n")) == (kind == "noeol"):
		return errors.New("wrong last byte")
	case bytes.IndexByte(b, 0) >= 0:
		return errors.New("a NUL")
	case cr != crlf:
		return errors.New("a lone CR")
	case kind != "crlf" && cr > 0:
		return errors.New("a CR LF")
	case kind == "crlf" && crlf != lf && len(b) > 1:
		return errors.New("a lone LF")
	case kind == "oneline" && lf != 1:
		return fmt.Errorf("%d lines", lf)
	case kind == "oneline" && len(b) > 1 && !json.Valid(b):
		return errors.New("not JSON")
	case utf8.Valid(b) == (kind == "invalid" && len(b) > 1):
		return errors.New("wrong validity")
	}
	if kind == "json" && len(b) > 1 {
		for line := range bytes.Lines(b) {
			if !json.Valid(line) {
				return fmt.Errorf("not JSON: %q", line)
			}
		}
	}
	return nil
}

// Nothing may depend on who makes a block: one worker, as many as there are
// cores, more than there are blocks.
func TestWorkers(t *testing.T) {
	const size = 5*blockSize + 999
	b := bytes.NewBuffer(make([]byte, 0, size))
	for _, kind := range Kinds() {
		want := made(t, kind, 5, size)
		for _, workers := range []int{1, 2, 3, 100} {
			b.Reset()
			if err := write(t.Context(), b, kind, 5, size, workers); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%s: other bytes with %d workers", kind, workers)
			}
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, kind := range Kinds() {
		long := made(t, kind, 5, 2<<20)
		for _, size := range []int64{600 << 10, 1<<20 + 1, 2<<20 - 1} {
			short := made(t, kind, 5, size)[:size-512<<10]
			if !bytes.HasPrefix(long, short) {
				t.Errorf("%s of %d bytes is not how the longer one begins", kind, size)
			}
		}
	}
}

// Corpora differ by seed and by kind, blocks of a corpus differ.
func TestDistinct(t *testing.T) {
	seen := map[string]string{}
	for _, kind := range Kinds() {
		if kind == "noeol" { // is app
			continue
		}
		for seed := range uint64(3) {
			b := made(t, kind, seed, 4*blockSize)
			for i := range 4 {
				// From the middle of a block: there is no time stamp in common.
				part := string(b[i*blockSize+blockSize/2:][:2000])
				name := fmt.Sprintf("%s %d block %d", kind, seed, i)
				if other, ok := seen[part]; ok {
					t.Errorf("%s is as %s", name, other)
				}
				seen[part] = name
			}
		}
	}
}

func TestLinesCrossBorders(t *testing.T) {
	b := made(t, "app", 1, 8<<20)
	ends := 0
	for at := 64 << 10; at < len(b); at += 64 << 10 {
		if b[at-1] == '\n' {
			ends++
		}
	}
	if ends > 8 { // one in 100 is expected, of 127
		t.Errorf("%d of 127 multiples of 64 KiB are the beginning of a line", ends)
	}
}

func TestLongLines(t *testing.T) {
	var lengths []int
	for line := range bytes.Lines(made(t, "long", 1, 64<<20)) {
		lengths = append(lengths, len(line))
	}
	slices.Sort(lengths)
	first, _ := slices.BinarySearch(lengths, 4096)
	longest := lengths[len(lengths)-1]
	if long := lengths[first:]; len(long) < 20 || long[0] < 100<<10 || longest > 4<<20 || longest < 2<<20 {
		t.Errorf("long lines are %v", long)
	}
	if first < 1000 {
		t.Errorf("only %d short lines", first)
	}
	for seed := range uint64(20) {
		longest := 0
		for line := range bytes.Lines(made(t, "long", seed, 128<<10)) {
			longest = max(longest, len(line))
		}
		if longest < 100<<10 {
			t.Errorf("seed %d: no long line in 128 KiB", seed)
		}
	}
}

// The layout relies on these lengths.
func TestRecordLengths(t *testing.T) {
	for i := range formats {
		f := &formats[i]
		var m maker
		m.begin(f, 1, 1, 0)
		for range 20_000 {
			limit := maxShort
			if f.kind == "stack" {
				limit = maxRecord
			}
			if f.record != nil && len(f.record(&m, nil)) > limit {
				t.Fatalf("%s: a record of over %d bytes", f.kind, limit)
			}
			if n := len(f.open(&m, nil)) + len(f.closing) + len(f.eol); n > minLine {
				t.Fatalf("%s: a line needs %d bytes", f.kind, n)
			}
		}
	}
}

func TestLines(t *testing.T) {
	for _, kind := range Kinds() {
		for _, size := range []int64{0, 1, 1000, 1 << 20} {
			var want int64
			for range bytes.Lines(made(t, kind, 2, size)) {
				want++
			}
			got, err := Lines(t.Context(), kind, 2, size)
			if err != nil || got != want {
				t.Errorf("%s of %d bytes: %d lines, %v, want %d", kind, size, got, err, want)
			}
		}
	}
}

func TestWrongArguments(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		size int64
	}{{"", 1}, {"App", 1}, {"app", -1}, {"noeol", maxSize + 1}} {
		var b bytes.Buffer
		if err := Write(t.Context(), &b, c.kind, 1, c.size); err == nil || b.Len() > 0 {
			t.Errorf("%q, %d: %v, %d bytes", c.kind, c.size, err, b.Len())
		}
		if _, err := File(t.Context(), t.TempDir(), c.kind, 1, c.size); err == nil {
			t.Errorf("%q, %d: a file", c.kind, c.size)
		}
	}
	if about := Kind("none").About(); about != "" {
		t.Error(about)
	}
}

// limited takes n bytes and then fails: as a full disk does, or with a short
// count alone.
type limited struct {
	n   int
	err error
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.n)
	l.n -= n
	if n < len(p) {
		return n, l.err
	}
	return n, nil
}

func TestWriteErrors(t *testing.T) {
	const size = 6 * blockSize
	want := errors.New("no space")
	before := runtime.NumGoroutine()
	for n := 0; n < size; n += blockSize/2 + 1 {
		if err := Write(t.Context(), &limited{n, want}, "app", 1, size); err != want {
			t.Errorf("after %d bytes: %v", n, err)
		}
		if err := Write(t.Context(), &limited{n, nil}, "app", 1, size); err != io.ErrShortWrite {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
	// A goroutine that has nothing left to do still needs its turn to end.
	after := runtime.NumGoroutine()
	for end := time.Now().Add(5 * time.Second); after > before && time.Now().Before(end); after = runtime.NumGoroutine() {
		time.Sleep(time.Millisecond)
	}
	if after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestCancel(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	blocks := 0
	w := writerFunc(func(p []byte) (int, error) {
		if blocks++; blocks == 3 {
			cancel(why)
		}
		return len(p), nil
	})
	if err := Write(ctx, w, "app", 1, 1<<50); err != why || blocks != 3 {
		t.Errorf("%v after %d blocks", err, blocks)
	}
	if err := Write(ctx, w, "app", 1, 1); err != why || blocks != 3 {
		t.Errorf("%v after %d blocks", err, blocks)
	}
}

// A block far out is made like any other: offsets are 64 bits wide.
func TestFarBlock(t *testing.T) {
	for i := range formats {
		p := newPlan(&formats[i], 1, maxSize)
		var m maker
		for _, i := range []int64{p.last / 2, p.last} {
			if b := p.make(&m, make([]byte, 0, bufferSize), i); cap(b) != bufferSize {
				t.Errorf("%s: block %d outgrew its buffer", p.kind, i)
			}
		}
	}
}
