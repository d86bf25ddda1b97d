package readfile_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"excerpt/engine/utf8safe"
	"excerpt/readfile"
)

var pieces = []string{
	"", "a", "some text", ": ", "12: ", "\r", "\r\n", "\n", "\n\n\n", "[Cut to", "\xff", "\xe4\xb8", "\u00e9", "\u4e16\u754c", "\U0001f600", "\ufeff",
	"\f", "\u0085", "\u2028", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf",
}

// logs are contents of a few lines, with all that is no text but NUL.
func logs() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		if rapid.IntRange(0, 5).Draw(t, "bom") == 0 {
			b.WriteString("\ufeff")
		}
		end := rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\r"}).Draw(t, "line end")
		for range rapid.IntRange(0, 12).Draw(t, "pieces") {
			times := rapid.SampledFrom([]int{1, 1, 1, 2, 3, 20, 70, 150}).Draw(t, "times")
			b.WriteString(strings.Repeat(rapid.SampledFrom(pieces).Draw(t, "piece"), times))
			if rapid.IntRange(0, 3).Draw(t, "ends") > 0 {
				b.WriteString(end)
			}
		}
		return b.String()
	})
}

// selections are requests for a part of a file of about so many lines.
func selections(lines int) *rapid.Generator[readfile.Request] {
	return rapid.Custom(func(t *rapid.T) readfile.Request {
		req := readfile.Request{Path: "w/a.log", ShowLineNumbers: rapid.Bool().Draw(t, "numbers")}
		n := rapid.Int64Range(1, int64(lines)+3).Draw(t, "n")
		switch rapid.SampledFrom([]string{"head", "tail", "tail", "range", "all"}).Draw(t, "selector") {
		case "head":
			req.Head = n
		case "tail":
			req.Tail = n
		case "range":
			req.StartLine = rapid.Int64Range(1, n).Draw(t, "start")
			req.EndLine = rapid.SampledFrom([]int64{n, n, readfile.LastLine, 1<<63 - 1}).Draw(t, "end")
		}
		return req
	})
}

// a file that is known line by line.
type lines []string

func splitLines(content string) lines {
	return lines(bytesToStrings(bytes.SplitAfter([]byte(content), []byte("\n"))))
}

func bytesToStrings(parts [][]byte) (all []string) {
	for _, p := range parts {
		if len(p) > 0 {
			all = append(all, string(p))
		}
	}
	return all
}

// want returns the bytes that a request stands for, and false for a range past
// the end.
func (l lines) want(req readfile.Request) (string, bool) {
	n := int64(len(l))
	from, to := int64(0), n
	switch {
	case req.Head > 0:
		to = min(n, req.Head)
	case req.Tail > 0:
		from = max(0, n-req.Tail)
	case req.StartLine > n:
		return "", false
	case req.StartLine > 0:
		from, to = req.StartLine-1, min(n, req.EndLine)
	}
	return strings.Join(l[from:to], ""), true
}

// follow sends a request and all those that the answers give for the rest, and
// returns what they come to, line numbers taken off.
func (l lines) follow(t tb, tool *readfile.Tool, opts readfile.Options, req readfile.Request, depth int) string {
	t.Helper()
	if depth > 10_000 {
		t.Fatalf("%+v: the requests do not come to an end", req)
	}
	r := tool.Read(ctx, req)
	if r.Err != nil {
		t.Fatalf("%+v: %v", req, r.Err)
	}
	body := l.checkAnswer(t, opts, req, r)
	m := r.Metadata
	switch {
	case m == nil:
		return body
	case m.Again != nil:
		if m.Before != nil || m.After != nil || m.LineCountKnown || m.ReturnedLines != nil || req.ShowLineNumbers {
			t.Fatalf("%+v: %+v", req, m)
		}
		whole := l.follow(t, tool, opts, *m.Again, depth+1)
		if !strings.Contains(whole, body) {
			t.Fatalf("%+v: with numbers %q, without %q", req, whole, body)
		}
		return whole
	case m.Before == nil && m.After == nil:
		t.Fatalf("%+v: cut, and no way to go on: %+v", req, m)
	case body == "":
		t.Fatalf("%+v: no progress: %+v", req, m)
	}
	var before, after string
	if m.Before != nil {
		before = l.follow(t, tool, opts, *m.Before, depth+1)
	}
	if m.After != nil {
		after = l.follow(t, tool, opts, *m.After, depth+1)
	}
	return before + body + after
}

// checkAnswer checks what holds of every answer by itself, and returns its body
// without numbers.
func (l lines) checkAnswer(t tb, opts readfile.Options, req readfile.Request, r readfile.Result) string {
	t.Helper()
	ends := strings.Count(r.Body, "\n")
	if !strings.HasSuffix(r.Body, "\n") && r.Body != "" {
		ends++
	}
	switch {
	case int64(len(r.Body)) > opts.Bytes, int64(ends) > opts.Lines:
		t.Fatalf("%+v: %d bytes, %d lines", req, len(r.Body), ends)
	case len(r.Text()) > len(r.Body)+2048, !utf8.ValidString(r.Text()):
		t.Fatalf("%+v: text of %d bytes", req, len(r.Text()))
	case (r.Metadata != nil || r.Replaced) != (r.Notice != ""):
		t.Fatalf("%+v: notice %q, metadata %+v", req, r.Notice, r.Metadata)
	case r.TotalLines >= 0 && r.TotalLines != int64(len(l)):
		t.Fatalf("%+v: %d lines in all, want %d", req, r.TotalLines, len(l))
	}
	body := r.Body
	if req.ShowLineNumbers {
		body = ""
		number := r.Lines()
		for i, line := range bytesToStrings(bytes.SplitAfter([]byte(r.Body), []byte("\n"))) {
			text, ok := strings.CutPrefix(line, fmt.Sprintf("%d: ", number[i].Number))
			if !ok {
				t.Fatalf("%+v: line %q, want number %d", req, line, number[i].Number)
			}
			body += text
		}
	}
	for _, line := range r.Lines() {
		whole := string(utf8safe.AppendValid(nil, []byte(l[line.Number-1])))
		if !strings.Contains(whole, line.Text) {
			t.Fatalf("%+v: line %d is %q, want (a part of) %q", req, line.Number, line.Text, whole)
		}
	}
	if m := r.Metadata; m != nil {
		first := int64(0)
		if all := r.Lines(); len(all) > 0 {
			first = all[0].Number
		}
		switch {
		case !m.Truncated, m.ReturnedBytes != int64(len(r.Body)), m.LineCountKnown && m.LineCount != int64(len(l)):
			t.Fatalf("%+v: %+v", req, m)
		case m.ReturnedLines != nil && *m.ReturnedLines != readfile.Range{Start: first, End: first + int64(ends) - 1}:
			t.Fatalf("%+v: %+v, want lines from %d", req, m.ReturnedLines, first)
		}
	}
	return body
}

type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

// The answer to a request, and those to the requests that it gives, are
// together exactly what was asked for.
func TestResume(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		content := logs().Draw(rt, "content")
		l := splitLines(content)
		opts := readfile.Options{
			Lines: rapid.SampledFrom([]int64{1, 2, 3, 7, 1000}).Draw(rt, "lines"),
			Bytes: rapid.SampledFrom([]int64{64, 65, 66, 67, 71, 100, 997}).Draw(rt, "bytes"),
			Count: rapid.SampledFrom([]int64{0, -1}).Draw(rt, "count"),
		}
		req := selections(len(l)).Draw(rt, "request")
		tool := contents(t, opts, map[string]string{"a.log": content})
		want, ok := l.want(req)
		if !ok {
			if r := tool.Read(ctx, req); r.Err == nil || !strings.Contains(r.Text(), "past the end") {
				rt.Fatalf("%q", r.Text())
			}
			return
		}
		got := l.follow(rt, tool, opts, req, 0)
		if want := string(utf8safe.AppendValid(nil, []byte(want))); got != want {
			rt.Fatalf("%+v of %q:\n%q, want\n%q", req, content, got, want)
		}
	})
}

// Every column of a line is read on from, or is refused with columns that are
// right.
func TestColumns(t *testing.T) {
	for _, content := range []string{"ab\n", "ab\r\ncd", "\ufeffa\u00e9\u4e16\U0001f600\r\nx\n", "\xff\xe4\xb8\x80\x80z\n", "\U0001f600"} {
		tool := contents(t, readfile.Options{}, map[string]string{"a.log": content})
		l := splitLines(content)
		line, mark := strings.CutPrefix(l[0], "\ufeff")
		for column := range int64(len(line)) + 3 {
			r := tool.Read(ctx, readfile.Request{Path: "w/a.log", StartLine: 1, EndLine: 1, StartColumn: column})
			at := int(column)
			switch {
			case at == 0 && mark:
				if r.Body != l[0] {
					t.Errorf("%q from column 0: %q", content, r.Text())
				}
			case at >= len(line), at > 0 && line[at-1] == '\r' && line[at] == '\n':
				if !strings.Contains(r.Text(), "past the end of line 1") || !strings.Contains(r.Text(), fmt.Sprint(len(strings.TrimRight(line, "\r\n")), " bytes")) {
					t.Errorf("%q from column %d: %q", content, column, r.Text())
				}
			case utf8safe.Prefix([]byte(line), at) != at:
				from := utf8safe.Prefix([]byte(line), at)
				_, size := utf8.DecodeRuneInString(line[from:])
				if want := fmt.Sprintf("inside a character of line 1: send %d or %d", from, from+size); !strings.Contains(r.Text(), want) {
					t.Errorf("%q from column %d: %q, want %q", content, column, r.Text(), want)
				}
			default:
				if want := string(utf8safe.AppendValid(nil, []byte(line[at:]))); r.Err != nil || r.Body != want {
					t.Errorf("%q from column %d: %q, want %q", content, column, r.Text(), want)
				}
			}
		}
	}
}

// A limit between a CR and its LF keeps them together: what follows reads on
// from the end of the text.
func TestCutLineEnd(t *testing.T) {
	for size := 60; size <= 66; size++ {
		content := "one\n" + strings.Repeat("x", size) + "\r\nthree\n"
		for _, numbers := range []bool{false, true} {
			tool := contents(t, readfile.Options{Bytes: 64}, map[string]string{"a.log": content})
			next := &readfile.Request{Path: "w/a.log", StartLine: 2, EndLine: 2, ShowLineNumbers: numbers}
			got := ""
			for next != nil {
				r := tool.Read(ctx, *next)
				if r.Err != nil || strings.HasSuffix(r.Body, "\r") {
					t.Fatalf("%d: %+v: %q", size, *next, r.Text())
				}
				body := r.Body
				if numbers {
					_, body, _ = strings.Cut(body, ": ")
				}
				got += body
				if next = nil; r.Metadata != nil {
					next = r.Metadata.After
				}
			}
			if want := content[4 : 4+size+2]; got != want {
				t.Errorf("%d: %q, want %q", size, got, want)
			}
		}
	}
}
