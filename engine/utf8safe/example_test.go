package utf8safe_test

import (
	"fmt"
	"io"
	"strings"

	"excerpt/engine/utf8safe"
)

func ExamplePrefix() {
	p := []byte("Hello, 世界")
	for _, n := range []int{7, 8, 9, 10} {
		k := utf8safe.Prefix(p, n)
		fmt.Printf("%d: %q\n", n, p[:k])
	}
	// Output:
	// 7: "Hello, "
	// 8: "Hello, "
	// 9: "Hello, "
	// 10: "Hello, 世"
}

func ExampleSuffix() {
	p := []byte("Hello, 世界")
	for _, n := range []int{2, 3, 5, 6} {
		k := utf8safe.Suffix(p, n)
		fmt.Printf("%d: %q\n", n, p[k:])
	}
	// Output:
	// 2: ""
	// 3: "界"
	// 5: "界"
	// 6: "世界"
}

func ExamplePrefixAt() {
	r := strings.NewReader("Hello, 世界") // or a file of any size
	k, err := utf8safe.PrefixAt(r, r.Size(), 12)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := io.ReadAll(io.NewSectionReader(r, 0, k))
	fmt.Printf("%d bytes: %s\n", k, text)
	// Output: 10 bytes: Hello, 世
}

func ExampleSuffixAt() {
	r := strings.NewReader("Hello, 世界") // or a file of any size
	k, err := utf8safe.SuffixAt(r, r.Size(), 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := io.ReadAll(io.NewSectionReader(r, k, r.Size()-k))
	fmt.Printf("from offset %d: %s\n", k, text)
	// Output: from offset 10: 界
}

// A reader that hands on text as it comes, and holds back what it has only a
// part of.
func ExampleIncomplete() {
	r := strings.NewReader("Hello, 世界")
	var held []byte
	for buf := make([]byte, 4); ; {
		n, err := r.Read(buf)
		held = append(held, buf[:n]...)
		k := len(held)
		if err == nil {
			k -= utf8safe.Incomplete(held)
		}
		if k > 0 {
			fmt.Printf("%q\n", held[:k])
		}
		held = append([]byte(nil), held[k:]...)
		if err != nil {
			break
		}
	}
	// Output:
	// "Hell"
	// "o, "
	// "世"
	// "界"
}

func ExampleAppendValid() {
	line := []byte("caf\xe9 \xe4\xb8 世界")
	fmt.Printf("%s\n", utf8safe.AppendValid(nil, line))
	// Output: caf� � 世界
}

// Pages of at most ten bytes of text, each going on where the last one ended.
func ExampleAppendValidN() {
	src := []byte("caf\xe9, 世界 and so on")
	for len(src) > 0 {
		page, consumed := utf8safe.AppendValidN(nil, src, 10)
		fmt.Printf("%q for %d bytes\n", page, consumed)
		src = src[consumed:]
	}
	// Output:
	// "caf�, " for 6 bytes
	// "世界 and" for 10 bytes
	// " so on" for 6 bytes
}
