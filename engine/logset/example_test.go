package logset_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"excerpt/engine"
	"excerpt/engine/logset"
)

// rotated makes a rotated log, and returns the path of the live file.
func rotated() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, "started\nlistening\n")
	w.Close()
	for name, text := range map[string]string{
		"app.log":      "stopped\n",
		"app.log.1":    "a request\nanother\n",
		"app.log.3.gz": packed.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	return filepath.Join(dir, "app.log"), func() { os.RemoveAll(dir) }
}

// Line numbers count from the oldest line that there is.
func ExampleOpen() {
	path, remove := rotated()
	defer remove()
	ctx := context.Background()
	set, err := logset.Open(ctx, path, &engine.Options{Cache: engine.NoCache})
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	part, err := set.Lines(ctx, 2, 4)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := part.WriteNumbered(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2: listening
	// 3: a request
	// 4: another
}

// What is wrong with a set is known when it was read.
func ExampleSet_Members() {
	path, remove := rotated()
	defer remove()
	ctx := context.Background()
	set, err := logset.Open(ctx, path, &engine.Options{Cache: engine.NoCache})
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	if _, err := set.Count(ctx); err != nil {
		log.Fatal(err)
	}
	for _, m := range set.Members() {
		fmt.Println(filepath.Base(m.Path), m.State)
	}
	// Output:
	// app.log.3.gz whole
	// app.log.2 missing
	// app.log.1 whole
	// app.log whole
}

func ExampleMember_Lost() {
	path, remove := rotated()
	defer remove()
	set, err := logset.Open(context.Background(), path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	for _, m := range set.Members() {
		if m.Lost() {
			fmt.Printf("%s: %v\n", filepath.Base(m.Path), m.Err)
		}
	}
	// Output:
	// app.log.2: there are files with larger numbers
}

func ExampleMember_String() {
	path, remove := rotated()
	defer remove()
	set, err := logset.Open(context.Background(), path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	missing := set.Members()[1]
	fmt.Println(strings.TrimPrefix(missing.String(), filepath.Dir(path)+string(filepath.Separator)))
	// Output:
	// app.log.2 is missing: there are files with larger numbers
}

func ExampleState_String() {
	fmt.Println(logset.Missing)
	// Output:
	// missing
}
