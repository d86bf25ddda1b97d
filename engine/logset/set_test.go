package logset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"excerpt/engine"
	"excerpt/engine/compressed"
	"excerpt/engine/internal/reference"
)

func TestMain(m *testing.M) {
	cache, err := os.MkdirTemp("", "excerpt-test-*")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache)
	code := m.Run()
	os.RemoveAll(cache)
	os.Exit(code)
}

// pack compresses as the suffix of name says.
func pack(name string, text []byte) []byte {
	var b bytes.Buffer
	switch filepath.Ext(name) {
	case ".gz":
		w := gzip.NewWriter(&b)
		w.Write(text)
		w.Close()
	case ".zst":
		w, _ := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
		w.Write(text)
		w.Close()
	case ".s2":
		w := s2.NewWriter(&b)
		w.Write(text)
		w.Close()
	default:
		return text
	}
	return b.Bytes()
}

// dir makes a folder with files, of which the names say how they are compressed.
func dir(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), pack(name, []byte(text)))
	}
	return dir
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, path string) *Set {
	t.Helper()
	s, err := Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// all returns what the set holds.
func all(t testing.TB, s *Set) string {
	t.Helper()
	span, err := s.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := span.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// problems returns what is wrong with the set, less its folder.
func problems(s *Set) (found []string) {
	for _, m := range s.Members() {
		if m.State != Whole {
			found = append(found, filepath.Base(m.Path)+" "+m.State.String())
		}
	}
	return found
}

func TestSet(t *testing.T) {
	files := map[string]string{
		"app.log": "nine\nten", "app.log.1": "six\nseven\neight\n", "app.log.2.gz": "four\nfi", "app.log.3.zst": "", "app.log.4.s2": "one\ntwo\r\nthree\n",
		"other.log": "x", "app.log.2.gz.tmp": "y",
	}
	// The end of app.log.2.gz goes on in app.log.1.
	s := open(t, filepath.Join(dir(t, files), "app.log"))
	want := "one\ntwo\r\nthree\nfour\nfisix\nseven\neight\nnine\nten"
	if got := all(t, s); got != want {
		t.Errorf("%q", got)
	}
	if len(problems(s)) > 0 || s.Size() != int64(len(want)) {
		t.Error(s.Members(), s.Size())
	}
	lines, err := s.Count(t.Context())
	if lines != 9 || err != nil {
		t.Error(lines, err)
	}
	var past *engine.RangeError
	if _, err := s.Lines(t.Context(), 10, 12); !errors.As(err, &past) || past.Lines != 9 {
		t.Error(err)
	}
	d, err := s.Describe(t.Context())
	if err != nil || d.Lines != 9 || d.Bytes != int64(len(want)) || d.Ended || d.LineEnds.CRLF != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	var paths []string
	for _, m := range s.Members() {
		paths = append(paths, filepath.Base(m.Path))
	}
	if diff := cmp.Diff([]string{"app.log.4.s2", "app.log.3.zst", "app.log.2.gz", "app.log.1", "app.log"}, paths); diff != "" {
		t.Error(diff)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Count(t.Context()); !errors.Is(err, engine.ErrClosed) {
		t.Error(err)
	}
}

// TestSelections holds sets of random files against the reference on what they
// hold together.
func TestSelections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files, text := drawFiles(t)
		dir, err := os.MkdirTemp("", "excerpt-test-*")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		for name, b := range files {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		opts := &engine.Options{Cache: engine.NoCache, Workers: rapid.IntRange(0, 3).Draw(t, "workers")}
		s, err := Open(context.Background(), filepath.Join(dir, "app.log"), opts)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for range rapid.IntRange(1, 6).Draw(t, "selections") {
			compareOnce(t, s, text)
		}
		if wrong := problems(s); len(wrong) > 0 {
			t.Fatalf("%q", wrong)
		}
	})
}

// drawFiles draws the files of a set of app.log, and what they hold together.
func drawFiles(t *rapid.T) (files map[string][]byte, text []byte) {
	files = map[string][]byte{}
	dated, inside := rapid.Bool().Draw(t, "dated"), rapid.Bool().Draw(t, "inside")
	members := rapid.IntRange(1, 7).Draw(t, "members")
	for i := members - 1; i >= 0; i-- {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-c\r\x00é]{0,6}`), 0, rapid.SampledFrom([]int{1, 5, 400}).Draw(t, "most")).Draw(t, "lines")
		part := []byte(strings.Join(lines, "\n"))
		if rapid.Bool().Draw(t, "long") {
			part = append(part, bytes.Repeat([]byte("long "), rapid.IntRange(0, 1000).Draw(t, "repeated"))...)
		}
		if len(part) > 0 {
			// Files of the same content would not be read twice.
			part = append(fmt.Appendf(nil, "member %d\n", i), part...)
		}
		if len(part) > 0 && rapid.Bool().Draw(t, "ended") {
			part = append(part, '\n')
		}
		name := fmt.Sprintf(".%d", i)
		if dated {
			name = fmt.Sprintf("-202611%02d", 30-i)
		}
		switch {
		case i == 0:
			name = "app.log"
		case inside:
			name = "app" + name + ".log"
		default:
			name = "app.log" + name
		}
		if i > 0 {
			name += rapid.SampledFrom([]string{"", ".gz", ".zst", ".s2"}).Draw(t, "suffix")
		}
		files[name] = pack(name, part)
		text = append(text, part...)
	}
	return files, text
}

// compareOnce holds one random selection against the reference.
func compareOnce(t *rapid.T, s *Set, text []byte) {
	ctx := context.Background()
	lines := int64(bytes.Count(text, []byte("\n")) + 2)
	n := rapid.Int64Range(0, lines).Draw(t, "n")
	size := int64(len(text))
	var (
		span *engine.Span
		want reference.Selection
		err  error
		free = true // the number of the first line is known
	)
	r := bytes.NewReader(text)
	switch what := rapid.SampledFrom([]string{"head", "tail", "lines", "prefix", "bytes", "end", "all", "count", "describe"}).Draw(t, "what"); what {
	case "head":
		span, err = s.Head(ctx, n)
		want, _ = reference.Head(r, n)
	case "tail":
		span, err = s.Tail(ctx, n)
		want, _ = reference.Tail(r, n)
		free = false
	case "lines":
		last := engine.LastLine
		if rapid.Bool().Draw(t, "bounded") {
			last = engine.LineNumber(n + rapid.Int64Range(1, lines).Draw(t, "more"))
		}
		span, err = s.Lines(ctx, engine.LineNumber(n+1), last)
		want, _ = reference.Lines(r, n+1, int64(last))
		if want.Lines == 0 {
			var past *engine.RangeError
			count, _ := reference.Count(bytes.NewReader(text))
			if !errors.As(err, &past) || past.Lines != count {
				t.Fatalf("lines from %d of %d: %v", n+1, count, err)
			}
			return
		}
	case "prefix":
		n = rapid.Int64Range(0, size+2).Draw(t, "bytes")
		span, err = s.Prefix(ctx, n)
		want, _ = reference.Prefix(r, n)
	case "bytes":
		n = rapid.Int64Range(0, size+2).Draw(t, "start")
		end := n + rapid.Int64Range(0, size+2).Draw(t, "more")
		span, err = s.Bytes(ctx, engine.Offset(n), engine.Offset(end))
		want, _ = reference.Bytes(r, n, end)
		free = false
	case "end":
		n = rapid.Int64Range(1, size+2).Draw(t, "bytes")
		span, err = s.Bytes(ctx, engine.Offset(-n), engine.LastOffset)
		want, _ = reference.Bytes(r, size-n, size)
		free = false
	case "all":
		span, err = s.All(ctx)
		want, _ = reference.All(r)
	case "count":
		got, err := s.Count(ctx)
		want, _ := reference.Count(r)
		if got != want || err != nil {
			t.Fatalf("count: %d and not %d, %v", got, want, err)
		}
		return
	case "describe":
		got, err := s.Describe(ctx)
		want, _ := reference.Count(r)
		if err != nil || got.Lines != want || got.Bytes != size {
			t.Fatalf("describe: %+v and not %d lines, %v", got, want, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if _, err := span.WriteTo(&got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes) {
		t.Fatalf("%.300q and not %.300q", &got, want.Bytes)
	}
	if want.Lines == 0 {
		return
	}
	number := span.First()
	if !free || rapid.Bool().Draw(t, "ask") {
		if number, err = span.Number(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if int64(number) != want.First {
		t.Fatalf("line %d and not %d", number, want.First)
	}
	if known, ok := span.Lines(); ok && known != want.Lines {
		t.Fatalf("%d lines and not %d", known, want.Lines)
	}
	// Line by line, with their numbers and offsets, and as text.
	at := want.Start
	for line, err := range span.All() {
		if err != nil {
			t.Fatal(err)
		}
		if line.Number != number || int64(line.Offset) != at && line.Offset >= 0 {
			t.Fatalf("line %d at %d and not %d at %d", line.Number, line.Offset, number, at)
		}
		number++
		at += line.Bytes
	}
	if at != want.End {
		t.Fatalf("lines end at %d and not %d", at, want.End)
	}
	cut, err := span.Text(engine.Limits{Lines: -1, Bytes: -1})
	if err != nil || !bytes.Equal(cut.Data, want.Bytes) {
		t.Fatalf("%.300q and not %.300q, %v", cut.Data, want.Bytes, err)
	}
	if start, end := span.Offsets(); span.First() != 0 && (int64(start) != want.Start || int64(end) != want.End && end != engine.LastOffset) {
		t.Fatalf("bytes %d to %d and not %d to %d", start, end, want.Start, want.End)
	}
}

// TestProblems has what is wrong with sets said, and the rest read.
func TestProblems(t *testing.T) {
	gz := func(text string) string { return string(pack("x.gz", []byte(text))) }
	half := func(packed string) string { return packed[:len(packed)-9] } // less its end and checksum
	old := strings.Repeat("old line\n", 5000)
	for _, test := range []struct {
		name  string
		files map[string]string // as they are
		want  string
		wrong []string
	}{
		{"a gap", map[string]string{"app.log": "3\n", "app.log.1": "2\n", "app.log.4": "1\n"}, "1\n2\n3\n", []string{"app.log.2 to app.log.3 missing"}},
		{"the live file is missing", map[string]string{"app.log.1": "2\n", "app.log.2": "1\n"}, "1\n2\n", []string{"app.log missing"}},
		{"the first is missing", map[string]string{"app.log": "2\n", "app.log.2": "1\n"}, "1\n2\n", []string{"app.log.1 missing"}},
		{"being compressed", map[string]string{"app.log": "3\n", "app.log.1": old, "app.log.1.gz": half(gz(old))}, old + "3\n", []string{"app.log.1.gz twice"}},
		{"only begun", map[string]string{"app.log": "3\n", "app.log.1": old, "app.log.1.gz": "\x1f\x8b"}, old + "3\n", []string{"app.log.1.gz twice"}},
		{"compressed", map[string]string{"app.log": "3\n", "app.log.1": old, "app.log.1.gz": gz(old)}, old + "3\n", []string{"app.log.1.gz twice"}},
		{"being decompressed", map[string]string{"app.log": "3\n", "app.log.1": old[:100], "app.log.1.gz": gz(old)}, old + "3\n", []string{"app.log.1 twice"}},
		{"two formats", map[string]string{"app.log": "3\n", "app.log.1.zst": string(pack("x.zst", []byte(old))), "app.log.1.gz": gz(old)}, old + "3\n", []string{"app.log.1.zst twice"}},
		{"half and alone", map[string]string{"app.log": "3\n", "app.log.1.gz": gz("2\n"), "app.log.2.gz": half(gz(old))}, "", []string{"app.log.2.gz partial"}},
		{"a wrong checksum", map[string]string{"app.log": "3\n", "app.log.1.gz": half(gz(old)) + "\x00checksum", "app.log.2.gz": gz("1\n")}, "1\n3\n", []string{"app.log.1.gz partial"}},
		{"begun and alone", map[string]string{"app.log": "3\n", "app.log.1.gz": "\x1f"}, "3\n", []string{"app.log.1.gz partial"}},
		{"empty and alone", map[string]string{"app.log": "3\n", "app.log.1.gz": ""}, "3\n", []string{"app.log.1.gz partial"}},
		{"not compressed", map[string]string{"app.log": "3\n", "app.log.1.gz": "this is no gzip file"}, "3\n", []string{"app.log.1.gz unreadable"}},
		{"xz", map[string]string{"app.log": "3\n", "app.log.1.xz": "\xfd7zXZ\x00 and so on"}, "3\n", []string{"app.log.1.xz partial"}},
		{"copied", map[string]string{"app.log": "2\n3\n", "app.log.1": "2\n3\n", "app.log.2": "1\n"}, "1\n2\n3\n", []string{"app.log.1 twice"}},
		{"copied, and more", map[string]string{"app.log": "2\n3\n", "app.log.1": "2\n", "app.log.2": "1\n"}, "1\n2\n3\n", []string{"app.log.1 twice"}},
		{"half copied", map[string]string{"app.log": old, "app.log.1": old[:12345]}, old, []string{"app.log.1 twice"}},
		{"copies of copies", map[string]string{"app.log": "1\n2\n3\n", "app.log.1": "1\n2\n", "app.log.2": "1\n"}, "1\n2\n3\n", []string{"app.log.2 twice", "app.log.1 twice"}},
		{"the same beginning", map[string]string{"app.log": "header\n", "app.log.1": "header\n1\n"}, "header\n1\nheader\n", nil},
		{"cut short", map[string]string{"app.log": "", "app.log.1": "1\n"}, "1\n", nil},
		{"one place, two contents", map[string]string{"app.log": "3\n", "app.log.1": "2\n", "app.log.1.gz": gz("1\n")}, "", []string{"app.log.1.gz ambiguous"}},
		{"the live file compressed", map[string]string{"app.log": old, "app.log.gz": half(gz(old)), "app.log.1": "1\n"}, "1\n" + old, []string{"app.log.gz twice"}},
		{"a folder is no log", map[string]string{"app.log": "1\n"}, "1\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, b := range test.files {
				write(t, filepath.Join(dir, name), []byte(b))
			}
			if err := os.Mkdir(filepath.Join(dir, "app.log-20260101"), 0o700); err != nil {
				t.Fatal(err)
			}
			s := open(t, filepath.Join(dir, "app.log"))
			got := all(t, s)
			if test.want != "" && got != test.want {
				t.Errorf("%.200q and not %.200q", got, test.want)
			}
			if diff := cmp.Diff(test.wrong, problems(s)); diff != "" {
				t.Error(diff)
			}
			for _, m := range s.Members() {
				if (m.State == Whole) != (m.Err == nil) || !strings.HasPrefix(m.String(), m.Path+" ") || strings.Count(m.String(), m.Path+" ")+strings.Count(m.String(), m.Path+":") > 1 {
					t.Errorf("%s", m)
				}
				t.Log(m)
			}
			lines, err := s.Count(t.Context())
			if want, _ := reference.Count(strings.NewReader(got)); lines != want || err != nil {
				t.Errorf("%d lines and not %d, %v", lines, want, err)
			}
		})
	}
}

// TestCompressedUnderNextName: what is compressed under its next name is read
// once, whether that was interrupted or not, and nothing else is left out.
func TestCompressedUnderNextName(t *testing.T) {
	text := strings.Repeat("a line\n", 40_000)
	packed := string(pack("x.gz", []byte(text)))
	half := packed[:len(packed)/2]
	const before, same, after = -time.Hour, 0, time.Hour
	for _, test := range []struct {
		name          string
		older, newer  string // their names; the newer one is plain
		packed, plain string // what is in them
		when          time.Duration
		twice         bool
	}{
		{"whole", "app.log.2.gz", "app.log.1", packed, text, same, true},
		{"with a time of its own", "app.log.2.gz", "app.log.1", packed, text, after, true},
		{"half", "app.log.2.gz", "app.log.1", half, text, after, true},
		{"of the live file", "app.log.1.gz", "app.log", packed, text, after, true},
		{"half, of the live file", "app.log.1.gz", "app.log", half, text, after, true},
		{"dated", "app.log-20261130.gz", "app.log", packed, text, same, true},
		{"older", "app.log.2.gz", "app.log.1", packed, text, before, false},
		{"half and older", "app.log.2.gz", "app.log.1", half, text, before, false},
		{"another", "app.log.2.gz", "app.log.1", packed, "b" + text[1:], after, false},
		{"another end", "app.log.2.gz", "app.log.1", packed, text[:len(text)-1] + "b", after, false},
		{"the beginning", "app.log.2.gz", "app.log.1", packed, text + text, after, false},
		{"more", "app.log.2.gz", "app.log.1", packed, text[:100_000], after, false},
		{"half of another", "app.log.2.gz", "app.log.1", half, "b" + text[1:], after, false},
		{"nothing yet", "app.log.2.gz", "app.log.1", "\x1f\x8b", text, after, false},
		{"nothing", "app.log.2.gz", "app.log.1", string(pack("x.gz", nil)), text, after, false},
		{"not compressed", "app.log.2", "app.log.1", text, text, after, false},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "app.log"), []byte("live\n"))
		write(t, filepath.Join(dir, test.newer), []byte(test.plain))
		write(t, filepath.Join(dir, test.older), []byte(test.packed))
		now := time.Now()
		if err := os.Chtimes(filepath.Join(dir, test.newer), now, now); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, test.older), now, now.Add(test.when)); err != nil {
			t.Fatal(err)
		}
		s := open(t, filepath.Join(dir, "app.log"))
		got := all(t, s)
		if found := slices.Contains(problems(s), test.older+" twice"); found != test.twice {
			t.Errorf("%s: %q", test.name, problems(s))
		}
		if once := strings.TrimSuffix(got, "live\n") == test.plain; once != (test.twice || test.packed == "\x1f\x8b" || test.name == "nothing") {
			t.Errorf("%s: %d bytes", test.name, len(got))
		}
	}
}

// TestFolders: a folder in the place of a file is said to be one, and others are
// nobody's.
func TestFolders(t *testing.T) {
	for _, test := range []struct {
		files, folders []string
		wrong          []string
	}{
		{[]string{"app.log", "app.log.2"}, []string{"app.log.1"}, []string{"app.log.1 unreadable"}},
		{[]string{"app.log", "app.log.4.gz"}, []string{"app.log.2", "app.log.3.gz"}, []string{"app.log.3.gz unreadable", "app.log.2 unreadable", "app.log.1 missing"}},
		{[]string{"app.log.1"}, []string{"app.log"}, []string{"app.log unreadable"}},
		{[]string{"app.log", "app.1.log"}, []string{"app.0.log", "app.log.1", "app.2.log"}, []string{"app.0.log unreadable"}},
		{[]string{"app.log", "app.log.1"}, []string{"app.log.1.gz", "app.log.2", "app.log-20261130", "app.log.gz"}, nil},
		{[]string{"app.log", "app.log-20261129", "app.log-20261201"}, []string{"app.log-20261130", "app.log.1"}, nil},
	} {
		dir := t.TempDir()
		for _, name := range test.files {
			write(t, filepath.Join(dir, name), pack(name, []byte(name+"\n")))
		}
		for _, name := range test.folders {
			if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		s := open(t, filepath.Join(dir, "app.log"))
		if got := all(t, s); strings.Count(got, "\n") != len(test.files) {
			t.Errorf("%q of %q", got, test.files)
		}
		if diff := cmp.Diff(test.wrong, problems(s)); diff != "" {
			t.Errorf("%q, folders %q: %s", test.files, test.folders, diff)
		}
		for _, m := range s.Members() {
			if m.State == Unreadable && (!errors.Is(m.Err, syscall.EISDIR) || !m.Lost()) {
				t.Error(m)
			}
		}
	}
}

// TestHalfWritten reads a set with a half-written file in the middle, as far as
// that goes, by every selection.
func TestHalfWritten(t *testing.T) {
	text := strings.Repeat("a line of some length\n", 20_000)
	packed := pack("x.gz", []byte(text))
	dir := t.TempDir()
	write(t, filepath.Join(dir, "app.log.3.gz"), pack("x.gz", []byte("oldest\n")))
	write(t, filepath.Join(dir, "app.log.2.gz"), packed[:len(packed)/2])
	write(t, filepath.Join(dir, "app.log.1"), []byte("\nnewer\n"))
	write(t, filepath.Join(dir, "app.log"), []byte("newest\n"))
	path := filepath.Join(dir, "app.log")
	got := all(t, open(t, path))
	middle, ok := strings.CutPrefix(got, "oldest\n")
	middle, ok2 := strings.CutSuffix(middle, "\nnewer\nnewest\n")
	if !ok || !ok2 || !strings.HasPrefix(text, middle) || len(middle) < 1000 {
		t.Fatalf("%d bytes", len(got))
	}
	want, _ := reference.Count(strings.NewReader(got))
	for name, sel := range map[string]func(*Set) (int64, error){
		"count": func(s *Set) (int64, error) { return s.Count(t.Context()) },
		"lines": func(s *Set) (int64, error) {
			span, err := s.Lines(t.Context(), 1, engine.LastLine)
			if err != nil {
				return 0, err
			}
			var b bytes.Buffer
			_, err = span.WriteTo(&b)
			n, _ := reference.Count(&b)
			return n, err
		},
		"the last": func(s *Set) (int64, error) {
			span, err := s.Lines(t.Context(), engine.LineNumber(want), engine.LastLine)
			if err != nil {
				return 0, err
			}
			text, err := span.Text(engine.Limits{})
			if err == nil && string(text.Data) != "newest\n" {
				err = fmt.Errorf("%q", text.Data)
			}
			return want, err
		},
		"tail": func(s *Set) (int64, error) {
			span, err := s.Tail(t.Context(), 3)
			if err != nil {
				return 0, err
			}
			n, err := span.Number(t.Context())
			return int64(n) + 2, err
		},
		"tail, once its beginning was read": func(s *Set) (int64, error) {
			for n := int64(1); n < 5000; n *= 3 {
				if _, err := s.Lines(t.Context(), 1, engine.LineNumber(n)); err != nil {
					return 0, err
				}
			}
			span, err := s.Tail(t.Context(), 3)
			if err != nil {
				return 0, err
			}
			n, err := span.Number(t.Context())
			return int64(n) + 2, err
		},
		"describe": func(s *Set) (int64, error) {
			d, err := s.Describe(t.Context())
			if err != nil {
				return 0, err
			}
			return d.Lines, nil
		},
	} {
		s := open(t, path)
		if lines, err := sel(s); lines != want || err != nil {
			t.Errorf("%s: %d lines and not %d, %v", name, lines, want, err)
		}
		if diff := cmp.Diff([]string{"app.log.2.gz partial"}, problems(s)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if m := s.Members()[1]; !m.Lost() || !errors.Is(m.Err, compressed.ErrDamaged) {
			t.Errorf("%s: %v", name, m)
		}
	}
}

// TestTailIsLazy has the tail of a set decode no file that is older than it must.
func TestTailIsLazy(t *testing.T) {
	text := strings.Repeat("a line\n", 2000)
	dir := dir(t, map[string]string{"app.log": text, "app.log.1.gz": "1\n" + text, "app.log.2.gz": "2\n" + text, "app.log.3.gz": "3\n" + text})
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "app.log.1.gz"), past, past); err != nil { // as it is, if nothing is wrong
		t.Fatal(err)
	}
	for lines, want := range map[int64]int{1: 0, 1999: 0, 2001: 1, 6003: 3} {
		s := open(t, filepath.Join(dir, "app.log"))
		span, err := s.Tail(t.Context(), lines)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := span.WriteTo(&b); err != nil || int64(bytes.Count(b.Bytes(), []byte("\n"))) != lines {
			t.Fatal(err, b.Len())
		}
		opened := 0
		for _, p := range s.parts {
			if p.src != nil {
				opened++
			}
		}
		if opened != want {
			t.Errorf("%d compressed files are decoded for %d lines, and not %d", opened, lines, want)
		}
	}
}

// TestConcurrent has many read in one set at once, while parts of it let go of
// what they have decoded, and one has it closed in the end.
func TestConcurrent(t *testing.T) {
	const members, each = 5, 5000
	line := func(number int) string { return fmt.Sprintf("%06d of a set\n", number) }
	files := map[string]string{}
	for i := range members {
		var b strings.Builder
		for number := range each {
			b.WriteString(line(i*each + number + 1))
		}
		name := "app.log"
		if age := members - 1 - i; age > 0 {
			name = fmt.Sprintf("app.log.%d%s", age, []string{".zst", ".gz"}[age%2])
		}
		files[name] = b.String()
	}
	s := open(t, filepath.Join(dir(t, files), "app.log"))
	var wg sync.WaitGroup
	for reader := range 6 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(reader), 5))
			for range 8 {
				first := random.IntN(members*each) + 1
				last := min(first+random.IntN(2*each), members*each)
				span, err := s.Lines(t.Context(), engine.LineNumber(first), engine.LineNumber(last))
				if err != nil {
					t.Error(err)
					return
				}
				at := first
				for l, err := range span.All() {
					if err != nil || string(l.Text)+"\n" != line(at) || int(l.Number) != at {
						t.Errorf("line %d: %+v, %v", at, l, err)
						return
					}
					at++
				}
				if at != last+1 {
					t.Errorf("%d lines and not %d", at-first, last-first+1)
				}
			}
		})
	}
	wg.Wait()
	closed := make(chan error)
	go func() {
		for {
			if _, err := s.Describe(t.Context()); err != nil {
				closed <- err
				return
			}
		}
	}()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-closed; !errors.Is(err, engine.ErrClosed) {
		t.Error(err)
	}
}

// TestProgress has the first count of a set say how far it is, from nothing to
// all.
func TestProgress(t *testing.T) {
	text := strings.Repeat("some text that is not short\n", 200_000)
	random := make([]byte, 3<<20) // so that there is something to read
	rng := rand.NewChaCha8([32]byte{})
	_, _ = rng.Read(random)
	dir := dir(t, map[string]string{"app.log": text, "app.log.1.gz": string(random) + text, "app.log.2.gz": text + string(random)})
	s := open(t, filepath.Join(dir, "app.log"))
	var last, most, calls int64
	ctx := engine.WithProgress(t.Context(), func(done, total int64) {
		calls++
		if done < last || done > total || most != 0 && total != most {
			t.Errorf("%d of %d after %d of %d", done, total, last, most)
		}
		last, most = done, total
	})
	if _, err := s.Count(ctx); err != nil {
		t.Fatal(err)
	}
	if calls < 3 || last < most/2 {
		t.Errorf("%d calls, the last one of %d of %d", calls, last, most)
	}
}

// TestHoles has the hole that copytruncate leaves in the log of a program that
// goes on at its old offset be skipped, where it lies behind a compressed file.
func TestHoles(t *testing.T) {
	dir := dir(t, map[string]string{"app.log.2.gz": "1\n2\n", "app.log.1": "3\n", "app.log": ""})
	path := filepath.Join(dir, "app.log")
	const hole = 1 << 36
	if err := os.Truncate(path, hole); err != nil {
		t.Skip(err)
	}
	s := open(t, path)
	if _, holes, known := s.parts[len(s.parts)-1].extent(0); !holes || !known {
		t.Skip("holes are not told apart here")
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("4\n5\n"); err != nil {
		t.Fatal(err)
	}
	file.Close()
	for round := range 2 { // the second one knows how much there is
		s := open(t, path)
		if round == 1 {
			if lines, err := s.Count(t.Context()); lines != 5 || err != nil {
				t.Fatal(lines, err)
			}
		}
		for lines, start := range map[int64]int64{1: -2, 2: -4 - hole, 3: -6 - hole, 4: -8 - hole} {
			span, err := s.Tail(t.Context(), lines)
			if err != nil {
				t.Fatal(err)
			}
			size := max(s.Size(), 0)
			if got, _ := span.Offsets(); int64(got) != size+start {
				t.Errorf("the last %d lines begin at %d and not at %d", lines, got, size+start)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	dir := dir(t, map[string]string{"app.log": "1\n", "app.log.1": "2\n"})
	if _, err := Open(t.Context(), filepath.Join(dir, "none.log"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "none", "app.log"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(t.Context(), dir, nil); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, filepath.Join(dir, "app.log"), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s := open(t, filepath.Join(dir, "app.log"))
	if _, err := s.Tail(t.Context(), -1); !errors.Is(err, engine.ErrSelection) {
		t.Error(err)
	}
	if _, err := s.Count(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if change, err := s.Refresh(); change != engine.Unchanged || err != nil {
		t.Error(change, err)
	}
	if _, err := s.BuildIndex(t.Context()); err == nil {
		t.Error("an index of a set")
	}
	// The live file is cut short while the set is open.
	write(t, filepath.Join(dir, "app.log"), nil)
	if _, err := s.Count(t.Context()); !errors.Is(err, engine.ErrTruncated) {
		t.Error(err)
	}
}

// TestRoot reads a set within an os.Root, which it can't leave.
func TestRoot(t *testing.T) {
	dir := dir(t, map[string]string{"app.log": "3\n", "app.log.1": "2\n", "app.log.2.gz": "1\n"})
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, []byte("secret\n"))
	if err := os.Symlink(secret, filepath.Join(dir, "app.log.3")); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s, err := Open(t.Context(), "app.log", &engine.Options{Open: root.OpenFile})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := all(t, s); got != "1\n2\n3\n" {
		t.Errorf("%q", got)
	}
	if diff := cmp.Diff([]string{"app.log.3 unreadable"}, problems(s)); diff != "" {
		t.Error(diff)
	}
}

// TestLinks has a file with two names be read once.
func TestLinks(t *testing.T) {
	dir := dir(t, map[string]string{"app.log-20261130": "2\n", "app.log-20261129.gz": "1\n"})
	if err := os.Link(filepath.Join(dir, "app.log-20261130"), filepath.Join(dir, "app.log")); err != nil {
		t.Skip(err)
	}
	s := open(t, filepath.Join(dir, "app.log"))
	if got := all(t, s); got != "1\n2\n" {
		t.Errorf("%q", got)
	}
	if diff := cmp.Diff([]string{"app.log-20261130 twice"}, problems(s)); diff != "" {
		t.Error(diff)
	}
}

// TestBrokenLinks: a link that leads nowhere hides no other file.
func TestBrokenLinks(t *testing.T) {
	for _, name := range []string{"app.log", "app.log.1", "app.log.2.gz", "app.log.3"} {
		for to, want := range map[string]error{"nothing": fs.ErrNotExist, name: nil} { // and to itself
			dir := dir(t, map[string]string{"app.log": "4\n", "app.log.1": "3\n", "app.log.2.gz": "2\n", "app.log.3": "1\n"})
			path := filepath.Join(dir, name)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(to, path); err != nil {
				t.Skip(err)
			}
			s := open(t, filepath.Join(dir, "app.log"))
			if got := all(t, s); strings.Count(got, "\n") != 3 {
				t.Errorf("%s: %q", name, got)
			}
			if diff := cmp.Diff([]string{name + " unreadable"}, problems(s)); diff != "" {
				t.Error(diff)
			}
			for _, m := range s.Members() {
				if m.State == Unreadable && (want != nil && !errors.Is(m.Err, want) || !m.Lost()) {
					t.Error(m)
				}
			}
		}
	}
}

// TestKinds orders files of two kinds of names by when they were written.
func TestKinds(t *testing.T) {
	dir := dir(t, map[string]string{"app.log": "5\n", "app.log.1": "2\n", "app.log.2.gz": "1\n", "app.log-20261129": "3\n", "app.log-20261130": "4\n"})
	s := open(t, filepath.Join(dir, "app.log"))
	got := all(t, s)
	for _, name := range []string{"app.log.1", "app.log.2.gz"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		past := info.ModTime().AddDate(-1, 0, 0)
		if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	if got != "1\n2\n3\n4\n5\n" && got != "3\n4\n1\n2\n5\n" {
		t.Errorf("%q", got)
	}
	s = open(t, filepath.Join(dir, "app.log"))
	if got := all(t, s); got != "1\n2\n3\n4\n5\n" {
		t.Errorf("%q", got)
	}
	if diff := cmp.Diff([]string{"app.log.1 ambiguous"}, problems(s)); diff != "" {
		t.Error(diff)
	}
}

// A folder that can't be listed is an error that names the log.
func TestUnlisted(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "app.log")
	opts := &engine.Options{Open: func(path string, flag int, perm fs.FileMode) (*os.File, error) {
		if path == dir {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		}
		return os.OpenFile(path, flag, perm)
	}}
	_, err := Open(t.Context(), name, opts)
	var path *fs.PathError
	if !errors.Is(err, fs.ErrPermission) || !errors.As(err, &path) || path.Path != name {
		t.Errorf("%v", err)
	}
}
