package readfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"excerpt/engine"
)

// result puts the answer together. total is -1 if it is not known.
func (r *reading) result(text *engine.Text, total int64) Result {
	res := Result{
		Path:        r.req.Path,
		Body:        string(text.Data),
		Replaced:    text.Replaced,
		Unverified:  r.unverified(text),
		TotalLines:  total,
		StartColumn: r.req.StartColumn,
		More:        text.Cut != 0 && (r.req.Tail == 0 || text.Column > 0),
		first:       int64(text.First),
		numbered:    r.req.ShowLineNumbers,
	}
	if res.first == 0 && total >= 0 { // a tail, which ends with the last line
		res.first = total - text.Lines + 1
	}
	asked := r.asked(total)
	res.FirstLine = asked.Start
	cut := r.cut(text)
	if cut != 0 || r.short(text) {
		res.Metadata = r.metadata(text, cut, res.first, asked, total)
	}
	res.More = res.More || r.damage != nil
	res.Notice = r.notice(&res, text)
	return res
}

// asked returns the lines that the request stands for. The start is 0 for a
// tail of a file whose lines were not counted.
func (r *reading) asked(total int64) Range {
	end := int64(LastLine)
	if total >= 0 {
		end = total
	}
	switch {
	case r.req.Head > 0:
		return Range{1, min(r.req.Head, end)}
	case r.req.Tail > 0 && total < 0:
		return Range{0, end}
	case r.req.Tail > 0:
		return Range{max(1, total-r.req.Tail+1), end}
	case r.req.StartLine > 0 && total < 0:
		return Range{r.req.StartLine, r.req.EndLine}
	case r.req.StartLine > 0:
		return Range{r.req.StartLine, min(r.req.EndLine, end)}
	}
	return Range{1, end}
}

// short says whether there are fewer lines than asked for, since what would
// follow is damaged.
func (r *reading) short(text *engine.Text) bool {
	return r.damage != nil && text.Cut == 0 && text.Lines < r.wanted()
}

func (r *reading) metadata(text *engine.Text, cut engine.Cut, first int64, asked Range, total int64) *Metadata {
	m := &Metadata{
		Truncated:      true,
		Reason:         [...]string{0: Damaged, engine.ByLines: LineLimit, engine.ByBytes: ByteLimit, engine.ByLines | engine.ByBytes: LineAndByteLimit}[cut],
		LineCountKnown: total >= 0,
		LineCount:      max(total, 0),
		ReturnedBytes:  int64(len(text.Data)),
	}
	if r.damage == nil {
		m.FileBytes = max(r.f.Size(), 0)
	}
	if first == 0 {
		again := r.req
		again.ShowLineNumbers = true
		m.Again = &again
		return m
	}
	last := first + text.Lines - 1
	m.ReturnedLines = &Range{first, last}
	if cut == 0 {
		return m
	}
	if r.req.Tail > 0 && first > asked.Start {
		m.Before = r.lines(asked.Start, first-1, 0)
	}
	switch {
	case text.Column > 0: // the one line that was returned goes on
		m.After = r.lines(last, asked.End, r.skipped+text.Column-r.mark(last))
	case r.req.Tail == 0:
		m.After = r.lines(last+1, asked.End, 0)
	}
	return m
}

// lines returns the request for a range in the manner of this one.
func (r *reading) lines(first, last, column int64) *Request {
	return &Request{
		Path: r.req.Path, StartLine: first, EndLine: last, StartColumn: column,
		ShowLineNumbers: r.req.ShowLineNumbers,
	}
}

const replacedNotice = "Bytes that are not valid UTF-8 are shown as U+FFFD."

// notice says for a model what the metadata say, and what became of bytes.
func (r *reading) notice(res *Result, text *engine.Text) string {
	var said []string
	switch {
	case r.short(text):
		said = append(said, r.damageNotice())
	case res.Metadata != nil:
		said = append(said, r.cutNotice(res.Metadata, text.Lines))
	}
	if res.Unverified && !r.short(text) {
		said = append(said, unverifiedNotice)
	}
	if res.Replaced {
		said = append(said, replacedNotice)
	}
	if said == nil {
		return ""
	}
	return "[" + strings.Join(said, " ") + "]"
}

func (r *reading) cutNotice(m *Metadata, lines int64) string {
	said := []string{"Cut to " + map[string]string{
		LineLimit:        count(r.opts.Lines) + ".",
		ByteLimit:        fmt.Sprintf("%d bytes.", r.opts.Bytes),
		LineAndByteLimit: fmt.Sprintf("%s and %d bytes.", count(r.opts.Lines), r.opts.Bytes),
	}[m.Reason]}

	here := ""
	switch at := m.ReturnedLines; {
	case at == nil && lines == 1:
		here = "This is the last line, or its beginning"
	case at == nil:
		here = fmt.Sprintf("These are the last %d lines", lines)
	case m.After != nil && m.After.StartLine == at.End:
		here = fmt.Sprintf("This is line %d from column %d to column %d", at.Start, r.req.StartColumn, m.After.StartColumn)
	case at.Start == at.End:
		here = fmt.Sprintf("This is line %d", at.Start)
	default:
		here = fmt.Sprintf("These are lines %d to %d", at.Start, at.End)
	}
	of := ""
	switch {
	case m.LineCountKnown && m.FileBytes > 0:
		of = fmt.Sprintf("; the file has %s, %d bytes", count(m.LineCount), m.FileBytes)
	case m.FileBytes > 0:
		of = fmt.Sprintf("; the file has %d bytes, its lines were not counted", m.FileBytes)
	case r.damage != nil:
		of = fmt.Sprintf("; the compressed file can't be read to its end (%v)", r.damage)
	case r.f.Stored() > 0:
		of = "; the file is compressed, and how much it holds was not counted"
	}
	said = append(said, here+of+".")

	for _, next := range []struct {
		what string
		req  *Request
	}{
		{"What is before it", m.Before},
		{"To read on", m.After},
		{"For what is before it, ask with line numbers first", m.Again},
	} {
		if next.req != nil {
			said = append(said, next.what+": "+arguments(*next.req))
		}
	}
	return strings.Join(said, " ")
}

func count(lines int64) string {
	if lines == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", lines)
}

// arguments returns the JSON of a request. A path that would make the notice
// long is left out.
func arguments(req Request) string {
	const most = 700
	b := marshal(req)
	if len(b) <= most {
		return string(b)
	}
	req.Path = ""
	return "with the same path, " + string(bytes.Replace(marshal(req), []byte(`"path":"",`), nil, 1))
}

// marshal writes a request for the eye: with <, > and & as they are.
func marshal(req Request) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(req) // strings, numbers and a bool have no errors
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
