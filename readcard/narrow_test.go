package readcard_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"excerpt/readcard"
)

func TestNarrow(t *testing.T) {
	two := []readcard.Line{{Number: 3, Text: "a"}, {Number: 4, Text: "b: c"}}
	for _, tt := range []struct {
		name, stored string
		want         readcard.Window
	}{
		{
			"with a language", `{"path":"a.ts","offset":3,"lines":[{"number":3,"text":"a"},{"number":4,"text":"b: c"}],"totalLines":9,"lang":"typescript"}`,
			readcard.Window{Path: "a.ts", Offset: 3, Lines: two, TotalLines: 9, Lang: "typescript"},
		},
		{
			"without", `{"path":"a","offset":3,"lines":[{"number":3,"text":"a"},{"number":4,"text":"b: c"}],"totalLines":4}`,
			readcard.Window{Path: "a", Offset: 3, Lines: two, TotalLines: 4},
		},
		{
			"empty, its first line being over the byte limit", `{"path":"a","offset":7,"lines":[],"totalLines":9}`,
			readcard.Window{Path: "a", Offset: 7, Lines: []readcard.Line{}, TotalLines: 9},
		},
		{
			"empty file", `{"path":"a","offset":1,"lines":[],"totalLines":0}`,
			readcard.Window{Path: "a", Offset: 1, Lines: []readcard.Line{}},
		},
		{
			"lines left out between", `{"path":"a","offset":1,"lines":[{"number":3,"text":"a"},{"number":4,"text":"b: c"}],"totalLines":9}`,
			readcard.Window{Path: "a", Offset: 1, Lines: two, TotalLines: 9},
		},
		{
			"more than a window has", `{"card":"read","path":"a","offset":1,"lines":[{"number":1,"text":"","x":null}],"totalLines":1,"title":3}`,
			readcard.Window{Path: "a", Offset: 1, Lines: []readcard.Line{{Number: 1}}, TotalLines: 1},
		},
		{
			"integers by value", `{"path":"a","offset":1e0,"lines":[{"number":2.0,"text":""}],"totalLines":0.2e1}`,
			readcard.Window{Path: "a", Offset: 1, Lines: []readcard.Line{{Number: 2}}, TotalLines: 2},
		},
	} {
		got, ok := readcard.Narrow([]byte(tt.stored))
		if diff := cmp.Diff(tt.want, got); !ok || diff != "" {
			t.Errorf("%s: %v %s", tt.name, ok, diff)
		}
	}
}

func TestNarrowRefuses(t *testing.T) {
	// window is a good one with a part of it replaced.
	window := func(was, is string) string {
		const good = `{"path":"a","offset":3,"lines":[{"number":3,"text":"a"},{"number":4,"text":"b"}],"totalLines":9,"lang":"go"}`
		if _, ok := readcard.Narrow([]byte(good)); !ok || !strings.Contains(good, was) {
			t.Fatal("the good one is not")
		}
		return strings.Replace(good, was, is, 1)
	}
	for name, stored := range map[string]string{
		"nothing":         ``,
		"no JSON":         `{`,
		"a rest":          `{"path":"a","offset":1,"lines":[],"totalLines":0} x`,
		"null":            `null`,
		"a string":        `"a"`,
		"a number":        `1`,
		"true":            `true`,
		"an array":        `[]`,
		"an array of one": `[{"path":"a","offset":1,"lines":[],"totalLines":0}]`,
		"an empty object": `{}`,
		"very deep":       strings.Repeat("[", 100_000),
		"other case":      window(`"path"`, `"Path"`),

		"path missing":    window(`"path":"a",`, ``),
		"path null":       window(`"path":"a"`, `"path":null`),
		"path a number":   window(`"path":"a"`, `"path":1`),
		"path an object":  window(`"path":"a"`, `"path":{}`),
		"total missing":   window(`"totalLines":9,`, ``),
		"total null":      window(`"totalLines":9`, `"totalLines":null`),
		"total a string":  window(`"totalLines":9`, `"totalLines":"9"`),
		"total -1":        window(`"totalLines":9`, `"totalLines":-1`),
		"total 1.5":       window(`"totalLines":9`, `"totalLines":9.5`),
		"total NaN":       window(`"totalLines":9`, `"totalLines":NaN`),
		"total Infinity":  window(`"totalLines":9`, `"totalLines":1e999`),
		"total inexact":   window(`"totalLines":9`, `"totalLines":9007199254740993`),
		"lines missing":   window(`"lines":[{"number":3,"text":"a"},{"number":4,"text":"b"}],`, ``),
		"lines null":      window(`[{"number":3,"text":"a"},{"number":4,"text":"b"}]`, `null`),
		"lines a string":  window(`[{"number":3,"text":"a"},{"number":4,"text":"b"}]`, `"a"`),
		"lines an object": window(`[{"number":3,"text":"a"},{"number":4,"text":"b"}]`, `{}`),
		"lang null":       window(`"lang":"go"`, `"lang":null`),
		"lang a number":   window(`"lang":"go"`, `"lang":1`),

		"line null":            window(`{"number":3,"text":"a"}`, `null`),
		"line a string":        window(`{"number":3,"text":"a"}`, `"a"`),
		"line an array":        window(`{"number":3,"text":"a"}`, `[3,"a"]`),
		"line empty":           window(`{"number":3,"text":"a"}`, `{}`),
		"line without number":  window(`"number":3,`, ``),
		"line without text":    window(`,"text":"a"`, ``),
		"line number a string": window(`"number":3`, `"number":"3"`),
		"line number null":     window(`"number":3`, `"number":null`),
		"line text a number":   window(`"text":"a"`, `"text":1`),
		"line text null":       window(`"text":"a"`, `"text":null`),

		"offset missing":  window(`"offset":3,`, ``),
		"offset null":     window(`"offset":3`, `"offset":null`),
		"offset a string": window(`"offset":3`, `"offset":"3"`),
		"offset 0":        window(`"offset":3`, `"offset":0`),
		"offset -1":       window(`"offset":3`, `"offset":-1`),
		"offset 1.5":      window(`"offset":3`, `"offset":1.5`),
		"offset NaN":      window(`"offset":3`, `"offset":NaN`),
		"offset Infinity": window(`"offset":3`, `"offset":1e999`),
		"offset hex":      window(`"offset":3`, `"offset":0x3`),

		"first line before the offset": window(`"offset":3`, `"offset":4`),
		"line 0":                       strings.Replace(window(`"offset":3`, `"offset":1`), `"number":3`, `"number":0`, 1),
		"line 1.5":                     strings.Replace(window(`"offset":3`, `"offset":1`), `"number":3`, `"number":1.5`, 1),
		"line NaN":                     window(`"number":3`, `"number":NaN`),
		"line Infinity":                window(`"number":4`, `"number":1e999`),
		"line twice":                   window(`"number":4`, `"number":3`),
		"lines descending":             strings.Replace(window(`"number":3`, `"number":5`), `"number":4`, `"number":4`, 1),
		"a line past the last":         window(`"number":4`, `"number":10`),
		"a line of an empty file":      window(`"totalLines":9`, `"totalLines":0`),
	} {
		if w, ok := readcard.Narrow([]byte(stored)); ok || w.Lines != nil || w.Path != "" {
			t.Errorf("%s: %.80s is taken for %+v", name, stored, w)
		}
	}
}

// What was projected comes back as it was.
func TestNarrowRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := readcard.Window{
			Path: rapid.String().Draw(t, "path"), Offset: rapid.Int64Range(1, 1<<40).Draw(t, "offset"),
			Lines: []readcard.Line{}, Lang: rapid.SampledFrom([]string{"", "go"}).Draw(t, "lang"),
		}
		number := w.Offset
		for range rapid.IntRange(0, 5).Draw(t, "lines") {
			w.Lines = append(w.Lines, readcard.Line{Number: number, Text: rapid.String().Draw(t, "text")})
			number += rapid.Int64Range(1, 3).Draw(t, "gap")
		}
		w.TotalLines = number + rapid.Int64Range(0, 9).Draw(t, "rest")
		stored, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := readcard.Narrow(stored)
		if diff := cmp.Diff(w, got); !ok || diff != "" {
			t.Fatalf("%s: %v %s", stored, ok, diff)
		}
	})
}

// Whatever was stored, there is an answer; and one that was taken is taken
// again, as it is.
func FuzzNarrow(f *testing.F) {
	f.Add([]byte(`{"path":"a","offset":3,"lines":[{"number":3,"text":"a"}],"totalLines":9,"lang":"go"}`))
	f.Add([]byte(`{"path":"a","offset":1e0,"lines":[],"totalLines":-0}`))
	f.Fuzz(func(t *testing.T, stored []byte) {
		w, ok := readcard.Narrow(stored)
		if !ok {
			return
		}
		again, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := readcard.Narrow(again)
		if diff := cmp.Diff(w, got); !ok || diff != "" {
			t.Fatalf("%s: %v %s", again, ok, diff)
		}
	})
}
