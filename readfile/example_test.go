package readfile_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"testing/fstest"

	"excerpt/engine"
	"excerpt/readfile"
)

var ctx = context.Background()

// sample returns a Tool over a workspace that has one file, app.log, of four
// lines. In a program, the workspace comes from os.OpenRoot.
func sample(opts readfile.Options) *readfile.Tool {
	opts.Mounts = map[string]fs.FS{"logs": fstest.MapFS{
		"app.log": {Data: []byte("one\ntwo\nthree\nfour\n")},
	}}
	tool, err := readfile.New(nil, &opts)
	if err != nil {
		log.Fatal(err)
	}
	return tool
}

func Example() {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(dir+"/app.log", []byte("one\ntwo\nthree\n"), 0o600); err != nil {
		log.Fatal(err)
	}

	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()
	tool, err := readfile.New(root, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tool.Call(ctx, []byte(`{"path": "app.log", "tail": 2, "show_line_numbers": true}`)).Text())
	fmt.Println(tool.Call(ctx, []byte(`{"path": "../secret"}`)).Text())
	// Output:
	// 2: two
	// 3: three
	//
	// path leads outside the workspace: send a path relative to the workspace, with "/", such as "logs/app.log"
}

// Builtin documents are read like files, and are not on the disk.
func ExampleNew_mounts() {
	tool, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{
		".gateway/builtin-skills/": fstest.MapFS{"review/SKILL.md": {Data: []byte("# Review\n")}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(tool.Read(ctx, readfile.Request{Path: ".gateway/builtin-skills/review/SKILL.md"}).Text())
	// Output: # Review
}

func ExampleNew() {
	_, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{"../up": fstest.MapFS{}}})
	fmt.Println(err)
	// Output: mount "../up": it takes a relative path without dots, and a tree
}

func ExampleTool_Options() {
	opts := sample(readfile.Options{}).Options()
	fmt.Println(opts.Lines, opts.Bytes)
	// Output: 1000 131072
}

func ExampleTool_Call() {
	tool := sample(readfile.Options{})
	fmt.Println(tool.Call(ctx, []byte(`{"path": "logs/app.log", "head": 2}`)).Text())
	fmt.Println(tool.Call(ctx, []byte(`{"path": "logs/app.log", "head": 2, "tail": 2}`)).Text())
	// Output:
	// one
	// two
	//
	// head and tail exclude each other: send head alone, tail alone, or start_line and end_line
}

// An answer that is cut says how to go on.
func ExampleTool_Read() {
	tool := sample(readfile.Options{Lines: 3})
	req := &readfile.Request{Path: "logs/app.log"}
	for req != nil {
		result := tool.Read(ctx, *req)
		fmt.Printf("%q %s\n", result.Body, result.Notice)
		req = nil
		if result.Metadata != nil {
			req = result.Metadata.After
		}
	}
	// Output:
	// "one\ntwo\nthree\n" [Cut to 3 lines. These are lines 1 to 3; the file has 4 lines, 19 bytes. To read on: {"path":"logs/app.log","start_line":4,"end_line":4}]
	// "four\n"
}

func ExampleResult_Text() {
	result := sample(readfile.Options{}).Read(ctx, readfile.Request{Path: "logs/none.log"})
	fmt.Println(result.Text())
	fmt.Println(errors.Is(result.Err, fs.ErrNotExist))
	// Output:
	// there is no file "logs/none.log" in the workspace: check the path, which is relative to the workspace
	// true
}

func ExampleResult_Lines() {
	result := sample(readfile.Options{}).Read(ctx, readfile.Request{Path: "logs/app.log", Tail: 2, ShowLineNumbers: true})
	for _, line := range result.Lines() {
		fmt.Printf("%d %q\n", line.Number, line.Text)
	}
	// Output:
	// 3 "three"
	// 4 "four"
}

func ExampleTool_Use() {
	tool, _ := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{
		"docs": fstest.MapFS{"a.md": {Data: []byte("# A\n")}},
	}})
	err := tool.Use(context.Background(), "docs/a.md", func(f *engine.File) error {
		count, err := f.Count(context.Background())
		fmt.Println(count, "line")
		return err
	})
	fmt.Println(err)
	fmt.Println(tool.Use(context.Background(), "/etc/passwd", nil))
	// Output:
	// 1 line
	// <nil>
	// path is absolute: send a path relative to the workspace, with "/", such as "logs/app.log"
}
