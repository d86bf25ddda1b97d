package command

import (
	"context"
	"fmt"
	"io"
	"strings"
)

type help struct{}

const helpHelp = `usage: excerpt help [VERB]

Say what a verb does, or which there are.
`

func (*help) define(*flags) {}

// words are what the operand can be.
func (*help) words() []string { return verbNames() }

func (*help) run(_ context.Context, out *output, names []string) error {
	if len(names) == 0 {
		_, err := io.WriteString(out, overview())
		return err
	}
	for _, name := range names {
		v, err := find(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, v.help); err != nil {
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
