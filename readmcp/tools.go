package readmcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/readcard"
	"excerpt/readfile"
)

// A tool is a row of the table: what a server says of it, and its answers.
type tool struct {
	name     string
	describe func(limits readfile.Options) *mcp.Tool
	call     func(_ context.Context, _ *readfile.Tool, _ json.RawMessage, offered ...string) readcard.CallResult
}

func tools() []tool {
	return []tool{
		{"read_file", describeReadFile, callReadFile},
		{"describe_file", describeDescribeFile, callDescribeFile},
		{"outline_file", describeOutlineFile, callOutlineFile},
		{"read", describeRead, readcard.Read},
	}
}

// Options say which tools a server offers, and how. The zero value is a good
// choice, and so is a nil *Options.
type Options struct {
	// Tools are the names of tools; nil means read_file, describe_file and
	// outline_file.
	Tools []string

	// Metadata is where an answer says that it was cut; "" means [Auto].
	Metadata Metadata

	// Timeout is the most that an answer takes; 0 means 2 minutes. Waiting for
	// other calls counts.
	Timeout time.Duration

	// Parallel is how many calls are answered at once, the others waiting; 0
	// means 8 for each processor. It bounds memory.
	Parallel int
}

// AddTools adds tools that read in t's workspace to a server. It is an error if
// one of the names is unknown.
func AddTools(server *mcp.Server, t *readfile.Tool, opts *Options) error {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Tools == nil {
		o.Tools = []string{"read_file", "describe_file", "outline_file"}
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.Parallel <= 0 {
		o.Parallel = 8 * runtime.GOMAXPROCS(0)
	}
	if err := o.Metadata.check(); err != nil {
		return err
	}
	server.AddReceivingMiddleware(quickly)
	slots := make(chan struct{}, o.Parallel)
	for _, name := range o.Tools {
		row, err := find(name)
		if err != nil {
			return err
		}
		c := &caller{row: row, files: t, opts: o, slots: slots}
		server.AddTool(row.describe(t.Options()), c.handle)
	}
	return nil
}

func find(name string) (tool, error) {
	var known []string
	for _, row := range tools() {
		if row.name == name {
			return row, nil
		}
		known = append(known, row.name)
	}
	return tool{}, fmt.Errorf("there is no tool %q: the tools are %s", name, strings.Join(known, ", "))
}

// describe returns what is the same for all tools.
func describe(name, title string, limits readfile.Options, schema *jsonschema.Schema, text string) *mcp.Tool {
	closed, harmless := false, false
	return &mcp.Tool{
		Meta: mcp.Meta{"anthropic/maxResultSizeChars": limits.Bytes + slack},
		Name: name, Title: title, Description: text, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{
			Title: title, ReadOnlyHint: true, IdempotentHint: true,
			DestructiveHint: &harmless, OpenWorldHint: &closed,
		},
	}
}

// slack is what an answer can have beside its lines: a notice, an envelope.
const slack = 8 << 10

// schemaOf returns the schema of a request, whose integers begin at 1.
func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // a request is a struct of strings and numbers
	}
	for _, property := range schema.Properties {
		if property.Type == "integer" {
			property.Minimum = jsonschema.Ptr(1.0)
		}
	}
	return schema
}

// size says a number of bytes.
func size(bytes int64) string {
	if bytes%(1<<10) == 0 {
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// refuse is the answer to a request that has none.
func refuse(err error) readcard.CallResult {
	return readcard.CallResult{Content: []readcard.Content{{Type: "text", Text: err.Error()}}, IsError: true}
}

// rawJSON is v in JSON, without the escapes that only HTML needs.
func rawJSON(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // structs of strings and numbers have no errors
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
