package readcard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"excerpt/engine"
	"excerpt/internal/args"
	"excerpt/readfile"
)

// A Request says what [Read] reads. Its JSON is the arguments of the tool.
type Request struct {
	// Path is relative to the workspace, with "/".
	Path string `json:"path" jsonschema:"The file, relative to the workspace, with / as separator."`

	// Offset is the number of the first line, and Limit how many lines to read.
	// Zero stands for the first, and for as many as there are.
	Offset int64 `json:"offset,omitempty" jsonschema:"The first line to read, from 1. The first if left out."`
	Limit  int64 `json:"limit,omitempty" jsonschema:"How many lines to read. As many as fit if left out."`
}

// Read answers a call of the tool read: a path, an offset and a limit. The text
// is numbered lines in an [Envelope], with a note behind them if there is more,
// and the window is in _meta. The limits are those of t; the path comes on top.
// beside are the names of the tools that are offered beside it: of a line that
// is over a limit, read_file can read the rest.
func Read(ctx context.Context, t *readfile.Tool, arguments json.RawMessage, beside ...string) CallResult {
	req, err := parse(arguments)
	if err != nil {
		return refuse(err)
	}
	r := t.Read(ctx, req.selection())
	var past *engine.RangeError
	switch {
	case errors.As(r.Err, &past):
		return refuse(fmt.Errorf("offset %d is past the end: the file has %d lines", req.Offset, past.Lines))
	case r.Err != nil:
		return refuse(r.Err)
	}
	content := strings.TrimSuffix(r.Body, "\n")
	if note := note(r, slices.Contains(beside, "read_file")); note != "" {
		content += "\n\n" + note
	}
	return result(Envelope(req.Path, content), r)
}

func refuse(err error) CallResult {
	return CallResult{Content: []Content{{Type: "text", Text: err.Error()}}, IsError: true}
}

func parse(arguments []byte) (req Request, err error) {
	o, err := args.Parse(arguments, `{"path": "app.log", "offset": 1, "limit": 100}`, "path", "offset", "limit")
	if err != nil {
		return req, err
	}
	if req.Path, err = o.String("path", `"app.log"`); err != nil {
		return req, err
	}
	if req.Offset, err = o.Int("offset", 1); err != nil {
		return req, err
	}
	req.Limit, err = o.Int("limit", 1)
	return req, err
}

// selection returns the request of read_file. From the first line on it is no
// range, so that an empty file is an empty text.
func (r Request) selection() readfile.Request {
	q := readfile.Request{Path: r.Path, ShowLineNumbers: true}
	switch {
	case r.Offset <= 1:
		q.Head = r.Limit
	case r.Limit == 0:
		q.StartLine, q.EndLine = r.Offset, max(r.Offset, readfile.LastLine)
	default:
		q.StartLine, q.EndLine = r.Offset, r.Offset+min(r.Limit-1, math.MaxInt64-r.Offset)
	}
	return q
}

// note says how to read on.
func note(r readfile.Result, readFile bool) string {
	var said []string
	lines := r.Lines()
	switch m := r.Metadata; {
	case m != nil && m.Reason == readfile.Damaged:
		return "(" + strings.Trim(r.Notice, "[]") + ")"
	case m != nil && m.After != nil && m.After.StartColumn > 0:
		line, column := m.After.StartLine, m.After.StartColumn
		said = append(said, fmt.Sprintf("Line %d is cut at byte %d of its text.", line, column))
		if readFile {
			said = append(said, fmt.Sprintf("The tool read_file reads the rest of it, with start_line %d, end_line %[1]d, start_column %d.", line, column))
		}
		if line != r.TotalLines {
			said = append(said, fmt.Sprintf("To read on behind it, send offset %d.", line+1))
		}
	case r.More && len(lines) > 0:
		first, last := lines[0].Number, lines[len(lines)-1].Number
		of := ""
		if r.TotalLines >= 0 {
			of = fmt.Sprintf(" of %d", r.TotalLines)
		}
		said = append(said, fmt.Sprintf("Lines %d to %d%s. To read on, send offset %d.", first, last, of, last+1))
	}
	if r.Replaced {
		said = append(said, "Bytes that are not valid UTF-8 are shown as U+FFFD.")
	}
	if r.Unverified {
		said = append(said, "This is not verified: the checksum of this part of the compressed file was not seen.")
	}
	if said == nil {
		return ""
	}
	return "(" + strings.Join(said, " ") + ")"
}
