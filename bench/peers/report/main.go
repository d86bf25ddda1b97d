// Command report renders BENCHMARKS.md, its charts and the figures of README.md
// from the records in bench/records. No figure in them is typed.
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
	files, err := render(root)
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

// render returns the files that the records of a project give, by their names.
func render(root string) (map[string][]byte, error) {
	set, err := records.Read(filepath.Join(root, "bench", "records"))
	if err != nil {
		return nil, err
	}
	files, err := charts(set)
	if err != nil {
		return nil, err
	}
	if files["BENCHMARKS.md"], err = page(set); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	files["README.md"], err = readme(text, set)
	return files, err
}
