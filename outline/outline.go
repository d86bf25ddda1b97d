package outline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"excerpt/engine"
	"excerpt/internal/args"
)

// An Outline is what a file has, in the order in which it begins.
type Outline struct {
	Language string            `json:"language"` // as [Language] returns it
	Lines    engine.LineNumber `json:"lines"`    // the number of the last line, 0 for an empty file
	Entries  []Entry           `json:"entries"`

	// Problem says what kept the outline from being whole, "" if nothing did:
	// something may be missing from Entries then, or have the wrong lines.
	Problem string `json:"problem,omitempty"`
}

// An Entry is a heading or a declaration.
type Entry struct {
	// Kind is the language's own word: heading; function, method, class,
	// interface, type, struct, const, let, var, variable, enum, namespace,
	// getter, setter; export for what a module exports without a name.
	Kind string `json:"kind"`

	// Name is one line of at most some 200 bytes, valid UTF-8. That of a
	// heading is its text without markup.
	Name string `json:"name"`

	// Parent is the name of what the entry is declared in, with that of its
	// own parent before it: a class, or the type of the receiver. "" means the
	// file. A heading has none.
	Parent string `json:"parent,omitempty"`

	// Level is that of a heading, 1 to 6; for a declaration, in how many others
	// it is, and 1.
	Level int `json:"level"`

	// First and Last are the lines that the entry takes, 1-based, both
	// included.
	First engine.LineNumber `json:"first"`
	Last  engine.LineNumber `json:"last"`
}

// String returns the entry as "12-40 method Server.Close".
func (e Entry) String() string {
	name := e.Name
	switch {
	case e.Kind == "heading":
		name = strings.Repeat("#", e.Level) + " " + name
	case e.Parent != "":
		name = e.Parent + "." + name
	}
	return fmt.Sprintf("%d-%d %s %s", e.First, e.Last, e.Kind, name)
}

// The errors of a file that is not outlined. errors.Is finds them; the message
// is a sentence that names the file and says what is possible.
var (
	ErrLanguage = errors.New("no outline of this language") // see [Language]
	ErrTooLarge = errors.New("too large for an outline")    // 2 MiB of Markdown, 4 MiB of Go, 16 MiB of others
	ErrNotText  = errors.New("not UTF-8 text")              // a NUL, or UTF-16 by its mark
)

const (
	mostEntries = 100_000
	mostLevels  = 16
)

// Of returns the outline of a file by its content, which is read to its end.
// The name tells the language. Besides those of r and of the context, there are
// the errors [ErrLanguage], [ErrTooLarge] and [ErrNotText]. Code that is broken
// is no error: see [Outline.Problem].
//
// It takes time in proportion to the size: for a MiB some 20 to 60 ms, and less
// than a second whatever it has. Besides the content, it takes memory of some
// times that, at most 450 MiB for a file that was made for it; two files are
// taken at once, others wait. The context is looked at on the way, but not
// while Go is parsed.
func Of(ctx context.Context, name string, r io.Reader) (*Outline, error) {
	language := Language(name)
	if language == "" {
		return nil, failf(ErrLanguage, "there is no outline of %s: outlines are of %s, by the extension", args.Quote(name), supported)
	}
	src, err := content(ctx, name, r, limitOf(language))
	if err != nil {
		return nil, err
	}
	select {
	case turns <- struct{}{}:
		defer func() { <-turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	b := &builder{ctx: ctx, src: src}
	switch language {
	case "markdown":
		b.markdown()
	case "go":
		b.golang()
	case "python":
		b.python()
	default:
		b.script(language)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b.outline(language), nil
}

// turns bounds the memory of all calls.
var turns = make(chan struct{}, 2)

type failure struct {
	text string
	err  error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.err }

func failf(err error, format string, a ...any) error {
	return &failure{fmt.Sprintf(format, a...), err}
}

// content reads r to its end.
func content(ctx context.Context, name string, r io.Reader, limit int) ([]byte, error) {
	src, err := io.ReadAll(&reader{ctx, io.LimitReader(r, int64(limit)+1)})
	switch {
	case err != nil:
		return nil, err
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		return nil, failf(ErrNotText, "there is no outline of %s: it is UTF-16, not UTF-8; convert it first", args.Quote(name))
	case bytes.IndexByte(src, 0) >= 0:
		return nil, failf(ErrNotText, "there is no outline of %s: it is a binary file, it has NUL bytes", args.Quote(name))
	case len(src) > limit:
		return nil, failf(ErrTooLarge, "there is no outline of %s: it has more than %d MiB, the most that is outlined of this language; read parts of it, its beginning first", args.Quote(name), limit>>20)
	}
	return src, nil
}

// A reader looks at its context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r *reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

// A builder collects what a parser finds.
type builder struct {
	ctx     context.Context
	src     []byte
	found   []found
	problem string
}

// A found entry has offsets in place of lines. Those of its last byte are set
// when it ends.
type found struct {
	kind, name  string
	receiver    string // the parent's name, if that is no entry
	parent      int    // index of an entry, or -1
	level       int
	first, last int
}

// add begins an entry and returns its index, or parent if it is not listed.
func (b *builder) add(kind, name string, parent, first, last int) int {
	level := 1
	if parent >= 0 {
		level = b.found[parent].level + 1
	}
	switch {
	case level > mostLevels:
		return parent
	case len(b.found) >= mostEntries:
		b.trouble(first, fmt.Sprintf("there are more than %d entries", mostEntries))
		return parent
	}
	b.found = append(b.found, found{kind: kind, name: clean(name), parent: parent, level: level, first: first, last: max(first, last)})
	return len(b.found) - 1
}

// trouble keeps the first problem.
func (b *builder) trouble(at int, text string) {
	if b.problem == "" {
		b.problem = fmt.Sprintf("line %d: %s", bytes.Count(b.src[:min(at, len(b.src))], lf)+1, text)
	}
}

// clean returns a name on one line, and its ends if it is long.
func clean(name string) string {
	if len(name) > 1<<10 {
		name = name[:512] + name[len(name)-512:]
	}
	if !utf8.ValidString(name) {
		name = strings.ToValidUTF8(name, "\uFFFD")
	}
	return args.Shorten(strings.Join(strings.Fields(name), " "))
}

func (b *builder) outline(language string) *Outline {
	lines := newLineTable(b.src)
	o := &Outline{Language: language, Lines: lines.last(), Entries: make([]Entry, len(b.found)), Problem: b.problem}
	for i := range b.found { // in broken code, a parent can end too soon
		for f := &b.found[i]; f.parent >= 0 && b.found[f.parent].last < f.last; f = &b.found[f.parent] {
			b.found[f.parent].last = f.last
		}
	}
	order := make([]int, len(b.found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := &b.found[i], &b.found[j]
		return cmp.Or(cmp.Compare(x.first, y.first), cmp.Compare(x.level, y.level))
	})
	parents := map[int]string{-1: ""}
	for k, i := range order {
		f := &b.found[i]
		o.Entries[k] = Entry{
			Kind: f.kind, Name: f.name, Parent: f.receiver, Level: f.level,
			First: lines.at(f.first), Last: lines.at(max(f.last, f.first)),
		}
		if f.receiver == "" {
			o.Entries[k].Parent = b.qualified(f.parent, parents)
		}
	}
	return o
}

// qualified returns the whole name of an entry. known has those that were made.
func (b *builder) qualified(i int, known map[int]string) string {
	if name, ok := known[i]; ok {
		return name
	}
	f := &b.found[i]
	name := f.name
	if before := b.qualified(f.parent, known); before != "" {
		name = before + "." + name
	}
	known[i] = name
	return name
}

var lf = []byte("\n")

// A lineTable finds the line of an offset: it has the number of line ends
// before each block.
type lineTable struct {
	src    []byte
	blocks []int32
}

const block = 4 << 10

func newLineTable(src []byte) *lineTable {
	t := &lineTable{src: src, blocks: make([]int32, 0, len(src)/block+1)}
	var n int32
	for at := 0; at <= len(src); at += block {
		t.blocks = append(t.blocks, n)
		n += int32(bytes.Count(src[at:min(at+block, len(src))], lf))
	}
	return t
}

func (t *lineTable) at(offset int) engine.LineNumber {
	i := offset / block
	return engine.LineNumber(int(t.blocks[i]) + bytes.Count(t.src[i*block:offset], lf) + 1)
}

func (t *lineTable) last() engine.LineNumber {
	if len(t.src) == 0 {
		return 0
	}
	return t.at(len(t.src) - 1)
}
