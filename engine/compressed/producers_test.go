package compressed

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"excerpt/corpus"
)

// A producer makes a compressed file of bytes.
type producer struct {
	name   string
	format Format
	make   func(t testing.TB, plain []byte) []byte // nil: what it needs is not installed
}

// tool is a producer that is a command, which reads standard input.
func tool(format Format, name string, args ...string) producer {
	label := name
	for _, arg := range args {
		label += " " + arg
	}
	return producer{label, format, func(t testing.TB, plain []byte) []byte {
		path, err := exec.LookPath(name)
		if err != nil {
			missing(t, name)
			return nil
		}
		cmd := exec.Command(path, args...)
		cmd.Stdin = bytes.NewReader(plain)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(label, err)
		}
		return out
	}}
}

// toolOnFile is a producer that is a command, which is given a file.
func toolOnFile(format Format, ext, name string, args ...string) producer {
	label := name
	for _, arg := range args {
		label += " " + arg
	}
	return producer{label + " FILE", format, func(t testing.TB, plain []byte) []byte {
		path, err := exec.LookPath(name)
		if err != nil {
			missing(t, name)
			return nil
		}
		in := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(in, plain, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(path, append(args, in)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", label, err, out)
		}
		b, err := os.ReadFile(in + ext)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}}
}

var said sync.Map

// missing says once, and loudly, what is not tested.
func missing(t testing.TB, name string) {
	if _, again := said.LoadOrStore(name, true); !again {
		t.Logf("\n*** %s IS NOT INSTALLED: of its files only those in testdata are tested ***", name)
	}
}

// writer is a producer that is a package.
func writer[W io.WriteCloser](format Format, name string, open func(io.Writer) W) producer {
	return producer{name, format, func(t testing.TB, plain []byte) []byte {
		var b bytes.Buffer
		w := open(&b)
		must(t, w.Write, plain)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}}
}

func must(t testing.TB, write func([]byte) (int, error), b []byte) {
	t.Helper()
	if _, err := write(b); err != nil {
		t.Fatal(err)
	}
}

func gzipped(t testing.TB, level int, plain []byte, change func(*gzip.Writer)) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(w)
	}
	must(t, w.Write, plain)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// parts calls fn with parts of plain of some n bytes, and at least once.
func parts(plain []byte, n int, fn func([]byte)) {
	for first := true; first || len(plain) > 0; first = false {
		m := min(len(plain), n+n/7*(len(plain)%5))
		fn(plain[:m])
		plain = plain[m:]
	}
}

func byParts(name string, format Format, n int, one func(t testing.TB, part []byte) []byte) producer {
	return producer{name, format, func(t testing.TB, plain []byte) (out []byte) {
		parts(plain, n, func(part []byte) { out = append(out, one(t, part)...) })
		return out
	}}
}

func zstdFrame(t testing.TB, part []byte, opts ...zstd.EOption) []byte {
	e, err := zstd.NewWriter(nil, append(opts, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(part, nil)
}

// zstdSeekable writes the seekable format: frames, and a table of them in a
// skippable frame.
func zstdSeekable(t testing.TB, plain []byte) (out []byte) {
	var table []byte
	n := uint32(0)
	parts(plain, 20_000, func(part []byte) {
		f := zstdFrame(t, part)
		out = append(out, f...)
		table = binary.LittleEndian.AppendUint32(table, uint32(len(f)))
		table = binary.LittleEndian.AppendUint32(table, uint32(len(part)))
		n++
	})
	table = binary.LittleEndian.AppendUint32(table, n)
	table = append(table, 0)
	table = binary.LittleEndian.AppendUint32(table, 0x8F92EAB1)
	out = binary.LittleEndian.AppendUint32(out, 0x184D2A5E)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(table)))
	return append(out, table...)
}

// producers are all that write what this package reads.
var producers = []producer{
	tool(Gzip, "gzip", "-1"),
	tool(Gzip, "gzip", "-6"),
	tool(Gzip, "gzip", "-9"),
	toolOnFile(Gzip, ".gz", "gzip"),
	tool(Gzip, "pigz", "-p2", "-b128"),
	tool(Gzip, "pigz", "-p2", "-i", "-b128", "-1"),
	tool(Gzip, "pigz", "-0", "-b128"),
	tool(Gzip, "bgzip", "-c"),
	{"bgzip's members, by Go", Gzip, func(t testing.TB, plain []byte) []byte { return bgzipped(t, plain) }},
	byParts("cat a.gz b.gz", Gzip, 150_000, func(t testing.TB, part []byte) []byte { return gzipped(t, 6, part, nil) }),
	byParts("nginx: a member at each flush", Gzip, 500, func(t testing.TB, part []byte) []byte { return gzipped(t, 1, part, nil) }),
	writer(Gzip, "Go's gzip", func(w io.Writer) *gzip.Writer { return gzip.NewWriter(w) }),
	{"Go's gzip, flushed", Gzip, func(t testing.TB, plain []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		parts(plain, 3_000, func(part []byte) {
			must(t, w.Write, part)
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}},
	{"Go's gzip, stored", Gzip, func(t testing.TB, plain []byte) []byte { return gzipped(t, 0, plain, nil) }},
	{"Docker: an extra field, a name, a comment", Gzip, func(t testing.TB, plain []byte) []byte {
		return gzipped(t, 6, plain, func(w *gzip.Writer) {
			w.Extra = []byte(`{"lastTime":"2026-11-30T00:00:00Z"}`)
			w.Name, w.Comment = "container.log", "a comment"
		})
	}},
	{"a checksum of the header, zeros at the end", Gzip, func(t testing.TB, plain []byte) []byte {
		b := gzipped(t, 6, plain, nil)
		h := append([]byte(nil), b[:10]...)
		h[3] |= 2
		h = binary.LittleEndian.AppendUint16(h, uint16(crc32.ChecksumIEEE(h)))
		return append(append(h, b[10:]...), make([]byte, 700)...)
	}},
	tool(Zstd, "zstd", "-1"),
	tool(Zstd, "zstd", "-3"),
	tool(Zstd, "zstd", "-19"),
	tool(Zstd, "zstd", "--long=27"),
	tool(Zstd, "zstd", "-T2", "-B65536"),
	tool(Zstd, "zstd", "-3", "--zstd=wlog=12"),
	tool(Zstd, "zstd", "-19", "--zstd=wlog=14"),
	tool(Zstd, "zstd", "-1", "--no-check", "--zstd=wlog=17"),
	tool(Zstd, "zstd", "--no-check"),
	toolOnFile(Zstd, ".zst", "zstd"),
	toolOnFile(Zstd, ".zst", "zstd", "-T2", "-B65536"),
	toolOnFile(Zstd, ".zst", "pzstd", "-p", "2", "-1"),
	{"seekable zstd", Zstd, zstdSeekable},
	{"seekable zstd, converted", Zstd, func(t testing.TB, plain []byte) []byte {
		var b bytes.Buffer
		w, err := newFrameWriter(&b, 16<<10)
		if err != nil {
			t.Fatal(err)
		}
		must(t, w.Write, plain)
		if err := w.close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}},
	byParts("cat a.zst b.zst", Zstd, 90_000, func(t testing.TB, part []byte) []byte { return zstdFrame(t, part) }),
	byParts("zstd without checksums, each frame behind a skippable one", Zstd, 40_000, func(t testing.TB, part []byte) []byte {
		return append([]byte("\x53\x2a\x4d\x18\x05\x00\x00\x00hello"), zstdFrame(t, part, zstd.WithEncoderCRC(false))...)
	}),
	writer(Zstd, "klauspost zstd", func(w io.Writer) *zstd.Encoder {
		e, _ := zstd.NewWriter(w)
		return e
	}),
	writer(Zstd, "klauspost zstd, a small window", func(w io.Writer) *zstd.Encoder {
		e, _ := zstd.NewWriter(w, zstd.WithWindowSize(8<<10), zstd.WithEncoderLevel(zstd.SpeedBestCompression))
		return e
	}),
	writer(S2, "s2", func(w io.Writer) *s2.Writer { return s2.NewWriter(w, s2.WriterBlockSize(64<<10)) }),
	writer(S2, "s2, blocks of 4 MiB, padded", func(w io.Writer) *s2.Writer {
		return s2.NewWriter(w, s2.WriterBlockSize(4<<20), s2.WriterPadding(4<<10))
	}),
	writer(S2, "s2, with an index", func(w io.Writer) *s2.Writer {
		return s2.NewWriter(w, s2.WriterBlockSize(32<<10), s2.WriterAddIndex(), s2.WriterBetterCompression())
	}),
	writer(Snappy, "snappy", func(w io.Writer) *s2.Writer { return snappy.NewBufferedWriter(w) }),
	tool(Bzip2, "bzip2", "-1"),
	// With small dictionaries: to make them is what takes the time.
	tool(XZ, "xz", "-0"),
	tool(XZ, "xz", "-0", "-T2", "--check=sha256", "--block-size=50000"),
	tool(XZ, "xz", "-0", "--check=none", "--block-size=20000"),
	{"xz of two streams, padded", XZ, func(t testing.TB, plain []byte) []byte {
		b := tool(XZ, "xz", "-0").make(t, plain[:len(plain)/2])
		if b == nil {
			return nil
		}
		b = append(b, make([]byte, 8)...)
		b = append(b, tool(XZ, "xz", "-0", "--check=crc32").make(t, plain[len(plain)/2:])...)
		return append(b, make([]byte, 4)...)
	}},
	byParts("cat a.bz2 b.bz2", Bzip2, 150_000, func(t testing.TB, part []byte) []byte {
		return tool(Bzip2, "bzip2", "-9").make(t, part)
	}),
}

// What was made is kept: several tests take the same text.
func init() {
	for i, p := range producers {
		var made sync.Map
		producers[i].make = func(t testing.TB, plain []byte) []byte {
			key := [2]uint32{uint32(len(plain)), crc32.ChecksumIEEE(plain)}
			if b, ok := made.Load(key); ok {
				return b.([]byte)
			}
			b := slices.Clip(p.make(t, plain))
			made.Store(key, b)
			return b
		}
	}
}

// chosen are the producers that tests go through: all, or under the race
// detector one of each way to decode. What the others differ in is seen without
// it.
func chosen() []producer {
	if !raceEnabled {
		return producers
	}
	var all []producer
	for _, name := range []string{
		"gzip -6", "cat a.gz b.gz", "bgzip's members, by Go",
		"zstd -3 --zstd=wlog=12", "cat a.zst b.zst", "seekable zstd, converted",
		"s2", "snappy", "bzip2 -1", "xz -0 -T2 --check=sha256 --block-size=50000",
	} {
		i := slices.IndexFunc(producers, func(p producer) bool { return p.name == name })
		all = append(all, producers[i])
	}
	return all
}

func content(t testing.TB, kind corpus.Kind, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := corpus.Write(context.Background(), &b, kind, 7, size); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
