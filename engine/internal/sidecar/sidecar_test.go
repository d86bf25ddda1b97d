package sidecar

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	f := Folder{Path: filepath.Join(t.TempDir(), "a", "b")}
	if _, err := f.Read("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before it was written: %v", err)
	}
	for _, body := range [][]byte{{}, []byte("one"), bytes.Repeat([]byte{0}, 1<<20)} {
		if err := f.Write("x", body); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Read("x"); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(body))
		}
	}
	if err := f.Remove("x"); err != nil {
		t.Error(err)
	}
	if _, err := f.Read("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after it was removed: %v", err)
	}
	if err := os.MkdirAll(f.File("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read("folder"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder: %v", err)
	}
}

// The oldest go, and what was left by those that were killed; the rest stays.
func TestLimit(t *testing.T) {
	t.Parallel()
	f := Folder{Path: t.TempDir(), Limit: 10_000}
	foreign := filepath.Join(f.Path, "README")
	orphan, young := filepath.Join(f.Path, ".x.index123"), filepath.Join(f.Path, ".x.index456")
	for _, path := range []string{foreign, orphan, young} {
		if err := os.WriteFile(path, make([]byte, 20_000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(orphan, old, old); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		name := fmt.Sprint(i)
		if err := f.Write(name, make([]byte, 900)); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-100) * time.Second)
		if err := os.Chtimes(f.File(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		_, err := f.Read(fmt.Sprint(i))
		if kept := i >= 10; (err == nil) != kept {
			t.Errorf("%d: %v", i, err)
		}
	}
	for path, kept := range map[string]bool{foreign: true, orphan: false, young: true} {
		if _, err := os.Stat(path); (err == nil) != kept {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := f.Write("large", make([]byte, 10_000)); err == nil {
		t.Error("a sidecar over the limit was written")
	}
}

const killed = "EXCERPT_TEST_WRITES_UNTIL_KILLED"

// TestKilled: whoever is killed while he writes leaves what was there, or what
// he was to write.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(killed); dir != "" {
		for i := byte(0); ; i++ {
			if err := (Folder{Path: dir}).Write("x", bytes.Repeat([]byte{i}, 1<<20)); err != nil {
				panic(err)
			}
		}
	}
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := Folder{Path: t.TempDir()}
	if err := f.Write("x", bytes.Repeat([]byte{1}, 1<<20)); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		cmd := exec.Command(self, "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), killed+"="+f.Path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(10+3*i) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		got, err := f.Read("x")
		if err != nil || len(got) != 1<<20 || bytes.Count(got, got[:1]) != len(got) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
}
