package readfile_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"excerpt/readfile"
)

// A workspace is a folder with a secret beside it.
type workspace struct {
	t    testing.TB
	dir  string
	root *os.Root
}

const secret = "the secret outside"

func newWorkspace(t testing.TB) *workspace {
	t.Helper()
	outer := t.TempDir()
	w := &workspace{t: t, dir: filepath.Join(outer, "w")}
	w.write("../secret.log", secret)
	w.write("a.log", "one\ntwo\n")
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	w.root = root
	t.Cleanup(func() { root.Close() })
	return w
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *workspace) write(name, content string) {
	w.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(w.path(name)), 0o755), os.WriteFile(w.path(name), []byte(content), 0o600)); err != nil {
		w.t.Fatal(err)
	}
}

// link makes a link, or skips the test where that is not allowed.
func (w *workspace) link(target, name string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(filepath.FromSlash(target), w.path(name)); err != nil {
		w.t.Skip(err)
	}
}

func (w *workspace) tool(opts *readfile.Options) *readfile.Tool {
	w.t.Helper()
	tool, err := readfile.New(w.root, opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return tool
}

// refused says what is wrong with a refusal: it must mention the words and give
// away neither the secret nor where the workspace is.
func (w *workspace) refused(r readfile.Result, words string) {
	w.t.Helper()
	text := r.Text()
	switch {
	case r.Err == nil:
		w.t.Errorf("%q: no error, but %q", r.Path, text)
	case strings.Contains(text, w.dir), strings.Contains(text, filepath.Dir(w.dir)), strings.Contains(text, secret):
		w.t.Errorf("%q: it gives away too much: %q", r.Path, text)
	}
	for _, word := range strings.Fields(words) {
		if !strings.Contains(text, word) {
			w.t.Errorf("%q: %q does not mention %q", r.Path, text, word)
		}
	}
}

func TestPaths(t *testing.T) {
	w := newWorkspace(t)
	w.write("d/b.log", "b\n")
	w.write("d/~c.log", "c\n")
	w.write("~d.log", "d\n")
	w.write("[x] & y.log", "x\n")
	w.write("世界.log", "w\n")
	w.write("…", "dots\n")
	w.write("..a", "dots too\n")
	tool := w.tool(nil)
	for name, want := range map[string]string{
		"a.log": "one\ntwo\n", "./a.log": "one\ntwo\n", "d/../a.log": "one\ntwo\n", "none/../a.log": "one\ntwo\n",
		"d//b.log": "b\n", "d/./b.log": "b\n", "./d/b.log": "b\n",
		"d/~c.log": "c\n", "./~d.log": "d\n", "[x] & y.log": "x\n", "世界.log": "w\n", "…": "dots\n", "..a": "dots too\n",
	} {
		if r := tool.Read(ctx, readfile.Request{Path: name}); r.Text() != want {
			t.Errorf("%q: %q, want %q", name, r.Text(), want)
		}
	}
	for name, words := range map[string]string{
		"":                                      "path empty relative",
		".":                                     "directory",
		"./":                                    "directory",
		"d":                                     "d directory",
		"d/":                                    "directory",
		"a.log/":                                "a.log/ folder file",
		"a.log//":                               "folder file",
		"a.log/.":                               "folder file",
		"a.log/x/..":                            "folder file",
		"..":                                    "outside workspace",
		"../":                                   "outside workspace",
		"../secret.log":                         "outside workspace",
		"d/../../secret.log":                    "outside workspace",
		"d/../../w/a.log":                       "outside workspace",
		"./../secret.log":                       "outside workspace",
		"none/../../secret.log":                 "outside workspace",
		"/a.log":                                "absolute relative workspace",
		"//a.log":                               "absolute",
		"/":                                     "absolute",
		"/etc/hostname":                         "absolute",
		"C:/a.log":                              "absolute",
		"file:///etc/hostname":                  "URI",
		"~":                                     "home",
		"~/a.log":                               "home",
		"~root/a.log":                           "home",
		`d\b.log`:                               "backslash /",
		`..\secret.log`:                         "backslash",
		`\\server\share`:                        "backslash",
		"a.log\x00":                             "NUL",
		"\x00":                                  "NUL",
		"a.log\x00/../../secret.log":            "NUL",
		"nope.log":                              "no nope.log relative",
		"d/nope.log":                            "no d/nope.log",
		"a.log/b":                               "no a.log/b",
		"\n":                                    `"\n"`,
		" a.log":                                "no",
		strings.Repeat("x", 5000):               "5000 4096",
		strings.Repeat("x", 300):                "no",
		strings.Repeat("d/../", 900):            "4500",
		strings.Repeat("\x01/", 2000):           "no",
		strings.Repeat("世", 1000):               "no",
		"a.log" + strings.Repeat("/", 9) + "..": "directory",
	} {
		r := tool.Read(ctx, readfile.Request{Path: name})
		w.refused(r, words)
		if len(r.Text()) > 2048 {
			t.Errorf("%.40q: %d bytes", name, len(r.Text()))
		}
	}
}

// Links may lead anywhere inside, and nowhere else.
func TestLinks(t *testing.T) {
	w := newWorkspace(t)
	w.write("d/e/f/b.log", "b\n")
	w.link("a.log", "inside.log")
	w.link("../../a.log", "d/e/up.log")
	w.link("d", "dir")
	w.link("inside.log", "twice.log")
	tool := w.tool(nil)
	for name, want := range map[string]string{
		"inside.log": "one\ntwo\n", "d/e/up.log": "one\ntwo\n", "dir/e/f/b.log": "b\n", "twice.log": "one\ntwo\n", "dir/../a.log": "one\ntwo\n",
	} {
		if r := tool.Read(ctx, readfile.Request{Path: name}); r.Text() != want {
			t.Errorf("%q: %q, want %q", name, r.Text(), want)
		}
	}

	w.link("../secret.log", "out.log")
	w.link("../../../secret.log", "d/e/out.log")
	w.link("../../../..", "d/e/f/out")
	w.link(filepath.Join(filepath.Dir(w.dir), "secret.log"), "absolute.log")
	w.link(filepath.Dir(w.dir), "absolute")
	w.link("out.log", "chain.log")
	w.link("..", "up")
	w.link("a", "loop")
	w.link("loop", "a")
	w.link("self", "self")
	w.link("self", "d/loop")
	w.link("none.log", "broken.log")
	for name, words := range map[string]string{
		"out.log":              "link outside workspace",
		"d/e/out.log":          "link outside",
		"dir/e/out.log":        "link outside",
		"d/e/f/out/secret.log": "link outside",
		"absolute.log":         "link outside",
		"absolute/secret.log":  "link outside",
		"chain.log":            "link outside",
		"up":                   "link outside",
		"up/secret.log":        "link outside",
		"up/w/a.log":           "link outside",
		"loop":                 "loop",
		"self":                 "loop",
		"broken.log":           "no broken.log",
	} {
		w.refused(tool.Read(ctx, readfile.Request{Path: name}), words)
	}
}

// A link that is swapped for another again and again gives one of the files
// inside or is refused, and never gives the secret.
func TestSwappedLink(t *testing.T) {
	w := newWorkspace(t)
	w.write("d/x.log", "inside\n")
	w.write("../d/x.log", secret)
	w.link("d", "l")
	tool := w.tool(nil)
	stop := make(chan struct{})
	var swapper sync.WaitGroup
	swapper.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			target := []string{"d", "../d", filepath.Dir(w.dir) + "/d"}[i%3]
			if os.Symlink(target, w.path("next")) == nil {
				_ = os.Rename(w.path("next"), w.path("l"))
			}
		}
	})
	read := 0
	for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
		r := tool.Read(ctx, readfile.Request{Path: "l/x.log"})
		switch {
		case strings.Contains(r.Text(), secret):
			t.Fatal("it gives the secret away")
		case r.Err == nil && r.Text() == "inside\n":
			read++
		case r.Err == nil:
			t.Fatalf("%q", r.Text())
		}
	}
	close(stop)
	swapper.Wait()
	if read == 0 {
		t.Error("not once was the link seen to lead inside")
	}
}

// Once a file is open, what becomes of its name does not matter.
func TestLinkSwappedWhileRead(t *testing.T) {
	w := newWorkspace(t)
	w.write("d/x.log", strings.Repeat("inside\n", 100_000))
	w.link("d/x.log", "l")
	tree := swapFS{w.root.FS(), func() {
		if err := errors.Join(os.Remove(w.path("l")), os.Symlink("../secret.log", w.path("l"))); err != nil {
			t.Error(err)
		}
	}}
	tool, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{"m": tree}})
	if err != nil {
		t.Fatal(err)
	}
	if r := tool.Read(ctx, readfile.Request{Path: "m/l", Tail: 2}); r.Text() != "inside\ninside\n" {
		t.Errorf("%q", r.Text())
	}
	w.refused(w.tool(nil).Read(ctx, readfile.Request{Path: "l"}), "link outside")
}

// swapFS does something when a file has been opened.
type swapFS struct {
	fs.FS
	opened func()
}

func (s swapFS) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if err == nil {
		s.opened()
	}
	return f, err
}

func (s swapFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(s.FS, name) }

func TestNoRegularFiles(t *testing.T) {
	w := newWorkspace(t)
	tool := w.tool(nil)
	if runtime.GOOS == "windows" {
		t.Skip("there are none")
	}
	listener, err := net.Listen("unix", w.path("s"))
	if err == nil {
		defer listener.Close()
		w.refused(tool.Read(ctx, readfile.Request{Path: "s"}), "socket regular")
	}
	if makeFIFO(w.path("p")) == nil {
		w.link("p", "lp")
		w.refused(tool.Read(ctx, readfile.Request{Path: "p"}), "pipe FIFO regular")
		w.refused(tool.Read(ctx, readfile.Request{Path: "lp", Tail: 1}), "FIFO")
	}
	dev, err := os.OpenRoot("/dev")
	if err != nil {
		t.Skip(err)
	}
	defer dev.Close()
	devices, err := readfile.New(dev, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"null", "zero", "full", "tty"} {
		w.refused(devices.Read(ctx, readfile.Request{Path: name}), "")
		w.refused(devices.Read(ctx, readfile.Request{Path: name, Tail: 10}), "")
	}
}

func TestNoPermission(t *testing.T) {
	w := newWorkspace(t)
	if err := os.Chmod(w.path("a.log"), 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(w.path("a.log")); err == nil {
		f.Close()
		t.Skip("permissions do not bind this user")
	}
	w.refused(w.tool(nil).Read(ctx, readfile.Request{Path: "a.log"}), "permission a.log")
}

// Files that do not know their size.
func TestProc(t *testing.T) {
	root, err := os.OpenRoot("/proc")
	if err != nil {
		t.Skip(err)
	}
	defer root.Close()
	tool, err := readfile.New(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("/proc/version")
	if err != nil {
		t.Skip(err)
	}
	for _, req := range []readfile.Request{{}, {Head: 1}, {Tail: 1}, {StartLine: 1, EndLine: 9}} {
		req.Path = "version"
		if r := tool.Read(ctx, req); r.Text() != string(want) {
			t.Errorf("%+v: %q, want %q", req, r.Text(), want)
		}
	}
	if r := tool.Read(ctx, readfile.Request{Path: "version", StartLine: 3, EndLine: 9}); !strings.Contains(r.Text(), "past the end") {
		t.Errorf("%q", r.Text())
	}
}

const prefix = ".gateway/builtin-skills"

// What is mounted is not looked for on the disk, and what the disk has there is
// not seen, by whatever name.
func TestMounts(t *testing.T) {
	w := newWorkspace(t)
	w.write(prefix+"/review/SKILL.md", "evil\n")
	w.write(prefix+"/evil/SKILL.md", "evil\n")
	w.write(".gateway/other.md", "other\n")
	w.write("x/y.md", "y\n")
	tree := fstest.MapFS{
		"review/SKILL.md": {Data: []byte("builtin\n")},
		"logo.png":        {Data: []byte("\x89PNG\r\n\x1a\n")},
		"pipe":            {Mode: fs.ModeNamedPipe},
	}
	tool := w.tool(&readfile.Options{Mounts: map[string]fs.FS{prefix + "/": tree, prefix + "/nested": fstest.MapFS{"n.md": {Data: []byte("nested\n")}}}})
	for name, want := range map[string]string{
		prefix + "/review/SKILL.md":                    "builtin\n",
		"./" + prefix + "//review/SKILL.md":            "builtin\n",
		"x/../" + prefix + "/review/SKILL.md":          "builtin\n",
		"none/../" + prefix + "/review/SKILL.md":       "builtin\n",
		".gateway/x/../builtin-skills/review/SKILL.md": "builtin\n",
		prefix + "/nested/n.md":                        "nested\n",
		".gateway/other.md":                            "other\n",
		"x/y.md":                                       "y\n",
		prefix + "/../other.md":                        "other\n",
	} {
		if r := tool.Read(ctx, readfile.Request{Path: name}); r.Text() != want {
			t.Errorf("%q: %q, want %q", name, r.Text(), want)
		}
	}
	for name, words := range map[string]string{
		prefix + "/evil/SKILL.md":       "no evil",
		prefix:                          "directory",
		prefix + "/":                    "directory",
		prefix + "/review":              "directory",
		prefix + "/none":                "no none",
		prefix + "/pipe":                "FIFO",
		prefix + "/.":                   `"` + prefix + `/." is a directory`,
		prefix + "/logo.png/":           "folder file",
		prefix + "/logo.png":            "PNG",
		prefix + "/nested/SKILL":        "no",
		prefix + "/../../../secret.log": "outside",
		prefix + `\review\SKILL.md`:     "backslash",
	} {
		r := tool.Read(ctx, readfile.Request{Path: name})
		w.refused(r, words)
		if strings.Contains(r.Text(), "evil\n") {
			t.Errorf("%q is read from the disk", name)
		}
	}

	// A link is another name, as another case is where that does not matter.
	w.link(prefix, "l")
	w.link(".gateway", "g")
	for _, name := range []string{"l/evil/SKILL.md", "g/builtin-skills/evil/SKILL.md", "l", ".GATEWAY/builtin-skills/evil/SKILL.md", ".gateway/Builtin-Skills/evil/SKILL.md"} {
		w.refused(tool.Read(ctx, readfile.Request{Path: name}), "")
	}
	w.refused(tool.Read(ctx, readfile.Request{Path: "l/evil/SKILL.md"}), "another name "+prefix)
}

// A link to something under a mount's prefix is judged by where it leads, at
// any depth, and one that leads past it is not.
func TestMountsBehindLinks(t *testing.T) {
	w := newWorkspace(t)
	w.write("m/secret.txt", secret)
	w.write("m/sub/f", secret)
	w.write("x/y.md", "y\n")
	w.write("x/z/deep.md", "deep\n")
	for name, target := range map[string]string{
		"l.txt": "m/secret.txt", "d": "m/sub", "ld": "d", "x/up": "../m/sub", "x/around": "z/../../m/secret.txt", "x/again": "../l.txt",
		"y": "x/y.md", "x/back": "../x/./z", "back": "x/back/../y.md", "loop": "loop2", "loop2": "loop", "gone": "none", "out": "../secret.log", "abs": w.path("a.log"), "file": "a.log/x",
		"mounted": "m",
	} {
		w.link(target, name)
	}
	tool := w.tool(&readfile.Options{Mounts: map[string]fs.FS{"m": fstest.MapFS{"f": {Data: []byte("mounted\n")}}}})
	for _, name := range []string{"l.txt", "d/f", "ld/f", "x/up/f", "x/around", "x/again", "mounted/secret.txt", "d/../secret.txt"} {
		w.refused(tool.Read(ctx, readfile.Request{Path: name}), "")
	}
	for name, words := range map[string]string{
		"l.txt": "another name m", "d/f": "another name m", "loop": "loop", "gone": "no file", "out": "outside link", "abs": "outside link", "file": "no file part",
		"x": "directory", "x/back": "directory", "a.log/x": "no file part", "x/none": "no file",
	} {
		w.refused(tool.Read(ctx, readfile.Request{Path: name}), words)
	}
	for name, want := range map[string]string{"m/f": "mounted\n", "y": "y\n", "x/back/deep.md": "deep\n", "back": "y\n", "a.log": "one\ntwo\n", "x/../y": "y\n"} {
		if r := tool.Read(ctx, readfile.Request{Path: name}); r.Text() != want {
			t.Errorf("%q: %q, want %q", name, r.Text(), want)
		}
	}
}

// A name that is a file and a link to what is covered in turn never gives the
// latter, and neither does a folder.
func TestMountsSwapped(t *testing.T) {
	w := newWorkspace(t)
	w.write("m/f", secret)
	w.write("real/f", "real\n")
	w.write("f", "real\n")
	w.link("m", "d-link")
	w.link("m/f", "f-link")
	tool := w.tool(&readfile.Options{Mounts: map[string]fs.FS{"m": fstest.MapFS{}}})
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, pair := range [][2]string{{"real", "d-link"}, {"f", "f-link"}} {
				_ = os.Rename(w.path(pair[0]), w.path("swap"))
				_ = os.Rename(w.path(pair[1]), w.path(pair[0]))
				_ = os.Rename(w.path("swap"), w.path(pair[1]))
			}
		}
	})
	defer swapping.Wait()
	defer close(stop)
	for range 3000 {
		for _, name := range []string{"real/f", "d-link/f", "f", "f-link"} {
			if r := tool.Read(ctx, readfile.Request{Path: name}); strings.Contains(r.Text(), secret) || r.Err == nil && r.Text() != "real\n" {
				t.Fatalf("%s: %q", name, r.Text())
			}
		}
	}
}

// A tree whose files can only be read in order.
func TestStreamedMount(t *testing.T) {
	content := strings.Repeat("line\n", 5000)
	tree := streamFS{fstest.MapFS{"a.log": {Data: []byte(content)}}}
	tool, err := readfile.New(nil, &readfile.Options{Lines: 3, Mounts: map[string]fs.FS{"m": tree}})
	if err != nil {
		t.Fatal(err)
	}
	for _, req := range []readfile.Request{{}, {Head: 5}, {Tail: 5}, {StartLine: 7, EndLine: 12}, {StartLine: 7, EndLine: 12, StartColumn: 2}} {
		req.Path = "m/a.log"
		r := tool.Read(ctx, req)
		if r.Err != nil || !strings.HasSuffix(r.Body, "ne\nline\nline\n") || r.Metadata == nil {
			t.Errorf("%+v: %q %v", req, r.Body, r.Err)
		}
	}
}

type streamFS struct{ fs.FS }

func (s streamFS) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return onlyRead{f}, nil
}

type onlyRead struct{ f fs.File }

func (o onlyRead) Read(p []byte) (int, error) { return o.f.Read(p) }
func (o onlyRead) Stat() (fs.FileInfo, error) { return o.f.Stat() }
func (o onlyRead) Close() error               { return o.f.Close() }

func TestWrongMounts(t *testing.T) {
	for _, prefix := range []string{"", ".", "/", "/a", "../a", "a/../b", "a//b", "./a"} {
		if _, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{prefix: fstest.MapFS{}}}); err == nil {
			t.Errorf("%q can be mounted", prefix)
		}
	}
	if _, err := readfile.New(nil, &readfile.Options{Mounts: map[string]fs.FS{"a": nil}}); err == nil {
		t.Error("nothing can be mounted")
	}
}
