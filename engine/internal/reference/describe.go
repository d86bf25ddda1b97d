package reference

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Description is what a file is like. Numbers that there are none of are 0,
// offsets of what there is none of are -1.
type Description struct {
	Bytes, Lines          int64
	Longest, LongestBytes int64 // the first of the longest lines, and its text
	LF, CRLF, CR          int64
	Ended, BOM            bool
	Encoding              string
	InvalidAt             int64
	NULs, FirstNUL        int64
	Levels                map[string]int64 // by the first word for each
}

// Describe says what a file is like that has all of data.
func Describe(data []byte) Description {
	d := Description{Bytes: int64(len(data)), InvalidAt: -1, FirstNUL: -1, Levels: map[string]int64{}}
	high := false
	for i, c := range data {
		switch {
		case c == 0 && d.FirstNUL < 0:
			d.FirstNUL = int64(i)
			d.NULs++
		case c == 0:
			d.NULs++
		case c == '\n' && i > 0 && data[i-1] == '\r':
			d.CRLF++
		case c == '\n':
			d.LF++
		case c == '\r' && !bytes.HasPrefix(data[i:], []byte("\r\n")):
			d.CR++
		case c >= 0x80:
			high = true
		}
	}
	for rest := data; len(rest) > 0 && d.InvalidAt < 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			d.InvalidAt = int64(len(data) - len(rest))
		}
		rest = rest[size:]
	}
	for _, line := range Split(data) {
		d.Lines = line.Number
		if n := int64(len(line.Text)); d.Longest == 0 || n > d.LongestBytes {
			d.Longest, d.LongestBytes = line.Number, n
		}
		if l := Level(line.Text); l != "" {
			d.Levels[l]++
		}
	}
	d.Ended = bytes.HasSuffix(data, []byte("\n"))
	d.Encoding, d.BOM = encoding(data, high, d.InvalidAt < 0)
	return d
}

func encoding(data []byte, high, valid bool) (name string, mark bool) {
	begins := func(mark string) bool { return bytes.HasPrefix(data, []byte(mark)) }
	switch {
	case len(data) == 0:
		return "", false
	case begins("\xef\xbb\xbf") && valid:
		return "UTF-8", true
	case begins("\xef\xbb\xbf"):
		return "", true
	case begins("\xff\xfe\x00\x00"):
		return "UTF-32LE", true
	case begins("\x00\x00\xfe\xff"):
		return "UTF-32BE", true
	case begins("\xff\xfe"):
		return "UTF-16LE", true
	case begins("\xfe\xff"):
		return "UTF-16BE", true
	}
	sample := data[:min(len(data), 16<<10)/2*2]
	var even, odd int
	for i, c := range sample {
		switch {
		case c == 0 && i%2 == 0:
			even++
		case c == 0:
			odd++
		}
	}
	units := len(sample) / 2
	switch {
	case bytes.IndexByte(data, 0) >= 0 && odd*2 >= units && even*64 <= units:
		return "UTF-16LE", false
	case bytes.IndexByte(data, 0) >= 0 && even*2 >= units && odd*64 <= units:
		return "UTF-16BE", false
	case !valid:
		return "", false
	case high:
		return "UTF-8", false
	}
	return "ASCII", false
}

// Levels are the words for each level, the one that it is called by first.
var Levels = [][]string{
	{"TRACE"},
	{"DEBUG"},
	{"INFO"},
	{"NOTICE"},
	{"WARN", "WARNING"},
	{"ERROR", "ERR", "SEVERE"},
	{"CRITICAL", "CRIT"},
	{"ALERT"},
	{"FATAL"},
	{"PANIC", "EMERG"},
}

// Level returns what the level of a line is called, or "". It looks at the
// first 128 bytes of the line's text: for the first word for a level, be it in
// capitals or not, that stands where a level can stand.
func Level(text []byte) string {
	t := string(text[:min(len(text), 128)])
	for i := range len(t) {
		for _, words := range Levels {
			for _, word := range words {
				if len(word) > len(t)-i || !strings.EqualFold(t[i:i+len(word)], word) || strings.IndexFunc(t[i:i+len(word)], notASCII) >= 0 {
					continue
				}
				if stands(t[:i], t[i:i+len(word)], t[i+len(word):]) {
					return words[0]
				}
			}
		}
	}
	return ""
}

func notASCII(r rune) bool { return r >= utf8.RuneSelf } // "ſ" is an "s" in some cases

// stands reports whether a level stands between before and after.
func stands(before, word, after string) bool {
	alone := !wordByte(after, 0) && !wordByte(before, len(before)-1)
	if strings.HasPrefix(before, "{") {
		before, ok := strings.CutSuffix(before, `"`)
		if !ok || !strings.HasPrefix(after, `"`) {
			return false
		}
		before = strings.TrimSuffix(before, " ")
		before, ok = strings.CutSuffix(before, `":`)
		return ok && endsInKey(before)
	}
	switch {
	case !alone:
		return false
	case word == strings.ToUpper(word):
		return true
	case strings.HasPrefix(after, "]") && (strings.HasSuffix(before, "[") || strings.HasSuffix(before, ":")):
		return true
	case strings.HasPrefix(after, "\t") || strings.HasPrefix(after, "  "):
		if strings.HasSuffix(before, "\t") || strings.HasSuffix(before, ", ") {
			return true
		}
	}
	if before, ok := strings.CutSuffix(strings.TrimSuffix(before, `"`), "="); ok && endsInKey(before) {
		return true
	}
	for _, colon := range []string{`":"`, `": "`} {
		if before, ok := strings.CutSuffix(before, colon); ok && strings.HasPrefix(after, `"`) && endsInKey(before) {
			return true
		}
	}
	return false
}

func endsInKey(s string) bool {
	return slices.ContainsFunc([]string{"level", "lvl", "severity", "loglevel", "levelname"}, func(key string) bool {
		at := len(s) - len(key)
		return at >= 0 && strings.ToLower(s[at:]) == key && !wordByte(s, at-1)
	})
}

// wordByte reports whether s has a letter, a digit or "_" at i.
func wordByte(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
