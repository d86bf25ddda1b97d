package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"excerpt/corpus"
)

func TestMake(t *testing.T) {
	var want bytes.Buffer
	if err := corpus.Write(t.Context(), &want, "stack", 4, 64<<10); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "stack.log")
	var stdout, stderr bytes.Buffer
	for _, file := range []string{path, "-"} {
		if code := run(t.Context(), []string{"-kind", "stack", "-seed=4", "-size", "64K", file}, &stdout, &stderr); code != 0 {
			t.Errorf("%s: exit %d, %s", file, code, &stderr)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("file: %v, %d bytes", err, len(got))
	}
	if !bytes.Equal(stdout.Bytes(), want.Bytes()) {
		t.Errorf("standard output: %d bytes", stdout.Len())
	}
}

func TestGrow(t *testing.T) {
	log := filepath.Join(t.TempDir(), "real.log")
	if err := os.WriteFile(log, []byte("one\ntwo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"-", log} { // the second replaces the log itself
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{"-grow", log, "-size", "10", file}, &stdout, &stderr); code != 0 {
			t.Errorf("exit %d, %s", code, &stderr)
		}
		if file != "-" {
			b, _ := os.ReadFile(file)
			stdout.Write(b)
		}
		if got := stdout.String(); got != "one\ntwo\non" {
			t.Errorf("%s: %q", file, got)
		}
	}
}

func TestList(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"-list"}, &stdout, &stderr); code != 0 {
		t.Errorf("exit %d, %s", code, &stderr)
	}
	if n := strings.Count(stdout.String(), "\n"); n != len(corpus.Kinds()) {
		t.Errorf("%d lines:\n%s", n, &stdout)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	for _, c := range []struct {
		args    string
		code    int
		message string
	}{
		{"-h", 0, "usage"},
		{"", 2, "-size"},
		{"-size 1K", 2, "FILE"},
		{"-size 1K " + file + " more", 2, "more"},
		{file + " -size 1K", 2, "-size"},
		{"-size x " + file, 2, "-size"},
		{"-size -1 " + file, 2, "-size"},
		{"-size= " + file, 2, "-size"},
		{"-size 9E " + file, 2, "-size"},
		{"-seed -1 -size 1 " + file, 2, "-seed"},
		{"-kind App -size 1 " + file, 2, "-kind"},
		{"-grow= -size 1 " + file, 2, "-grow"},
		{"-grow x -seed 1 -size 1 " + file, 2, "-seed"},
		{"-list -size 1", 2, "-list"},
		{"-list " + file, 2, "-list"},
		{"-what", 2, "-what"},
		{"-grow " + filepath.Join(dir, "none") + " -size 1 " + file, 1, "none"},
		{"-grow " + dir + " -size 1 " + file, 1, filepath.Base(dir)},
		{"-size 1 " + filepath.Join(dir, "none", "file"), 1, "none"},
		{"-size 1 " + dir, 1, filepath.Base(dir)},
		{"-size 2000P " + file, 1, "size"},
		{"-size 2000000T " + file, 1, "size"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), strings.Fields(c.args), &stdout, &stderr)
		if code != c.code || !strings.Contains(stderr.String(), c.message) || stdout.Len() > 0 {
			t.Errorf("%s: exit %d, %q", c.args, code, &stderr)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := run(ctx, []string{"-size", "1M", file}, &bytes.Buffer{}, &bytes.Buffer{}); code != 1 {
		t.Errorf("interrupted: exit %d", code)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}
