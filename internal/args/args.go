// Package args takes the arguments of a tool call apart: a JSON object whose
// every fault is named in a sentence that says what to send instead.
package args

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Object is the arguments that were given, as they were given.
type Object map[string]json.RawMessage

// Parse takes raw apart. Nothing at all stands for no arguments. Only the
// known names may be in it, and each once. example is an object that would be
// right.
func Parse(raw []byte, example string, known ...string) (Object, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return Object{}, nil
	}
	if !utf8.Valid(raw) {
		return nil, fmt.Errorf("the arguments are not valid UTF-8: send a JSON object such as %s", example)
	}
	malformed := func(err error) error {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("the arguments are not valid JSON (%s): send one object such as %s", Shorten(err.Error()), example)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	switch token, err := dec.Token(); {
	case err != nil:
		return nil, malformed(err)
	case token != json.Delim('{'):
		return nil, fmt.Errorf("the arguments are not a JSON object: send one such as %s", example)
	}
	o := Object{}
	var unknown []string
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, malformed(err)
		}
		name, _ := token.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, malformed(err)
		}
		if _, twice := o[name]; twice {
			return nil, fmt.Errorf("%s is given twice: send it once", Quote(name))
		}
		o[name] = value
		if !slices.Contains(known, name) && len(unknown) < 5 {
			unknown = append(unknown, Quote(name))
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, malformed(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more behind the arguments' JSON object: send one object such as %s", example)
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("unknown argument %s: the arguments are %s", strings.Join(unknown, ", "), strings.Join(known, ", "))
	}
	return o, nil
}

// Has says whether the argument was given.
func (o Object) Has(name string) bool {
	_, ok := o[name]
	return ok
}

// String returns an argument that must be given.
func (o Object) String(name, example string) (string, error) {
	raw, ok := o[name]
	if !ok {
		return "", fmt.Errorf("%s is missing: send it, such as %s", name, example)
	}
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", fmt.Errorf("%s must be a string, not %s: send %s", name, describe(raw), example)
	}
	return s, nil
}

// Bool returns an argument, false if it was not given.
func (o Object) Bool(name string) (bool, error) {
	switch raw, ok := o[name]; {
	case !ok, string(raw) == "false":
		return false, nil
	case string(raw) == "true":
		return true, nil
	default:
		return false, fmt.Errorf("%s must be true or false, not %s: send true or false without quotes, or leave it out", name, describe(raw))
	}
}

// exact is the largest float64 up to which all integers are themselves.
const exact = 1 << 53

// Int returns an argument of at least least, 0 if it was not given. An integer
// is one by its value, as in JSON Schema: 2.0 and 2e0 are.
func (o Object) Int(name string, least int64) (int64, error) {
	raw, ok := o[name]
	if !ok {
		return 0, nil
	}
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		return 0, fmt.Errorf("%s must be an integer, not %s: send a number of at least %d without quotes, or leave it out", name, describe(raw), least)
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		f, err := strconv.ParseFloat(string(raw), 64)
		switch {
		case f < 0:
			n = -1
		case err != nil, f > exact:
			return 0, fmt.Errorf("%s is too large (%s): send an integer from %d to %d", name, Shorten(string(raw)), least, int64(math.MaxInt64))
		case f != math.Trunc(f), f == 0 && strings.ContainsAny(mantissa(raw), "123456789"):
			return 0, fmt.Errorf("%s must be an integer, not %s: send a whole number of at least %d", name, Shorten(string(raw)), least)
		default:
			n = int64(f)
		}
	}
	if n < least {
		return 0, fmt.Errorf("%s must be at least %d, not %s: send a larger number, or leave it out", name, least, Shorten(string(raw)))
	}
	return n, nil
}

// mantissa tells a number that is too small to be represented from 0.
func mantissa(number []byte) string {
	m, _, _ := strings.Cut(strings.ToLower(string(number)), "e")
	return m
}

func describe(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "the string " + Shorten(string(raw))
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return Shorten(string(raw)) // null, true, false, a number
}

// most is how much of what a caller sent is said back to it.
const most = 200

// Quote returns s in quotes and with escapes, and only its ends if it is long.
func Quote(s string) string {
	q := strconv.Quote(Shorten(s))
	if len(q) > 3*most { // all escapes
		return strconv.Quote(Shorten(strings.ToValidUTF8(s[:min(len(s), most/4)], "") + "…"))
	}
	return q
}

// Shorten returns s, or both its ends if it is long.
func Shorten(s string) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most/2], "") + "…" + strings.ToValidUTF8(s[len(s)-most/2:], "")
}
