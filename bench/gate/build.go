package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
)

// prepare builds the benchmarks of both sides.
func (g *gate) prepare(ctx context.Context) error {
	var err error
	if g.repo, err = findRepo(ctx); err != nil {
		return err
	}
	commit := g.options.base
	if commit == "" {
		if commit, err = g.repo.landed(ctx); err != nil {
			return err
		}
	}
	if g.tmp, err = os.MkdirTemp("", "gate-*"); err != nil {
		return err
	}
	tree := filepath.Join(g.tmp, "base")
	if err := g.repo.checkout(ctx, commit, tree); err != nil {
		return err
	}
	g.head = side{"head", g.repo.dir(), map[int]string{}}
	g.base = side{"base", filepath.Join(tree, g.repo.module), map[int]string{}}
	if g.base.name, err = g.repo.git(ctx, "log", "-1", "--format=%h %s", commit); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(g.base.dir, "go.mod")); err != nil {
		return &unfitError{fmt.Errorf("%s has no go.mod in %s", g.base.name, g.repo.module)}
	}
	g.step("comparing with %s", g.base.name)
	if err := g.build(ctx, &g.head, 1); err != nil {
		return err
	}
	if err := g.buildBase(ctx); err != nil {
		return err
	}
	if !slices.Contains(g.tiers, "time") || g.identical() && !g.same {
		return nil
	}
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for seed := 2; seed <= g.seeds; seed++ {
		for _, s := range []*side{&g.head, &g.base} {
			program := g.programName(s, seed)
			s.programs[seed] = program
			group.Go(func() error { return g.link(ctx, s.dir, program, seed) })
		}
	}
	return group.Wait()
}

func (g *gate) clean() {
	if g.tmp == "" {
		return
	}
	ctx := context.Background() // also after an interrupt
	g.repo.remove(ctx, filepath.Join(g.tmp, "base"))
	_ = os.RemoveAll(g.tmp)
}

func (g *gate) programName(s *side, seed int) string {
	name := "head"
	if s == &g.base {
		name = "base"
	}
	name = filepath.Join(g.tmp, name+"-"+strconv.Itoa(seed)+".test")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// build builds the program of a side with one layout.
func (g *gate) build(ctx context.Context, s *side, seed int) error {
	s.programs[seed] = g.programName(s, seed)
	err := g.link(ctx, s.dir, s.programs[seed], seed)
	if err == nil {
		if _, missing := os.Stat(s.programs[seed]); missing != nil {
			err = fmt.Errorf("%s has no tests, and so no benchmarks", g.pkg)
		}
	}
	return err
}

// link builds the benchmarks such that nothing but what was measured differs
// between two programs: no paths, no stamps, no profile. The seed lays the
// functions out.
func (g *gate) link(ctx context.Context, dir, program string, seed int) error {
	args := []string{"test", "-c", "-o", program, "-trimpath", "-buildvcs=false", "-pgo=off", "-ldflags=-randlayout=" + strconv.Itoa(seed)}
	cmd := exec.CommandContext(ctx, "go", append(args, g.pkg)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=") // that of the side, if it has one
	if out, err := cmd.CombinedOutput(); err != nil {
		return &buildError{err, string(out)}
	}
	return nil
}

type buildError struct {
	err error
	out string
}

func (e *buildError) Error() string {
	return fmt.Sprintf("the benchmarks can't be built: %v\n%s", e.err, strings.TrimSpace(e.out))
}
func (e *buildError) Unwrap() error { return e.err }

// buildBase builds the base with the benchmarks of the head. A file of them
// that the base can't compile, as it lacks what they measure, is left out.
func (g *gate) buildBase(ctx context.Context) error {
	for _, dir := range g.with {
		if err := transplant(g.base.dir, g.head.dir, dir); err != nil {
			return err
		}
	}
	if err := transplantTests(g.base.dir, g.head.dir, g.pkg); err != nil {
		return err
	}
	for {
		err := g.build(ctx, &g.base, 1)
		var failed *buildError
		switch {
		case err == nil:
			return nil
		case !errors.As(err, &failed) || ctx.Err() != nil:
			return err
		}
		culprits := g.culprits(failed.out)
		if len(culprits) == 0 {
			return &unfitError{fmt.Errorf("%s: %w", g.base.name, err)}
		}
		for name, message := range culprits {
			if err := os.Remove(filepath.Join(g.base.dir, g.pkg, name)); err != nil {
				return err
			}
			g.note("%s can't be compiled with the base, and was left out: %s", name, message)
		}
	}
}

// transplant puts a folder of head in the place of that of base.
func transplant(base, head, dir string) error {
	if !filepath.IsLocal(dir) || filepath.Clean(dir) == "." {
		return fmt.Errorf("-with %s: it takes a folder inside the module", dir)
	}
	if err := os.RemoveAll(filepath.Join(base, dir)); err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(base, dir), os.DirFS(filepath.Join(head, dir)))
}

// transplantTests does so with the test files of a folder: what is measured
// may be beside them.
func transplantTests(base, head, dir string) error {
	old, err := filepath.Glob(filepath.Join(base, dir, "*_test.go"))
	for _, path := range old {
		err = errors.Join(err, os.Remove(path))
	}
	fresh, failed := filepath.Glob(filepath.Join(head, dir, "*_test.go"))
	err = errors.Join(err, failed, os.MkdirAll(filepath.Join(base, dir), 0o777))
	for _, path := range fresh {
		text, failed := os.ReadFile(path)
		err = errors.Join(err, failed, os.WriteFile(filepath.Join(base, dir, filepath.Base(path)), text, 0o666))
	}
	return err
}

// located is a message of the go command or of the compiler.
var located = regexp.MustCompile(`(?m)^(.+\.go):\d+:(?:\d+:)? (.*)$`)

// culprits returns those test files of the benchmarks that messages are about,
// each with its first.
func (g *gate) culprits(out string) map[string]string {
	culprits := map[string]string{}
	for _, m := range located.FindAllStringSubmatch(out, -1) {
		name := filepath.Base(m[1])
		_, missing := os.Stat(filepath.Join(g.base.dir, g.pkg, name))
		if missing == nil && strings.HasSuffix(name, "_test.go") && culprits[name] == "" {
			culprits[name] = m[2]
		}
	}
	return culprits
}

// identical reports whether both sides have become the same program.
func (g *gate) identical() bool {
	base, err := os.ReadFile(g.base.program())
	if err != nil {
		return false
	}
	head, err := os.ReadFile(g.head.program())
	return err == nil && bytes.Equal(base, head)
}
