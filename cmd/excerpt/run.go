package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/jessevdk/go-flags"

	"excerpt/cmd/internal/cli"
)

// A verb is the first word of a command line.
type verb struct {
	name, about string
	help        string // its usage, what is to be said, its flags
	command     func() command
}

// A command is a verb with its flags and arguments: the fields that go-flags
// has filled in.
type command interface {
	run(ctx context.Context, out *output) error
}

// A delegate is a command that the second program may have to run.
type delegate interface {
	Check() error
	elsewhere() bool
}

func verbs() []verb {
	return []verb{
		{"head", "the first lines, or bytes", headHelp, func() command { return &head{} }},
		{"tail", "the last lines, or bytes", tailHelp, func() command { return &tail{} }},
		{"lines", "a range of lines", linesHelp, func() command { return &lines{} }},
		{"prefix", "the first bytes, cut at a character", prefixHelp, func() command { return &prefix{} }},
		{"count", "how many lines", countHelp, func() command { return &count{} }},
		{"read", "answer a request of an agent's read_file", cli.ReadHelp, func() command { return &read{} }},
		{"mcp", "serve files to AI agents", cli.MCPHelp, func() command { return &mcp{} }},
		{"completion", "a script that completes command lines", completionHelp, func() command { return &completion{} }},
		{"version", "the version of this program", versionHelp, func() command { return &version{} }},
		{"help", "what a verb does", helpHelp, func() command { return &help{} }},
	}
}

// globals are the flags of every verb.
type globals struct {
	Help    bool `short:"h" long:"help" description:"say how this is used"`
	Version bool `long:"version" description:"print the version"`
	cli.Profiling
}

// run does what the arguments say, and has said what went wrong when it
// returns an error.
func run(args []string) error {
	runtime.MemProfileRate = 0 // --memprofile sets it; to all others, samples are lost time
	out := newOutput(os.Stdout)
	name, err := execute(args, out)
	out.bar.stop()
	if err == nil {
		err = out.close()
	}
	if isBrokenPipe(err) {
		return nil // who reads has enough
	}
	cli.Complain(name, err)
	return err
}

// execute also returns the verb, as far as it is known.
func execute(args []string, out *output) (name string, err error) {
	var global globals
	parser := flags.NewNamedParser("excerpt", flags.PassDoubleDash)
	called := wanted(args)
	if len(called) > 1 || slices.ContainsFunc(args, maybeGlobal) {
		if _, err := parser.AddGroup("excerpt", "", &global); err != nil {
			return "", err
		}
	}
	commands := map[string]command{}
	for _, v := range called {
		c := v.command()
		commands[v.name] = c
		if _, err := parser.AddCommand(v.name, v.about, "", c); err != nil {
			return "", err
		}
	}
	_, err = parser.ParseArgs(args)
	if parser.Active != nil {
		name = parser.Active.Name
	}
	c := commands[name]
	var wrong *flags.Error
	switch noVerb := errors.As(err, &wrong) && wrong.Type == flags.ErrCommandRequired; {
	case noVerb && global.Version, err == nil && global.Version:
		c = &version{}
	case noVerb && global.Help, err == nil && global.Help:
		c = helpOn(name)
	case noVerb && len(args) == 0:
		return "", cli.Usage("%s", overview())
	case err != nil:
		return name, usageOf(name, wrong, err)
	}

	if d, ok := c.(delegate); ok && d.elsewhere() {
		if err := d.Check(); err != nil {
			return name, err
		}
		return name, runAgent(args)
	}
	stop, err := global.Start()
	if err != nil {
		return name, err
	}
	err = c.run(out.bar.watch(context.Background()), out)
	if stopped := stop(); err == nil {
		err = stopped
	}
	return name, err
}

// wanted returns the verb that is called, or all if that is not plain. Making a
// parser is a good part of the time that a short command takes, so it gets no
// more than it may need.
func wanted(args []string) []verb {
	all := verbs()
	if len(args) > 0 {
		i := slices.IndexFunc(all, func(v verb) bool { return v.name == args[0] })
		if i >= 0 {
			return all[i : i+1]
		}
	}
	return all
}

// maybeGlobal reports whether arg may have a flag of globals, or become one.
func maybeGlobal(arg string) bool {
	return arg == "-" || strings.HasPrefix(arg, "--") || strings.HasPrefix(arg, "-") && strings.Contains(arg, "h")
}

// usageOf puts an error of go-flags in our words.
func usageOf(verb string, wrong *flags.Error, err error) error {
	if wrong == nil {
		return cli.Usage("%v", err)
	}
	text := strings.ReplaceAll(wrong.Message, "`", "'")
	if text != "" {
		text = strings.ToLower(text[:1]) + text[1:]
	}
	if _, flag, ok := strings.Cut(text, "unknown flag '"); ok && (verb == "head" || verb == "tail") && flag[0] >= '0' && flag[0] <= '9' {
		text += fmt.Sprintf(": a number of lines is -n %s...", flag[:1])
	}
	return cli.Usage("%s", text)
}
