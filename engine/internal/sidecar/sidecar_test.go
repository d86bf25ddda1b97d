package sidecar

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
	if _, err := f.Read("1-a", 1<<20); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before it was written: %v", err)
	}
	for _, body := range [][]byte{{}, []byte("one"), bytes.Repeat([]byte{0}, 1<<20)} {
		if err := f.Write("1-a", body); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Read("1-a", 1<<20); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(body))
		}
	}
	if err := f.Remove("1-a"); err != nil {
		t.Error(err)
	}
	if _, err := f.Read("1-a", 1<<20); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after it was removed: %v", err)
	}
	if err := os.MkdirAll(f.File("1-b"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read("1-b", 1<<20); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder: %v", err)
	}
}

// The rest is there for who has opened a sidecar, whatever becomes of that; the
// body is taken as it was written, or not at all.
func TestRest(t *testing.T) {
	t.Parallel()
	f := Folder{Path: t.TempDir()}
	if err := f.Write("1-a", []byte("body"), []byte("the "), nil, []byte("rest")); err != nil {
		t.Fatal(err)
	}
	body, rest, err := f.Open("1-a", 4)
	if err != nil {
		t.Fatal(err)
	}
	defer rest.Close()
	if err := f.Write("1-a", nil, []byte("another")); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(rest)
	if string(body) != "body" || string(got) != "the rest" || err != nil {
		t.Errorf("%q, %q, %v", body, got, err)
	}
	if err := f.Write("1-a", []byte("body"), []byte("rest")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read("1-a", 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a body that is too large: %v", err)
	}
	whole, err := os.ReadFile(f.File("1-a"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		bad := bytes.Clone(whole)
		bad[i] ^= 1
		inRest := i >= len(whole)-len("rest")
		for _, b := range [][]byte{bad, whole[:i]} {
			if err := os.WriteFile(f.File("1-b"), b, 0o600); err != nil {
				t.Fatal(err)
			}
			if body, err := f.Read("1-b", 4); inRest && string(body) != "body" || !inRest && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%q: %q, %v", b, body, err)
			}
		}
	}
}

// The oldest go, and what was left by those that were killed; the rest stays.
func TestLimit(t *testing.T) {
	t.Parallel()
	f := Folder{Path: t.TempDir(), Limit: 10_000}
	kept := map[string]bool{
		".fe00-1a.index8123": false, ".path-1a.index-8123": false, // of those that were killed
		"README": true, ".bashrc": true, "important.index": true, ".x.index123": true, "1-2.index.bak": true, "1-2-3.index": true,
	}
	old := time.Now().Add(-2 * time.Hour)
	for name := range kept {
		path := filepath.Join(f.Path, name)
		if err := os.WriteFile(path, make([]byte, 20_000), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	const young = ".fe00-1b.index9"
	kept[young] = true
	if err := os.WriteFile(filepath.Join(f.Path, young), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		name := fmt.Sprintf("fe00-%x-decoded", i)
		if err := f.Write(name, make([]byte, 900)); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-100) * time.Second)
		if err := os.Chtimes(f.File(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		_, err := f.Read(fmt.Sprintf("fe00-%x-decoded", i), 1000)
		if kept := i >= 10; (err == nil) != kept {
			t.Errorf("%d: %v", i, err)
		}
	}
	for name, kept := range kept {
		if _, err := os.Stat(filepath.Join(f.Path, name)); (err == nil) != kept {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := f.Write("1-c", make([]byte, 10_000)); err == nil {
		t.Error("a sidecar over the limit was written")
	}
}

const killed = "EXCERPT_TEST_WRITES_UNTIL_KILLED"

// TestKilled: whoever is killed while he writes leaves what was there, or what
// he was to write.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(killed); dir != "" {
		for i := byte(0); ; i++ {
			if err := (Folder{Path: dir}).Write("1-a", bytes.Repeat([]byte{i}, 1<<20)); err != nil {
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
	if err := f.Write("1-a", bytes.Repeat([]byte{1}, 1<<20)); err != nil {
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
		got, err := f.Read("1-a", 1<<20)
		if err != nil || len(got) != 1<<20 || bytes.Count(got, got[:1]) != len(got) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
}
