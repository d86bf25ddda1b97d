package readfile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"excerpt/engine"
	"excerpt/readfile"
)

// numbered returns lines from "line a" to "line b".
func numbered(a, b int) string {
	var s strings.Builder
	for i := a; i <= b; i++ {
		fmt.Fprintf(&s, "line %d\n", i)
	}
	return s.String()
}

func TestEmptyFile(t *testing.T) {
	tool := contents(t, readfile.Options{}, map[string]string{"e": ""})
	for _, req := range []readfile.Request{{}, {Head: 3}, {Tail: 3}, {Tail: 3, ShowLineNumbers: true}} {
		req.Path = "w/e"
		r := tool.Read(ctx, req)
		if r.Err != nil || r.Text() != "" || r.Metadata != nil || r.TotalLines != 0 || r.FirstLine != 1 || len(r.Lines()) != 0 || r.Lines() == nil {
			t.Errorf("%+v: %+v", req, r)
		}
	}
	if r := tool.Read(ctx, readfile.Request{Path: "w/e", StartLine: 1, EndLine: 1}); !errors.Is(r.Err, engine.ErrSelection) || !strings.Contains(r.Text(), "empty") {
		t.Errorf("%q", r.Text())
	}
}

// The whole of what is said of a cut.
func TestMetadata(t *testing.T) {
	tool := contents(t, readfile.Options{}, map[string]string{
		"a.log":    numbered(1, 1500),
		"wide.log": strings.Repeat(strings.Repeat("x", 199)+"\n", 3000),
		"long.log": strings.Repeat("界", 100_000),
		"end.log":  "first\n" + strings.Repeat("y", 200_000),
	})
	request := func(path string, first, last, column int64) *readfile.Request {
		return &readfile.Request{Path: path, StartLine: first, EndLine: last, StartColumn: column}
	}
	for _, tt := range []struct {
		req    readfile.Request
		want   readfile.Metadata
		notice string
	}{
		{
			readfile.Request{Path: "w/a.log"},
			readfile.Metadata{
				Reason: "line_limit", LineCount: 1500, ReturnedLines: &readfile.Range{Start: 1, End: 1000}, ReturnedBytes: 8893, FileBytes: 13893,
				After: request("w/a.log", 1001, 1500, 0),
			},
			`[Cut to 1000 lines. These are lines 1 to 1000; the file has 1500 lines, 13893 bytes. To read on: {"path":"w/a.log","start_line":1001,"end_line":1500}]`,
		},
		{
			readfile.Request{Path: "w/a.log", Tail: 1400},
			readfile.Metadata{
				Reason: "line_limit", LineCount: 1500, ReturnedLines: &readfile.Range{Start: 501, End: 1500}, ReturnedBytes: 9501, FileBytes: 13893,
				Before: request("w/a.log", 101, 500, 0),
			},
			`[Cut to 1000 lines. These are lines 501 to 1500; the file has 1500 lines, 13893 bytes. What is before it: {"path":"w/a.log","start_line":101,"end_line":500}]`,
		},
		{
			readfile.Request{Path: "w/wide.log", Head: 3000},
			readfile.Metadata{
				Reason: "line_and_byte_limit", LineCount: 3000, ReturnedLines: &readfile.Range{Start: 1, End: 655}, ReturnedBytes: 131_000, FileBytes: 600_000,
				After: request("w/wide.log", 656, 3000, 0),
			},
			`[Cut to 1000 lines and 131072 bytes. These are lines 1 to 655; the file has 3000 lines, 600000 bytes. To read on: {"path":"w/wide.log","start_line":656,"end_line":3000}]`,
		},
		{
			readfile.Request{Path: "w/wide.log", StartLine: 101, EndLine: 900},
			readfile.Metadata{
				Reason: "byte_limit", LineCount: 3000, ReturnedLines: &readfile.Range{Start: 101, End: 755}, ReturnedBytes: 131_000, FileBytes: 600_000,
				After: request("w/wide.log", 756, 900, 0),
			},
			`[Cut to 131072 bytes. These are lines 101 to 755; the file has 3000 lines, 600000 bytes. To read on: {"path":"w/wide.log","start_line":756,"end_line":900}]`,
		},
		{
			readfile.Request{Path: "w/long.log"},
			readfile.Metadata{
				Reason: "byte_limit", LineCount: 1, ReturnedLines: &readfile.Range{Start: 1, End: 1}, ReturnedBytes: 131_070, FileBytes: 300_000,
				After: request("w/long.log", 1, 1, 131_070),
			},
			`[Cut to 131072 bytes. This is line 1 from column 0 to column 131070; the file has 1 line, 300000 bytes. To read on: {"path":"w/long.log","start_line":1,"end_line":1,"start_column":131070}]`,
		},
		{
			readfile.Request{Path: "w/end.log", Tail: 5},
			readfile.Metadata{
				Reason: "byte_limit", LineCount: 2, ReturnedLines: &readfile.Range{Start: 2, End: 2}, ReturnedBytes: 131_072, FileBytes: 200_006,
				Before: request("w/end.log", 1, 1, 0), After: request("w/end.log", 2, 2, 131_072),
			},
			`[Cut to 131072 bytes. This is line 2 from column 0 to column 131072; the file has 2 lines, 200006 bytes. What is before it: {"path":"w/end.log","start_line":1,"end_line":1} To read on: {"path":"w/end.log","start_line":2,"end_line":2,"start_column":131072}]`,
		},
	} {
		r := tool.Read(ctx, tt.req)
		tt.want.Truncated, tt.want.LineCountKnown = true, true
		if diff := cmp.Diff(&tt.want, r.Metadata); diff != "" {
			t.Errorf("%+v:\n%s", tt.req, diff)
		}
		if diff := cmp.Diff(tt.notice, r.Notice); diff != "" {
			t.Errorf("%+v:\n%s", tt.req, diff)
		}
	}
}

// Of a file that is too large to be counted, nothing is guessed.
func TestNotCounted(t *testing.T) {
	tool := contents(t, readfile.Options{Lines: 10, Count: -1}, map[string]string{"a.log": numbered(1, 500)})
	tests := []struct {
		req    readfile.Request
		total  int64
		lines  *readfile.Range
		after  *readfile.Request
		notice string // a part
	}{
		{req: readfile.Request{}, total: -1, lines: &readfile.Range{Start: 1, End: 10}, after: &readfile.Request{StartLine: 11, EndLine: readfile.LastLine}, notice: "bytes, its lines were not counted."},
		{req: readfile.Request{Head: 3}, total: -1},
		{req: readfile.Request{Head: 30}, total: -1, lines: &readfile.Range{Start: 1, End: 10}, after: &readfile.Request{StartLine: 11, EndLine: 30}},
		{req: readfile.Request{Head: 900}, total: -1, lines: &readfile.Range{Start: 1, End: 10}, after: &readfile.Request{StartLine: 11, EndLine: 900}},
		{req: readfile.Request{Tail: 3}, total: -1},
		{req: readfile.Request{Tail: 3, ShowLineNumbers: true}, total: 500},
		{req: readfile.Request{Tail: 30}, total: -1, notice: `These are the last 10 lines; the file has 4392 bytes, its lines were not counted. For what is before it, ask with line numbers first: {"path":"w/a.log","tail":30,"show_line_numbers":true}]`},
		{req: readfile.Request{Tail: 30, ShowLineNumbers: true}, total: 500, lines: &readfile.Range{Start: 491, End: 500}, notice: `"start_line":471,"end_line":490`},
		{req: readfile.Request{StartLine: 491, EndLine: 999}, total: 500}, // its end was seen
		{req: readfile.Request{StartLine: 495, EndLine: 500}, total: 500},
		{req: readfile.Request{StartLine: 400, EndLine: 999}, total: -1, lines: &readfile.Range{Start: 400, End: 409}, after: &readfile.Request{StartLine: 410, EndLine: 999}},
	}
	for _, tt := range tests {
		tt.req.Path = "w/a.log"
		r := tool.Read(ctx, tt.req)
		if r.Err != nil || r.TotalLines != tt.total || !strings.Contains(r.Notice, tt.notice) {
			t.Errorf("%+v: total %d, want %d; %q, %v", tt.req, r.TotalLines, tt.total, r.Notice, r.Err)
		}
		if tt.lines == nil && tt.notice == "" {
			if r.Metadata != nil {
				t.Errorf("%+v: %+v", tt.req, r.Metadata)
			}
			continue
		}
		if tt.after != nil {
			tt.after.Path = "w/a.log"
		}
		m := r.Metadata
		if diff := cmp.Diff(tt.lines, m.ReturnedLines); diff != "" || m.LineCountKnown != (tt.total >= 0) || m.LineCount != max(tt.total, 0) {
			t.Errorf("%+v: %+v %s", tt.req, m, diff)
		}
		if diff := cmp.Diff(tt.after, m.After); diff != "" {
			t.Errorf("%+v: %s", tt.req, diff)
		}
	}
}

// The mark is bytes of the file, and not of its first line's text.
func TestByteOrderMark(t *testing.T) {
	tool := contents(t, readfile.Options{Bytes: 64}, map[string]string{"a.log": "\ufeff" + strings.Repeat("a", 100) + "\r\nb\r\n"})
	r := tool.Read(ctx, readfile.Request{Path: "w/a.log"})
	if r.Body != "\ufeff"+strings.Repeat("a", 61) || r.Lines()[0].Text != strings.Repeat("a", 61) || r.Metadata.After.StartColumn != 61 {
		t.Errorf("%q, %+v", r.Body, r.Metadata.After)
	}
	if r = tool.Read(ctx, *r.Metadata.After); r.Body != strings.Repeat("a", 39)+"\r\nb\r\n" {
		t.Errorf("%q", r.Body)
	}
}

// A path that is too long for a notice is left out of it.
func TestLongPath(t *testing.T) {
	for _, name := range []string{strings.Repeat("d/", 1000) + "a.log", strings.Repeat("\x01", 250)} {
		tool := contents(t, readfile.Options{Lines: 1, Bytes: 64}, map[string]string{name: "a\n" + strings.Repeat("\xff", 100)})
		for _, req := range []readfile.Request{{}, {Tail: 2}} {
			req.Path = "w/" + name
			r := tool.Read(ctx, req)
			if r.Err != nil || len(r.Notice) > 2048 || !strings.Contains(r.Notice, `with the same path, {"start_line":`) {
				t.Errorf("%q, %v", r.Notice, r.Err)
			}
			for _, next := range []*readfile.Request{r.Metadata.Before, r.Metadata.After} {
				if next != nil && next.Path != req.Path {
					t.Errorf("%+v", next)
				}
			}
		}
	}
}

func TestLimits(t *testing.T) {
	files := map[string]string{"a.log": strings.Repeat("x\n", 3000), "long.log": strings.Repeat("y", 300_000)}
	for _, tt := range []struct {
		opts         readfile.Options
		lines, bytes int
	}{
		{readfile.Options{}, 1000, 128 << 10},
		{readfile.Options{Lines: -1, Bytes: -1}, 1000, 128 << 10},
		{readfile.Options{Lines: 7, Bytes: 1}, 7, 64},
		{readfile.Options{Lines: 1<<63 - 1, Bytes: 200_000}, 3000, 200_000},
	} {
		tool := contents(t, tt.opts, files)
		if r := tool.Read(ctx, readfile.Request{Path: "w/a.log"}); len(r.Lines()) != tt.lines {
			t.Errorf("%+v: %d lines", tt.opts, len(r.Lines()))
		}
		if r := tool.Read(ctx, readfile.Request{Path: "w/long.log"}); len(r.Body) != tt.bytes {
			t.Errorf("%+v: %d bytes", tt.opts, len(r.Body))
		}
	}
}

func TestContext(t *testing.T) {
	tool := contents(t, readfile.Options{}, map[string]string{"a.log": "a\n"})
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	late, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
	defer cancel()
	for name, c := range map[string]context.Context{"cancelled": cancelled, "too long": late} {
		for _, req := range []readfile.Request{{}, {Head: 1}, {Tail: 1}, {StartLine: 1, EndLine: 1}} {
			req.Path = "w/a.log"
			if r := tool.Read(c, req); !errors.Is(r.Err, c.Err()) || !strings.Contains(r.Text(), name) {
				t.Errorf("%s: %q", name, r.Text())
			}
		}
	}
}

// A file that is shorter than it was is an error, not invented bytes.
func TestCutShort(t *testing.T) {
	tool, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{"m": short{}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, req := range []readfile.Request{{}, {Head: 2}, {Tail: 1}, {StartLine: 2, EndLine: 2}} {
		req.Path = "m/a.log"
		if r := tool.Read(ctx, req); !errors.Is(r.Err, engine.ErrTruncated) || !strings.Contains(r.Text(), "again") {
			t.Errorf("%+v: %q, %v", req, r.Text(), r.Err)
		}
	}
}

// short is a tree of files that have less than they say.
type short struct{}

func (short) Open(string) (fs.File, error) { return shortFile{strings.NewReader("some text\n")}, nil }

func (short) Stat(string) (fs.FileInfo, error) {
	return fs.Stat(fstest.MapFS{"f": {Data: make([]byte, 1000)}}, "f")
}

type shortFile struct{ *strings.Reader }

func (shortFile) Stat() (fs.FileInfo, error) { return short{}.Stat("") }
func (shortFile) Close() error               { return nil }

func TestFailingTree(t *testing.T) {
	tool, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{"m": failing{}}})
	if err != nil {
		t.Fatal(err)
	}
	if r := tool.Read(ctx, readfile.Request{Path: "m/a.log"}); r.Err == nil || strings.Contains(r.Text(), "/srv") {
		t.Errorf("%q", r.Text())
	}
	none, err := readfile.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := none.Read(ctx, readfile.Request{Path: "a.log"}); !errors.Is(r.Err, fs.ErrNotExist) {
		t.Errorf("%q", r.Text())
	}
}

type failing struct{}

func (failing) Open(string) (fs.File, error) { return nil, errors.New("disk of /srv/secret failed") }

// Many calls at once are all right.
func TestConcurrent(t *testing.T) {
	w := newWorkspace(t)
	w.write("b.log", numbered(1, 20_000))
	tool := w.tool(&readfile.Options{Mounts: map[string]fs.FS{"m": fstest.MapFS{"b.log": {Data: []byte(numbered(1, 20_000))}}}})
	var calls sync.WaitGroup
	for i := range 64 {
		calls.Go(func() {
			path := []string{"b.log", "m/b.log"}[i%2]
			n := 200*i + 1
			want := numbered(n, n+9)
			r := tool.Call(ctx, fmt.Appendf(nil, `{"path": %q, "start_line": %d, "end_line": %d}`, path, n, n+9))
			if r.Text() != want {
				t.Errorf("%d: %q", i, r.Text())
			}
			r = tool.Call(ctx, fmt.Appendf(nil, `{"path": %q, "tail": %d}`, path, i+1))
			if r.Text() != numbered(20_000-i, 20_000) {
				t.Errorf("%d: %q", i, r.Text())
			}
		})
	}
	calls.Wait()
}

// Of a line that is as long as the file, no more is read than is given.
func TestLongLineIsNotScanned(t *testing.T) {
	tree := &endless{size: 1 << 40}
	tool, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{"m": tree}})
	if err != nil {
		t.Fatal(err)
	}
	for _, req := range []readfile.Request{{}, {Head: 1}, {Head: 1 << 50}, {StartLine: 1, EndLine: 1}, {StartLine: 1, EndLine: readfile.LastLine, StartColumn: 5000}} {
		req.Path = "m/a.log"
		tree.read = 0
		r := tool.Read(ctx, req)
		if r.Err != nil || r.Metadata.Reason != readfile.ByteLimit || r.Metadata.After.StartColumn != req.StartColumn+128<<10 || tree.read > 1<<20 {
			t.Errorf("%+v: %d bytes are read; %+v, %v", req, tree.read, r.Metadata, r.Err)
		}
	}
}

// endless is a tree of files of one line, and counts what is read of them.
type endless struct{ size, read int64 }

func (e *endless) Open(string) (fs.File, error) { return endlessFile{e}, nil }

type endlessFile struct{ *endless }

func (e endlessFile) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, bytes.Repeat([]byte("x"), int(min(int64(len(p)), e.size-off))))
	e.read += int64(n)
	return n, nil
}

func (e endlessFile) Stat() (fs.FileInfo, error) {
	info, err := fs.Stat(fstest.MapFS{"f": {}}, "f")
	return sized{info, e.size}, err
}
func (e endlessFile) Read([]byte) (int, error) { return 0, errors.ErrUnsupported }
func (e endlessFile) Close() error             { return nil }

type sized struct {
	fs.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }

// The reason for a cut is the same whether the lines of the file were counted
// or not, around the limit of lines too.
func TestReason(t *testing.T) {
	const lines, size = 10, 100
	wide := strings.Repeat("x", 19) + "\n" // five of them are too much
	for _, long := range []string{"", strings.Repeat("y", 150) + "\n"} {
		for n := int64(5); n <= lines+3; n++ {
			for _, open := range []bool{false, true} {
				content := long + strings.Repeat(wide, int(n)+1)
				total := n + 1
				if long != "" {
					total++
				}
				if open {
					content = strings.TrimSuffix(content, "\n")
				}
				for _, req := range []readfile.Request{
					{},
					{Head: total},
					{Head: lines},
					{Head: lines + 1},
					{Tail: total},
					{Tail: lines},
					{Tail: lines + 1},
					{StartLine: 1, EndLine: lines},
					{StartLine: 1, EndLine: lines + 1},
					{StartLine: 2, EndLine: lines + 1},
					{StartLine: 2, EndLine: lines + 2},
					{StartLine: 2, EndLine: 999},
					{StartLine: 3, EndLine: 999},
				} {
					last := total
					first := int64(1)
					switch {
					case req.Head > 0:
						last = min(total, req.Head)
					case req.Tail > 0:
						first = max(1, total-req.Tail+1)
					case req.StartLine > 0:
						first, last = req.StartLine, min(total, req.EndLine)
					}
					want := readfile.ByteLimit
					if last-first+1 > lines {
						want = readfile.LineAndByteLimit
					}
					req.Path = "w/a.log"
					for _, count := range []int64{0, int64(len(content)), int64(len(content)) - 1} {
						r := contents(t, readfile.Options{Lines: lines, Bytes: size, Count: count}, map[string]string{"a.log": content}).Read(ctx, req)
						if known := count != int64(len(content))-1; req.Tail == 0 && r.Metadata != nil && r.Metadata.LineCountKnown != known {
							t.Errorf("%d lines, count %d: %+v: %+v", total, count, req, r.Metadata)
						}
						if got := r.Metadata; (got == nil) != (len(content) <= size) && last-first > 4 || got != nil && got.Reason != want {
							t.Errorf("%d lines, count %d: %+v: %+v, want %s", total, count, req, got, want)
						}
					}
				}
			}
		}
	}
}

// Lines are counted up to a size, and not a byte more.
func TestCountLimit(t *testing.T) {
	const content = "one\ntwo\nthree\n"
	for count, want := range map[int64]int64{0: 3, -1: -1, 1: -1, int64(len(content)) - 1: -1, int64(len(content)): 3, int64(len(content)) + 1: 3} {
		if r := contents(t, readfile.Options{Count: count}, map[string]string{"a.log": content}).Read(ctx, readfile.Request{Path: "w/a.log", Head: 1}); r.TotalLines != want {
			t.Errorf("up to %d bytes: %d lines, want %d", count, r.TotalLines, want)
		}
	}
}
