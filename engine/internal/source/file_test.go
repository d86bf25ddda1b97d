package source

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

func openFile(t *testing.T, size int) (*File, []byte) {
	t.Helper()
	content := make([]byte, size)
	for i := range content {
		content[i] = byte(i / 1000)
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f := NewFile(file, info)
	f.ByName = true
	t.Cleanup(func() {
		if err := errors.Join(f.Close(), file.Close()); err != nil {
			t.Error(err)
		}
	})
	return f, content
}

// lookAt looks through all of f in blocks of n bytes.
func lookAt(t *testing.T, f *File, n int) []byte {
	t.Helper()
	var got []byte
	err := f.View(t.Context(), func(v View) error {
		for {
			b, err := v.Block(int64(len(got)), n)
			if err != nil || len(b) == 0 {
				return err
			}
			got = append(got, b...)
		}
	})
	if err != nil {
		t.Error(err)
	}
	return got
}

// A file is mapped in the middle of a long view, or by the last of many short
// ones, and not before.
func TestMapAfter(t *testing.T) {
	for _, size := range []int{1, 10_000, int(MapAfter), int(MapAfter) + 1, 3<<20 + 5} {
		f, content := openFile(t, size)
		if got := lookAt(t, f, 100_000); !bytes.Equal(got, content) {
			t.Errorf("%d bytes: other ones", size)
		}
		if mapped := f.mapped.Load() != nil; mapped != (size > int(MapAfter)) {
			t.Errorf("%d bytes: mapped %t", size, mapped)
		}
	}
	f, content := openFile(t, 300_000)
	for seen := 0; seen < 2<<20; seen += len(content) {
		if mapped := f.mapped.Load() != nil; mapped != (seen > int(MapAfter)) {
			t.Errorf("after %d bytes: mapped %t", seen, mapped)
		}
		if got := lookAt(t, f, 7000); !bytes.Equal(got, content) {
			t.Errorf("after %d bytes: other ones", seen)
		}
	}
	never, content := openFile(t, 3<<20)
	never.Unmapped = true
	if got := lookAt(t, never, 1<<20); !bytes.Equal(got, content) || never.mapped.Load() != nil {
		t.Error("mapped, or not the same")
	}
}

// What happens to a file before it is mapped is seen as it would be after.
func TestMapChanged(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file stays as it is here")
	}
	replaced, content := openFile(t, 3<<20)
	path := replaced.file.Name()
	if err := errors.Join(os.Rename(path, path+".1"), os.WriteFile(path, make([]byte, len(content)), 0o600)); err != nil {
		t.Fatal(err)
	}
	if got := lookAt(t, replaced, 1<<20); !bytes.Equal(got, content) {
		t.Error("the bytes of another file")
	}
	grown, content := openFile(t, 3<<20)
	if err := os.Truncate(grown.file.Name(), 4<<20); err != nil {
		t.Fatal(err)
	}
	if got := lookAt(t, grown, 1<<20); !bytes.Equal(got, content) {
		t.Errorf("%d bytes, want %d", len(got), len(content))
	}
	short, _ := openFile(t, 3<<20)
	if err := os.Truncate(short.file.Name(), 2<<20+5); err != nil {
		t.Fatal(err)
	}
	err := short.View(t.Context(), func(v View) error {
		for off := int64(0); ; off += 100_000 {
			if b, err := v.Block(off, 100_000); err != nil || len(b) == 0 {
				return err
			}
		}
	})
	if at := new(OffsetError); !errors.As(err, &at) || at.Offset != 2<<20+5 || !errors.Is(err, ErrTruncated) || short.mapped.Load() != nil {
		t.Errorf("%v, mapped %t", err, short.mapped.Load() != nil)
	}
}

// It is mapped once, whoever comes first, and can be stopped meanwhile.
func TestMapAtOnce(t *testing.T) {
	for round := range 20 {
		f, content := openFile(t, 2<<20)
		var views sync.WaitGroup
		for range 8 {
			views.Go(func() {
				err := f.View(t.Context(), func(v View) error {
					for off := 0; off < len(content); off += 50_000 {
						b, err := v.Block(int64(off), 50_000)
						if err != nil {
							return err
						}
						if !bytes.Equal(b, content[off:off+len(b)]) {
							return io.ErrUnexpectedEOF
						}
					}
					return nil
				})
				if err != nil && (round%2 == 0 || !errors.Is(err, ErrClosed)) {
					t.Error(err)
				}
			})
		}
		if round%2 == 1 {
			f.Stop()
		}
		views.Wait()
	}
}
