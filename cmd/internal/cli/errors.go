package cli

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

// A UsageError is the error of a command line that can't be meant.
type UsageError struct{ text string }

func (e *UsageError) Error() string { return e.text }

// Usage returns a UsageError. A text that ends in a line end is printed as it
// is.
func Usage(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// ErrSaid is the error of a command that has complained already.
var ErrSaid = errors.New("said already")

// ExitCode is 0, 1 for a failure, 2 for wrong usage.
func ExitCode(err error) int {
	switch wrong := (*UsageError)(nil); {
	case err == nil:
		return 0
	case errors.As(err, &wrong):
		return 2
	}
	return 1
}

// Complain says on standard error what went wrong with a verb.
func Complain(verb string, err error) {
	if err == nil || err == ErrSaid {
		return
	}
	wrong := (*UsageError)(nil)
	switch isUsage := errors.As(err, &wrong); {
	case isUsage && strings.HasSuffix(wrong.text, "\n"): // a text of its own
		fmt.Fprint(os.Stderr, wrong.text)
	case isUsage && verb == "":
		fmt.Fprintf(os.Stderr, "excerpt: %s (see: excerpt help)\n", Printable(wrong.text))
	case isUsage:
		fmt.Fprintf(os.Stderr, "excerpt: %s: %s (see: excerpt help %s)\n", verb, Printable(wrong.text), verb)
	default:
		fmt.Fprintf(os.Stderr, "excerpt: %s: %s\n", verb, Printable(message(err)))
	}
}

// message is what err says, less the system call that it says it of.
func message(err error) string {
	if path, ok := err.(*fs.PathError); ok {
		return path.Path + ": " + path.Err.Error()
	}
	var past *engine.RangeError
	if errors.As(err, &past) {
		return past.Error()
	}
	return err.Error()
}

// Printable returns s with whatever could move a cursor escaped: names of
// files come from anywhere.
func Printable(s string) string {
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
