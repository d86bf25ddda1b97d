package size

import (
	"errors"
	"math"
	"testing"
)

func TestParse(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "100": 100, "64K": 64 << 10, "64k": 64 << 10, "64KiB": 64 << 10, "64kb": 64e3, "10MB": 10e6,
		"4GiB": 4 << 30, "2T": 2 << 40, "1P": 1 << 50, "7E": 7 << 60, "9223372036854775807": math.MaxInt64,
	} {
		if got, err := Parse(s); got != want || err != nil {
			t.Errorf("%q: %d, %v, want %d", s, got, err, want)
		}
	}
	for s, want := range map[string]error{
		"": ErrSyntax, "K": ErrSyntax, "-1": ErrSyntax, "+1": ErrSyntax, "1.5K": ErrSyntax, "5b": ErrSyntax, "5B": ErrSyntax,
		"1Ki": ErrSyntax, "1KK": ErrSyntax, " 1": ErrSyntax, "1 K": ErrSyntax, "ten": ErrSyntax, "١": ErrSyntax,
		"8E": ErrRange, "9223372036854775808": ErrRange, "99999999999999999999": ErrRange, "99999999999999999999K": ErrRange,
	} {
		if got, err := Parse(s); got != 0 || !errors.Is(err, want) {
			t.Errorf("%q: %d, %v, want %v", s, got, err, want)
		}
	}
}
