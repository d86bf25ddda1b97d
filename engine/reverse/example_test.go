package reverse_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"excerpt/engine/reverse"
)

func ExampleStart() {
	r := strings.NewReader("one\ntwo\nthree\n")
	start, lines, err := reverse.Start(context.Background(), r, r.Size(), 2)
	fmt.Println(start, lines, err)
	// Output: 4 2 <nil>
}

func ExampleNewReader() {
	r := strings.NewReader("one\ntwo\nthree\n")
	lines := reverse.NewReader(context.Background(), r, r.Size())
	last, err := lines.Next()
	fmt.Printf("%s %v\n", last.Text, err)
	// Output: three <nil>
}

func ExampleReader_Next() {
	r := strings.NewReader("one\ntwo\nthree\n")
	lines := reverse.NewReader(context.Background(), r, r.Size())
	for {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d-%d %s\n", line.Start, line.End, line.Text)
	}
	// Output:
	// 8-14 three
	// 4-8 two
	// 0-4 one
}
