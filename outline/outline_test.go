package outline

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"excerpt/engine"
)

var update = flag.Bool("update", false, "rewrite the outlines in testdata")

// check sees what holds for every outline.
func check(t *testing.T, content string, o *Outline) {
	t.Helper()
	lines := engine.LineNumber(strings.Count(content, "\n"))
	if content != "" && !strings.HasSuffix(content, "\n") {
		lines++
	}
	if o.Lines != lines {
		t.Errorf("%d lines, not %d", o.Lines, lines)
	}
	var open []Entry
	for i, e := range o.Entries {
		switch {
		case e.First < 1 || e.Last < e.First || e.Last > o.Lines:
			t.Fatalf("%v is not in the %d lines", e, o.Lines)
		case i > 0 && e.First < o.Entries[i-1].First:
			t.Fatalf("%v is before %v", e, o.Entries[i-1])
		case e.Level < 1 || e.Kind == "" || strings.ContainsAny(e.Name, "\n\r") || len(e.Name) > 210:
			t.Fatalf("bad entry %+v", e)
		}
		for len(open) > 0 && open[len(open)-1].Level >= e.Level {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && (e.First < open[len(open)-1].First || e.Last > open[len(open)-1].Last) {
			t.Fatalf("%v is not inside %v", e, open[len(open)-1])
		}
		open = append(open, e)
	}
}

// TestGolden compares the outlines of hard files. A file f has its outline in
// f.outline. Each has to be the same with CR LF, and behind a byte order mark.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, name := range names {
		if strings.HasSuffix(name, ".outline") || strings.HasSuffix(name, "fuzz") {
			continue
		}
		tried++
		t.Run(filepath.Base(name), func(t *testing.T) {
			// In testdata, what the go command would look at ends in .txt.
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
			got := show(t, name, string(src))
			golden := name + ".outline"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
			for what, other := range map[string]string{
				"CR LF":             strings.ReplaceAll(string(src), "\n", "\r\n"),
				"a byte order mark": bom + string(src),
				"no last line end":  strings.TrimSuffix(string(src), "\n"),
			} {
				if diff := cmp.Diff(got, show(t, name, other)); diff != "" {
					t.Errorf("with %s: %s", what, diff)
				}
			}
		})
	}
	if tried < 6 {
		t.Errorf("only %d files", tried)
	}
}

func show(t *testing.T, name, content string) string {
	t.Helper()
	o, err := Of(t.Context(), strings.TrimSuffix(name, ".txt"), strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	check(t, content, o)
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d lines", o.Language, o.Lines)
	if o.Problem != "" {
		fmt.Fprintf(&b, ", problem in %s", o.Problem)
	}
	for _, e := range o.Entries {
		fmt.Fprintf(&b, "\n%s%v", strings.Repeat("  ", e.Level-1), e)
	}
	return b.String() + "\n"
}

// TestGoFiles compares the outlines of this module's own files with the
// positions that go/ast has.
func TestGoFiles(t *testing.T) {
	names, err := filepath.Glob("../*/*.go")
	if err != nil || len(names) < 20 {
		t.Fatal(len(names), err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
		ast.Inspect(file, func(n ast.Node) bool {
			switch d := n.(type) {
			case *ast.FuncDecl:
				first := d.Pos()
				if d.Doc != nil {
					first = d.Doc.Pos()
				}
				want = append(want, fmt.Sprintf("%d-%d %s", line(first), line(d.End()), d.Name.Name))
				return false
			case *ast.TypeSpec:
				want = append(want, fmt.Sprintf("-%d %s", line(d.End()), d.Name.Name))
				return false
			case *ast.FuncLit:
				return false // what it declares is its own
			case *ast.ValueSpec:
				for _, n := range d.Names {
					if n.Name != "_" {
						want = append(want, fmt.Sprintf("-%d %s", line(d.End()), n.Name))
					}
				}
			}
			return true
		})
		o, err := Of(t.Context(), name, bytes.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		check(t, string(src), o)
		var got []string
		for _, e := range o.Entries {
			first := ""
			if e.Kind == "function" || e.Kind == "method" {
				first = fmt.Sprint(e.First)
			}
			got = append(got, fmt.Sprintf("%s-%d %s", first, e.Last, e.Name))
		}
		if diff := cmp.Diff(want, got); diff != "" || o.Problem != "" {
			t.Errorf("%s: %s %s", name, o.Problem, diff)
		}
	}
}

// TestLines sees that nothing but LF ends a line for a number, whatever the
// language takes for a line end.
func TestLines(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a.md", "a\rb\fc\u2028d\n# H\n", "2-2 heading # H"},
		{"a.go", "package a // \r \f \u2028\n/* \r */\nfunc F() {}\n", "2-3 function F"},
		{"a.ts", "let a\r =\u20281\nclass B {}\f\n", "1-1 let a|2-2 class B"},
		{"a.js", "// c\rfunction f() {}\n// d\u2028function g() {}\n", "1-1 function f|2-2 function g"},
		{"a.py", "a = 1\rdef f(): pass\n\fdef g():\r\n  pass\n", "1-1 variable a|1-1 function f|2-3 function g"},
	} {
		o, err := Of(t.Context(), c.name, strings.NewReader(c.content))
		if err != nil {
			t.Fatal(err)
		}
		check(t, c.content, o)
		var got []string
		for _, e := range o.Entries {
			got = append(got, e.String())
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: %s, not %s (%s)", c.content, s, c.want, o.Problem)
		}
	}
}

func TestRefused(t *testing.T) {
	big := strings.Repeat("# a\n", 2<<20)
	for _, c := range []struct {
		name, content string
		err           error
		says          string
	}{
		{"a.rb", "", ErrLanguage, `there is no outline of "a.rb": outlines are of Markdown (.md`},
		{"Makefile", "", ErrLanguage, "by the extension"},
		{".go", "", ErrLanguage, "by the extension"},
		{"a.md", "\xff\xfe#\x00", ErrNotText, "UTF-16"},
		{"a.go", "a\x00", ErrNotText, "binary"},
		{"a.md", big, ErrTooLarge, "more than 2 MiB"},
	} {
		o, err := Of(t.Context(), c.name, strings.NewReader(c.content))
		if o != nil || !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", c.name, o, err)
		}
	}
	failing := errors.New("disk")
	if _, err := Of(t.Context(), "a.go", &broken{failing}); !errors.Is(err, failing) {
		t.Error(err)
	}
}

type broken struct{ err error }

func (b *broken) Read([]byte) (int, error) { return 0, b.err }

func TestLanguage(t *testing.T) {
	for name, want := range map[string]string{
		"a.md": "markdown", "A.MD": "markdown", "x/y.go": "go", "a.d.ts": "typescript", "a.tsx": "tsx", "a.cjs": "javascript",
		"a.md.gz": "markdown", "x.gz/a.GO.Zst": "go", "a.gz": "", ".gz": "", "a.gz.md": "markdown", ".md.gz": "", "a.md.gz.gz": "", "a.md.zip": "",
		"a.pyi": "python", `b\a.py`: "python", "a.py/b": "", ".py": "", "a.": "", "": "", "a": "", "go": "",
	} {
		if got := Language(name); got != want {
			t.Errorf("%q: %q, not %q", name, got, want)
		}
	}
}

// FuzzOutline gives each language whatever there is.
func FuzzOutline(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.*")
	for i, name := range names {
		if src, err := os.ReadFile(name); err == nil {
			f.Add(uint8(i), src)
		}
	}
	for i := range extensions {
		for _, content := range hostile(64) {
			f.Add(uint8(i), []byte(content))
		}
	}
	f.Fuzz(func(t *testing.T, language uint8, src []byte) {
		if len(src) > 64<<10 {
			t.Skip()
		}
		o, err := Of(t.Context(), "a"+extensions[int(language)%len(extensions)], bytes.NewReader(src))
		if err != nil {
			return
		}
		check(t, string(src), o)
	})
}

func BenchmarkOf(b *testing.B) {
	for _, name := range []string{"markdown.md", "../outline.go", "typescript.ts", "element.tsx", "modern.js", "python.py"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			b.Fatal(err)
		}
		if filepath.Ext(name) != ".go" {
			src = bytes.Repeat(src, 1<<20/len(src)+1)
		}
		b.Run(filepath.Ext(name), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Of(b.Context(), name, bytes.NewReader(src)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
