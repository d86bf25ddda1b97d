package args

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	deep := strings.Repeat("[", 20_000)
	tests := []struct {
		raw  string
		want string // in the error; "" if there is none
	}{
		{``, ""},
		{` `, ""},
		{`{}`, ""},
		{`{"a":1,"b":"x"}`, ""},
		{`{"\u0061":1}`, ""},
		{`{"a":1} `, ""},
		{`null`, "not a JSON object"},
		{`[]`, "not a JSON object"},
		{`"a"`, "not a JSON object"},
		{`1`, "not a JSON object"},
		{`{a:1}`, "not valid JSON"},
		{`{"a":1`, "not valid JSON"},
		{`{"a":1,}`, "not valid JSON"},
		{`{"a" 1}`, "not valid JSON"},
		{`{"a":NaN}`, "not valid JSON"},
		{`{"a":01}`, "not valid JSON"},
		{`{"a":1}}`, "more behind"},
		{`{"a":1}{"a":1}`, "more behind"},
		{`{"a":1} x`, "more behind"},
		{`{"a":1,"a":2}`, `"a" is given twice`},
		{`{"a":1,"\u0061":2}`, `"a" is given twice`},
		{`{"A":1}`, `unknown argument "A": the arguments are a, b`},
		{`{"c":1,"":2}`, `unknown argument "c", ""`},
		{"{\"a\":\"\xff\"}", "not valid UTF-8"},
		{`{"a":` + deep, "not valid JSON"},
		{`{"` + strings.Repeat("k", 1<<20) + `":1}`, "unknown argument"},
	}
	for _, tt := range tests {
		_, err := Parse([]byte(tt.raw), `{"a":1}`, "a", "b")
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%.40s: %v", tt.raw, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%.40s: %v, want %q", tt.raw, err, tt.want)
		case err != nil && len(err.Error()) > 1500:
			t.Errorf("%.40s: an error of %d bytes", tt.raw, len(err.Error()))
		}
	}
}

func TestInt(t *testing.T) {
	tests := []struct {
		raw  string
		want int64
		err  string
	}{
		{"1", 1, ""},
		{"9223372036854775807", 9223372036854775807, ""},
		{"1e0", 1, ""},
		{"2.0", 2, ""},
		{"1.5e1", 15, ""},
		{"9007199254740992.0", 1 << 53, ""},
		{"0", 0, "at least 1"},
		{"-0", 0, "at least 1"},
		{"0.0", 0, "at least 1"},
		{"0e5", 0, "at least 1"},
		{"-1", 0, "at least 1"},
		{"-1.5", 0, "at least 1"},
		{"-1e400", 0, "at least 1"},
		{"1.5", 0, "must be an integer"},
		{"1e-1", 0, "must be an integer"},
		{"1e-400", 0, "must be an integer"},
		{"9223372036854775808", 0, "too large"},
		{"1e30", 0, "too large"},
		{"1e400", 0, "too large"},
		{"1e999999999", 0, "too large"},
		{`"10"`, 0, `not the string "10": send a number`},
		{"null", 0, "not null"},
		{"true", 0, "not true"},
		{"[1]", 0, "not an array"},
		{`{"n":1}`, 0, "not an object"},
	}
	for _, tt := range tests {
		o, err := Parse([]byte(`{"head":`+tt.raw+`}`), `{}`, "head")
		if err != nil {
			t.Fatal(err)
		}
		got, err := o.Int("head", 1)
		switch {
		case tt.err == "" && (err != nil || got != tt.want):
			t.Errorf("%s: %d, %v, want %d", tt.raw, got, err, tt.want)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) || !strings.Contains(err.Error(), "head")):
			t.Errorf("%s: %d, %v, want %q", tt.raw, got, err, tt.err)
		}
	}
}

func TestStringAndBool(t *testing.T) {
	o, err := Parse([]byte(`{"s":"x\u0000","b":true,"f":false,"n":null}`), `{}`, "s", "b", "f", "n")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := o.String("s", `"a"`); s != "x\x00" || err != nil {
		t.Errorf("String = %q, %v", s, err)
	}
	for _, name := range []string{"b", "n", "missing"} {
		if _, err := o.String(name, `"a"`); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("String(%s): %v", name, err)
		}
	}
	for name, want := range map[string]bool{"b": true, "f": false, "missing": false} {
		if b, err := o.Bool(name); b != want || err != nil {
			t.Errorf("Bool(%s) = %v, %v", name, b, err)
		}
	}
	for _, name := range []string{"s", "n"} {
		if _, err := o.Bool(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Bool(%s): %v", name, err)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, s := range []string{"", "a", "\n", strings.Repeat("x", 10_000), strings.Repeat("\U000e0001", 5000), strings.Repeat("\x01", 5000), strings.Repeat("世", 150), strings.Repeat("\xff", 99)} {
		if q := Quote(s); len(q) > 4*most || !utf8.ValidString(q) || strings.Contains(q, "\n") {
			t.Errorf("Quote of %d bytes is %d: %s", len(s), len(q), q)
		}
	}
}
