package compressed

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"excerpt/engine"
	"excerpt/engine/internal/source"
)

// A seekable is a file in the parts that a table is about.
type seekable struct {
	frames  [][]byte
	entries [][3]uint32 // what the table says: compressed size, decoded size, checksum
	summed  bool
	flags   byte
	n       uint32
	plain   []byte
}

func makeSeekable(t testing.TB, plain []byte, summed bool) *seekable {
	t.Helper()
	var b bytes.Buffer
	w, err := newFrameWriter(&b, 4<<10)
	if err != nil {
		t.Fatal(err)
	}
	must(t, w.Write, plain)
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	s := &seekable{summed: summed, n: w.n, plain: plain}
	for i := range int(w.n) {
		e := w.table[12*i:]
		s.entries = append(s.entries, [3]uint32{
			binary.LittleEndian.Uint32(e), binary.LittleEndian.Uint32(e[4:]), binary.LittleEndian.Uint32(e[8:]),
		})
		s.frames = append(s.frames, b.Next(int(s.entries[i][0])))
	}
	return s
}

func (s *seekable) bytes() []byte {
	b := bytes.Join(s.frames, nil)
	var table []byte
	for _, e := range s.entries {
		table = binary.LittleEndian.AppendUint32(table, e[0])
		table = binary.LittleEndian.AppendUint32(table, e[1])
		if s.summed {
			table = binary.LittleEndian.AppendUint32(table, e[2])
		}
	}
	flags := s.flags
	if s.summed {
		flags |= tableChecksums
	}
	b = binary.LittleEndian.AppendUint32(b, tableFrame)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(table)+tableFooter))
	b = append(b, table...)
	b = binary.LittleEndian.AppendUint32(b, s.n)
	b = append(b, flags)
	return binary.LittleEndian.AppendUint32(b, tableMagic)
}

// TestSeekTable: any part of a file never seen is read without what is before it.
func TestSeekTable(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	plain := content(t, "app", 200_000)
	for _, summed := range []bool{true, false} {
		s := makeSeekable(t, plain, summed)
		f := inMemory(s.bytes(), small)
		if err := f.Measure(ctx, source.Unknown); err != nil || f.Size() != int64(len(plain)) || f.Verified() {
			t.Fatalf("size %d, verified %v, %v", f.Size(), f.Verified(), err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 100 {
			off := 1 + rng.IntN(len(plain)+10)
			got := make([]byte, rng.IntN(20_000))
			n, err := f.ReadAt(got, int64(off))
			want := plain[min(off, len(plain)):min(off+len(got), len(plain))]
			if !bytes.Equal(got[:n], want) || (err == io.EOF) != (n < len(got)) || err != nil && err != io.EOF {
				t.Fatalf("at %d: %d bytes of %d, %v", off, n, len(want), err)
			}
		}
		if f.limit > 0 {
			t.Errorf("%d bytes were decoded in order", f.limit)
		}
		if got, err := readAll(f); err != nil || !bytes.Equal(got, plain) || !f.Verified() {
			t.Errorf("then all: %d bytes, %v, verified %v", len(got), err, f.Verified())
		}
		_ = f.Close()
	}
}

// A count learns the lines, also when the size is known before.
func TestSeekTableLines(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	plain := content(t, "app", 200_000)
	path, opts := store(t, makeSeekable(t, plain, true).bytes())
	f := mustOpen(t, path, opts, small)
	span, err := f.Bytes(ctx, 150_000, engine.LastOffset)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if _, err := span.WriteTo(&got); err != nil || !bytes.Equal(got.Bytes(), plain[150_000:]) {
		t.Fatalf("%d bytes, %v", got.Len(), err)
	}
	if f.Size() != int64(len(plain)) || Verified(f) {
		t.Errorf("size %d, verified %v", f.Size(), Verified(f))
	}
	if n, err := span.Number(ctx); err != nil || int(n) != bytes.Count(plain[:150_000], []byte("\n"))+1 {
		t.Errorf("line %d, %v", n, err)
	}
	compare(t, f, plain, rand.New(rand.NewPCG(3, 4)), 20)
	if n, err := f.Count(ctx); err != nil || int(n) != bytes.Count(plain, []byte("\n")) || !Verified(f) {
		t.Errorf("%d lines, %v, verified %v", n, err, Verified(f))
	}
}

// TestSeekTableLies: a table that says what is not so gives no wrong byte.
func TestSeekTableLies(t *testing.T) {
	t.Parallel()
	plain := content(t, "app", 40_000)
	for name, lie := range map[string]func(*seekable){
		"a flag that nobody knows": func(s *seekable) { s.flags = 4 },
		"a frame fewer":            func(s *seekable) { s.n-- },
		"many frames":              func(s *seekable) { s.n = 1 << 30 },
		"two frames as one": func(s *seekable) {
			s.entries[2][0] += s.entries[3][0]
			s.entries = append(s.entries[:3], s.entries[4:]...)
			s.n--
		},
		"two frames as one, with the size of both": func(s *seekable) {
			s.entries[2][0] += s.entries[3][0]
			s.entries[2][1] += s.entries[3][1]
			s.entries = append(s.entries[:3], s.entries[4:]...)
			s.n--
		},
		"two in the other order": func(s *seekable) { s.entries[2], s.entries[3] = s.entries[3], s.entries[2] },
		"another decoded size":   func(s *seekable) { s.entries[2][1]++ },
		"decoded sizes that add up": func(s *seekable) {
			s.entries[2][1]++
			s.entries[3][1]--
		},
		"another checksum":             func(s *seekable) { s.entries[2][2]++ },
		"a huge frame":                 func(s *seekable) { s.entries[2][1] = 1 << 31 },
		"another compressed size":      func(s *seekable) { s.entries[2][0]++ },
		"compressed sizes that add up": func(s *seekable) { s.entries[2][0]++; s.entries[3][0]-- },
		"a frame that was changed":     func(s *seekable) { s.frames[2] = bytes.Clone(s.frames[2]); s.frames[2][1000] ^= 1 },
		"a skippable frame": func(s *seekable) {
			s.frames[0] = append([]byte("\x50\x2a\x4d\x18\x01\x00\x00\x00x"), s.frames[0]...)
			s.entries[0][0] += 9
		},
		"a frame without its size": func(s *seekable) {
			s.frames[2] = tool(Zstd, "zstd", "-3").make(t, plain[s.start(2):s.start(3)])
			s.entries[2][0] = uint32(len(s.frames[2]))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := makeSeekable(t, plain, true)
			lie(s)
			checkTable(t, s.bytes(), plain)
		})
	}
	// A byte of the table, or of a frame, is another one.
	whole := makeSeekable(t, plain, true).bytes()
	for i := 0; i < len(whole); i += stride(1) {
		if i < len(whole)-300 { // in the frames
			i += 16
		}
		bad := bytes.Clone(whole)
		bad[i] ^= 1 << (i % 8)
		checkTable(t, bad, plain)
		if t.Failed() {
			t.Fatalf("byte %d of %d was changed", i, len(bad))
		}
	}
}

func (s *seekable) start(frame int) (n int) {
	for _, e := range s.entries[:frame] {
		n += int(e[1])
	}
	return n
}

// checkTable reads what may have a wrong table: all parts are right, or an error.
func checkTable(t *testing.T, b, plain []byte) {
	t.Helper()
	f := inMemory(b, small)
	defer f.Close()
	if err := f.Measure(context.Background(), source.Unknown); err != nil {
		t.Errorf("measure: %v", err)
	}
	if size := f.Size(); size != source.Unknown && size != int64(len(plain)) {
		t.Errorf("size %d", size)
	}
	for off := len(plain) - 1500; off > 0; off -= 3000 {
		got := make([]byte, 1000)
		n, err := f.ReadAt(got, int64(off))
		if !bytes.Equal(got[:n], plain[off:][:n]) || n < len(got) && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("at %d: %d bytes, %v", off, n, err)
		}
	}
	checkDamaged(t, b, plain, small, true)
}
