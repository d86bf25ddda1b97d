package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"excerpt/bench/internal/workload"
	"excerpt/bench/peers/internal/records"
)

// TestRecords runs the measures on compressed logs and memory on a small log,
// beside what is installed. Nobody is wrong on it, and no path gets into the
// records.
func TestRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs excerpt")
	}
	r := &recorder{
		ctx: t.Context(), project: filepath.Join("..", "..", ".."), dir: t.TempDir(), records: t.TempDir(), tmp: t.TempDir(), asked: map[string]bool{},
		match: regexp.MustCompile(`^(compressed/(last 10|first pass)|memory/kept)`), rounds: 1, sizes: []int64{1 << 20},
		env: records.Environment{ID: "test"}, set: &records.Set{},
	}
	for _, changed := range []string{"XDG_CACHE_HOME", "PATH"} { // by build
		t.Setenv(changed, os.Getenv(changed))
	}
	if err := r.build(); err != nil {
		t.Fatal(err)
	}
	if err := r.memory(1 << 20); err != nil {
		t.Fatal(err)
	}
	if err := r.compressed(); err != nil {
		t.Fatal(err)
	}
	got, err := records.Read(r.records)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range got.Measures {
		found[m.Kind] = true
		for i, s := range m.Sides {
			if s.Wrong != "" {
				t.Errorf("%s, %s: %s is wrong: %s", m.Case, m.Kind, s.Name, s.Wrong)
			}
			if len(s.Times) == 0 && s.Memory == 0 {
				t.Errorf("%s, %s: nothing was measured of %s", m.Case, m.Kind, s.Name)
			}
			if m.Group == records.Compressed && i == 0 && len(m.Sides) == 1 {
				t.Errorf("%s, %s: beside nobody", m.Case, m.Kind)
			}
		}
	}
	for _, a := range archives {
		if installed(a.made) == nil && !found[a.kind] {
			t.Errorf("nothing was measured on a %s", a.kind)
		}
	}
	if !found["app"] {
		t.Error("nothing was measured of what is kept of a log")
	}
	files, err := filepath.Glob(filepath.Join(r.records, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{r.dir, r.tmp, os.TempDir() + "/"} {
			if bytes.Contains(text, []byte(path)) {
				t.Errorf("%s has a path of this machine, %s", filepath.Base(file), path)
			}
		}
	}
}

// TestRotate joins the set, and gets the log again.
func TestRotate(t *testing.T) {
	r := &recorder{ctx: t.Context(), dir: t.TempDir()}
	if err := r.load(1 << 20); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second finds it there
		if err := r.rotate(); errors.Is(err, exec.ErrNotFound) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
	}
	set := r.newest()
	var joined bytes.Buffer
	for _, line := range []string{"gzip -dc LOG.2.gz", "cat LOG.1", "cat LOG"} {
		if err := pipe(r.process(t.Context(), line, set), &joined); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(r.log.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(joined.Bytes(), want) {
		t.Errorf("%d bytes are joined, the log has %d", joined.Len(), len(want))
	}
	newest, err := os.ReadFile(set)
	if err != nil || bytes.Count(newest, []byte("\n")) != 5 {
		t.Errorf("the newest has not five lines: %q, %v", newest, err)
	}
}

// TestProcess has names that a shell would take apart.
func TestProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "it's a $LOG")
	if err := os.WriteFile(path, []byte("one\ntwo\nthree\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &recorder{ctx: t.Context(), log: &workload.Corpus{Path: path, Lines: 3}}
	for _, line := range []string{"tail -n 1 LOG", "cat LOG | tail -n MANY"} {
		if err := installed(line); err != nil {
			t.Skip(err)
		}
		var out bytes.Buffer
		if err := pipe(r.process(t.Context(), line, path), &out); err != nil || out.String() != "three\n" {
			t.Errorf("%s: %q, %v", line, out.String(), err)
		}
	}
	if got := r.process(t.Context(), "excerpt lines FIRST-LAST LOG.gz", path).Args; strings.Join(got, "#") != "excerpt#lines#1-1000#"+path+".gz" {
		t.Errorf("%q", got)
	}
}

// TestCompareRounds has sides of all kinds: which is right, and how often each
// is run.
func TestCompareRounds(t *testing.T) {
	r := &recorder{ctx: t.Context(), rounds: 5, set: &records.Set{}, tmp: "/tmp/of this machine", dir: "/data"}
	says := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, _ = io.WriteString(w, text)
			return err
		}
	}
	later := 0
	m := records.Measure{Group: records.Compare, Case: "test", Size: 10}
	err := r.compare(m,
		side{Side: records.Side{Name: "ours"}, run: says("a", nil), clock: func() (time.Duration, error) { return 7, nil }, repeat: 3},
		side{Side: records.Side{Name: "right"}, run: says("a", nil)},
		side{Side: records.Side{Name: "wrong"}, run: says("b", nil)},
		side{Side: records.Side{Name: "fails"}, run: says("", errors.New("/tmp/of this machine/x: it fails"))},
		side{Side: records.Side{Name: "fails later"}, run: func(w io.Writer) error {
			if later++; later > 2 {
				return errors.New("no more")
			}
			return says("a", nil)(w)
		}},
		side{Side: records.Side{Name: "missing"}, run: says("", exec.ErrNotFound)},
		side{Side: records.Side{Name: "too slow for it"}, run: says("a", nil), most: 9},
	)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.set.Measures[0].Sides {
		got = append(got, s.Name+": "+records.Count(len(s.Times), "time")+" "+s.Wrong)
	}
	sum := func(text string) string {
		s, _, _ := side{run: says(text, nil)}.first()
		return s
	}
	want := []string{
		"ours: 5 times ", "right: 5 times ", "wrong: 0 times it gives " + sum("b") + ", and not " + sum("a"),
		"fails: 0 times /x: it fails", "fails later: 0 times no more",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if first := r.set.Measures[0].Sides[0].Times[0]; first != 7 {
		t.Errorf("a side that takes the time itself took 7, not %v", first)
	}
	for took, want := range map[time.Duration]int{time.Second: 3, 3 * time.Second: 2, 9 * time.Second: 1} {
		if got := (side{}).leastRounds(took); got != want {
			t.Errorf("%v: %d rounds at least, not %d", took, got, want)
		}
	}
	if got := (side{}).goal(2).leastRounds(5 * time.Second); got != 3 {
		t.Errorf("a goal is looked at in %d rounds, not in 3", got)
	}
}

// TestCommandLine leaves out the folders of this machine.
func TestCommandLine(t *testing.T) {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.String("size", "", "")
	flags.String("run", "", "")
	flags.String("dir", "", "")
	flags.String("records", "", "")
	flags.Bool("again", false, "")
	if err := flags.Parse([]string{"-dir", "/a", "-size", "4GiB", "-again", "-run", "^(a|b)", "-records", "/b"}); err != nil {
		t.Fatal(err)
	}
	if got := commandLine(flags); got != "go -C bench/peers run ./record -again -run '^(a|b)' -size 4GiB" {
		t.Error(got)
	}
}

// TestForget removes what was not asked for, after a run of everything.
func TestForget(t *testing.T) {
	dir := t.TempDir()
	for match, want := range map[string]int{"now": 2, "": 1} {
		r := &recorder{ctx: context.Background(), records: dir, match: regexp.MustCompile(match), asked: map[string]bool{}, set: &records.Set{}}
		now := records.Measure{Group: records.Memory, Case: "now", Sides: []records.Side{{Name: "a"}}}
		before := records.Measure{Group: records.Memory, Case: "before", Sides: []records.Side{{Name: "a"}}}
		r.env.ID = "test"
		r.set.Put(r.env, now)
		r.set.Put(r.env, before)
		if err := r.set.Write(dir, records.Memory); err != nil {
			t.Fatal(err)
		}
		r.wanted(now)
		if err := r.forget(); err != nil {
			t.Fatal(err)
		}
		got, err := records.Read(dir)
		if err != nil || len(got.Measures) != want {
			t.Errorf("-run %q: %+v, %v", match, got, err)
		}
	}
}

// TestTypescriptAnswers reads what the client in TypeScript says.
func TestTypescriptAnswers(t *testing.T) {
	var asked bytes.Buffer
	says := strings.NewReader(`{"ns":1500,"text":"a"}` + "\n" + `{"error":"it is refused"}` + "\n" + `{"ns":7}` + "\n")
	c := &typescript{in: nopCloser{&asked}, out: json.NewDecoder(says)}
	var s side
	c.tool(&s, "read", map[string]any{"tail": 1})
	var out bytes.Buffer
	if err := s.run(&out); err != nil || out.String() != "a" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if _, err := s.clock(); err == nil || err.Error() != "it is refused" {
		t.Errorf("an error is %v", err)
	}
	if took, err := s.clock(); took != 7 || err != nil {
		t.Errorf("%v, %v", took, err)
	}
	if want := `{"arguments":{"tail":1},"name":"read","show":true}` + "\n"; !strings.HasPrefix(asked.String(), want) {
		t.Errorf("asked %s", asked.String())
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
