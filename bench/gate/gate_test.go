package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A program that embeds nothing of ours, with benchmarks of its own.
var files = map[string]string{
	"go.mod":         "module example.com/logs\n\ngo 1.26\n",
	"logs.go":        "package logs\n\nvar sink []byte\n\nfunc Work() { sink = make([]byte, 100) }\n",
	"logs_test.go":   "package logs\n\nimport \"testing\"\n\nfunc BenchmarkBeside(b *testing.B) {\n\tfor b.Loop() {\n\t\tWork()\n\t}\n}\n",
	"my/doc.go":      "package my\n",
	"my/old_test.go": "package my\n\nimport (\n\t\"testing\"\n\n\t\"example.com/logs\"\n)\n\nfunc BenchmarkWork(b *testing.B) {\n\tb.Run(\"small\", func(b *testing.B) {\n\t\tfor b.Loop() {\n\t\t\tlogs.Work()\n\t\t}\n\t})\n}\n",
}

// What the head has besides: a function that allocates more, and another that
// the base lacks.
var changes = map[string]string{
	"logs.go":        "package logs\n\nvar sink []byte\n\nfunc Work() { sink = make([]byte, 100); sink = make([]byte, 100) }\n\nfunc More() {}\n",
	"my/new_test.go": "package my\n\nimport (\n\t\"testing\"\n\n\t\"example.com/logs\"\n)\n\nfunc BenchmarkMore(b *testing.B) {\n\tfor b.Loop() {\n\t\tlogs.More()\n\t}\n}\n",
}

// project makes a repository that has files, and the changes not committed yet.
// The current folder is its.
func project(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, files)
	git(t, "init", "-q", "-b", "main")
	git(t, "add", ".")
	git(t, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "the base")
	write(t, changes)
}

func write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func git(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// try runs the gate on my/, and looks for patterns in what it prints.
func try(t *testing.T, want int, patterns []string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	args = append([]string{"-pkg", "./my", "-tiers", "exact", "-profiles", "profiles"}, args...)
	if code := run(context.Background(), args, &out, &out); code != want {
		t.Errorf("the exit code is %d, not %d", code, want)
	}
	for _, pattern := range patterns {
		if !regexp.MustCompile(pattern).MatchString(out.String()) {
			t.Errorf("it does not print %q", pattern)
		}
	}
	if t.Failed() {
		t.Log(out.String())
	}
	if trees, err := exec.Command("git", "worktree", "list").Output(); err != nil || bytes.Count(trees, []byte("\n")) != 1 {
		t.Errorf("it leaves working trees: %s %v", trees, err)
	}
}

func TestOwnBenchmarks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	project(t)
	t.Run("costs more", func(t *testing.T) {
		try(t, failed, []string{
			`(?m)^Work/small +allocs/op +1 +2 +2.000 +MORE$`,
			`(?m)^Work/small +B/op +112 +224 +2.000 +MORE$`,
			`(?m)^new_test.go can't be compiled with the base, and was left out: undefined: logs.More$`,
			`the base does not have: More`,
			`pprof -top -sample_index=alloc_objects -diff_base \S+Work-small.base.mem `,
		})
		if _, err := os.Stat("profiles/Work-small.head.mem"); err != nil {
			t.Error(err)
		}
	})
	t.Run("beside what it measures", func(t *testing.T) {
		try(t, failed, []string{`(?m)^Beside +allocs/op +1 +2 +2.000 +MORE$`}, "-pkg", ".")
	})
	t.Run("has a budget", func(t *testing.T) {
		write(t, map[string]string{"my/budget.txt": "Work allocs/op +1 twice is safer\nWork B/op 2 and that takes bytes\n"})
		try(t, passed, []string{`allocs/op .* allowed \(twice is safer\)`})
		write(t, map[string]string{"my/budget.txt": "Work allocs/op +1 twice is safer\nWork B/op 1.9 too little\n"})
		try(t, failed, []string{`B/op .* MORE`})
	})
	t.Run("has a budget that nothing needs", func(t *testing.T) {
		git(t, "stash", "-q", "--", "logs.go")
		defer git(t, "stash", "pop", "-q")
		// The second file has to compile.
		write(t, map[string]string{"more.go": "package logs\n\nfunc More() {}\n"})
		defer os.Remove("more.go")
		try(t, failed, []string{`budget: Work does not have more allocs/op than before`}, "-base", "HEAD", "-same")
	})
	t.Run("is the same", func(t *testing.T) {
		git(t, "add", ".")
		git(t, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "the head")
		try(t, passed, []string{`the same program on both sides`}, "-base", "HEAD")
		try(t, passed, []string{`has landed with the base`}, "-base", "HEAD", "-same")
		// Without a commit to compare with, the one before is.
		try(t, failed, []string{`comparing with \w+ the base`, `allocs/op .* MORE`, `budget: .* has landed`}[:1], "-budget", "none.txt")
	})
	t.Run("can't be compared", func(t *testing.T) {
		try(t, broken, []string{`-base nowhere: `}, "-base", "nowhere")
		try(t, broken, []string{`no benchmark has such a name`}, "-workloads", "nothing", "-same")
		try(t, broken, []string{`is none of exact, instructions, time`}, "-tiers", "all")
	})
}

// A repository of one commit has nothing to compare with, which is no failure.
func TestNoBase(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	project(t)
	git(t, "add", ".")
	git(t, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--amend", "-m", "the only one")
	try(t, passed, []string{`nothing to compare with: HEAD has no commit before it`})
}

func TestParseBudget(t *testing.T) {
	got, err := parseBudget("# all of it\n\nTail/10  allocs/op +1  the reason, in words # not this\nCount sec/op 1.25 why\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []*allowance{
		{workload: "Tail/10", metric: "allocs/op", factor: "+1", reason: "the reason, in words"},
		{workload: "Count", metric: "sec/op", factor: "1.25", reason: "why"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(allowance{})); diff != "" {
		t.Error(diff)
	}
	if a := got[0]; !a.covers(&row{workload: "Tail/10/file", metric: "allocs/op"}) || a.covers(&row{workload: "Tail/100", metric: "allocs/op"}) || a.limit(3) != 4 {
		t.Errorf("%+v covers what it should not, or has another limit", a)
	}
	if got := got[1].limit(4); got != 5 {
		t.Errorf("a quarter more than 4 is %v", got)
	}
	for _, wrong := range []string{"Tail allocs/op 2", "Tail time 2 why", "Tail sec/op 1 why", "Tail sec/op much why", "Tail sec/op -2 why"} {
		if _, err := parseBudget(wrong); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q: the error is %v", wrong, err)
		}
	}
}

func TestSum(t *testing.T) {
	const file = `desc: I1 cache
cmd: x
events: Ir
fl=a.go
fn=excerpt/engine.(*File).Tail
10 100
12 20
fl=b.go
fn=runtime.mallocgc
1 5000
fn=runtime.memmove
7 3
summary: 5123
`
	if got, err := sum(strings.NewReader(file)); err != nil || got != 123 {
		t.Errorf("the sum is %v, %v, not 123", got, err)
	}
	if _, err := sum(strings.NewReader("events: Ir\n")); err == nil {
		t.Error("a file without instructions is no error")
	}
}

func TestJudge(t *testing.T) {
	g := &gate{options: options{timeLimit: 1.1}}
	steady := func(t float64) []float64 {
		return []float64{t, t * 1.01, t * 1.2, t * 1.003, t * 1.02, t * 1.5, t * 1.001, t * 1.1}
	}
	for _, test := range []struct {
		name             string
		base, self, head float64
		want             verdict
	}{
		{"same", 1, 1.01, 1.03, same},
		{"slower", 1, 1.01, 1.3, worse},
		{"faster", 1.3, 1.29, 1, better},
		{"noisy", 1, 1.1, 2, unsure},
	} {
		s := &sample{steady(test.base), steady(test.self), steady(test.head)}
		if got := g.judge("x", s).verdict; got != test.want {
			t.Errorf("%s: %v, not %v", test.name, got, test.want)
		}
	}
}

func TestOnly(t *testing.T) {
	if got, want := only("Tail/10/file", "Count"), "-test.bench=^BenchmarkTail$/^10$/^file$|^BenchmarkCount$"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
