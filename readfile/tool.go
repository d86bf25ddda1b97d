package readfile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"excerpt/engine"
)

// A Tool reads files in one workspace. Calls can be made from several
// goroutines at once.
type Tool struct {
	root   *os.Root
	opts   Options
	mounts []mount
	stuck  atomic.Int64 // reads that were left behind

	decoding chan struct{} // has a token for each compressed file that is read
}

// Options are the limits of answers, and what is mounted. The zero value is a
// good choice, and so is a nil *Options.
type Options struct {
	// Lines is the most lines of an answer; 0 or less means 1,000.
	Lines int64

	// Bytes is the most bytes of an answer's body, line numbers included; 0 or
	// less means 128 KiB, and less than 64 means 64.
	Bytes int64

	// Count is the size of the largest files whose lines are counted for an
	// answer that does not need it; 0 means 64 MiB, for some milliseconds,
	// and below 0, none are. Compressed files up to that size are decoded for
	// it, at some hundred MB a second, unless they hold more than that and more
	// than 16 times their size.
	Count int64

	// Open opens files, engine.Open if nil. With compressed.Open (of the package
	// excerpt/engine/compressed), compressed files are read for what they hold;
	// otherwise they are refused as binary ones. Those of Mounts always are.
	Open func(name string, opts *engine.Options) (*engine.File, error)

	// Cache is where it is kept what was learned of the lines of large files:
	// an engine.Options.Cache.
	Cache string

	// Mounts are read-only trees, each by the path that it is found under, such
	// as ".gateway/builtin-skills". What the workspace has there is hidden.
	Mounts map[string]fs.FS
}

// The limits that a zero value in Options stands for.
const (
	defaultLines = 1000
	defaultBytes = 128 << 10
	defaultCount = 64 << 20

	leastBytes = 64 // for a line number and a character
	mostLines  = 1 << 40
)

// New returns a Tool over root, which the caller closes after the last call. A
// nil root is a workspace that has nothing but mounts. A nil opts means the
// defaults. It is an error if a mount's prefix is no relative, clean path.
func New(root *os.Root, opts *Options) (*Tool, error) {
	t := &Tool{root: root, decoding: make(chan struct{}, mostDecoding)}
	if opts != nil {
		t.opts = *opts
	}
	if t.opts.Lines <= 0 {
		t.opts.Lines = defaultLines
	}
	if t.opts.Bytes <= 0 {
		t.opts.Bytes = defaultBytes
	}
	if t.opts.Count == 0 {
		t.opts.Count = defaultCount
	}
	t.opts.Lines = min(t.opts.Lines, mostLines)
	t.opts.Bytes = max(t.opts.Bytes, leastBytes)
	for prefix, fsys := range t.opts.Mounts {
		name := strings.TrimSuffix(prefix, "/")
		if !fs.ValidPath(name) || name == "." || fsys == nil {
			return nil, fmt.Errorf("mount %q: it takes a relative path without dots, and a tree", prefix)
		}
		t.mounts = append(t.mounts, mount{name, fsys})
	}
	// The longest first: one can be mounted inside another.
	slices.SortFunc(t.mounts, func(a, b mount) int { return len(b.prefix) - len(a.prefix) })
	return t, nil
}

// Options returns the options with the limits that hold.
func (t *Tool) Options() Options { return t.opts }

// Call answers a request in JSON: the arguments of the tool, whatever they are.
func (t *Tool) Call(ctx context.Context, arguments json.RawMessage) Result {
	req, err := parse(arguments)
	if err != nil {
		return refuse(req.Path, err)
	}
	return t.Read(ctx, req)
}

// Read answers a request. It opens the file for this call only.
//
// It costs what package engine says of the selection, at most two reads of what
// it returns, and a count of the lines if the file is not over [Options.Count]
// or a tail is to be numbered. To say which limits have cut it, up to 16 MiB
// more may be read. It returns soon after the context has ended, also if the
// system does not: then a goroutine stays until it does. Four compressed files
// are read at once, while other calls for such files wait.
func (t *Tool) Read(ctx context.Context, req Request) Result {
	if err := req.check(false); err != nil {
		return refuse(req.Path, err)
	}
	return t.bounded(ctx, req.Path, func() Result { return t.read(ctx, req) })
}

func (t *Tool) read(ctx context.Context, req Request) Result {
	f, err := t.open(req.Path)
	if err != nil {
		return refuse(req.Path, explain(req.Path, err))
	}
	defer f.close()
	if err := t.claim(ctx, f); err != nil {
		return refuse(req.Path, explain(req.Path, err))
	}
	r := reading{opts: t.opts, ctx: ctx, req: req, f: f.File}
	result, err := r.read()
	if err != nil {
		return refuse(req.Path, explain(req.Path, err))
	}
	return result
}

// A refusal is an error whose sentence is meant for the model.
type refusal struct {
	text string
	err  error // what errors.Is finds
}

func (r *refusal) Error() string { return r.text }
func (r *refusal) Unwrap() error { return r.err }

func refusef(err error, format string, a ...any) error {
	return &refusal{fmt.Sprintf(format, a...), err}
}

// ErrBinary is the error of a file that is no UTF-8 text.
var ErrBinary = errors.New("not text")

// ErrOutside is the error of a path that leads out of the workspace.
var ErrOutside = errors.New("outside the workspace")
