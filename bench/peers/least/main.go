// Least is the least that a Go program can do to print the last ten lines of a
// file: its time is what of excerpt's own is the language's.
package main

import (
	"bytes"
	"io"
	"os"
)

func main() {
	f, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		panic(err)
	}
	b := make([]byte, min(size, 16<<10))
	if _, err := f.ReadAt(b, size-int64(len(b))); err != nil {
		panic(err)
	}
	at := len(b) - 1
	for range 10 {
		at = bytes.LastIndexByte(b[:at], '\n')
	}
	if _, err := os.Stdout.Write(b[at+1:]); err != nil {
		panic(err)
	}
}
