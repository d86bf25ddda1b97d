package readcard_test

import (
	"encoding/json"
	"os"
	"testing"

	"excerpt/internal/cases"
	"excerpt/readcard"
	"excerpt/readfile"
)

func TestCases(t *testing.T) {
	cases.Run(t, func(t *testing.T, dir string, request []byte) []byte {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		tool, err := readfile.New(root, nil)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := json.Marshal(readcard.ToolResult(tool.Call(ctx, request)))
		if err != nil {
			t.Fatal(err)
		}
		return sent
	})
}
