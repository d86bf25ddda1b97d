package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"excerpt/engine"
)

// A usageError is the error of a command line that can't be meant.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// errSaid is the error of a command that has complained already.
var errSaid = errors.New("said already")

// complain says on standard error what went wrong with a verb.
func complain(verb string, err error) {
	if err == nil || err == errSaid {
		return
	}
	wrong := (*usageError)(nil)
	switch isUsage := errors.As(err, &wrong); {
	case isUsage && strings.HasSuffix(wrong.text, "\n"): // a text of its own
		fmt.Fprint(os.Stderr, wrong.text)
	case isUsage && verb == "":
		fmt.Fprintf(os.Stderr, "excerpt: %s (see: excerpt help)\n", printable(wrong.text))
	case isUsage:
		fmt.Fprintf(os.Stderr, "excerpt: %s: %s (see: excerpt help %s)\n", verb, printable(wrong.text), verb)
	default:
		fmt.Fprintf(os.Stderr, "excerpt: %s: %s\n", verb, printable(message(err)))
	}
}

// message is what err says, less the system call that it says it of.
func message(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Path + ": " + path.Err.Error()
	}
	var past *engine.RangeError
	if errors.As(err, &past) {
		return past.Error()
	}
	return err.Error()
}

// printable returns s with whatever could move a cursor escaped: names of
// files come from anywhere.
func printable(s string) string {
	clean := func(r rune) bool { return r != utf8.RuneError && strconv.IsPrint(r) }
	if strings.IndexFunc(s, func(r rune) bool { return !clean(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		if r, n = utf8.DecodeRuneInString(s[i:]); clean(r) {
			b.WriteString(s[i : i+n])
			continue
		}
		quoted := strconv.Quote(s[i : i+n])
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}
