package workload

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"excerpt/readfile"
)

// The read_file tool, as an agent calls it.
func BenchmarkReadFile(b *testing.B) {
	l := open(b, "app")
	root, err := os.OpenRoot(filepath.Dir(l.path))
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	cache := b.TempDir()
	tool, err := readfile.New(root, &readfile.Options{Cache: cache})
	if err != nil {
		b.Fatal(err)
	}
	deep := l.lines() / 100 * 95
	body := func(first, last int64) int64 { return int64(len(l.part(first, last))) }
	for _, call := range []struct {
		name, arguments string
		want            int64
	}{
		{"head", `"head": 100`, body(1, 100)},
		{"tail", `"tail": 100`, body(l.lines()-99, l.lines())},
		{"range", fmt.Sprintf(`"start_line": %d, "end_line": %d`, deep, deep+99), body(deep, deep+99)},
		{"numbers", fmt.Sprintf(`"start_line": %d, "end_line": %d, "show_line_numbers": true`, deep, deep+99), body(deep, deep+99) + 100*int64(len(fmt.Sprint(deep))+2)},
	} {
		b.Run(call.name, func(b *testing.B) {
			arguments := json.RawMessage(fmt.Sprintf(`{"path": %q, %s}`, filepath.Base(l.path), call.arguments))
			run(b, nil, call.want, func() (int64, error) {
				result := tool.Call(ctx, arguments)
				return int64(len(result.Body)), result.Err
			})
		})
	}
	b.Run("refused", func(b *testing.B) {
		run(b, nil, 1, func() (int64, error) {
			if tool.Call(ctx, json.RawMessage(`{"path": "../secret"}`)).Err != nil {
				return 1, nil
			}
			return 0, nil
		})
	})
}
