package command

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"excerpt/cmd/internal/cli"
	"excerpt/engine"
)

// Convert is the verb convert: its flags, and what is known of its files.
// Writing is for excerpt-full.
type Convert struct {
	Force  bool        // an OUTPUT that is there is replaced
	Output string      // the file to write
	Source fs.FileInfo // of FILE; nil if that is no regular file
	reading
}

const convertHelp = `usage: excerpt convert [--force] [--no-index] FILE [OUTPUT]

Write what FILE holds, compressed or not, to OUTPUT: a .zst that every program
for zstd reads, and of which any part is read at once. Without OUTPUT, that is
beside FILE: app.log.zst of app.log or app.log.gz. It is read back and compared
before it gets its name; if anything fails, nothing is left. It has the mode and
the time of FILE, which is kept.

      --force        replace OUTPUT if it is there
      --no-index     do not keep what is known of the new file's lines
`

func (c *Convert) define(f *flags) {
	f.bool(&c.Force, "", "force")
	c.reading.define(f)
}

// Cache is the engine's option for the new file.
func (c *Convert) Cache() string { return c.cache() }

func (c *Convert) run(ctx context.Context, out *output, operands []string) error {
	if err := c.parse(operands); err != nil {
		return err
	}
	if c.full == nil {
		return errElsewhere
	}
	in, err := c.open(ctx, operands[0])
	if err != nil {
		return err
	}
	defer in.Close()
	c.stat(operands[0])

	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	cli.OnInterrupt(func() { // nothing half-written is left
		cancel()
		select {
		case <-done:
		case <-time.After(time.Second): // a pipe that gives nothing is waited for
		}
	})
	n, err := c.full.Convert(ctx, in.File, c)
	close(done)
	if ctx.Err() != nil {
		select {} // the interrupt ends the program
	}
	if err != nil {
		return err
	}
	out.bar.hide()
	if c.Source != nil && operands[0] != "-" {
		if change, err := in.Refresh(); err != nil || change != engine.Unchanged {
			fmt.Fprintf(os.Stderr, "excerpt: convert: %s has changed meanwhile: what was added to it is not in %s\n",
				cli.Printable(operands[0]), cli.Printable(c.Output))
		}
	}
	info, err := os.Stat(c.Output)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d bytes of %s in %d of %s, verified\n",
		n, cli.Printable(operands[0]), info.Size(), cli.Printable(c.Output))
	return err
}

// parse says which file is to be written.
func (c *Convert) parse(operands []string) error {
	switch {
	case len(operands) == 0:
		return cli.Usage("FILE is missing: convert which file?")
	case len(operands) > 2:
		return cli.Usage("FILE and OUTPUT are wanted, but there are %d: %q", len(operands), operands)
	case len(operands) == 2:
		c.Output = operands[1]
	case operands[0] == "-":
		return cli.Usage("OUTPUT is missing: standard input has no name to make one of")
	default:
		c.Output = converted(operands[0])
	}
	switch {
	case c.Output == "":
		return cli.Usage("OUTPUT is an empty name")
	case c.Output == "-":
		return cli.Usage("OUTPUT is a file: what goes to standard output can't be read back")
	case c.Output == operands[0]:
		return cli.Usage("%s would be written over itself: name another OUTPUT", c.Output)
	}
	return nil
}

// converted is the OUTPUT of a FILE that none is named for.
func converted(name string) string {
	ext := filepath.Ext(name)
	switch strings.ToLower(ext) {
	case ".gz", ".zst", ".s2", ".sz", ".bz2", ".xz":
		if filepath.Base(name) != ext {
			name = strings.TrimSuffix(name, ext)
		}
	}
	return name + ".zst"
}

// stat finds what OUTPUT is to be like.
func (c *Convert) stat(name string) {
	stat := func() (fs.FileInfo, error) { return os.Stat(name) }
	if name == "-" {
		stat = os.Stdin.Stat
	}
	if info, err := stat(); err == nil && info.Mode().IsRegular() {
		c.Source = info
	}
}
