package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"excerpt/bench/peers/internal/records"
)

var project = filepath.Join("..", "..", "..")

// TestRendered renders again, and compares with what is committed.
func TestRendered(t *testing.T) {
	if err := run(project, true); err != nil {
		t.Error(err)
	}
}

// TestReadmeHasNoOtherFigures looks for what was measured, in README.md, and is
// not rendered.
func TestReadmeHasNoOtherFigures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(project, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := bytes.Cut(text, []byte(figuresBegin))
	_, after, _ := bytes.Cut(rest, []byte(figuresEnd))
	figure := regexp.MustCompile(`[0-9] ?(×|µs|ms|ns|%|GB/s|s\b|second|times|percent)|resident|microsecond|millisecond`)
	for _, part := range [][]byte{before, after} {
		for _, line := range bytes.Split(part, []byte("\n")) {
			if found := figure.Find(line); found != nil {
				t.Errorf("README.md: %q is in no record: %s", found, line)
			}
		}
	}
}

func ms(n ...time.Duration) []time.Duration {
	for i := range n {
		n[i] *= time.Millisecond
	}
	return n
}

func sample() *records.Set {
	var set records.Set
	env := records.Environment{ID: "one"}
	put := func(m records.Measure, sides ...records.Side) {
		m.Sides = sides
		set.Put(env, m)
	}
	for _, size := range []int64{4 << 30, 16 << 30} {
		put(records.Measure{Group: records.Compare, Case: "last 10 lines", Kind: "app", Size: size},
			records.Side{Name: "excerpt", Times: ms(2, 2, 2)},
			records.Side{Name: "GNU tail", Goal: 0.75, Times: ms(1, 1, 1)},
			records.Side{Name: "another tail", Wrong: "it | gives nothing"})
	}
	put(records.Measure{Group: records.Compressed, Case: "last 10 lines, read before", Kind: ".gz", Size: 1 << 30},
		records.Side{Name: "excerpt", Times: ms(20, 20)},
		records.Side{Name: "gzip -dc | tail", Goal: 100, Times: ms(6000, 6000)},
		records.Side{Name: "gztool -t", Times: ms(10, 30)})
	put(records.Measure{Group: records.Agents, Case: "an agent reads, TypeScript client", Size: 4 << 20},
		records.Side{Name: "excerpt mcp", Times: ms(10)},
		records.Side{Name: "new", Times: ms(20)},
		records.Side{Name: "old", Goal: 500, Times: ms(8000)})
	put(records.Measure{Group: records.Memory, Case: "kept of a log", Kind: "app", Size: 4 << 30},
		records.Side{Name: "index", Memory: 1 << 20}, records.Side{Name: "the log", Memory: 4 << 30})
	put(records.Measure{Group: records.Memory, Case: "kept of a compressed log", Kind: ".gz", Size: 1 << 30},
		records.Side{Name: "sidecar", Memory: 1 << 20, Limit: 2 << 20}, records.Side{Name: "the compressed log", Memory: 200 << 20})
	return &set
}

// TestTables looks for what a page must say, of records that have all of it.
func TestTables(t *testing.T) {
	set := sample()
	for _, one := range []struct{ name, text, want string }{
		{"today", today(set).String(), "| what | instead of | 4 GiB | 16 GiB |"},
		{"today", today(set).String(), "| last 10 lines | GNU tail | **0.5 ×** (0.5–0.5) | **0.5 ×** (0.5–0.5) |"},
		{"today", today(set).String(), "| .gz: last 10 lines, read before (1 GiB) | gzip -dc \\| tail |  | **300 ×** (300–300) |"},
		{"today", today(set).String(), "| an agent reads, TypeScript client | new |  | **2 ×** (2–2) |"},
		{"today", today(set).String(), "| an agent reads, TypeScript client | old |  | **800 ×** (800–800) |"},
		{"slower", slower(set).String(), "| last 10 lines | 16 GiB | GNU tail | 1 ms | 2 ms | **2 × as long** |"},
		{"slower", slower(set).String(), "| .gz: last 10 lines, read before | 1 GiB | gztool -t | 20.0 ms | 20 ms | no difference that is certain |"},
		{"goals", goals(set).String(), "| last 10 lines | GNU tail | 16 GiB | at least 0.75 ×, which is at most 1.33 × as long | **0.5 ×** (0.5–0.5) | **not met** |"},
		{"goals", goals(set).String(), "| .gz: last 10 lines, read before | gzip -dc \\| tail | 1 GiB | at least 100 × | **300 ×** (300–300) | met |"},
		{"goals", goals(set).String(), "| an agent reads, TypeScript client | old | 4 MiB | at least 500 × | **800 ×** (800–800) | met |"},
		{"goals", goals(set).String(), "| memory, kept of a compressed log |  | .gz of 1 GiB | at most 2 MiB | 1 MiB (sidecar) | met |"},
		{"reasons", strings.Join(reasons(set), "\n"), "*last 10 lines*: " + why["last 10 lines"]},
		{"wrong", wrong(set).String(), "| last 10 lines, 4 GiB | another tail | it \\| gives nothing |"},
		{"all", all(set).String(), "|  | another tail | it \\| gives nothing | wrong | it \\| gives nothing | wrong |"},
		{"figures", figures(set), "| last 10 lines | GNU tail | 0.5 × | 0.5 × |"},
		{"figures", figures(set), "- kept in the cache of 200 MiB of .gz: 1 MiB, which is 0.5 %"},
	} {
		if !strings.Contains(one.text, one.want+"\n") && !strings.HasSuffix(one.text, one.want) {
			t.Errorf("%s: no %s in\n%s", one.name, one.want, one.text)
		}
	}
	if list := reasons(set); len(list) != 1 {
		t.Errorf("one goal is not met, but the reasons are %q", list)
	}
	if _, err := charts(set); err != nil {
		t.Error(err)
	}
	if _, err := page(set); err != nil {
		t.Error(err)
	}
}

// TestReadme changes figures, and what else is in README.md stays.
func TestReadme(t *testing.T) {
	text := "# a\n" + figuresBegin + "old\n" + figuresEnd + "b\n"
	got, err := readme([]byte(text), sample())
	if err != nil {
		t.Fatal(err)
	}
	if want := "# a\n" + figuresBegin + figures(sample()) + figuresEnd + "b\n"; string(got) != want {
		t.Errorf("%s", got)
	}
	for _, text := range []string{"", figuresBegin, figuresEnd + figuresBegin} {
		if got, err := readme([]byte(text), sample()); err == nil {
			t.Errorf("%q is rendered into %q", text, got)
		}
	}
}
