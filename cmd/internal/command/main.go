// Package command is the verbs of excerpt. Two programs are made of it: excerpt,
// which starts quickly, and excerpt-full, which has all.
package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"excerpt/cmd/internal/cli"
	"excerpt/cmd/internal/handover"
	"excerpt/engine"
)

// Full is what the program excerpt-full has and excerpt has not, since the
// libraries for it would slow down the start of every verb.
type Full struct {
	// Open opens a file for what it holds, which may be compressed.
	Open func(name string, opts *engine.Options) (*engine.File, error)

	// Rotated opens a rotated log as one file, of which name is the live one.
	// report says what is wrong with it, as far as it was read, and whether
	// something is lost.
	Rotated func(ctx context.Context, name string, opts *engine.Options) (f *engine.File, report Report, err error)

	// Serve is the verb mcp.
	Serve func(*MCP) error

	// Draw is the verb read with --card.
	Draw func(ctx context.Context, r *Read, request []byte, w io.Writer, colours bool) error

	// Outline is the verb outline, of the file called name that r reads.
	Outline func(ctx context.Context, name string, r io.Reader, json bool, w io.Writer) error

	// Convert writes what f holds to the file that c names, and returns how many
	// bytes that is.
	Convert func(ctx context.Context, f *engine.File, c *Convert) (int64, error)

	// Profile starts the profile that a flag wants in a file. stop completes it.
	Profile func(flag, file string) (stop func() error, err error)
}

// A Report says what is wrong with a rotated log, in sentences.
type Report func() (said []string, lost bool)

// errElsewhere is the error of a verb that needs what only excerpt-full has. It
// has printed nothing, and read no standard input.
var errElsewhere = errors.New("this takes excerpt-full")

// elsewhere is errElsewhere of a verb that has read a request in JSON from
// standard input. It goes with the arguments.
type elsewhere struct{ request []byte }

func (e *elsewhere) Error() string { return errElsewhere.Error() }

func (e *elsewhere) operand() string {
	var b bytes.Buffer
	_ = json.Compact(&b, e.request) // it was read as JSON before
	return b.String()
}

// Main does what the arguments say, and returns the exit code. full is nil in
// the program excerpt.
func Main(args []string, full *Full) int {
	out := newOutput(os.Stdout)
	name, err := execute(args, full, out)
	out.bar.stop()
	var with *elsewhere
	switch {
	case err == errElsewhere:
		err = handover.To(args)
	case errors.As(err, &with):
		err = handover.To(append(slices.Clone(args), with.operand()))
	case err == nil:
		err = out.close()
	}
	if isBrokenPipe(err) {
		return 0 // who reads has enough
	}
	cli.Complain(name, err)
	return cli.ExitCode(err)
}

// A verb is the first word of a command line.
type verb struct {
	name, about string
	help        string // its usage, what is to be said, its flags
	command     func() command
}

// A command is a verb as it is called.
type command interface {
	// define says which flags it has.
	define(*flags)

	// run runs it, once its flags are set.
	run(ctx context.Context, out *output, operands []string) error
}

func verbs() []verb {
	return []verb{
		{"head", "the first lines, or bytes", headHelp, func() command { return &head{} }},
		{"tail", "the last lines, or bytes", tailHelp, func() command { return &tail{} }},
		{"lines", "a range of lines", linesHelp, func() command { return &lines{} }},
		{"prefix", "the first bytes, cut at a character", prefixHelp, func() command { return &prefix{} }},
		{"count", "how many lines", countHelp, func() command { return &count{} }},
		{"describe", "what a file is like", describeHelp, func() command { return &describe{} }},
		{"index", "keep where the lines are", indexHelp, func() command { return &index{} }},
		{"convert", "write a .zst that any part is read of at once", convertHelp, func() command { return &Convert{} }},
		{"outline", "headings or declarations, and their lines", outlineHelp, func() command { return &outline{} }},
		{"read", "answer a request of an agent's read_file", readHelp, func() command { return &Read{} }},
		{"mcp", "serve files to AI agents", mcpHelp, func() command { return &MCP{} }},
		{"completion", "a script that completes command lines", completionHelp, func() command { return &completion{} }},
		{"version", "the version of this program", versionHelp, func() command { return &version{} }},
		{"help", "what a verb does", helpHelp, func() command { return &help{} }},
	}
}

// find returns the verb of a name.
func find(name string) (verb, error) {
	all := verbs()
	i := slices.IndexFunc(all, func(v verb) bool { return v.name == name })
	if i < 0 {
		return verb{}, cli.Usage("there is no verb %q: want one of %s", name, strings.Join(verbNames(), ", "))
	}
	return all[i], nil
}

func verbNames() (names []string) {
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

// execute also returns the verb, as far as it is known.
func execute(args []string, full *Full, out *output) (name string, err error) {
	if len(args) > 0 && args[0] == completeVerb {
		return "", complete(out, args[1:])
	}
	var global globals
	words := args
	if len(args) > 0 && strings.HasPrefix(args[0], "-") { // the flags of every verb may come before it
		f := newFlags()
		global.define(f)
		if words, err = f.parse(args, false); err != nil {
			return "", usageOf("", err)
		}
	}
	var c command
	var operands []string
	switch {
	case len(words) > 0:
		v, err := find(words[0])
		if err != nil {
			return "", err
		}
		name, c = v.name, v.command()
		f := newFlags()
		f.full, f.verb = full, name
		global.define(f)
		c.define(f)
		if operands, err = f.parse(words[1:], true); err != nil {
			return name, usageOf(name, err)
		}
	case len(args) == 0:
		return "", cli.Usage("%s", overview())
	case !global.help && !global.version:
		return "", cli.Usage("VERB is missing: want one of %s", strings.Join(verbNames(), ", "))
	}
	switch {
	case global.version:
		c, operands = &version{}, nil
	case global.help && name == "":
		c, operands = &help{}, nil
	case global.help:
		c, operands = &help{}, []string{name}
	}
	flag, file, err := global.profile()
	switch {
	case err != nil:
		return name, err
	case file == "":
		return name, c.run(out.bar.watch(context.Background()), out, operands)
	case full == nil:
		return name, errElsewhere
	}
	stop, err := full.Profile(flag, file)
	if err != nil {
		return name, err
	}
	err = c.run(out.bar.watch(context.Background()), out, operands)
	if stopped := stop(); err == nil {
		err = stopped
	}
	return name, err
}
