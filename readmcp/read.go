package readmcp

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/readcard"
	"excerpt/readfile"
)

func describeRead(limits readfile.Options) *mcp.Tool {
	return describe("read", "Read lines", limits, schemaOf[readcard.Request](), fmt.Sprintf(
		`Read lines of a UTF-8 text file in the workspace, each with its number: limit lines from line offset on, from 1. Without them, the file from its beginning.

An answer has at most %d lines and %s, in <path>, <type> and <content>. If the file goes on, a note at the end says with which offset to read on. The "12: " before each line is its number, and no part of the file.`, limits.Lines, size(limits.Bytes)))
}
