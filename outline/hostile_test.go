package outline

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// hostile is content that some parser takes long for, or goes deep into.
func hostile(size int) map[string]string {
	rep := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"parens": rep("("), "braces": rep("{"), "brackets": rep("["), "closers": rep("})]"), "angles": rep("a<"),
		"angles, values": rep("=<"), "elements": "x = " + rep("<a>"), "element, attributes": "x = <a " + rep("b=<c "),
		"templates": rep("`${"), "backticks": rep("`"), "quotes": rep(`"`), "triples": rep(`"""`), "f-strings": rep(`f"{`), "f-strings, both": rep(`f"{f'{`),
		"hashes": rep("#"), "greater": rep(">"), "quoted": rep("> "), "stars": rep("*"), "items": rep("* "), "numbered": rep("1. "), "dashes": rep("- "),
		"headings": rep("# a\n"), "underlined": rep("a\n=\n"), "definitions": rep("[a]: b\n"), "one definition, broken": rep("[a]: b\n") + "=", "emphasis": "# " + rep("*a_"), "links": "# " + rep("[")[:size/2] + "\n# " + rep("](")[:size/2], "tags": rep("<div>\n"),
		"comments": rep("/* "), "line comments": rep("//\n"), "slashes": rep("/"), "spaces": rep(" "), "lines": rep("\n"), "CR": rep("\r"), "backslashes": rep("\\"), "backslash, lines": rep("\\\n"),
		"functions": rep("function a(){"), "classes": rep("class A{a(){"), "arrows": rep("a=>{"), "vars": rep("const a=1,"), "exports": rep("export "), "modifiers": "class A {" + rep("static "), "decorators": rep("@a "), "dots": rep("a."), "types": "type A = " + rep("A<"), "colons": rep("a:"), "async": rep("async "),
		"defs": rep("def a():\n"), "one-line": rep("class a:"), "names": rep("a"), "assignments": rep("a=1\n"), "go, types": "package a\n" + rep("type A struct{"), "go, calls": "package a\nvar a = " + rep("f("), "go, unary": "package a\nvar a = " + rep("-"), "go, functions": "package a\n" + rep("func a(){}\n"), "go, broken": "package a\n" + rep("func (\n"), "go, binary": "package a\nvar a = " + rep("1+") + "1",
		"items, deeper": deeper(size), "U+2028": rep("\u2028"), "marks": rep(bom), "invalid": rep("\xff"),
	}
}

func deeper(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}

var extensions = []string{".md", ".go", ".ts", ".tsx", ".js", ".py"}

// TestHostile gives every language what takes others long.
func TestHostile(t *testing.T) {
	size := 512 << 10
	if testing.Short() {
		size = 64 << 10
	}
	for name, content := range hostile(size) {
		for _, extension := range extensions {
			at := time.Now()
			o, err := Of(t.Context(), "a"+extension, strings.NewReader(content))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if took := time.Since(at); took > 5*time.Second {
				t.Errorf("%s as %s took %v", name, extension, took)
			} else if took > time.Second {
				t.Logf("%s as %s took %v", name, extension, took)
			}
			check(t, content, o)
		}
	}
}

// TestCancelled sees that what takes time ends with its context.
func TestCancelled(t *testing.T) {
	for _, extension := range extensions {
		content := strings.Repeat("a\n\n", 1<<19)
		ctx, cancel := context.WithCancel(t.Context())
		r := &cancelling{strings.NewReader(content), cancel}
		if o, err := Of(ctx, "a"+extension, r); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, %v", extension, o, err)
		}
	}
}

// cancelling cancels when all was read.
type cancelling struct {
	r      *strings.Reader
	cancel context.CancelFunc
}

func (c *cancelling) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if err != nil {
		c.cancel()
	}
	return n, err
}
