package outline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"excerpt/outline"
)

func ExampleOf() {
	const source = `package server

// Serve serves.
func Serve() error {
	return nil
}

type Server struct{}

func (s *Server) Close() {}
`
	o, err := outline.Of(context.Background(), "server.go", strings.NewReader(source))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, entry := range o.Entries {
		fmt.Println(entry)
	}
	// Output:
	// 3-6 function Serve
	// 8-8 struct Server
	// 10-10 method Server.Close
}

func ExampleOf_markdown() {
	const text = "# Guide\n\n## First\n\n```\n# no heading\n```\n\n## Second\n"
	o, _ := outline.Of(context.Background(), "guide.md", strings.NewReader(text))
	for _, entry := range o.Entries {
		fmt.Println(entry.First, entry.Last, entry.Level, entry.Name)
	}
	// Output:
	// 1 9 1 Guide
	// 3 8 2 First
	// 9 9 2 Second
}

func ExampleOf_broken() {
	o, _ := outline.Of(context.Background(), "a.py", strings.NewReader("def f(a:\n  pass\n\nclass A: pass\n"))
	fmt.Println(o.Problem)
	for _, entry := range o.Entries {
		fmt.Println(entry)
	}
	_, err := outline.Of(context.Background(), "a.out", strings.NewReader(""))
	fmt.Println(errors.Is(err, outline.ErrLanguage))
	// Output:
	// line 1: a bracket is not closed
	// 1-2 function f
	// 4-4 class A
	// true
}

func ExampleLanguage() {
	fmt.Printf("%q %q\n", outline.Language("src/app.TSX"), outline.Language("Makefile"))
	// Output:
	// "tsx" ""
}
