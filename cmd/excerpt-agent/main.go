// Command excerpt-agent is the part of excerpt that serves AI agents, and that
// draws code. It is a program of its own because what it is made of takes
// longer to start than excerpt takes to read a file.
//
// It is run by excerpt, as excerpt mcp and excerpt read --card.
package main

import (
	"fmt"
	"os"

	"github.com/jessevdk/go-flags"

	"excerpt/cmd/internal/cli"
)

func main() { os.Exit(cli.ExitCode(run(os.Args[1:]))) }

// run does what the arguments say, and has said what went wrong when it
// returns an error.
func run(args []string) error {
	name, err := execute(args)
	cli.Complain(name, err)
	return err
}

// globals are the flags of both verbs.
type globals struct {
	Help    bool `short:"h" long:"help"`
	Version bool `long:"version"` // asked by excerpt
	cli.Profiling
}

// A command is a verb with its flags.
type command interface {
	Check() error
	run() error
}

const usage = `usage: excerpt-agent mcp | read [FLAGS]

This program is run by excerpt: see excerpt help mcp, and excerpt help read.
`

// execute also returns the verb, as far as it is known.
func execute(args []string) (name string, err error) {
	var global globals
	verbs := map[string]command{"mcp": &serve{}, "read": &card{}}
	help := map[string]string{"": usage, "mcp": cli.MCPHelp, "read": cli.ReadHelp}
	parser := flags.NewNamedParser("excerpt-agent", flags.PassDoubleDash)
	if _, err := parser.AddGroup("globals", "", &global); err != nil {
		return "", err
	}
	for verb, c := range verbs {
		if _, err := parser.AddCommand(verb, "", "", c); err != nil {
			return "", err
		}
	}
	_, err = parser.ParseArgs(args)
	if parser.Active != nil {
		name = parser.Active.Name
	}
	switch {
	case global.Help:
		_, err := os.Stdout.WriteString(help[name])
		return name, err
	case global.Version:
		_, err := fmt.Println(cli.Version())
		return name, err
	case err != nil:
		return name, cli.Usage("%v", err)
	}
	c := verbs[name]
	if err := c.Check(); err != nil {
		return name, err
	}
	stop, err := global.Start()
	if err != nil {
		return name, err
	}
	err = c.run()
	if stopped := stop(); err == nil {
		err = stopped
	}
	return name, err
}
