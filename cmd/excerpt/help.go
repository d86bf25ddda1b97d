package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jessevdk/go-flags"

	"excerpt/cmd/internal/cli"
)

type help struct {
	Args struct {
		Verbs []verbName `positional-arg-name:"VERB"`
	} `positional-args:"yes"`
}

const helpHelp = `usage: excerpt help [VERB]

Say what a verb does, or which there are.
`

// verbName is the name of a verb, for completion.
type verbName string

// Complete returns the verbs that begin with match.
func (verbName) Complete(match string) (found []flags.Completion) {
	for _, v := range verbs() {
		if strings.HasPrefix(v.name, match) {
			found = append(found, flags.Completion{Item: v.name, Description: v.about})
		}
	}
	return found
}

// helpOn returns the command that helps with a verb, or "" for all.
func helpOn(verb string) *help {
	h := &help{}
	if verb != "" {
		h.Args.Verbs = []verbName{verbName(verb)}
	}
	return h
}

func (h *help) run(_ context.Context, out *output) error {
	if len(h.Args.Verbs) == 0 {
		_, err := io.WriteString(out, overview())
		return err
	}
	for _, name := range h.Args.Verbs {
		all := verbs()
		i := slices.IndexFunc(all, func(v verb) bool { return v.name == string(name) })
		if i < 0 {
			return cli.Usage("there is no verb %q", name)
		}
		if _, err := io.WriteString(out, all[i].help); err != nil {
			return err
		}
	}
	return nil
}

func overview() string {
	var b strings.Builder
	b.WriteString(`usage: excerpt VERB [FLAGS] [FILE]

Print a part of a text file of any size, without reading the rest.

`)
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  %-10s  %s\n", v.name, v.about)
	}
	b.WriteString(`
FILE - or none is standard input. Flags of every verb:

  -h, --help             say how a verb is used
      --version          print the version
      --cpuprofile FILE  write a profile of the run, for go tool pprof
      --memprofile FILE  the same of its memory
      --trace FILE       write a trace, for go tool trace
`)
	return b.String()
}
