package corpus

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "here")
	path, err := File(t.Context(), dir, "json", 9, 300_000)
	if err != nil {
		t.Fatal(err)
	}
	want := string(made(t, "json", 9, 300_000))
	same := func() {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%v, %d bytes", err, len(got))
		}
	}
	same()

	stat, _ := os.Stat(path)
	if again, err := File(t.Context(), dir, "json", 9, 300_000); err != nil || again != path {
		t.Errorf("%s, %v", again, err)
	}
	if now, _ := os.Stat(path); !os.SameFile(stat, now) || !now.ModTime().Equal(stat.ModTime()) {
		t.Error("made again although it was there")
	}

	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := File(t.Context(), dir, "json", 9, 300_000); err != nil {
		t.Error(err)
	}
	same()

	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestFileAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			path, err := File(t.Context(), dir, "app", 1, 1<<20)
			if err != nil {
				t.Error(err)
			} else if info, err := os.Stat(path); err != nil || info.Size() != 1<<20 {
				t.Error(info, err)
			}
		})
	}
	group.Wait()
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestFileFails(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := File(ctx, dir, "app", 1, 1<<20); err != context.Canceled {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := File(t.Context(), file, "app", 1, 1); err == nil {
		t.Error("made a file in a file")
	}
}
