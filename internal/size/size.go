// Package size reads sizes as people write them: 100, 64K, 4GiB, 10MB.
package size

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// What is wrong with a size.
var (
	ErrSyntax = errors.New("want a whole number, like 100, 64K (1024) or 10MB (1000 * 1000)")
	ErrRange  = errors.New("too large, the most is 9223372036854775807")
)

// units are those of GNU head, in any case. Its b (512) is left out: elsewhere
// that is a byte.
const units = "kmgtpe"

// Parse returns the number that s stands for: K and KiB are 1024, KB is 1000,
// and so on up to E.
func Parse(s string) (int64, error) {
	digits := strings.TrimRight(s, "bBiIkKmMgGtTpPeE")
	n, err := strconv.ParseUint(digits, 10, 63)
	unit, ok := unitOf(s[len(digits):])
	switch {
	case !ok || err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, ErrSyntax
	case err != nil || int64(n) > math.MaxInt64/unit:
		return 0, ErrRange
	}
	return int64(n) * unit, nil
}

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
