package readfile_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"excerpt/readfile"
)

// A blocking tree has files whose Open, Stat or reads wait until it is released.
type blocking struct {
	where   string
	release chan struct{}
	waiting *atomic.Int64
}

func (b blocking) wait(where string) {
	if b.where == where {
		b.waiting.Add(1)
		<-b.release
	}
}

func (b blocking) Open(name string) (fs.File, error) {
	b.wait("open")
	f, err := fstest.MapFS{"f": {Data: []byte("one\n")}}.Open(name)
	return blockingFile{f, b}, err
}

type blockingFile struct {
	fs.File
	b blocking
}

func (f blockingFile) Stat() (fs.FileInfo, error) { f.b.wait("stat"); return f.File.Stat() }
func (f blockingFile) Read(p []byte) (int, error) { f.b.wait("read"); return f.File.Read(p) }

func TestBlockingFile(t *testing.T) {
	for _, where := range []string{"open", "stat", "read"} {
		b := blocking{where, make(chan struct{}), new(atomic.Int64)}
		tool, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{"m": b}})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []error{context.DeadlineExceeded, context.Canceled} {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			if want == context.Canceled {
				ctx, cancel = context.WithCancel(t.Context())
				time.AfterFunc(30*time.Millisecond, cancel)
			}
			began := time.Now()
			r := tool.Read(ctx, readfile.Request{Path: "m/f"})
			if took := time.Since(began); !errors.Is(r.Err, want) || took > time.Second {
				t.Errorf("%s: %v after %v", where, r.Err, took)
			}
			cancel()
		}
		// There is an end to how many can be left behind.
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		results := make(chan readfile.Result)
		const calls, most = 300, 256
		for round, least := range []int{most, 0} {
			left := 0
			b.waiting.Store(0)
			for range calls {
				go func() { results <- tool.Read(ctx, readfile.Request{Path: "m/f"}) }()
			}
			for least > 0 && b.waiting.Load() < calls {
				time.Sleep(time.Millisecond)
			}
			cancel()
			for range calls {
				switch r := <-results; {
				case strings.Contains(r.Text(), "cancelled"):
					left++
				case !strings.Contains(r.Text(), "too many"):
					t.Errorf("%s, round %d: %q", where, round, r.Text())
				}
			}
			if left < least || round > 0 && left > 0 {
				t.Errorf("%s, round %d: %d were left behind", where, round, left)
			}
		}
		close(b.release)
		read := func() bool { return tool.Read(t.Context(), readfile.Request{Path: "m/f"}).Err == nil }
		for tries := 0; !read(); tries++ {
			if tries == 100 {
				t.Fatalf("%s: it is not read, though nothing blocks", where)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// What fails inside a call fails where it was made.
func TestPanickingTree(t *testing.T) {
	tool, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{"m": panicking{}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, ctx := range []context.Context{context.Background(), t.Context()} {
		func() {
			defer func() {
				if got := recover(); got != "a fault" {
					t.Error(got)
				}
			}()
			tool.Read(ctx, readfile.Request{Path: "m/f"})
		}()
	}
}

type panicking struct{}

func (panicking) Open(string) (fs.File, error) { panic("a fault") }

// The kernel's log is a regular file of size 0 that blocks once it was read.
func TestKernelLog(t *testing.T) {
	root, err := os.OpenRoot("/proc")
	if err != nil {
		t.Skip(err)
	}
	defer root.Close()
	tool, err := readfile.New(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	r := tool.Read(ctx, readfile.Request{Path: "kmsg", Tail: 1})
	if took := time.Since(began); took > time.Second {
		t.Errorf("%v after %v", r.Err, took)
	}
}
