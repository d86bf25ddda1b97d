package outline

import (
	"bytes"
)

// closingTags returns where the last closing tag of each name is.
func closingTags(src []byte) map[string]int {
	last := map[string]int{}
	for at := 0; ; {
		n := bytes.Index(src[at:], []byte("</"))
		if n < 0 {
			return last
		}
		at += n + 2
		end := at
		for end < len(src) && tagByte(src[end]) {
			end++
		}
		if end-at < 1<<10 && len(last) < mostEntries {
			last[string(src[at:end])] = at
		}
	}
}

func tagByte(c byte) bool {
	return nameByte(c) || c == '$' || c == '.' || c == ':' || c == '-'
}

// element says whether the < of t begins an element, and no type parameter.
func (s *script) element(t tok) bool {
	if !s.jsx || s.damaged[t.start] {
		return false
	}
	at := t.end
	for at < len(s.lexer.src) && tagByte(s.lexer.src[at]) {
		at++
	}
	name := s.lexer.src[t.end:at]
	if len(name) > 0 && name[0] >= '0' && name[0] <= '9' {
		return false
	}
	rest := bytes.TrimLeft(s.lexer.src[at:min(at+1<<10, len(s.lexer.src))], " \t\r\n")
	if len(rest) == 0 {
		return false
	}
	switch c := rest[0]; {
	case c == '>':
		last, ok := s.closing[string(name)]
		return ok && last > t.start
	case len(name) == 0:
		return false
	case c == '/' || c == '{' || c == '<':
		return true
	case !scriptName(c), string(name) == "const" && s.types:
		return false
	}
	word, after, _ := bytes.Cut(rest, []byte(" "))
	return !s.types || string(word) != "extends" || bytes.HasPrefix(after, []byte("="))
}

// children goes to the next tag or expression between the tags of an element.
func (s *script) children() bool {
	n := bytes.IndexAny(s.lexer.src[s.lexer.at:], "<{")
	if n < 0 {
		s.lexer.at = len(s.lexer.src)
		return false
	}
	start := s.lexer.at + n
	s.lexer.at = start + 1
	switch {
	case s.lexer.src[start] == '{':
		s.push(frame{kind: inElement, owner: s.top().owner})
	case s.lexer.at < len(s.lexer.src) && s.lexer.src[s.lexer.at] == '/':
		n := bytes.IndexByte(s.lexer.src[s.lexer.at:], '>')
		if n < 0 {
			s.lexer.at = len(s.lexer.src)
			return false
		}
		s.lexer.at += n + 1
		s.frames = s.frames[:len(s.frames)-1]
		s.value = false
	default:
		s.push(frame{kind: inTag, owner: s.top().owner, start: s.top().start})
	}
	s.prev = tok{kind: tokMark, start: start, end: s.lexer.at}
	return true
}

// tag takes a part of the tag that begins an element.
func (s *script) tag() bool {
	f := s.top()
	s.space()
	if s.lexer.at >= len(s.lexer.src) {
		return false
	}
	start := s.lexer.at
	s.lexer.at++
	switch c := s.lexer.src[start]; {
	case c == '"' || c == '\'':
		n := bytes.IndexByte(s.lexer.src[s.lexer.at:], c)
		if n < 0 {
			s.lexer.at = len(s.lexer.src)
			return false
		}
		s.lexer.at += n + 1
	case c == '{':
		s.push(frame{kind: inElement, owner: f.owner})
	case c == '/' && s.lexer.at < len(s.lexer.src) && s.lexer.src[s.lexer.at] == '>':
		s.lexer.at++
		s.frames = s.frames[:len(s.frames)-1]
		s.value = false
	case c == '>' && f.angle == 0:
		f.kind = inChildren
	case c == '>':
		f.angle--
	case c == '<' && s.is(s.prev, "="):
		s.push(frame{kind: inTag, owner: f.owner, start: f.start})
	case c == '<':
		f.angle++
	case tagByte(c):
		for s.lexer.at < len(s.lexer.src) && tagByte(s.lexer.src[s.lexer.at]) {
			s.lexer.at++
		}
	}
	s.prev = tok{kind: tokMark, start: start, end: s.lexer.at}
	return true
}
