package readcard_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"excerpt/engine"
	"excerpt/engine/compressed"
	"excerpt/internal/cases"
	"excerpt/readcard"
	"excerpt/readfile"
)

func answerWith(opts *readfile.Options) func(t *testing.T, dir string, request []byte) []byte {
	return func(t *testing.T, dir string, request []byte) []byte {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		tool, err := readfile.New(root, opts)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := json.Marshal(readcard.ToolResult(tool.Call(ctx, request)))
		if err != nil {
			t.Fatal(err)
		}
		return sent
	}
}

func TestCases(t *testing.T) {
	cases.Run(t, answerWith(nil))
}

// What holds of a file holds of one in which the same is compressed.
func TestCasesCompressed(t *testing.T) {
	zst, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string]func([]byte) []byte{
		"gzip": func(content []byte) []byte {
			var b bytes.Buffer
			w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
			_, _ = w.Write(content)
			_ = w.Close()
			return b.Bytes()
		},
		"zstd": func(content []byte) []byte { return zst.EncodeAll(content, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			cases.RunStored(t, store, answerWith(&readfile.Options{Open: compressed.Open, Cache: engine.NoCache}))
		})
	}
}
