package readmcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/readcard"
	"excerpt/readfile"
)

func describeReadFile(limits readfile.Options) *mcp.Tool {
	schema := schemaOf[readfile.Request]()
	schema.Properties["start_column"].Minimum = jsonschema.Ptr(0.0)
	return describe("read_file", "Read a file", limits, schema, fmt.Sprintf(
		`Read any part of a UTF-8 text file in the workspace: its beginning, its last lines, or a range of lines. Files can be of any size, lines of any length; the end of a log is as near as its beginning.

Send one of: head (the first N lines), tail (the last N lines), start_line and end_line (a range, both included, from 1), or none of them for the file from its beginning. For a log, begin with tail.

An answer has at most %d lines and %s. If there is more, a notice in [brackets] on the last line says what was returned, of how much, and the exact arguments that read on: send those. A line too long for an answer is continued by start_column. With show_line_numbers, each line begins with its number, as in "12: text"; that is right for a tail, too, and no part of the file.

%sBinary files and other encodings are refused, with their type.`, limits.Lines, size(limits.Bytes), decoded(limits)))
}

// decoded says that compressed files are read, if they are.
func decoded(limits readfile.Options) string {
	if limits.Open == nil {
		return ""
	}
	return "Logs that gzip, zstd, s2, snappy or bzip2 have compressed are read like any other, by their lines; the first read of a large one may take seconds. "
}

func callReadFile(ctx context.Context, files *readfile.Tool, arguments json.RawMessage, _ ...string) readcard.CallResult {
	return readcard.ToolResult(files.Call(ctx, arguments))
}
