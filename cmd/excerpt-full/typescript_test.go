package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTypeScript has the official TypeScript client drive the server through
// every tool, over standard input and output and over HTTP. It installs the
// client with npm, into the user's cache; without npm and node it is skipped,
// but not in CI.
func TestTypeScript(t *testing.T) {
	for _, name := range []string{"npm", "node"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skip("the TypeScript client was not tried: ", err)
		}
	}
	dir := typeScriptClient(t)
	root := workspace(t, map[string]string{"app.log": "one\ntwo\nthree\n", "many.log": string(bytes.Repeat([]byte("a line\n"), 2000))})
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	url, _ := serving(t, "--root", root, "--tools", "read_file,read")
	out, err := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "client.mjs"), path, root, url).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("all right")) {
		t.Fatalf("%v: %s", err, out)
	}
}

// typeScriptClient returns a folder that has the client installed.
func typeScriptClient(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "excerpt", "test-client")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	same := true
	for _, name := range []string{"package.json", "client.mjs"} {
		want, err := os.ReadFile(filepath.Join("testdata", "client", name))
		if err != nil {
			t.Fatal(err)
		}
		if have, err := os.ReadFile(filepath.Join(dir, name)); err == nil && bytes.Equal(have, want) {
			continue
		}
		same = same && name != "package.json"
		if err := os.WriteFile(filepath.Join(dir, name), want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	installed := filepath.Join(dir, "node_modules", ".package-lock.json") // npm writes it last
	if _, err := os.Stat(installed); err == nil && same {
		return dir
	}
	t.Log("installing the TypeScript client")
	npm := exec.CommandContext(t.Context(), "npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v: %s", err, out)
	}
	return dir
}
