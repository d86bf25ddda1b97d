package outline

import (
	"bytes"
	"strings"
)

// A script finds the declarations of TypeScript and JavaScript. It has a frame
// for each bracket that is open, and in it the statement that is under way.
type script struct {
	*builder
	lexer
	jsx     bool           // the language has elements
	types   bool           // the language has types
	closing map[string]int // where the last closing tag of a name is
	resync  bool           // a declaration at the beginning of a line is the file's
	frames  []frame
	prev    tok  // the token before
	value   bool // a value is expected, so that / { < begin one

	conditional bool // the token before is if, while, for
}

// What a frame is the inside of.
type frameKind byte

const (
	inBlock    frameKind = iota // statements
	inClass                     // members
	inObject                    // a literal whose methods are listed
	inBraces                    // any other literal, a type, the members of an interface
	inParens                    // ( or [
	inTemplate                  // ${ of a template
	inElement                   // { of an element or its tag
	inTag                       // the tag that begins an element
	inChildren                  // what is between the tags of an element
)

// What a statement is.
type statement byte

const (
	plain     statement = iota
	imports             // import, export: its braces have names
	declares            // a function, a class: it ends with its body
	variable            // const, let, var, a property, export default: it can have a value
	assigns             // a.b = …
	aliases             // type
	decorates           // it is a decorator: the declaration comes
)

// What the head of a function or class goes on with.
type heading byte

const (
	noHead   heading = iota
	generics         // of a function, before its parameters
	result           // behind them
	resultType
	heritage // of a class, an interface, a namespace
)

// How much of an arrow function a value may be so far.
type arrow byte

const (
	noArrow   arrow = iota
	arrowHead       // nothing, async, type parameters
	arrowName       // one name, or the parameters
	arrowType       // behind the colon
)

type frame struct {
	kind  frameKind
	owner int32 // the entry that it is in, or -1
	entry int32 // the entry that is under way, or -1
	body  int32 // the owner of the body that the head has
	start int32 // where the statement begins, with what is above it
	name  [2]int32
	word  string // const, let, var

	lists  bool // variables are listed
	fresh  bool // nothing of the statement was seen
	what   statement
	head   heading
	into   frameKind // what the body is
	angle  int32     // type arguments that are open
	typed  bool      // it is in the type of a variable
	arrow  arrow
	given  bool // it is behind the =
	cast   bool // the type arguments stand where a value is expected
	became bool // a function, whose body comes
	seen   bool // a name in brackets is under way; of a plain statement: case

	accessor byte // of a member: 'g' or 's'

	// When the frame closes:
	ends    bool // the statement around it ends
	control bool // it is the condition of if, while, for: a statement follows
	params  bool // it has the parameters of the head around it
}

const mostFrames = 10_000

func (b *builder) script(language string) {
	closing := map[string]int(nil)
	jsx := language != "typescript"
	if jsx {
		closing = closingTags(b.src)
	}
	damaged := map[int]bool{}
	for try := 0; ; try++ {
		b.found = nil
		s := &script{
			builder: b, jsx: jsx, types: language != "javascript", closing: closing, resync: try > 0,
			lexer: lexer{src: b.src, damaged: damaged, failed: -1, broken: -1},
		}
		if bytes.HasPrefix(b.src, []byte(bom)) {
			s.lexer.at = len(bom)
		}
		whole := s.run()
		if s.broken >= 0 {
			b.trouble(s.broken, "a string is not closed")
		}
		if whole || try > 3 || b.ctx.Err() != nil {
			return
		}
		if s.failed >= 0 {
			b.trouble(s.failed, "a comment or template is not closed")
			damaged[s.failed] = true
		} else if try > 0 {
			return
		}
	}
}

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

func (s *script) top() *frame { return &s.frames[len(s.frames)-1] }

func (s *script) push(f frame) {
	f.entry = -1
	f.fresh = true
	s.frames = append(s.frames, f)
	s.value = true
}

// current returns the entry that what comes now is in.
func (f *frame) current() int32 {
	if f.entry >= 0 {
		return f.entry
	}
	return f.owner
}

// run goes over the source. It reports whether all brackets, comments and
// templates have their ends.
func (s *script) run() bool {
	s.push(frame{kind: inBlock, owner: -1, lists: true})
	for n := 0; ; n++ {
		if n%1024 == 0 && s.ctx.Err() != nil {
			return false
		}
		if len(s.frames) > mostFrames {
			s.trouble(s.lexer.at, "brackets are nested too deep")
			s.unwind(1)
			return true
		}
		switch s.top().kind {
		case inChildren:
			if !s.children() {
				return s.end()
			}
			continue
		case inTag:
			if !s.tag() {
				return s.end()
			}
			continue
		}
		t := s.next(s.value)
		if t.kind == tokEnd {
			return s.end()
		}
		s.token(t)
		if s.prev.end <= t.start { // else the statement has taken more
			s.prev = t
		}
	}
}

// end closes what is open, and reports whether nothing was.
func (s *script) end() bool {
	whole := len(s.frames) == 1 && s.failed < 0
	if len(s.frames) > 1 {
		for i := range s.frames {
			if k := s.frames[i].kind; (k == inTag || k == inChildren) && s.failed < 0 {
				s.failed = int(s.frames[i].start)
			}
		}
		if s.failed < 0 {
			s.trouble(s.prev.start, "a bracket is not closed")
		}
	}
	s.unwind(1)
	s.finish(s.top())
	return whole
}

// unwind closes frames until n are left.
func (s *script) unwind(n int) {
	for len(s.frames) > n {
		f := s.top()
		s.finish(f)
		if f.kind == inClass && f.owner >= 0 {
			e := &s.found[f.owner] // it may have no statement that ends it
			e.last = max(e.last, s.prev.end-1)
		}
		s.frames = s.frames[:len(s.frames)-1]
	}
}

// finish ends the statement of a frame with the token before.
func (s *script) finish(f *frame) {
	if f.entry >= 0 {
		e := &s.found[f.entry]
		e.last = max(e.last, s.prev.end-1)
	}
	*f = frame{kind: f.kind, owner: f.owner, lists: f.lists, ends: f.ends, control: f.control, params: f.params, start: f.start, entry: -1, fresh: true}
	s.value, s.conditional = true, false
}

func (s *script) token(t tok) {
	if s.resync && t.newline && len(s.frames) > 1 && t.kind == tokName && (t.start == 0 || s.lexer.src[t.start-1] == '\n') && s.declaring(t) {
		s.trouble(t.start, "a bracket before this line is not closed")
		s.unwind(1)
		s.finish(s.top())
	}
	f := s.top()
	switch f.kind {
	case inBlock, inClass:
		if !f.fresh && t.newline && s.endsBefore(f, t) {
			s.finish(f)
		}
		if f.fresh && s.begin(f, t) {
			return
		}
	case inObject:
		if f.fresh && s.begin(f, t) {
			return
		}
	}
	s.inside(t)
}

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
