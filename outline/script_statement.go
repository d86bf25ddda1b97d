package outline

import (
	"strings"
)

// declaring says whether a word at the beginning of a line is most likely that
// of a declaration.
func (s *script) declaring(t tok) bool {
	switch s.lexer.text(t) {
	case "export", "import", "function", "class", "const", "let", "var":
		return true
	case "interface", "type", "enum", "namespace", "declare", "abstract", "async":
		return s.ahead(true).kind == tokName
	}
	return false
}

// ahead returns the token after this one and stays where it is.
func (s *script) ahead(value bool) tok {
	saved := s.lexer
	t := s.next(value)
	s.lexer = saved
	return t
}

// endsBefore says whether a statement ends at the end of a line, before t: what
// a semicolon is put in for.
func (s *script) endsBefore(f *frame, t tok) bool {
	if f.what == decorates {
		return false
	}
	if t.kind == tokName {
		switch word := s.lexer.text(t); word {
		case "const", "var", "export", "if", "for", "while", "return", "switch", "try", "throw", "do", "break", "continue":
			if f.kind == inBlock && (f.angle == 0 || f.head == noHead) && !s.is(s.prev, ".") && !s.is(s.prev, "export") {
				return true
			}
		case "extends", "implements", "in", "instanceof", "as", "satisfies", "is":
			return false
		}
	}
	if s.value || f.head == heritage && !s.declaring(t) {
		return false
	}
	switch t.kind {
	case tokName, tokValue:
		return true
	}
	switch c := s.lexer.src[t.start]; c {
	case '@', '!', '~':
		return !s.is(t, "!=") && !s.is(t, "!==")
	case '+', '-':
		return t.end-t.start == 2
	case '{':
		return f.head == noHead && f.what != declares
	case '*', '[':
		return f.kind == inClass && !f.given
	}
	return false
}

// begin takes the first tokens of a statement or member. It reports whether it
// has taken all that it was given.
func (s *script) begin(f *frame, t tok) bool {
	if t.kind == tokMark {
		switch c := s.lexer.src[t.start]; c {
		case ';', ',':
			return true
		case '@':
			if f.what != decorates {
				f.start = int32(t.lead)
			}
			s.decorator(f)
			return true
		case '}':
			f.what = plain
			return false
		}
	}
	if f.what != decorates {
		f.start = int32(t.lead)
	}
	f.fresh, f.what = false, plain
	switch {
	case f.kind == inBlock && s.is(t, "{"):
		s.push(frame{kind: inBlock, owner: f.owner, ends: true})
	case f.kind == inBlock:
		s.statement(f, t)
	default:
		s.member(f, t)
	}
	return true
}

// decorator takes the name of a decorator. Its arguments are a frame.
func (s *script) decorator(f *frame) {
	f.what, f.fresh = decorates, true
	t := s.ahead(false)
	if t.kind != tokName {
		if s.is(t, "(") {
			s.prev = s.next(false)
			s.push(frame{kind: inParens, owner: f.owner})
		}
		return
	}
	s.prev = s.next(false)
	for s.is(s.ahead(false), ".") {
		s.next(false)
		s.prev = s.next(false)
	}
	for depth := 0; depth > 0 || s.is(s.ahead(false), "<"); { // type arguments
		switch s.prev = s.next(false); {
		case s.prev.kind == tokEnd, s.is(s.prev, ";"):
			return
		case s.is(s.prev, "<"):
			depth++
		case s.is(s.prev, ">"):
			depth--
		}
	}
	if s.is(s.ahead(false), "(") {
		s.prev = s.next(false)
		s.push(frame{kind: inParens, owner: f.owner})
	}
}

// open begins the entry of a statement.
func (s *script) open(f *frame, kind, name string) {
	if f.entry < 0 {
		i := s.add(kind, name, int(f.owner), int(f.start), s.prev.end-1)
		if i == int(f.owner) {
			return
		}
		f.entry = int32(i)
		// What the statement has before it was known to be a declaration, in
		// parameters say, is inside it.
		for j := i - 1; j >= 0 && s.found[j].first >= int(f.start); j-- {
			e := &s.found[j]
			if e.level++; e.parent == int(f.owner) {
				e.parent = i
			}
		}
	}
}

// begun sets the head of a function or class.
func (f *frame) begun(head heading, into frameKind) {
	f.head, f.into, f.body = head, into, f.current()
}

// statement takes the words before the brackets of a declaration.
func (s *script) statement(f *frame, t tok) {
	exported := false
	for {
		if t.kind != tokName {
			break
		}
		next := s.ahead(false)
		named := next.kind == tokName
		near := named && !next.newline
		switch word := s.lexer.text(t); word {
		case "export", "default":
			if word == "export" && !named && !s.is(next, "@") || word == "default" && !exported {
				break
			}
			exported = true
			if word == "default" {
				s.prev = t
				s.exportDefault(f)
				return
			}
			s.prev = t
			t = s.next(false)
			if s.is(t, "@") {
				s.decorator(f)
				return
			}
			continue
		case "declare", "abstract", "async":
			if near {
				s.prev = t
				t = s.next(false)
				continue
			}
		case "global":
			if s.is(next, "{") && f.lists && s.types {
				s.open(f, "namespace", word)
				f.what = declares
				f.begun(heritage, inBlock)
				s.prev, s.value = t, false
				return
			}
		case "function":
			if named || s.is(next, "*") {
				s.prev = t
				s.function(f, true)
				return
			}
		case "class":
			if named {
				s.class(f, true)
				return
			}
		case "interface", "enum":
			if near {
				s.named(f, word, inBraces)
				return
			}
		case "namespace", "module":
			if near || word == "module" && next.kind == tokValue && !next.newline {
				s.prev = s.next(false)
				start, end := s.prev.start, s.prev.end
				for s.is(s.ahead(false), ".") {
					s.next(false)
					s.prev = s.next(false)
					end = s.prev.end
				}
				s.open(f, "namespace", strings.Trim(string(s.lexer.src[start:end]), `"'`))
				f.what = declares
				f.begun(heritage, inBlock)
				s.value = false
				return
			}
		case "type":
			if near {
				s.prev = s.next(false)
				s.open(f, "type", s.lexer.text(s.prev))
				f.what, f.typed = aliases, true
				s.value = false
				return
			}
		case "const", "let", "var", "using":
			if word == "const" && s.is(next, "enum") {
				s.next(false)
				s.named(f, "enum", inBraces)
				return
			}
			if named && (word != "let" && word != "using" || near) || (s.is(next, "{") || s.is(next, "[")) && word != "using" {
				s.prev = t
				s.declarator(f, word)
				return
			}
		}
		break
	}
	s.path(f, t)
}

// named takes the name of an interface or enum.
func (s *script) named(f *frame, kind string, into frameKind) {
	s.prev = s.next(false)
	s.open(f, kind, s.lexer.text(s.prev))
	f.what = declares
	f.begun(heritage, into)
	s.value = false
}

// function takes the name behind the word. One that is a statement is an entry.
func (s *script) function(f *frame, statement bool) {
	if s.is(s.ahead(false), "*") {
		s.prev = s.next(false)
	}
	name := ""
	if t := s.ahead(false); t.kind == tokName {
		s.prev = s.next(false)
		name = s.lexer.text(s.prev)
	}
	if statement {
		if name == "" {
			name = "default"
		}
		s.open(f, "function", name)
		f.what = declares
	}
	f.begun(generics, inBlock)
	s.value = false
}

func (s *script) class(f *frame, statement bool) {
	name := ""
	if t := s.ahead(false); t.kind == tokName && !s.is(t, "extends") && !s.is(t, "implements") {
		s.prev = s.next(false)
		name = s.lexer.text(s.prev)
	}
	if statement {
		if name == "" {
			name = "default"
		}
		s.open(f, "class", name)
		f.what = declares
	}
	f.begun(heritage, inClass)
	s.value = false
}

// exportDefault is behind export default.
func (s *script) exportDefault(f *frame) {
	next := s.ahead(true)
	for next.kind == tokName && (s.is(next, "abstract") || s.is(next, "async")) {
		saved, before := s.lexer, s.prev
		s.prev = s.next(false)
		if n := s.ahead(false); !s.is(n, "function") && !s.is(n, "class") {
			s.lexer, s.prev = saved, before // a value
			break
		}
		next = s.ahead(false)
	}
	switch {
	case s.is(next, "function"):
		s.prev = s.next(false)
		s.function(f, true)
	case s.is(next, "class"):
		s.prev = s.next(false)
		s.class(f, true)
	case s.is(next, "interface"):
		s.next(false)
		s.named(f, "interface", inBraces)
	case s.is(next, "@"):
		s.next(false)
		s.decorator(f)
	default:
		s.open(f, "export", "default")
		f.what, f.given, f.arrow = variable, true, arrowHead
		s.value = true
	}
}

// declarator takes the name of a variable, and puts it on the list if such are
// listed; else it is one if it is given a function. A pattern is a frame.
func (s *script) declarator(f *frame, word string) {
	t := s.next(false)
	f.what, f.word = variable, word
	f.name = [2]int32{int32(t.start), int32(t.end)}
	s.value = false
	if t.kind != tokName {
		s.prev = t
		if f.lists {
			s.open(f, word, "")
		}
		if s.is(t, "{") || s.is(t, "[") {
			f.seen = true // its end is the name's
			kind := inBraces
			if s.is(t, "[") {
				kind = inParens
			}
			s.push(frame{kind: kind, owner: f.current()})
		}
		return
	}
	s.prev = t
	if f.lists {
		s.open(f, word, s.lexer.text(t))
	}
}

// path takes the names of an assignment such as a.b.c = …, and any other
// statement.
func (s *script) path(f *frame, t tok) {
	start, end := t.start, t.end
	for t.kind == tokName {
		next := s.ahead(false)
		if s.is(next, ".") {
			s.prev = s.next(false)
			if n := s.ahead(false); n.kind != tokName {
				break
			}
			t = s.next(false)
			s.prev = t
			end = t.end
			continue
		}
		if s.is(next, "=") && end > start {
			f.name = [2]int32{int32(start), int32(end)}
			f.what = assigns
		}
		if s.is(next, ":") && t.start == start { // a label
			s.prev = s.next(false)
			s.finish(f)
			return
		}
		break
	}
	if t.start > start || s.lexer.at > t.end {
		s.value = false // behind a dot
		return
	}
	if s.is(t, "import") || s.is(t, "export") {
		f.what = imports
	}
	s.inside(t)
}

// member takes the words before the brackets of a member of a class, or of an
// object whose methods are listed.
func (s *script) member(f *frame, t tok) {
	for {
		next := s.ahead(false)
		if s.is(t, "*") {
			t = s.next(false)
			continue
		}
		if t.kind != tokName || next.kind == tokMark && !s.is(next, "[") && !s.is(next, "*") && !s.is(next, "{") || next.kind == tokEnd {
			break
		}
		word := s.lexer.text(t)
		if word == "static" && s.is(next, "{") {
			s.prev = s.next(false)
			s.push(frame{kind: inBlock, owner: f.current(), ends: true})
			return
		}
		if s.is(next, "{") || next.newline && (f.kind == inObject || word != "static" && word != "public" && word != "private" && word != "protected") {
			break
		}
		switch word {
		case "get":
			f.accessor = 'g'
		case "set":
			f.accessor = 's'
		case "static", "async", "public", "private", "protected", "abstract", "override", "readonly", "declare", "accessor":
		default:
			goto name
		}
		t = s.next(false)
	}
name:
	f.what = variable
	f.name = [2]int32{int32(t.start), int32(t.end)}
	s.prev = t
	s.value = false
	if s.is(t, "[") {
		f.seen = true
		s.push(frame{kind: inParens, owner: f.owner})
		return
	}
	if t.kind == tokMark {
		f.what = plain
		s.inside(t)
		return
	}
	s.memberHead(f)
}

func (f *frame) methodKind() string {
	switch f.accessor {
	case 'g':
		return "getter"
	case 's':
		return "setter"
	}
	return "method"
}

// memberHead goes on behind the name of a member.
func (s *script) memberHead(f *frame) {
	next := s.ahead(false)
	if s.is(next, "?") || s.is(next, "!") {
		s.next(false)
		next = s.ahead(false)
	}
	if s.is(next, "(") || s.is(next, "<") {
		s.open(f, f.methodKind(), s.nameOf(f))
		f.what = declares
		f.begun(generics, inBlock)
	}
}

func (s *script) nameOf(f *frame) string {
	name := string(s.lexer.src[f.name[0]:f.name[1]])
	if len(name) > 1 && (name[0] == '"' || name[0] == '\'') {
		name = name[1 : len(name)-1]
	}
	return name
}

// becomes makes an entry of a variable that is given a function or a class.
func (s *script) becomes(f *frame, kind string) {
	if f.what != variable && f.what != assigns {
		return
	}
	if f.kind != inBlock && kind == "function" {
		kind = "method"
	}
	if f.entry < 0 {
		s.open(f, kind, s.nameOf(f))
	} else {
		s.found[f.entry].kind = kind
	}
}

// typing says whether what is here is a type.
func (f *frame) typing() bool {
	return f.typed || f.head != noHead || f.kind == inBraces
}
