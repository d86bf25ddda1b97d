package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a flag.Value: a number of bytes, with a unit or without.
type size int64

// units are what may follow a number, as GNU head has them: K and KiB are 1024,
// KB is 1000. They are compared in lower case.
var units = map[string]int64{
	"": 1, "b": 1,
	"k": 1 << 10, "kib": 1 << 10, "kb": 1e3,
	"m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
	"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
	"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
}

func (s *size) String() string { return strconv.FormatInt(int64(*s), 10) }

func (s *size) Set(text string) error {
	digits := strings.TrimRight(text, "BbKkMmGgTtIi")
	unit, known := units[strings.ToLower(text[len(digits):])]
	n, err := strconv.ParseUint(digits, 10, 63)
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && known && int64(n) > math.MaxInt64/unit:
		return errors.New("too large")
	case err != nil || !known:
		return fmt.Errorf("not a size: want a whole number and at most one of B K KiB KB M MiB MB G GiB GB T TiB TB")
	}
	*s = size(int64(n) * unit)
	return nil
}
