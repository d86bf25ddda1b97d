package readcard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"testing/fstest"

	"excerpt/readcard"
	"excerpt/readfile"
)

var ctx = context.Background()

// sample returns a Tool over a workspace that has one file. In a program, the
// workspace comes from os.OpenRoot.
func sample(opts readfile.Options) *readfile.Tool {
	opts.Mounts = map[string]fs.FS{"src": fstest.MapFS{
		"main.ts": {Data: []byte("const a = 1\nconst b = 2\nconst c = 3\n")},
	}}
	tool, err := readfile.New(nil, &opts)
	if err != nil {
		log.Fatal(err)
	}
	return tool
}

func ExampleProject() {
	answer := sample(readfile.Options{}).Read(ctx, readfile.Request{Path: "src/main.ts", Tail: 1})
	window, ok := readcard.Project(answer)
	fmt.Printf("%+v %v\n", window, ok)
	// Output: {Path:src/main.ts Offset:3 Lines:[{Number:3 Text:const c = 3}] TotalLines:3 Lang:typescript} true
}

func ExampleNarrow() {
	window, ok := readcard.Narrow([]byte(`{"path": "a.log", "offset": 7, "lines": [{"number": 7, "text": "seven"}], "totalLines": 9}`))
	fmt.Println(window.Lines[0].Text, ok)
	_, ok = readcard.Narrow([]byte(`{"path": "a.log", "offset": 0, "lines": [], "totalLines": 9}`))
	fmt.Println(ok)
	// Output:
	// seven true
	// false
}

func ExampleLang() {
	fmt.Printf("%q %q\n", readcard.Lang("src/Main.TS"), readcard.Lang(".gitignore"))
	// Output: "typescript" ""
}

func ExampleEnvelope() {
	fmt.Println(readcard.Envelope("a.log", "1: one"))
	// Output:
	// <path>a.log</path>
	// <type>file</type>
	// <content>
	// 1: one
	// </content>
}

func ExampleToolResult() {
	answer := sample(readfile.Options{}).Call(ctx, []byte(`{"path": "src/main.ts", "head": 1}`))
	sent, err := json.Marshal(readcard.ToolResult(answer))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", sent)
	// Output: {"content":[{"type":"text","text":"const a = 1\n"}],"_meta":{"excerpt/window":{"path":"src/main.ts","offset":1,"lines":[{"number":1,"text":"const a = 1"}],"totalLines":3,"lang":"typescript"}}}
}

func ExampleCallResult_Unstructured() {
	answer := sample(readfile.Options{Lines: 1}).Read(ctx, readfile.Request{Path: "src/main.ts"})
	result := readcard.ToolResult(answer)
	fmt.Println(result.StructuredContent != nil, len(result.Meta))
	result = result.Unstructured()
	fmt.Println(result.StructuredContent != nil, len(result.Meta))
	// Output:
	// true 1
	// false 2
}

func ExamplePresent() {
	result := readcard.Read(ctx, sample(readfile.Options{}), []byte(`{"path": "src/main.ts", "offset": 2}`))
	view, ok := readcard.Present(result)
	fmt.Println(view.Card, view.Lang, ok)
	fmt.Println(view.Content)
	// Output:
	// read typescript true
	// 2: const b = 2
	// 3: const c = 3
}

func ExampleRead() {
	result := readcard.Read(ctx, sample(readfile.Options{}), []byte(`{"path": "src/main.ts", "limit": 1}`))
	fmt.Println(result.Content[0].Text)
	// Output:
	// <path>src/main.ts</path>
	// <type>file</type>
	// <content>
	// 1: const a = 1
	//
	// (Lines 1 to 1 of 3. To read on, send offset 2.)
	// </content>
}
