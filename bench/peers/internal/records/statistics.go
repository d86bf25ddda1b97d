package records

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"golang.org/x/perf/benchmath"
)

// A Summary is the median of something, and where it lies with a confidence of
// 95 %, or in all rounds if they are few.
type Summary = benchmath.Summary

func summary(values []float64) Summary {
	sample := benchmath.NewSample(values, &benchmath.DefaultThresholds)
	s := benchmath.AssumeNothing.Summary(sample, 0.95)
	s.Lo, s.Hi = max(s.Lo, sample.Values[0]), min(s.Hi, sample.Values[len(values)-1])
	return s
}

// Time returns the time of a side in seconds. There must be one.
func (s Side) Time() Summary {
	values := make([]float64, len(s.Times))
	for i, d := range s.Times {
		values[i] = d.Seconds()
	}
	return summary(values)
}

// Ratio returns how many times as long as ours another side takes: of each
// round, so that what slows a round slows both.
func Ratio(ours, other Side) Summary {
	values := make([]float64, min(len(ours.Times), len(other.Times)))
	for i := range values {
		values[i] = float64(other.Times[i]) / float64(max(ours.Times[i], time.Nanosecond))
	}
	return summary(values)
}

// Met reports whether the side has met its goal beside ours, or its limit, and
// whether it has one.
func (s Side) Met(ours Side) (met, known bool) {
	switch {
	case s.Wrong != "":
		return false, false
	case s.Goal > 0 && len(s.Times) > 0:
		return Ratio(ours, s).Center >= s.Goal, true
	case s.Limit > 0 && len(s.Times) > 0:
		return s.Time().Center*1e9 <= s.Limit, true
	case s.Limit > 0:
		return float64(s.Memory) <= s.Limit, true
	}
	return false, false
}

// Seconds formats a time.
func Seconds(t float64) string {
	for _, unit := range []string{"s", "ms", "µs"} {
		if t >= 0.9995 {
			return Digits(t) + " " + unit
		}
		t *= 1000
	}
	return Digits(t) + " ns"
}

// Bytes formats a number of bytes, with a binary unit.
func Bytes(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	v, i := float64(n), 0
	for v >= 1024 && i < len(units)-1 {
		v /= 1024
		i++
	}
	return Digits(v) + " " + units[i]
}

// Times formats a ratio with its spread.
func Times(s Summary) string {
	return fmt.Sprintf("%s × (%s–%s)", Digits(s.Center), Digits(s.Lo), Digits(s.Hi))
}

// Digits formats a number with three digits, or more where it is large.
func Digits(v float64) string {
	switch {
	case v == math.Trunc(v) && v > 1, v >= 99.95:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	case v >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v == 1:
		return "1"
	case v >= 0.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// group puts a comma before each three digits.
func group(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Count is a number of things, with an s where it is not one.
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Digits(float64(n)) + " " + thing
}
