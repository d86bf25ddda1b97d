package command

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/juju/gnuflag"

	"excerpt/cmd/internal/cli"
)

// flags are those of one command line. Each value keeps what it has if its flag
// is not given.
type flags struct {
	*gnuflag.FlagSet
	full *Full  // of the program
	verb string // that they are of
}

func newFlags() *flags {
	f := gnuflag.NewFlagSet("excerpt", gnuflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return &flags{FlagSet: f}
}

// parse sets the flags in args, and returns the operands. With anywhere, flags
// may follow operands.
func (f *flags) parse(args []string, anywhere bool) ([]string, error) {
	err := f.Parse(anywhere, args)
	return f.Args(), err
}

// value defines a flag. short can be "".
func (f *flags) value(v gnuflag.Value, short, long string) {
	f.Var(v, long, "")
	if short != "" {
		f.Var(v, short, "")
	}
}

func (f *flags) bool(p *bool, short, long string) { f.value((*toggle)(p), short, long) }
func (f *flags) string(p *string, long string)    { f.value((*text)(p), "", long) }

// long returns the long flags, as they are written.
func (f *flags) long() (names []string) {
	f.VisitAll(func(flag *gnuflag.Flag) {
		if len(flag.Name) > 1 {
			names = append(names, "--"+flag.Name)
		}
	})
	return names
}

// A toggle is a flag without a value, and a text is one with any. Those of the
// library have fmt print their defaults, and to load it takes as long as to
// parse them.
type (
	toggle bool
	text   string
)

func (t *toggle) IsBoolFlag() bool { return true }
func (t *toggle) String() string   { return strconv.FormatBool(bool(*t)) }

func (t *toggle) Set(s string) (err error) {
	on, err := strconv.ParseBool(s)
	*t = toggle(on)
	return err
}

func (t *text) String() string { return string(*t) }

func (t *text) Set(s string) error {
	*t = text(s)
	return nil
}

// A choice is a flag of which the values are known.
type choice struct {
	value *string
	of    []string
}

func (c *choice) String() string { return *c.value }

func (c *choice) Set(s string) error {
	*c.value = s
	for _, one := range c.of {
		if s == one {
			return nil
		}
	}
	return fmt.Errorf("want one of %s", strings.Join(c.of, ", "))
}

// globals are the flags of every verb.
type globals struct {
	help, version   bool
	cpu, mem, trace string // files for profiles
}

func (g *globals) define(f *flags) {
	f.bool(&g.help, "h", "help")
	f.bool(&g.version, "", "version")
	f.string(&g.cpu, "cpuprofile")
	f.string(&g.mem, "memprofile")
	f.string(&g.trace, "trace")
}

// profile returns which profile of the program is wanted, and in which file; ""
// if none is.
func (g *globals) profile() (flag, file string, err error) {
	for _, p := range [...]struct{ flag, file string }{{"--cpuprofile", g.cpu}, {"--memprofile", g.mem}, {"--trace", g.trace}} {
		switch {
		case p.file == "":
		case file != "":
			return "", "", cli.Usage("%s and %s are both given: one profile at a time", flag, p.flag)
		default:
			flag, file = p.flag, p.file
		}
	}
	return flag, file, nil
}

// usageOf puts an error of the library in our words.
func usageOf(verb string, err error) error {
	text := err.Error()
	if flag, unknown := strings.CutPrefix(text, "flag provided but not defined: "); unknown {
		text = "unknown flag " + flag
		if (verb == "head" || verb == "tail") && flag >= "-0" && flag < "-:" {
			text += fmt.Sprintf(": a number of lines is -n %s...", flag[1:])
		}
	}
	return cli.Usage("%s", text)
}
