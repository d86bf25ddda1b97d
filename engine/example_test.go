package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"

	"excerpt/engine"
)

var ctx = context.Background()

const text = "one\ntwo\nthree\nfour\n"

// sample returns a File of four lines. In a program, it comes from Open.
func sample() *engine.File {
	return engine.New("app.log", strings.NewReader(text), int64(len(text)), nil)
}

// sampleFile makes a file of four lines in a folder that cleanup removes.
func sampleFile() (path string, cleanup func()) {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(dir, "app.log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	return path, func() { _ = os.RemoveAll(dir) }
}

// must is for the errors that these examples do not have.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func Example() {
	path, cleanup := sampleFile()
	defer cleanup()

	f, err := engine.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()

	last, err := f.Tail(ctx, 2) // located, not yet read
	if err != nil {
		log.Fatal(err)
	}
	if _, err := last.WriteTo(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// three
	// four
}

// A File that can't leave a folder.
func Example_confined() {
	path, cleanup := sampleFile()
	defer cleanup()

	root := must(os.OpenRoot(filepath.Dir(path)))
	defer root.Close()
	opts := &engine.Options{Open: root.OpenFile}

	_, err := engine.Open("../secret.log", opts)
	fmt.Println(err != nil)
	f := must(engine.Open("app.log", opts))
	defer f.Close()
	fmt.Println(f.Count(ctx))
	// Output:
	// true
	// 4 <nil>
}

// A log that grows is read on from where it ended.
func Example_follow() {
	path, cleanup := sampleFile()
	defer cleanup()
	f := must(engine.Open(path, nil))
	defer f.Close()
	end := f.Size()

	log := must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))
	fmt.Fprintln(log, "five")
	log.Close()

	switch must(f.Refresh()) {
	case engine.Grown:
		more := must(f.Bytes(ctx, engine.Offset(end), engine.LastOffset))
		must(more.WriteTo(os.Stdout))
	case engine.Truncated, engine.Replaced:
		fmt.Println("begin anew")
	}
	// Output: five
}

func ExampleOpen() {
	_, err := engine.Open("no-such.log", nil)
	fmt.Println(errors.Is(err, os.ErrNotExist))
	// Output: true
}

func ExampleNew() {
	r := strings.NewReader("one\ntwo\n")
	f := engine.New("a string", r, r.Size(), nil)
	defer f.Close()
	fmt.Println(f.Count(ctx))
	// Output: 2 <nil>
}

func ExampleNewStream() {
	r, w := io.Pipe()
	go func() {
		fmt.Fprint(w, text)
		w.Close()
	}()
	f := engine.NewStream("a pipe", r, &engine.Options{Once: true})
	defer f.Close()
	must(must(f.Tail(ctx, 1)).WriteTo(os.Stdout))
	// Output: four
}

func ExampleWithProgress() {
	ctx := engine.WithProgress(ctx, func(done, total int64) {
		fmt.Printf("\r%3d %%", 100*done/max(total, 1))
	})
	f := sample()
	defer f.Close()
	fmt.Println(f.Count(ctx)) // too short to report anything
	// Output: 4 <nil>
}

func ExampleFile_Head() {
	f := sample()
	defer f.Close()
	must(must(f.Head(ctx, 2)).WriteTo(os.Stdout))
	// Output:
	// one
	// two
}

func ExampleFile_Tail() {
	f := sample()
	defer f.Close()
	must(must(f.Tail(ctx, 2)).WriteTo(os.Stdout))
	// Output:
	// three
	// four
}

func ExampleFile_Lines() {
	f := sample()
	defer f.Close()
	must(must(f.Lines(ctx, 2, 3)).WriteTo(os.Stdout))

	_, err := f.Lines(ctx, 100, 200)
	var past *engine.RangeError
	if errors.As(err, &past) {
		fmt.Println("there are only", past.Lines)
	}
	// Output:
	// two
	// three
	// there are only 4
}

func ExampleFile_Prefix() {
	f := engine.New("a string", strings.NewReader("a界b"), 5, nil)
	defer f.Close()
	must(must(f.Prefix(ctx, 3)).WriteTo(os.Stdout)) // not half a 界
	// Output: a
}

func ExampleFile_Bytes() {
	f := sample()
	defer f.Close()
	must(must(f.Bytes(ctx, 4, 7)).WriteTo(os.Stdout))
	fmt.Println()
	must(must(f.Bytes(ctx, -5, engine.LastOffset)).WriteTo(os.Stdout))
	// Output:
	// two
	// four
}

func ExampleFile_All() {
	f := sample()
	defer f.Close()
	for line, err := range must(f.All(ctx)).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d %s\n", line.Number, line.Text)
	}
	// Output:
	// 1 one
	// 2 two
	// 3 three
	// 4 four
}

func ExampleFile_Count() {
	f := sample()
	defer f.Close()
	fmt.Println(f.Count(ctx))
	// Output: 4 <nil>
}

func ExampleFile_BuildIndex() {
	path, cleanup := sampleFile()
	defer cleanup()
	f := must(engine.Open(path, &engine.Options{Cache: filepath.Join(filepath.Dir(path), "cache")}))
	defer f.Close()

	index := must(f.BuildIndex(ctx))
	fmt.Println(index.Covers, "bytes,", index.Ends, "line ends, a checkpoint every", index.Step>>10, "KiB")
	// Output: 19 bytes, 4 line ends, a checkpoint every 256 KiB
}

func ExampleFile_StatIndex() {
	path, cleanup := sampleFile()
	defer cleanup()
	f := must(engine.Open(path, &engine.Options{Cache: filepath.Join(filepath.Dir(path), "cache")}))
	defer f.Close()

	_, err := f.StatIndex()
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output: true
}

func ExampleFile_DropIndex() {
	path, cleanup := sampleFile()
	defer cleanup()
	f := must(engine.Open(path, &engine.Options{Cache: filepath.Join(filepath.Dir(path), "cache")}))
	defer f.Close()

	must(f.BuildIndex(ctx))
	if err := f.DropIndex(); err != nil {
		log.Fatal(err)
	}
	_, err := f.StatIndex()
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output: true
}

func ExampleFile_Name() {
	f := sample()
	defer f.Close()
	fmt.Println(f.Name())
	// Output: app.log
}

func ExampleFile_Size() {
	f := sample()
	defer f.Close()
	fmt.Println(f.Size())
	// Output: 19
}

// Package compressed opens files of which the two differ.
func ExampleFile_Stored() {
	f := sample()
	defer f.Close()
	fmt.Println(f.Stored() == f.Size())
	// Output: true
}

func ExampleFile_ReadAt() {
	f := sample()
	defer f.Close()
	b := make([]byte, 3)
	must(f.ReadAt(b, 4))
	fmt.Printf("%s\n", b)
	// Output: two
}

func ExampleFile_Refresh() {
	path, cleanup := sampleFile()
	defer cleanup()
	f := must(engine.Open(path, nil))
	defer f.Close()

	fmt.Println(f.Refresh())
	os.WriteFile(path, []byte("anew\n"), 0o600)
	fmt.Println(f.Refresh())
	// Output:
	// unchanged <nil>
	// truncated <nil>
}

func ExampleFile_Close() {
	f := sample()
	f.Close()
	_, err := f.Count(ctx)
	fmt.Println(errors.Is(err, engine.ErrClosed))
	// Output: true
}

func ExampleSpan_Offsets() {
	f := sample()
	defer f.Close()
	fmt.Println(must(f.Tail(ctx, 2)).Offsets())
	// Output: 8 19
}

func ExampleSpan_Lines() {
	f := sample()
	defer f.Close()
	fmt.Println(must(f.Tail(ctx, 100)).Lines())
	// Output: 4 true
}

func ExampleSpan_First() {
	f := sample()
	defer f.Close()
	fmt.Println(must(f.Lines(ctx, 3, 4)).First())
	fmt.Println(must(f.Tail(ctx, 1)).First()) // nobody has counted
	// Output:
	// 3
	// 0
}

func ExampleSpan_Number() {
	f := sample()
	defer f.Close()
	fmt.Println(must(f.Tail(ctx, 1)).Number(ctx))
	// Output: 4 <nil>
}

func ExampleSpan_WriteTo() {
	f := sample()
	defer f.Close()
	n, err := must(f.Head(ctx, 1)).WriteTo(os.Stdout)
	fmt.Println(n, err)
	// Output:
	// one
	// 4 <nil>
}

func ExampleSpan_WriteNumbered() {
	f := sample()
	defer f.Close()
	must(must(f.Tail(ctx, 2)).WriteNumbered(os.Stdout))
	// Output:
	// 3: three
	// 4: four
}

func ExampleSpan_Text() {
	f := sample()
	defer f.Close()
	text := must(must(f.All(ctx)).Text(engine.Limits{Lines: 2, Numbers: true}))
	fmt.Printf("%s", text.Data)
	fmt.Println(text.Cut == engine.ByLines, "go on at line", text.First+engine.LineNumber(text.Lines))
	// Output:
	// 1: one
	// 2: two
	// true go on at line 3
}

func ExampleSpan_All() {
	f := sample()
	defer f.Close()
	for line, err := range must(f.Lines(ctx, 2, 3)).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("line %d at byte %d: %s\n", line.Number, line.Offset, line.Text)
	}
	// Output:
	// line 2 at byte 4: two
	// line 3 at byte 8: three
}
