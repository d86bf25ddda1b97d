package outline

import (
	"strings"
)

// inside takes a token that begins no statement.
func (s *script) inside(t tok) {
	f := s.top()
	if t.kind == tokName {
		s.word(f, t)
		return
	}
	was := f.arrow
	if f.arrow != arrowType && f.angle == 0 {
		f.arrow = noArrow // unless what follows says otherwise
	}
	if t.kind == tokValue {
		s.value = false
		return
	}
	switch c := s.lexer.src[t.start]; c {
	case '(', '[':
		inner := frame{kind: inParens, owner: f.current()}
		if c == '(' && f.angle == 0 {
			inner.params = f.head == generics
			inner.control = f.kind == inBlock && s.conditional
			if was == arrowHead {
				f.arrow = arrowName
			}
		}
		s.push(inner)
	case ')', ']', '}':
		f.arrow = was
		s.close(c, t)
	case '{':
		f.arrow = was
		s.brace(f)
	case '`':
		s.template(t)
	case ';':
		if f.kind == inBlock || f.kind == inClass {
			s.prev = t
			s.finish(f)
			return
		}
		f.angle = 0
		s.value = true
	case ',':
		s.comma(f)
	case '<':
		f.arrow = was
		s.less(f, t)
	case '>':
		f.arrow = was
		s.greater(f, t)
	case '=':
		f.arrow = was
		s.equals(f, t)
	case ':':
		f.arrow = was
		s.colon(f)
	case '.', '?':
		s.value = !s.is(t, ".") && !s.is(t, "?.")
	case '+', '-':
		if t.end-t.start == 1 {
			s.value = true
		}
	case '!':
		s.value = s.value || t.end-t.start > 1
	case '&', '|':
		if t.end-t.start == 2 {
			f.angle = 0
		}
		s.value = true
	default:
		s.value = true
	}
}

// word takes a name or keyword inside a statement.
func (s *script) word(f *frame, t tok) {
	was := f.arrow
	if f.arrow != arrowType && f.angle == 0 {
		f.arrow = noArrow
	}
	s.value, s.conditional = false, false
	if s.is(s.prev, ".") || s.is(s.prev, "?.") || s.lexer.src[t.start] == '#' {
		return
	}
	word := s.lexer.text(t)
	switch word {
	case "function", "class":
		next := s.ahead(false)
		switch {
		case next.kind != tokName && !s.is(next, "(") && !s.is(next, "*") && !s.is(next, "{") && !s.is(next, "<"), f.typed, f.head != noHead: // a name
		case word == "function":
			if was == arrowHead {
				s.becomes(f, "function")
				f.became = true
			}
			s.prev = t
			s.function(f, false)
			return
		default:
			if was == arrowHead {
				s.becomes(f, "class")
				f.became = true
			}
			s.prev = t
			s.class(f, false)
			if name := s.prev; was != arrowHead && name.start > t.start {
				f.body = int32(s.add("class", s.lexer.text(name), int(f.body), t.start, name.end-1))
			}
			return
		}
	case "async":
		if was == arrowHead {
			f.arrow, s.value = was, true
			return
		}
	case "case":
		f.seen = f.kind == inBlock && f.what == plain
	case "if", "for", "while", "with":
		s.conditional = true
	}
	if was == arrowHead && f.angle == 0 {
		f.arrow = arrowName
	}
	if f.typing() {
		switch word {
		case "keyof", "typeof", "readonly", "unique", "infer", "is", "extends", "implements", "new", "in", "asserts":
			s.value = true
		}
		return
	}
	switch word {
	case "return", "typeof", "case", "in", "instanceof", "new", "delete", "void", "throw", "await", "yield", "extends", "default", "as", "satisfies":
		s.value = true
	case "of":
		s.value = f.kind == inParens && !s.is(s.prev, "(") && !s.is(s.prev, ",")
	}
}

// brace takes a { that is not the first token of a statement.
func (s *script) brace(f *frame) {
	inner := frame{kind: inBraces, owner: f.current()}
	switch {
	case f.head != noHead:
		if s.value && f.head != result {
			break // a type
		}
		inner.kind, inner.owner = f.into, f.body
		inner.ends = f.what == declares
		inner.lists = f.into == inBlock && f.head == heritage // a namespace
		f.head, f.angle = noHead, 0
	case f.typed || f.what == imports:
	case s.is(s.prev, "=>"), !s.value:
		inner.kind = inBlock
		inner.ends = f.kind == inBlock && f.what == plain && !s.is(s.prev, "=>")
	case f.arrow == arrowHead && f.given && f.angle == 0 && f.lists:
		if f.what == assigns && strings.HasSuffix(s.nameOf(f), "exports") {
			s.open(f, "export", s.nameOf(f))
		}
		if f.entry >= 0 {
			inner.kind, inner.owner = inObject, f.entry
		}
	}
	if f.arrow != arrowType && f.angle == 0 {
		f.arrow = noArrow
	}
	s.push(inner)
}

// close takes a closing bracket.
func (s *script) close(c byte, t tok) {
	if n := s.matching(c); n < len(s.frames) {
		if n == 0 {
			s.trouble(t.start, "a bracket is closed that was not opened")
			s.value = false
			return
		}
		s.trouble(t.start, "a bracket is closed that was not the last one opened")
		s.unwind(n + 1)
	}
	f := s.top()
	if f.kind == inTemplate {
		start := tok{start: int(f.start)}
		s.frames = s.frames[:len(s.frames)-1]
		s.template(start)
		return
	}
	closed := *f
	s.unwind(len(s.frames) - 1)
	if closed.kind == inClass && closed.owner >= 0 {
		s.found[closed.owner].last = t.end - 1
	}
	f = s.top()
	s.value = false
	switch {
	case closed.ends, closed.control && f.kind == inBlock && f.what != variable:
		s.prev = t
		s.finish(f)
	case closed.params && f.head == generics:
		f.head = result
	case f.what == decorates:
		s.value = true
	case f.became && f.word != "" && f.entry >= 0:
		f.became = false
		if next := s.ahead(false); s.is(next, "(") || s.is(next, ".") {
			s.found[f.entry].kind = f.word // what the function returns
		}
	case f.seen && f.what == variable && f.kind == inBlock: // a pattern
		f.seen = false
		f.name[1] = int32(t.end)
		if f.entry >= 0 {
			s.found[f.entry].name = clean(s.nameOf(f))
		}
	case f.seen && f.what == variable: // the name of a member
		f.seen = false
		f.name[1] = int32(t.end)
		s.prev = t
		s.memberHead(f)
	}
}

// matching returns the number of frames there are with the one that c closes,
// 0 if there is none.
func (s *script) matching(c byte) int {
	for n := len(s.frames); n > 1; n-- {
		switch k := s.frames[n-1].kind; {
		case (k == inParens) == (c != '}'):
			return n
		case c != '}':
			return 0 // a parenthesis does not close a brace
		}
	}
	return 0
}

func (s *script) comma(f *frame) {
	s.value = true
	switch {
	case f.kind == inObject:
		s.finish(f)
	case f.kind == inBlock && f.what == variable && f.word != "" && f.angle == 0 && f.head == noHead && s.declared():
		word := f.word
		s.finish(f)
		f.fresh, f.start = false, int32(s.ahead(false).start)
		s.declarator(f, word)
	}
}

// declared says whether the declarator of another variable is next, and not the
// next type argument.
func (s *script) declared() bool {
	saved := s.lexer
	defer func() { s.lexer = saved }()
	t := s.next(false)
	if t.kind != tokName {
		return s.is(t, "{") || s.is(t, "[")
	}
	t = s.next(false)
	return t.newline || t.kind == tokEnd || s.is(t, "=") || s.is(t, ":") || s.is(t, ",") || s.is(t, ";") || s.is(t, "!")
}

func (s *script) less(f *frame, t tok) {
	beside := s.prev.end == t.start && s.prev.kind == tokName && t.end < len(s.lexer.src) && s.lexer.src[t.end] != ' '
	switch {
	case t.end-t.start > 1: // <=
		f.arrow = noArrow
	case s.value && !f.typing() && s.element(t):
		f.arrow = noArrow
		s.push(frame{kind: inTag, owner: f.current(), start: int32(t.start)})
		return
	case s.value, f.head != noHead, f.typed, beside && s.types:
		f.cast = s.value && f.angle == 0
		f.angle++
	default:
		f.arrow = noArrow
	}
	s.value = true
}

func (s *script) greater(f *frame, t tok) {
	if f.angle == 0 || t.end-t.start > 1 {
		f.arrow = noArrow
		s.value = true
		return
	}
	f.angle--
	s.value = f.cast && f.angle == 0 && f.head == noHead && !f.typed
}

func (s *script) equals(f *frame, t tok) {
	s.value = true
	switch {
	case s.is(t, "=>"):
		if (f.arrow == arrowName || f.arrow == arrowType) && f.angle == 0 && f.given {
			s.becomes(f, "function")
		}
		f.arrow = noArrow
	case !s.is(t, "="):
		f.arrow = noArrow
	case (f.what == variable || f.what == assigns) && !f.given && f.head == noHead && f.angle == 0:
		f.given, f.typed, f.arrow = true, false, arrowHead
	}
}

func (s *script) colon(f *frame) {
	s.value = true
	switch {
	case f.head == result:
		f.head = resultType
	case f.what == variable && !f.given && f.head == noHead:
		if f.kind == inObject {
			f.given, f.arrow = true, arrowHead
		} else {
			f.typed = true
		}
	case f.arrow == arrowName && s.is(s.prev, ")"):
		f.arrow = arrowType
	case f.kind == inBlock && f.what == plain && f.seen: // of case
		s.finish(f)
	default:
		f.arrow = noArrow
	}
}

// template goes on in a template, which has begun at t.
func (s *script) template(t tok) {
	s.value = false
	if s.damaged[t.start] {
		return
	}
	expression, ok := s.lexer.template()
	s.prev = tok{kind: tokValue, start: s.lexer.at - 1, end: s.lexer.at}
	switch {
	case !ok:
		s.failed = t.start
	case expression:
		s.push(frame{kind: inTemplate, owner: s.top().current(), start: int32(t.start)})
	}
}
