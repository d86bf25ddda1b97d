package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func hello(w io.Writer) error {
	_, err := io.WriteString(w, "hello")
	return err
}

func full(w io.Writer) error {
	io.WriteString(w, "hal")
	return syscall.ENOSPC
}

func content(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := Write(path, full); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("half a file")
	}
	if err := Write(path, hello); err != nil {
		t.Error(err)
	}
	content(t, path, "hello")
	if err := Write(path, full); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	content(t, path, "hello")
}

func TestWriteThroughLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, hello); err != nil {
		t.Error(err)
	}
	content(t, path, "hello")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}

func TestWriteToNoFile(t *testing.T) {
	if err := Write(t.TempDir(), hello); err == nil {
		t.Error("wrote to a folder")
	}
	if err := Write(os.DevNull, hello); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Error("the null device was replaced")
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if err := Write("/dev/full", hello); !errors.Is(err, syscall.ENOSPC) {
			t.Error(err)
		}
	}
}
