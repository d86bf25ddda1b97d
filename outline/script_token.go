package outline

import (
	"bytes"
	"unicode/utf8"
)

type tokenKind byte

const (
	tokEnd   tokenKind = iota
	tokName            // a name or keyword, # of a private one included
	tokValue           // a string, a number, a regular expression
	tokMark            // punctuation, of one or more characters
)

// A tok is a token of TypeScript or JavaScript.
type tok struct {
	kind       tokenKind
	start, end int
	lead       int  // where it begins, with the comments directly above
	newline    bool // it is the first of a line, as the language has lines
}

// A lexer takes a source apart. It is told where a / begins a regular
// expression.
type lexer struct {
	src     []byte
	at      int
	damaged map[int]bool // where something began that has no end; it is a mark then
	failed  int          // what damaged is to have, -1
	broken  int          // where a string had no end on its line, -1
}

func (l *lexer) text(t tok) string { return string(l.src[t.start:t.end]) }

func (l *lexer) is(t tok, s string) bool { return string(l.src[t.start:t.end]) == s }

// next returns the next token. value says that one can stand here, so that / is
// the beginning of a regular expression.
func (l *lexer) next(value bool) tok {
	t := l.space()
	t.start = l.at
	if t.lead < 0 {
		t.lead = t.start
	}
	defer func() { t.end = l.at }()
	if l.at >= len(l.src) {
		t.end = l.at
		return t
	}
	t.kind = tokMark
	switch c := l.src[l.at]; {
	case scriptName(c) || c == '\\' || c == '#':
		l.at++
		for l.at < len(l.src) && (scriptName(l.src[l.at]) || l.src[l.at] >= '0' && l.src[l.at] <= '9' || l.src[l.at] == '\\') && l.separator() == 0 {
			l.at++
		}
		t.kind = tokName
	case c >= '0' && c <= '9', c == '.' && l.at+1 < len(l.src) && l.src[l.at+1] >= '0' && l.src[l.at+1] <= '9':
		l.number()
		t.kind = tokValue
	case c == '"' || c == '\'':
		l.quoted(c)
		t.kind = tokValue
	case c == '/' && value:
		l.regexp()
		t.kind = tokValue
	default:
		l.mark(c)
	}
	t.end = l.at
	return t
}

// scriptName says whether a byte can begin a name. Other scripts all can.
func scriptName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= 0x80
}

// separator returns the length of U+2028, U+2029, a no-break space or a byte
// order mark, if one is here.
func (l *lexer) separator() int {
	if l.src[l.at] < utf8.RuneSelf {
		return 0
	}
	switch r, n := utf8.DecodeRune(l.src[l.at:]); r {
	case '\u2028', '\u2029', '\u00a0', '\ufeff':
		return n
	}
	return 0
}

// space skips space and comments.
func (l *lexer) space() tok {
	t := tok{lead: -1, newline: l.at == 0}
	fresh := l.at == 0 // nothing but space and comments since the line began
	blank := 0         // line ends since the last comment
	if l.at == 0 && bytes.HasPrefix(l.src, []byte("#!")) {
		l.line()
	}
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n':
			if blank++; blank > 1 {
				t.lead = -1
			}
			t.newline, fresh = true, true
			l.at++
		case c == '\r':
			t.newline = true
			l.at++
		case c == ' ', c == '\t', c == '\v', c == '\f':
			l.at++
		case c == '/' && l.at+1 < len(l.src) && l.src[l.at+1] == '/':
			if fresh && t.lead < 0 {
				t.lead = l.at
			}
			blank = 0
			l.line()
		case c == '/' && l.at+1 < len(l.src) && l.src[l.at+1] == '*' && !l.damaged[l.at]:
			if fresh && t.lead < 0 {
				t.lead = l.at
			}
			n := bytes.Index(l.src[l.at+2:], []byte("*/"))
			if n < 0 {
				l.failed = l.at
				l.at = len(l.src)
				return t
			}
			end := l.at + 2 + n + 2
			if bytes.ContainsAny(l.src[l.at:end], "\n\r\u2028\u2029") {
				t.newline = true
			}
			blank = 0
			l.at = end
		default:
			n := l.separator()
			if n == 0 {
				return t
			}
			if n == 3 && l.src[l.at] == 0xe2 {
				t.newline = true
			}
			l.at += n
		}
	}
	return t
}

// line skips to the end of the line.
func (l *lexer) line() {
	if n := bytes.IndexAny(l.src[l.at:], "\n\r\u2028\u2029"); n >= 0 {
		l.at += n
	} else {
		l.at = len(l.src)
	}
}

func (l *lexer) number() {
	for l.at < len(l.src) {
		c := l.src[l.at]
		exponent := (c == '+' || c == '-') && l.src[l.at-1]|0x20 == 'e' && !bytes.HasPrefix(l.src[max(0, l.at-2):], []byte("0x"))
		if !nameByte(c) && c != '.' && !exponent {
			return
		}
		l.at++
	}
}

// quoted skips a string. One without an end is taken to end with its line.
func (l *lexer) quoted(quote byte) {
	start := l.at
	for l.at++; l.at < len(l.src); l.at++ {
		switch l.src[l.at] {
		case '\\':
			l.at++
			if l.at+1 < len(l.src) && l.src[l.at] == '\r' && l.src[l.at+1] == '\n' {
				l.at++
			}
		case quote:
			l.at++
			return
		case '\n', '\r':
			l.broken = start
			return
		}
	}
	l.at = len(l.src)
	l.broken = start
}

// regexp skips a regular expression. What has no end on its line is a mark.
func (l *lexer) regexp() {
	class := false
	for at := l.at + 1; at < len(l.src); at++ {
		switch c := l.src[at]; {
		case c == '\\':
			at++
		case c == '\n' || c == '\r':
			l.at++
			return
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for at++; at < len(l.src) && nameByte(l.src[at]); at++ {
			}
			l.at = at
			return
		}
	}
	l.at++
}

// mark skips punctuation. What is longer than a character is that for a reason.
func (l *lexer) mark(c byte) {
	for _, m := range []string{"...", "=>", "?.", "??", "++", "--", "&&", "||", "===", "!==", "==", "!=", "<=", ">="} {
		if c == m[0] && bytes.HasPrefix(l.src[l.at:], []byte(m)) {
			l.at += len(m)
			return
		}
	}
	l.at++
}

// template skips the text of a template from here. It reports whether an
// expression begins, or that the template ends, or that there is no end.
func (l *lexer) template() (expression, ok bool) {
	for ; l.at < len(l.src); l.at++ {
		switch l.src[l.at] {
		case '\\':
			l.at++
		case '`':
			l.at++
			return false, true
		case '$':
			if l.at+1 < len(l.src) && l.src[l.at+1] == '{' {
				l.at += 2
				return true, true
			}
		}
	}
	l.at = len(l.src)
	return false, false
}
