// Command corpus makes log files from a seed and a size, or grows a real log to
// a size.
//
//	corpus -kind app -size 4GiB -seed 1 FILE
//	corpus -grow REAL.log -size 4GiB FILE
//	corpus -list
//
// FILE - is standard output. FILE appears, or is replaced, when it is complete;
// after a failure or an interrupt it is as it was. The exit code is 0, 1 for a
// failure, 2 for wrong usage.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"excerpt/corpus"
	"excerpt/corpus/internal/atomicfile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "corpus: %v (-h for help)\n", err)
		return 2
	}
	if err := c.run(ctx, stdout); err != nil {
		fmt.Fprintf(stderr, "corpus: %v\n", err)
		return 1
	}
	return 0
}

type command struct {
	list bool
	kind corpus.Kind
	seed uint64
	size amount
	grow string
	file string
}

func parse(args []string, stderr io.Writer) (*command, error) {
	c := &command{size: -1}
	flags := flag.NewFlagSet("corpus", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&c.list, "list", false, "print the kinds, a line each")
	flags.StringVar((*string)(&c.kind), "kind", "app", "`kind` of log to make, one of -list")
	flags.Uint64Var(&c.seed, "seed", 1, "`seed` of the log; another one gives another log")
	flags.StringVar(&c.grow, "grow", "", "repeat this `log` instead of making one")
	flags.Var(&c.size, "size", "`bytes` to write: 64K, 1MiB, 4GiB, 1GB (K and KiB are 1024, KB is 1000)")
	flags.Usage = func() {
		fmt.Fprint(stderr, "usage: corpus -size SIZE [-kind KIND] [-seed SEED] FILE\n"+
			"       corpus -size SIZE -grow LOG FILE\n"+
			"       corpus -list\n"+
			"FILE - is standard output.\n")
		flags.SetOutput(stderr)
		flags.VisitAll(func(f *flag.Flag) {
			name, usage := flag.UnquoteUsage(f)
			fmt.Fprintf(stderr, "  %-12s %s\n", "-"+f.Name+" "+name, usage)
		})
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	set := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { set[f.Name] = true })
	switch {
	case c.list && (len(set) > 1 || flags.NArg() > 0):
		return nil, errors.New("-list goes alone")
	case c.list:
		return c, nil
	case set["grow"] && (set["kind"] || set["seed"]):
		return nil, errors.New("-grow repeats a log as it is: leave out -kind and -seed")
	case set["grow"] && c.grow == "":
		return nil, errors.New("-grow needs the path of a log")
	case !slices.Contains(corpus.Kinds(), c.kind):
		return nil, fmt.Errorf("-kind %q is unknown: want one of %v", c.kind, corpus.Kinds())
	case !set["size"]:
		return nil, errors.New("-size is missing: how many bytes?")
	case flags.NArg() == 0:
		return nil, errors.New("FILE is missing: where to? (- is standard output)")
	case flags.NArg() > 1:
		return nil, fmt.Errorf("one FILE is wanted, after all flags, but there is %q", flags.Args())
	}
	c.file = flags.Arg(0)
	return c, nil
}

func (c *command) run(ctx context.Context, stdout io.Writer) error {
	if c.list {
		for _, kind := range corpus.Kinds() {
			if _, err := fmt.Fprintf(stdout, "%-8s %s\n", kind, kind.About()); err != nil {
				return err
			}
		}
		return nil
	}
	write := func(w io.Writer) error {
		return corpus.Write(ctx, w, c.kind, c.seed, int64(c.size))
	}
	if c.grow != "" {
		log, err := os.Open(c.grow)
		if err != nil {
			return err
		}
		defer log.Close()
		write = func(w io.Writer) error {
			return corpus.Grow(ctx, w, log, int64(c.size))
		}
	}
	if c.file == "-" {
		return write(stdout)
	}
	return atomicfile.Write(c.file, write)
}
