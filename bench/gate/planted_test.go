package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var planted = flag.Bool("planted", false, "run the gate on what it must and must not see; takes an hour")

// A plant is a change for the worse.
type plant struct {
	name     string
	file     string
	old, new string         // old is there once
	seen     *regexp.Regexp // the row of the table that must tell it
}

var plants = []plant{
	{
		"a tenth more instructions in the count", "engine/internal/scan/scan.go",
		"func Count(b []byte) int { return bytes.Count(b, lineEnd) }",
		"func Count(b []byte) int { planted += bytes.Count(b[:len(b)/10], lineEnd); return bytes.Count(b, lineEnd) }\n\nvar planted int",
		regexp.MustCompile(`(?m)^Count/file +instructions/op .* MORE`),
	},
	{
		"an allocation more in Tail", "engine/select.go",
		"func (f *File) Tail(ctx context.Context, n int64) (*Span, error) {\n",
		"var planted *[4]int64\n\nfunc (f *File) Tail(ctx context.Context, n int64) (*Span, error) {\n\tplanted = new([4]int64)\n",
		regexp.MustCompile(`(?m)^Tail/10/file +allocs/op .* MORE`),
	},
	{
		"a block more in Tail", "engine/reverse/reverse.go",
		"\t\tlast, err := v.Block(size-1, 1)\n",
		"\t\tif _, err := v.Block(max(0, size-firstChunk), int(min(size, firstChunk))); err != nil {\n\t\t\treturn err\n\t\t}\n\t\tlast, err := v.Block(size-1, 1)\n",
		regexp.MustCompile(`(?m)^Tail/10/readat +reads/op .* MORE`),
	},
	{
		"a loop over bytes in place of bytes.Count", "engine/internal/scan/scan.go",
		"func Count(b []byte) int { return bytes.Count(b, lineEnd) }",
		"func Count(b []byte) (n int) {\n\tfor _, c := range b {\n\t\tif c == lineEnd[0] {\n\t\t\tn++\n\t\t}\n\t}\n\treturn n\n}",
		regexp.MustCompile(`(?m)^Count/file +instructions/op .* MORE`),
	},
}

func (p plant) into(t *testing.T, tree string) {
	t.Helper()
	path := filepath.Join(tree, filepath.FromSlash(p.file))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte(p.old)); n != 1 {
		t.Fatalf("%s has %d times what the test puts %s into: adapt the plant to the code:\n%s", p.file, n, p.name, p.old)
	}
	text = bytes.Replace(text, []byte(p.old), []byte(p.new), 1)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// The plants still have somewhere to go.
func TestPlants(t *testing.T) {
	for _, p := range plants {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(p.file)))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), p.old); n != 1 {
			t.Errorf("%s has %d times what TestGate puts %s into: adapt the plant to the code:\n%s", p.file, n, p.name, p.old)
		}
	}
}

// TestGate is what the gate has to stand:
//
//	go test ./bench/gate -run TestGate -planted -v -timeout 3h
//
// Ten times a commit against itself must give no alarm, with a core kept busy
// by another process. Each plant must be seen in five of five.
func TestGate(t *testing.T) {
	if !*planted {
		t.Skip("it takes an hour: -planted")
	}
	if _, err := exec.LookPath(valgrind[0]); err != nil {
		t.Fatal("it needs valgrind")
	}
	program := filepath.Join(t.TempDir(), "gate")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Run("itself", func(t *testing.T) {
		keepBusy(t)
		tree := worktree(t)
		for i := range 10 {
			began := time.Now()
			out, code := gateIn(tree, program, "-base", "HEAD", "-same")
			t.Logf("run %d: exit code %d, %v; %s", i+1, code, time.Since(began).Round(time.Second), unjudged(out))
			if code != passed {
				t.Errorf("run %d gives an alarm:\n%s", i+1, out)
			}
		}
	})
	for _, p := range plants {
		t.Run(p.name, func(t *testing.T) {
			tree := worktree(t)
			p.into(t, tree)
			for i := range 5 {
				began := time.Now()
				// More tiers and workloads can only see more.
				out, code := gateIn(tree, program, "-base", "HEAD", "-tiers", "exact,instructions", "-workloads", "^(Count/file|Tail/10/(file|readat))$", "-profiles", t.TempDir())
				t.Logf("run %d: exit code %d, %v; %s", i+1, code, time.Since(began).Round(time.Second), p.seen.FindString(out))
				if code != failed || !p.seen.MatchString(out) {
					t.Errorf("run %d does not see it:\n%s", i+1, out)
				}
			}
		})
	}
}

// unjudged says how much of the time tier was not judged.
func unjudged(out string) string {
	return regexp.MustCompile(`\d+ of \d+ benchmarks differ from themselves`).FindString(out)
}

func gateIn(dir, program string, args ...string) (out string, code int) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	text, _ := cmd.CombinedOutput()
	return string(text), cmd.ProcessState.ExitCode()
}

// worktree returns a new working tree of HEAD.
func worktree(t *testing.T) string {
	t.Helper()
	ctx := context.Background()
	r, err := findRepo(ctx)
	if err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(t.TempDir(), "head")
	if err := r.checkout(ctx, "HEAD", tree); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.remove(ctx, tree) })
	return filepath.Join(tree, r.module)
}

// keepBusy has another process keep a core busy until the test ends.
func keepBusy(t *testing.T) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestBusy$")
	cmd.Env = append(os.Environ(), "GATE_BUSY=1", "GOMAXPROCS=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// TestBusy is the process of keepBusy.
func TestBusy(*testing.T) {
	if os.Getenv("GATE_BUSY") == "" {
		return
	}
	for parent := os.Getppid(); os.Getppid() == parent; { // it may be killed
	}
}
