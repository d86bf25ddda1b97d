package command

import (
	"errors"
	"fmt"

	"excerpt/cmd/internal/cli"
	"excerpt/internal/size"
)

// amount is the value of -n or -c: a whole number, and a unit if one is wanted.
type amount struct {
	text  string
	given bool
}

func (a *amount) String() string { return a.text }

// Set lets "-5" through to where it can be explained.
func (a *amount) Set(value string) error {
	if len(value) > 1 && value[0] == '-' && (value[1] < '0' || value[1] > '9') {
		return errors.New("a number is missing before a flag")
	}
	*a = amount{value, true}
	return nil
}

// parse returns the number. flag is for the message, and so is what it counts.
func (a *amount) parse(flag, what string) (int64, error) {
	s := a.text
	if len(s) > 1 && (s[0] == '-' || s[0] == '+') {
		hint := ""
		switch {
		case s[0] == '-':
			hint = fmt.Sprintf(" (for the last %s %s: excerpt tail %s %s FILE)", s[1:], what, flag, s[1:])
		case flag == "-n":
			hint = fmt.Sprintf(" (for all from line %s on: excerpt lines %s- FILE)", s[1:], s[1:])
		}
		return 0, cli.Usage("%s %s: want a number without a sign%s", flag, s, hint)
	}
	switch n, err := size.Parse(s); {
	case errors.Is(err, size.ErrSyntax):
		return 0, cli.Usage("%s %q: want a number of %s, like 100, 64K (1024) or 10MB (1000 * 1000)", flag, s, what)
	case err != nil:
		return 0, cli.Usage("%s %s: %v", flag, s, err)
	default:
		return n, nil
	}
}
