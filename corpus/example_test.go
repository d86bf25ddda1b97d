package corpus_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"excerpt/corpus"
)

func ExampleKinds() {
	fmt.Println(corpus.Kinds())
	// Output: [app access json stack script crlf long oneline noeol invalid]
}

func ExampleKind_About() {
	fmt.Println(corpus.Kind("json").About())
	// Output: JSON lines, each a valid object
}

func ExampleWrite() {
	err := corpus.Write(context.Background(), os.Stdout, "app", 3, 431)
	fmt.Println(err)
	// Output:
	// 2026-01-05T00:00:00.000Z ERROR [http-0] req=5f1818f4cf7427bd service=checkout failed: lock wait timeout exceeded; try restarting transaction
	// 2026-01-05T00:00:00.002Z TRACE [net] recv 881297f03ef349d060b3dff43f4cb4454726f3d92960e714adade8110d89c079a52d0c1f9ee02c253f2b07f48251b971b0fcae89cd70d7e946b2ddd241d40d1c8875323570bde760ad69265f2083f8ea93832190ae42511ec6239c003ca4e5ce159086393ec255651ffd1ef9bf0c5683a672b4d9f62e5dcef53e484
	// <nil>
}

func ExampleFile() {
	dir, _ := os.MkdirTemp("", "corpus")
	defer os.RemoveAll(dir)

	path, err := corpus.File(context.Background(), dir, "access", 1, 64<<10)
	if err != nil {
		fmt.Println(err)
		return
	}
	info, _ := os.Stat(path)
	fmt.Println(filepath.Base(path), info.Size())
	// Output: access-v1-1-65536.log 65536
}

func ExampleLines() {
	n, err := corpus.Lines(context.Background(), "app", 1, 16<<20)
	fmt.Println(n, err)
	// Output: 133350 <nil>
}

func ExampleGrow() {
	log := strings.NewReader("first\nlast") // no line end at the end
	err := corpus.Grow(context.Background(), os.Stdout, log, 19)
	fmt.Println(err)
	// Output:
	// first
	// last
	// first
	// la<nil>
}
