package readmcp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/engine"
	"excerpt/internal/args"
	"excerpt/readcard"
	"excerpt/readfile"
)

// MetaDescription is the key of the _meta of an answer of describe_file: an
// object with path, and the fields of an [engine.Description].
const MetaDescription = "excerpt/description"

// describeRequest is the arguments of describe_file.
type describeRequest struct {
	Path string `json:"path" jsonschema:"The file, relative to the workspace, with / as separator."`
}

func describeDescribeFile(limits readfile.Options) *mcp.Tool {
	return describe("describe_file", "Describe a file", limits, schemaOf[describeRequest](), strings.TrimSpace(
		`Say what a file is like, before it is read: how many bytes and lines it has, its longest line, its line ends and encoding, whether it is binary, and of a log the first and last time stamp and how many lines have each level (INFO, ERROR, …).

All of the file is read once, at several GB a second. `+decoded(limits)))
}

func callDescribeFile(ctx context.Context, files *readfile.Tool, arguments json.RawMessage, _ ...string) readcard.CallResult {
	o, err := args.Parse(arguments, `{"path": "app.log"}`, "path")
	if err != nil {
		return refuse(err)
	}
	path, err := o.String("path", `"app.log"`)
	if err != nil {
		return refuse(err)
	}
	var found *engine.Description
	err = files.Use(ctx, path, func(f *engine.File) (err error) {
		found, err = f.Describe(ctx)
		return err
	})
	if err != nil {
		return refuse(err)
	}
	return readcard.CallResult{
		Content: []readcard.Content{{Type: "text", Text: strings.TrimSuffix(found.String(), "\n")}},
		Meta: map[string]json.RawMessage{MetaDescription: rawJSON(struct {
			Path string `json:"path"`
			*engine.Description
		}{path, found})},
	}
}
