package outline

import (
	"bytes"
	"context"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Blocks are parsed without what is in them, and then the text of each heading
// alone: the whole, with its links, takes time by the square of its size.
var (
	blocks  = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	inlines = parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
	)
)

func (b *builder) markdown() {
	start := frontMatter(b.src)
	src := flatten(b.src[start:])
	document := blocks.Parse(&patient{text.NewReader(src), b.ctx})
	if b.ctx.Err() != nil {
		return
	}
	refs := labels(b.src[start:])
	var open []int // the sections that go on
	end := func(level, at int) {
		for len(open) > 0 && b.found[open[len(open)-1]].level >= level {
			b.found[open[len(open)-1]].last = at
			open = open[:len(open)-1]
		}
	}
	for node := document.FirstChild(); node != nil; node = node.NextSibling() {
		h, ok := node.(*ast.Heading)
		if !ok {
			continue
		}
		if b.ctx.Err() != nil {
			return
		}
		first, raw, ok := headingText(h, src)
		if !ok {
			continue
		}
		first = bytes.LastIndexByte(src[:first], '\n') + 1 + start
		end(h.Level, first-1)
		i := b.add("heading", plainText(raw, refs), -1, first, len(b.src)-1)
		if i < 0 {
			break
		}
		b.found[i].level = h.Level
		open = append(open, i)
	}
	for _, i := range open {
		b.found[i].last = len(b.src) - 1
	}
}

// mostHeading is how much of a heading's text a name is made of: taking markup
// apart takes time by the square of it.
const mostHeading = 1 << 10

// headingText returns where a heading begins and its text, markup included. A
// definition of a link that stands above the underline is no part of it.
func headingText(h *ast.Heading, src []byte) (first int, raw string, ok bool) {
	lines := h.Lines()
	if lines.Len() == 0 {
		return h.Pos(), "", h.Pos() >= 0
	}
	first = lines.At(0).Start
	for i := range lines.Len() {
		line := lines.At(i)
		if _, defined := label(line.Value(src)); defined && raw == "" && !atx(h, src) {
			first = line.Stop
			continue
		}
		line.Stop = min(line.Stop, line.Start+mostHeading-len(raw))
		raw += string(line.Value(src))
		if len(raw) >= mostHeading {
			break
		}
	}
	return first, raw, raw != ""
}

// atx says whether a heading begins with #, and so has no line but its own.
func atx(h *ast.Heading, src []byte) bool {
	first := bytes.LastIndexByte(src[:h.Lines().At(0).Start], '\n') + 1
	return bytes.HasPrefix(bytes.TrimLeft(src[first:], " "), []byte("#"))
}

// patient is a reader that ends when its context does.
type patient struct {
	text.Reader
	ctx context.Context
}

func (p *patient) PeekLine() ([]byte, text.Segment) {
	if p.ctx.Err() != nil {
		return nil, text.Segment{}
	}
	return p.Reader.PeekLine()
}

// frontMatter returns where the Markdown begins: behind a byte order mark, and
// behind metadata between lines of --- or of +++.
func frontMatter(src []byte) int {
	start := 0
	if bytes.HasPrefix(src, []byte(bom)) {
		start = len(bom)
	}
	line, at := nextLine(src, start)
	fence := string(line)
	if fence != "---" && fence != "+++" {
		return start
	}
	for at < len(src) {
		line, at = nextLine(src, at)
		if string(line) == fence || fence == "---" && string(line) == "..." {
			return at
		}
	}
	return start
}

const bom = "\uFEFF"

// nextLine returns a line without the space at its end, and where the next one
// begins.
func nextLine(src []byte, at int) ([]byte, int) {
	next := len(src)
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		next = at + n + 1
	}
	return bytes.TrimRight(src[at:next], " \t\r\n"), next
}

// mostNested is how far from its beginning a line can have the marks of lists
// and quotes. The time that goldmark takes follows the square of their depth.
const mostNested = 64

// flatten returns src without the marks of lists and quotes that are deeper.
func flatten(src []byte) []byte {
	out, copied := src, false
	for at := 0; at < len(src); {
		line, next := nextLine(src, at)
		for i := 0; i < len(line) && strings.IndexByte(" \t>-*+.)0123456789", line[i]) >= 0; i++ {
			if c := line[i]; i >= mostNested && c != ' ' && c != '\t' {
				if !copied {
					out, copied = bytes.Clone(src), true
				}
				out[at+i] = 'x'
			}
		}
		at = next
	}
	return out
}

// labels returns those that a link can refer to.
func labels(src []byte) map[string]bool {
	known := map[string]bool{}
	for at := 0; at < len(src); {
		var line []byte
		line, at = nextLine(src, at)
		if name, ok := label(line); ok {
			known[util.ToLinkReference([]byte(name))] = true
		}
	}
	return known
}

// label returns that of the definition of a link: [label]: target.
func label(line []byte) (string, bool) {
	line = bytes.TrimLeft(line, " ")
	if len(line) == 0 || line[0] != '[' || len(line) > 4<<10 {
		return "", false
	}
	name, target, ok := bytes.Cut(line[1:], []byte("]:"))
	if !ok || len(name) == 0 || len(bytes.TrimSpace(target)) == 0 || bytes.ContainsAny(name, "[]") || name[0] == '^' {
		return "", false
	}
	return string(name), true
}

// plainText returns the text of a heading without its markup.
func plainText(raw string, refs map[string]bool) string {
	if !strings.ContainsAny(raw, "\\`*_[]<>&!") {
		return raw
	}
	src := []byte(strings.TrimSpace(raw))
	document := inlines.Parse(text.NewReader(src), parser.WithContext(&references{parser.NewContext(), refs}))
	var out strings.Builder
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.Text:
			value := n.Value(src)
			if !n.IsRaw() {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			out.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(n.Value)
		case *ast.AutoLink:
			out.Write(n.Label(src))
		case *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// references finds the definitions that the file has.
type references struct {
	parser.Context
	known map[string]bool
}

func (r *references) Reference(label string) (parser.Reference, bool) {
	if !r.known[label] {
		return nil, false
	}
	return parser.NewReference([]byte(label), []byte("x"), nil), true
}
