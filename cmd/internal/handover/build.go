package handover

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// buildFull builds excerpt-full from the source that this one was built
// from, as go tool builds tools: once, into the user's cache.
func buildFull() (string, error) {
	source, err := sourceFolder()
	if err != nil {
		return "", err
	}
	sum, err := sourceSum(source)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	cache = filepath.Join(cache, "excerpt", "programs")
	path := filepath.Join(cache, fullName+"-"+sum)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // it is in use
		return path, nil
	}
	golang, err := exec.LookPath("go")
	if err != nil {
		return "", errors.New("and there is no go to build it with")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	forget(cache)
	tmp, err := os.MkdirTemp(cache, "building-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	fmt.Fprintf(os.Stderr, "excerpt: building %s, once\n", fullName)
	built := filepath.Join(tmp, filepath.Base(path))
	build := exec.CommandContext(ctx, golang, "build", "-o", built, "./cmd/"+fullName)
	build.Cancel = func() error { return interrupt(build.Process) }
	build.WaitDelay = 5 * time.Second
	build.Dir = source
	build.Env = append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH, "GOWORK=off")
	defer endWithThis(build)()
	switch out, err := build.CombinedOutput(); {
	case ctx.Err() != nil:
		return "", errors.New("its build was interrupted")
	case err != nil:
		return "", fmt.Errorf("go build: %w: %s", err, strings.TrimSpace(string(out)))
	}
	if err := os.Rename(built, path); err != nil {
		return "", err
	}
	return path, nil
}

// sourceFolder is the module's folder, as the compiler has noted it.
func sourceFolder() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) { // -trimpath
		return "", errNoSource
	}
	dir := filepath.FromSlash(file)
	for range strings.Count("cmd/internal/handover/build.go", "/") + 1 {
		dir = filepath.Dir(dir)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module excerpt\n") {
		return "", errNoSource
	}
	return dir, nil
}

// sourceSum names a state of the source: what is built from another has
// another name.
func sourceSum(dir string) (string, error) {
	h := fnv.New128a()
	fmt.Fprintln(h, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (name == "testdata" || name[0] == '.' || name[0] == '_'):
			return fs.SkipDir
		case d.IsDir(), strings.HasSuffix(name, "_test.go"), filepath.Ext(name) != ".go" && path != "go.mod" && path != "go.sum":
			return nil
		}
		f, err := root.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintln(h, path)
		_, err = io.Copy(h, f)
		return err
	})
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// interrupt has go clean up after itself, where there are interrupts.
func interrupt(p *os.Process) error {
	if p.Signal(os.Interrupt) == nil {
		return nil
	}
	return p.Kill()
}

// forget removes programs that were not used for a month, and what is left of
// builds that could not clean up after themselves.
func forget(cache string) {
	for pattern, age := range map[string]time.Duration{fullName + "-*": 30 * 24 * time.Hour, "building-*": time.Hour} {
		old, _ := filepath.Glob(filepath.Join(cache, pattern))
		for _, path := range old {
			if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > age {
				_ = os.RemoveAll(path)
			}
		}
	}
}
