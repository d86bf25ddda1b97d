// Command report renders BENCHMARKS.md and its charts from the records in
// bench/records. No figure in it is typed.
//
//	go -C bench/peers run ./report
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"excerpt/bench/peers/internal/records"
)

func main() {
	root := flag.String("root", filepath.Join("..", ".."), "folder of the project")
	flag.Parse()
	if err := run(*root, false); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

// run renders into a folder, or compares with what is there.
func run(root string, check bool) error {
	files, err := render(filepath.Join(root, "bench", "records"))
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(root, name)
		if check {
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, content) {
				return fmt.Errorf("%s is not what bench/records say: go -C bench/peers run ./report", name)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// render returns the files that the records in a folder give, by their names.
func render(dir string) (map[string][]byte, error) {
	set, err := records.Read(dir)
	if err != nil {
		return nil, err
	}
	files, err := charts(set)
	if err != nil {
		return nil, err
	}
	files["BENCHMARKS.md"], err = page(set)
	return files, err
}
