package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A repo is the repository that the current folder's module is in.
type repo struct {
	root   string // of the working tree
	module string // the module's folder, from root
}

func findRepo(ctx context.Context) (*repo, error) {
	mod, err := output(ctx, "", "go", "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	if mod == "" || filepath.Base(mod) != "go.mod" {
		return nil, errors.New("there is no go.mod here: run it in the folder of the module")
	}
	dir := filepath.Dir(mod)
	root, err := output(ctx, dir, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, &unfitError{fmt.Errorf("the module is not in a git repository: %w", err)}
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	if root, err = filepath.EvalSymlinks(filepath.FromSlash(root)); err != nil {
		return nil, err
	}
	module, err := filepath.Rel(root, dir)
	return &repo{root, module}, err
}

func (r *repo) dir() string { return filepath.Join(r.root, r.module) }

func (r *repo) git(ctx context.Context, args ...string) (string, error) {
	return output(ctx, r.root, "git", args...)
}

// landed returns the last commit that has landed: where this branch has left
// main, or the one before HEAD if HEAD is on main itself and nothing has
// changed since.
func (r *repo) landed(ctx context.Context) (string, error) {
	head, err := r.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return "", &unfitError{err}
	}
	for _, main := range []string{"origin/main", "main"} {
		base, err := r.git(ctx, "merge-base", "HEAD", main)
		if err != nil {
			continue
		}
		if base != head {
			return base, nil
		}
		changed, err := r.git(ctx, "status", "--porcelain")
		if err == nil && changed != "" {
			return head, nil
		}
	}
	base, err := r.git(ctx, "rev-parse", "--verify", "HEAD~1")
	if err != nil {
		return "", &unfitError{errors.New("HEAD has no commit before it here (in a shallow clone, fetch one more)")}
	}
	return base, nil
}

// checkout makes a working tree of a commit in a new folder.
func (r *repo) checkout(ctx context.Context, commit, dir string) error {
	if _, err := r.git(ctx, "rev-parse", "--verify", commit+"^{commit}"); err != nil {
		return &unfitError{fmt.Errorf("-base %s: %w", commit, err)}
	}
	_, err := r.git(ctx, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--detach", "--force", dir, commit)
	return err
}

func (r *repo) remove(ctx context.Context, dir string) {
	_, _ = r.git(ctx, "worktree", "remove", "--force", dir)
}

// output runs a command in a folder, and returns what it prints.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return strings.TrimSpace(string(out)), err
}
