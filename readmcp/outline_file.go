package readmcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/engine"
	"excerpt/internal/args"
	"excerpt/outline"
	"excerpt/readcard"
	"excerpt/readfile"
)

// MetaOutline is the key of the _meta of an answer of outline_file that has
// its entries: an object with path, and the fields of an [outline.Outline].
const MetaOutline = "excerpt/outline"

// outlineRequest is the arguments of outline_file.
type outlineRequest struct {
	Path      string `json:"path" jsonschema:"The file, relative to the workspace, with / as separator."`
	Level     int64  `json:"level,omitempty" jsonschema:"Leave out what is nested deeper: 1 for what is declared in the file itself, or headings with one #."`
	StartLine int64  `json:"start_line,omitempty" jsonschema:"Leave out what begins before this line, from 1: to read on an outline that was cut."`
}

// outlineCut is what the structured content says of an answer that was cut.
type outlineCut struct {
	Truncated       bool            `json:"truncated"`
	Reason          string          `json:"reason"` // as in readfile.Metadata
	EntryCount      int             `json:"entryCount"`
	ReturnedEntries int             `json:"returnedEntries"`
	LineCount       int64           `json:"lineCount"`
	After           *outlineRequest `json:"after,omitempty"`
}

func describeOutlineFile(limits readfile.Options) *mcp.Tool {
	return describe("outline_file", "Outline a file", limits, schemaOf[outlineRequest](), fmt.Sprintf(
		`Show what a file has, with line numbers, to choose what to read of it: the headings of Markdown, or the declarations of Go, TypeScript, JavaScript and Python.

A line of the answer is "first-last kind name", as in "12-40 method Server.Close" or "5-31 heading ## Usage": read those lines with start_line 12 and end_line 40. They have the comments and decorators above the declaration, and the whole section of the heading. The last line, in [brackets], is about the file.

An answer has at most %d lines and %s. If there is more, the last line says how much, and the exact arguments that go on. With level 1 there are fewer.`, limits.Lines, size(limits.Bytes)))
}

func callOutlineFile(ctx context.Context, files *readfile.Tool, arguments json.RawMessage, _ ...string) readcard.CallResult {
	req, err := parseOutline(arguments)
	if err != nil {
		return refuse(err)
	}
	o, err := outlineOf(ctx, files, req.Path)
	if err != nil {
		return refuse(err)
	}
	return answerOutline(req, o, files.Options())
}

func parseOutline(arguments []byte) (req outlineRequest, err error) {
	o, err := args.Parse(arguments, `{"path": "server.go"}`, "path", "level", "start_line")
	if err != nil {
		return req, err
	}
	if req.Path, err = o.String("path", `"server.go"`); err != nil {
		return req, err
	}
	if req.Level, err = o.Int("level", 1); err != nil {
		return req, err
	}
	req.StartLine, err = o.Int("start_line", 1)
	return req, err
}

func outlineOf(ctx context.Context, files *readfile.Tool, path string) (*outline.Outline, error) {
	var o *outline.Outline
	var refused error
	err := files.Use(ctx, path, func(f *engine.File) (err error) {
		o, err = outline.Of(ctx, path, io.NewSectionReader(f, 0, math.MaxInt64))
		if errors.Is(err, outline.ErrLanguage) || errors.Is(err, outline.ErrNotText) || errors.Is(err, outline.ErrTooLarge) {
			refused, err = err, nil // it has a sentence
		}
		return err
	})
	switch {
	case err != nil: // o may still be under way
		return nil, err
	case refused != nil:
		return nil, refused
	}
	return o, nil
}

// answerOutline puts the entries that are wanted into an answer.
func answerOutline(req outlineRequest, o *outline.Outline, limits readfile.Options) readcard.CallResult {
	wanted := *o
	wanted.Entries = []outline.Entry{}
	for _, e := range o.Entries {
		if (req.Level == 0 || int64(e.Level) <= req.Level) && int64(e.First) >= req.StartLine {
			wanted.Entries = append(wanted.Entries, e)
		}
	}
	var text strings.Builder
	all := len(wanted.Entries)
	n, reason := fit(wanted.Entries, limits, &text)
	said := []string{fmt.Sprintf("%s, %s.", o.Language, count(int64(o.Lines), "line"))}
	if all == 0 {
		said = append(said, none(req, o))
	}
	var cut *outlineCut
	if n < all {
		cut = &outlineCut{Truncated: true, Reason: reason, EntryCount: all, ReturnedEntries: n, LineCount: int64(o.Lines)}
		next := wanted.Entries[n].First
		said = append(said, fmt.Sprintf("Cut to %d of %s.", n, count(int64(all), "entry")))
		if n > 0 && wanted.Entries[0].First == next || n == 0 {
			said = append(said, fmt.Sprintf("What more begins in line %d is left out.", next))
			next++
		}
		if wanted.Entries[all-1].First >= next {
			cut.After = &outlineRequest{Path: req.Path, Level: req.Level, StartLine: int64(next)}
			said = append(said, "To read on: "+string(rawJSON(cut.After)))
		}
		wanted.Entries = wanted.Entries[:n]
	}
	if o.Problem != "" {
		said = append(said, "Not all of it could be parsed, so that entries may be missing or have wrong lines; "+o.Problem+".")
	}
	fmt.Fprintf(&text, "[%s]", strings.Join(said, " "))
	result := readcard.CallResult{
		Content: []readcard.Content{{Type: "text", Text: text.String()}},
		Meta: map[string]json.RawMessage{MetaOutline: rawJSON(struct {
			Path string `json:"path"`
			outline.Outline
		}{req.Path, wanted})},
	}
	if cut != nil {
		result.StructuredContent = rawJSON(cut)
	}
	return result
}

// fit writes as many entries as an answer may have, and returns their number
// and which limit there are no more for. It ends before a line of the file, not
// in the middle of those that begin in it, if it can.
func fit(entries []outline.Entry, limits readfile.Options, text *strings.Builder) (n int, reason string) {
	lines := make([]string, 0, min(int64(len(entries)), limits.Lines))
	bytes := int64(0)
	for ; n < len(entries); n++ {
		line := entries[n].String() + "\n"
		if int64(n) == limits.Lines {
			reason = readfile.LineLimit
			break
		}
		if bytes += int64(len(line)); bytes > limits.Bytes {
			reason = readfile.ByteLimit
			break
		}
		lines = append(lines, line)
	}
	if n < len(entries) {
		whole := n
		for whole > 0 && entries[whole-1].First == entries[n].First {
			whole--
		}
		if whole > 0 {
			n = whole
		}
	}
	for _, line := range lines[:n] {
		text.WriteString(line)
	}
	return n, reason
}

// none says why there are no entries.
func none(req outlineRequest, o *outline.Outline) string {
	switch {
	case len(o.Entries) > 0:
		return fmt.Sprintf("None of its %s is at this level and begins in or after this line.", count(int64(len(o.Entries)), "entry"))
	case o.Language == "markdown":
		return "It has no headings."
	}
	return "It declares nothing."
}

func count(n int64, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "y"):
		what = strings.TrimSuffix(what, "y") + "ie"
	}
	return fmt.Sprintf("%d %ss", n, what)
}
