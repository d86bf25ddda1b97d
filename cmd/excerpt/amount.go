package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"excerpt/cmd/internal/cli"
)

// amount is the value of -n or -c: a whole number, and a unit if one is wanted.
type amount string

// IsValidValue lets "-5" through to where it can be explained. It is called
// with nil.
func (*amount) IsValidValue(value string) error {
	if len(value) > 1 && value[0] == '-' && (value[1] < '0' || value[1] > '9') {
		return errors.New("a number is missing before a flag")
	}
	return nil
}

// units are those of GNU head, in any case. Its b (512) is left out: elsewhere
// that is a byte.
const units = "kmgtpe"

// parse returns the number. flag is for the message, and so is what it counts.
func (a amount) parse(flag, what string) (int64, error) {
	s := string(a)
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
	digits := strings.TrimRight(s, "bBiIkKmMgGtTpPeE")
	n, err := strconv.ParseUint(digits, 10, 63)
	unit, ok := unitOf(s[len(digits):])
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && ok && int64(n) > math.MaxInt64/unit:
		return 0, cli.Usage("%s %s: too large, the most is %d", flag, s, int64(math.MaxInt64))
	case err != nil || !ok:
		return 0, cli.Usage("%s %q: want a number of %s, like 100, 64K (1024) or 10MB (1000 * 1000)", flag, s, what)
	}
	return int64(n) * unit, nil
}

// unitOf returns what K, KiB, kB, M and so on stand for.
func unitOf(s string) (unit int64, ok bool) {
	if s == "" {
		return 1, true
	}
	s = strings.ToLower(s)
	power := strings.IndexByte(units, s[0]) + 1
	base := int64(1024)
	switch s[1:] {
	case "", "ib":
	case "b":
		base = 1000
	default:
		power = 0
	}
	unit = 1
	for range power {
		unit *= base
	}
	return unit, power > 0
}
