package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"excerpt/cmd/internal/cli"
	"excerpt/outline"
)

// printOutline is the verb outline.
func printOutline(ctx context.Context, name string, r io.Reader, asJSON bool, w io.Writer) error {
	o, err := outline.Of(ctx, name, r)
	if err != nil {
		return err
	}
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(o)
	}
	for _, entry := range o.Entries {
		if _, err := fmt.Fprintln(w, cli.Printable(entry.String())); err != nil {
			return err
		}
	}
	if o.Problem != "" {
		fmt.Fprintf(os.Stderr, "excerpt: outline: %s: not all could be parsed, and entries may be missing or wrong: %s\n", cli.Printable(name), o.Problem)
	}
	return nil
}
