package outline

import (
	"bytes"
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
