package readfile

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"excerpt/internal/args"
)

// A Request says what to read. Its zero fields are not given; its JSON is the
// arguments of the tool.
type Request struct {
	// Path is relative to the workspace, with "/".
	Path string `json:"path" jsonschema:"The file, relative to the workspace, with / as separator."`

	// Head and Tail are numbers of lines, from the beginning or the end.
	Head int64 `json:"head,omitempty" jsonschema:"Read the first N lines. Not together with tail, start_line or end_line."`
	Tail int64 `json:"tail,omitempty" jsonschema:"Read the last N lines. Not together with head, start_line or end_line."`

	// StartLine and EndLine are line numbers, 1-based, both included. They are
	// given together; an end past that of the file stands for it.
	StartLine int64 `json:"start_line,omitempty" jsonschema:"First line of a range, from 1. Only together with end_line."`
	EndLine   int64 `json:"end_line,omitempty" jsonschema:"Last line of a range, included. Only together with start_line."`

	// StartColumn is how many bytes of the text of StartLine to leave out.
	StartColumn int64 `json:"start_column,omitempty" jsonschema:"Begin that many bytes into start_line, to read on a long line that was cut. Send the value that an answer gives."`

	// ShowLineNumbers puts "12: " before each line.
	ShowLineNumbers bool `json:"show_line_numbers,omitempty" jsonschema:"Put the line number before each line, as in \"12: text\". The prefix is not part of the file."`
}

// LastLine as Request.EndLine is the end of the file, whatever its number. It
// is the largest integer that every reader of JSON takes for itself.
const LastLine = 1<<53 - 1

const example = `{"path": "app.log", "tail": 100}`

// parse makes a Request of the arguments of a call.
func parse(raw []byte) (req Request, err error) {
	o, err := args.Parse(raw, example, "path", "head", "tail", "start_line", "end_line", "start_column", "show_line_numbers")
	if err != nil {
		return req, err
	}
	if req.Path, err = o.String("path", `"app.log"`); err != nil {
		return req, err
	}
	for _, arg := range []struct {
		name  string
		value *int64
		least int64
	}{
		{"head", &req.Head, 1},
		{"tail", &req.Tail, 1},
		{"start_line", &req.StartLine, 1},
		{"end_line", &req.EndLine, 1},
		{"start_column", &req.StartColumn, 0},
	} {
		if *arg.value, err = o.Int(arg.name, arg.least); err != nil {
			return req, err
		}
	}
	if req.ShowLineNumbers, err = o.Bool("show_line_numbers"); err != nil {
		return req, err
	}
	return req, req.check(o.Has("start_column"))
}

// check returns what is wrong with how the selectors go together. A column of
// 0 can be given or not.
func (r Request) check(column bool) error {
	var given []string
	for _, arg := range []struct {
		name  string
		value int64
	}{{"head", r.Head}, {"tail", r.Tail}, {"start_line", r.StartLine}, {"end_line", r.EndLine}, {"start_column", r.StartColumn}} {
		switch {
		case arg.value < 0:
			return fmt.Errorf("%s is %d: it takes no negative number", arg.name, arg.value)
		case arg.value > 0, column && arg.name == "start_column":
			given = append(given, arg.name)
		}
	}
	exclusive := r.Head > 0 || r.Tail > 0
	switch {
	case exclusive && len(given) > 1:
		return fmt.Errorf("%s exclude each other: send head alone, tail alone, or start_line and end_line", strings.Join(given, " and "))
	case exclusive || len(given) == 0:
		return nil
	case r.StartLine == 0 && r.EndLine == 0:
		return errors.New("start_column needs a line: send start_line and end_line with it")
	case r.StartLine == 0:
		return fmt.Errorf(`start_line is missing: end_line needs it; send {"start_line": 1, "end_line": %d} for the lines up to there`, r.EndLine)
	case r.EndLine == 0:
		return fmt.Errorf(`end_line is missing: start_line needs it; send {"start_line": %d, "end_line": %d}, for example`, r.StartLine, r.StartLine+min(99, math.MaxInt64-r.StartLine))
	case r.StartLine > r.EndLine:
		return fmt.Errorf("start_line %d is after end_line %d: send the smaller number as start_line", r.StartLine, r.EndLine)
	}
	return nil
}
