package counters_test

import (
	"context"
	"strings"
	"testing"

	"excerpt/bench/internal/counters"
	"excerpt/engine"
)

func Test(t *testing.T) {
	text := strings.Repeat("a line\n", 100_000)
	r := counters.NewReaderAt(strings.NewReader(text))
	f := engine.New("text", r, int64(len(text)), &engine.Options{Workers: 1})
	defer f.Close()
	if _, err := f.Count(context.Background()); err != nil {
		t.Fatal(err)
	}
	// The last byte is read once more: it says whether the last line has ended.
	if got := r.Take(); got.Bytes != int64(len(text))+1 || got.Blocks < 3 {
		t.Errorf("a count has read %+v of %d bytes", got, len(text))
	}
	if _, err := f.Tail(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if got := r.Take(); got != (counters.Count{Bytes: 4<<10 + 1, Blocks: 2}) {
		t.Errorf("the tail of a line has read %+v", got)
	}
	if got := r.Take(); got != (counters.Count{}) {
		t.Errorf("nothing has read %+v", got)
	}
}
