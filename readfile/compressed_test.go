package readfile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"excerpt/engine"
	"excerpt/engine/compressed"
	"excerpt/readfile"
)

func gzipped(content string) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	_, _ = w.Write([]byte(content))
	_ = w.Close()
	return b.Bytes()
}

var encoder = func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return e
}()

// stored returns a Tool over a workspace of files, which reads compressed ones.
func stored(t testing.TB, opts readfile.Options, files map[string][]byte) *readfile.Tool {
	t.Helper()
	dir := t.TempDir()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	opts.Open, opts.Cache = compressed.Open, engine.NoCache
	tool, err := readfile.New(root, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// Of a file that is compressed, any answer is that of the file as it was.
func TestCompressedIsPlain(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	write := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"\n", "\r\n", "a", "line ", "\u754c", "\xff", "\ufeff", strings.Repeat("x", 90), "one\ntwo\nthree\nfour\nfive\nsix\n",
		}), 0, 60).Draw(t, "content"), "")
		req := readfile.Request{ShowLineNumbers: rapid.Bool().Draw(t, "numbers")}
		n := func(name string) int64 { return rapid.Int64Range(1, 60).Draw(t, name) }
		switch rapid.IntRange(0, 3).Draw(t, "selector") {
		case 0:
			req.Head = n("head")
		case 1:
			req.Tail = n("tail")
		case 2:
			req.StartLine = n("start")
			req.EndLine = req.StartLine + n("lines")
			req.StartColumn = rapid.Int64Range(0, 30).Draw(t, "column")
		}
		opts := readfile.Options{
			Lines: rapid.Int64Range(1, 50).Draw(t, "most lines"), Bytes: rapid.Int64Range(64, 400).Draw(t, "most bytes"),
			Open: compressed.Open, Cache: engine.NoCache,
		}
		counted := rapid.Bool().Draw(t, "counted")
		if !counted {
			opts.Count = -1
		}
		tool, err := readfile.New(root, &opts)
		if err != nil {
			t.Fatal(err)
		}
		cut := rapid.IntRange(0, len(content)).Draw(t, "cut")
		write("plain", []byte(content))
		req.Path = "plain"
		want := tool.Read(ctx, req)
		for name, b := range map[string][]byte{
			"gz": gzipped(content), "gz2": append(gzipped(content[:cut]), gzipped(content[cut:])...),
			"zst": append(encoder.EncodeAll([]byte(content[:cut]), nil), encoder.EncodeAll([]byte(content[cut:]), nil)...),
		} {
			write("stored", b)
			req.Path = "stored"
			got := tool.Read(ctx, req)
			if fmt.Sprint(got.Err) != strings.ReplaceAll(fmt.Sprint(want.Err), "plain", "stored") {
				t.Fatalf("%s: %v, want %v", name, got.Err, want.Err)
			}
			got.Err, got.Path = want.Err, want.Path
			if !counted { // it may not be known how much there is
				if got.Body != want.Body || got.More != want.More || (got.Metadata == nil) != (want.Metadata == nil) {
					t.Fatalf("%s: %+v, want %+v", name, got, want)
				}
				continue
			}
			got.Notice = strings.ReplaceAll(got.Notice, "stored", "plain")
			if m := got.Metadata; m != nil {
				for _, next := range []*readfile.Request{m.Before, m.After, m.Again} {
					if next != nil {
						next.Path = "plain"
					}
				}
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(readfile.Result{}), cmp.Comparer(func(a, b error) bool { return a == b })); diff != "" {
				t.Fatalf("%s: %s", name, diff)
			}
		}
	})
}

// What can be read before a damage is given, as right as it is, and all else is
// refused with what to send.
func TestDamaged(t *testing.T) {
	plain := numbered(1, 5000)
	whole := gzipped(plain)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-6] ^= 1 // of the checksum
	tool := stored(t, readfile.Options{}, map[string][]byte{
		"cut":     whole[:len(whole)/2],
		"flipped": append(gzipped(numbered(1, 3)), flipped...),
		"stub":    whole[:15],
	})
	first := tool.Read(ctx, readfile.Request{Path: "cut", Head: 2})
	if first.Body != "line 1\nline 2\n" || first.Metadata != nil || !first.Unverified || !strings.Contains(first.Notice, "not verified") {
		t.Errorf("%+v", first)
	}
	tail := tool.Read(ctx, readfile.Request{Path: "cut", Tail: 2})
	var last int
	if _, err := fmt.Sscanf(tail.Text()[strings.Index(tail.Text(), "what is before has"):], "what is before has %d lines", &last); err != nil || !errors.Is(tail.Err, compressed.ErrDamaged) {
		t.Fatalf("%v: %q", err, tail.Text())
	}
	if want := fmt.Sprintf(`send {"start_line": %d, "end_line": %d}`, last-1, last); !strings.Contains(tail.Text(), want) {
		t.Errorf("%q does not say %s", tail.Text(), want)
	}
	rest := tool.Read(ctx, readfile.Request{Path: "cut", StartLine: int64(last) - 1, EndLine: 5000})
	m := rest.Metadata
	if m == nil || m.Reason != readfile.Damaged || m.LineCountKnown || m.FileBytes != 0 || m.ReturnedLines.End != int64(last) || m.After != nil ||
		!strings.HasPrefix(rest.Body, fmt.Sprintf("line %d\n", last-1)) || !strings.Contains(rest.Notice, "of which 0 are verified") || !rest.More {
		t.Errorf("%+v %+v", rest, m)
	}
	if r := tool.Read(ctx, readfile.Request{Path: "cut", StartLine: 5000, EndLine: 5000}); !errors.Is(r.Err, compressed.ErrDamaged) || !strings.Contains(r.Text(), fmt.Sprintf("from 1 to %d", last)) {
		t.Errorf("%q", r.Text())
	}
	cut := tool.Read(ctx, readfile.Request{Path: "cut"})
	if m := cut.Metadata; m == nil || m.Reason != readfile.LineLimit || m.LineCountKnown || m.After.StartLine != 1001 || !strings.Contains(cut.Notice, "damaged") {
		t.Errorf("%+v %+v", cut, m)
	}
	if r := tool.Read(ctx, readfile.Request{Path: "flipped"}); r.Body != numbered(1, 3) || r.Unverified || r.Metadata.Reason != readfile.Damaged {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{"stub"} {
		if r := tool.Read(ctx, readfile.Request{Path: name}); r.Body != "" || !errors.Is(r.Err, compressed.ErrDamaged) || !strings.Contains(r.Text(), "nothing of it can be read") {
			t.Errorf("%s: %q", name, r.Text())
		}
	}
}

// However a file is cut, what is given is how it begins.
func TestCutAnywhere(t *testing.T) {
	plain := numbered(1, 60)
	for name, whole := range map[string][]byte{"gz": gzipped(plain), "zst": encoder.EncodeAll([]byte(plain), nil)} {
		for n := 10; n < len(whole); n += 3 {
			tool := stored(t, readfile.Options{}, map[string][]byte{"f": whole[:n]})
			for _, req := range []readfile.Request{{}, {Head: 3}, {StartLine: 2, EndLine: 70}, {Tail: 1}} {
				req.Path = "f"
				r := tool.Read(ctx, req)
				from := strings.Index(plain, r.Body)
				if r.Err != nil && !errors.Is(r.Err, compressed.ErrDamaged) || r.Err == nil && req.Tail > 0 || from < 0 {
					t.Fatalf("%s, %d bytes of %d, %+v: %q, %v", name, n, len(whole), req, r.Text(), r.Err)
				}
			}
		}
	}
}

func TestCompressedKinds(t *testing.T) {
	tar := make([]byte, 1024)
	copy(tar, "file.txt")
	copy(tar[257:], "ustar")
	tool := stored(t, readfile.Options{}, map[string][]byte{
		"a.tar.gz":   gzipped(string(tar)),
		"nul.gz":     gzipped(strings.Repeat("text\n", 500) + "\x00\n"),
		"utf16.gz":   gzipped("\xff\xfeh\x00i\x00"),
		"twice.gz":   gzipped(string(gzipped("text\n"))),
		"dictionary": []byte("\x28\xb5\x2f\xfd\x01\x00\x05\x09\x00\x00x"),
		"log":        []byte("BZh is no number\n"),
		"empty.gz":   gzipped(""),
	})
	for name, want := range map[string]string{
		"a.tar.gz":   `"a.tar.gz" is a binary file of 1024 bytes, not text: a tar archive`,
		"nul.gz":     `"nul.gz" is a binary file of 2502 bytes, not text: it has NUL bytes`,
		"utf16.gz":   `"utf16.gz" is not UTF-8 but UTF-16LE text`,
		"twice.gz":   `a gzip file; decompress it first`,
		"dictionary": `"dictionary" can't be read: not supported: dictionary 5`,
		"log":        "BZh is no number\n",
	} {
		if r := tool.Read(ctx, readfile.Request{Path: name}); !strings.Contains(r.Text(), want) {
			t.Errorf("%s: %q, want %q", name, r.Text(), want)
		}
	}
	if r := tool.Read(ctx, readfile.Request{Path: "empty.gz", Tail: 3}); r.Err != nil || r.Text() != "" || r.TotalLines != 0 {
		t.Errorf("%+v", r)
	}
	// Mounts, and tools that were not told, have what they have.
	mounted, err := readfile.New(nil, &readfile.Options{Open: compressed.Open, Mounts: map[string]fs.FS{"m": fstest.MapFS{"a.gz": {Data: gzipped("text\n")}}}})
	if err != nil {
		t.Fatal(err)
	}
	if r := mounted.Read(ctx, readfile.Request{Path: "m/a.gz"}); !errors.Is(r.Err, readfile.ErrBinary) || !strings.Contains(r.Text(), "a gzip file; decompress it first") {
		t.Errorf("%q", r.Text())
	}
}

// What is decoded to be counted follows the size of the file, also where that is
// far less than what may be counted; and so it does where the file is large.
func TestDecodedForCount(t *testing.T) {
	line := strings.Repeat("a", 99) + "\n"
	for _, test := range []struct {
		lines   int
		counted bool
	}{{9_000, true}, {100_000, false}} {
		tool := stored(t, readfile.Options{Count: 1 << 20}, map[string][]byte{"a": gzipped(strings.Repeat(line, test.lines))})
		r := tool.Read(ctx, readfile.Request{Path: "a"})
		if r.Metadata == nil || r.Metadata.LineCountKnown != test.counted {
			t.Errorf("%d lines: %v, %+v", test.lines, r.Err, r.Metadata)
		}
	}
}

// A file that holds very much more than its size is not decoded to be counted,
// and no request goes on for longer than its context.
func TestBomb(t *testing.T) {
	line := strings.Repeat("a", 99) + "\n"
	member := gzipped(strings.Repeat(line, 200_000)) // 20 MB
	one := gzipped(strings.Repeat(line, 600_000))
	tool := stored(t, readfile.Options{Count: 1 << 20}, map[string][]byte{
		"many": bytes.Repeat(member, 10),
		"one":  one,
	})
	for _, name := range []string{"many", "one"} {
		r := tool.Read(ctx, readfile.Request{Path: name})
		m := r.Metadata
		if m == nil || m.LineCountKnown || m.FileBytes != 0 || m.ReturnedLines.End != 1000 || m.After.StartLine != 1001 || !strings.Contains(r.Notice, "how much it holds was not counted") {
			t.Errorf("%s: %v %+v %s", name, r.Err, m, r.Notice)
		}
	}
	ended, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
	defer cancel()
	began := time.Now()
	if r := tool.Read(ended, readfile.Request{Path: "one", Tail: 1}); !errors.Is(r.Err, context.DeadlineExceeded) || time.Since(began) > 2*time.Second {
		t.Errorf("%v after %v", r.Err, time.Since(began))
	}
}
