package outline

import "bytes"

// A python goes over the logical lines of a file. What is inside brackets or
// strings is no line of its own.
type python struct {
	*builder
	at      int // the offset of the next byte
	damaged int // where a string began that has no end, -1; it is no string then
	failed  int // what damaged is to be
	open    []suite
	known   map[string]bool // the file's variables that are listed
}

// A suite is an entry that goes on while lines are indented more than it is.
type suite struct{ entry, indent int }

func (b *builder) python() {
	p := &python{builder: b, damaged: -1, failed: -1}
	p.run()
	if p.failed >= 0 { // once more, without the string
		again := &python{builder: b, damaged: p.failed, failed: -1}
		b.found = nil
		again.run()
	}
}

func (p *python) run() {
	p.known = map[string]bool{}
	if bytes.HasPrefix(p.src, []byte(bom)) {
		p.at = len(bom)
	}
	lead := -1  // where comments begin that stand directly above
	decor := -1 // where decorators begin, comments above them included
	for n := 0; p.at < len(p.src); n++ {
		if n%1024 == 0 && p.ctx.Err() != nil {
			return
		}
		start := p.at
		indent := p.indent()
		switch c := p.peek(); {
		case c == '\n' || c == '\r': // a blank line
			p.endLine()
			lead = -1
			continue
		case c == '#':
			if lead < 0 {
				lead = start
			}
			p.comment()
			p.endLine()
			continue
		case p.at >= len(p.src):
			continue
		}
		if lead < 0 {
			lead = start
		}
		if decor >= 0 {
			lead = decor
		}
		p.close(indent)
		begun := p.at
		kind, name := p.declaration(indent)
		entry := -1
		if kind != "" {
			parent := -1
			if len(p.open) > 0 {
				parent = p.open[len(p.open)-1].entry
			}
			entry = p.add(kind, name, parent, lead, begun)
			if entry == parent {
				entry = -1
			}
		}
		last := p.logicalLine()
		for _, s := range p.open {
			p.found[s.entry].last = last
		}
		if entry >= 0 {
			p.found[entry].last = last
			if kind != "variable" && kind != "type" {
				p.open = append(p.open, suite{entry, indent})
			}
		}
		if p.src[begun] == '@' {
			decor = lead
		} else {
			decor = -1
		}
		lead = -1
	}
}

// close ends the suites that a line of this indentation is not in.
func (p *python) close(indent int) {
	for len(p.open) > 0 && p.open[len(p.open)-1].indent >= indent {
		p.open = p.open[:len(p.open)-1]
	}
}

func (p *python) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

// indent skips the space before a line and returns its width.
func (p *python) indent() int {
	width := 0
	for ; p.at < len(p.src); p.at++ {
		switch p.src[p.at] {
		case ' ':
			width++
		case '\t':
			width = width/8*8 + 8
		case '\f':
			width = 0
		default:
			return width
		}
	}
	return width
}

// endLine skips a line end, if there is one: Python takes a lone CR for one.
func (p *python) endLine() {
	switch {
	case bytes.HasPrefix(p.src[p.at:], []byte("\r\n")):
		p.at += 2
	case p.at < len(p.src):
		p.at++
	}
}

func (p *python) comment() {
	if n := bytes.IndexAny(p.src[p.at:], "\r\n"); n >= 0 {
		p.at += n
	} else {
		p.at = len(p.src)
	}
}

// declaration tells what a line declares by its first words. It stays where it
// is.
func (p *python) declaration(indent int) (kind, name string) {
	w := words{p.src, p.at}
	first := w.name()
	switch first {
	case "async":
		if w.name() != "def" {
			return "", ""
		}
		fallthrough
	case "def":
		if name = w.name(); name == "" {
			return "", ""
		}
		if n := len(p.open); n > 0 && p.found[p.open[n-1].entry].kind == "class" {
			return "method", name
		}
		return "function", name
	case "class":
		if name = w.name(); name != "" {
			return "class", name
		}
		return "", ""
	case "type":
		back := w
		if name = w.name(); name != "" {
			if c := w.punct(); c == '=' || c == '[' {
				return "type", name
			}
		}
		w = back
	case "":
		return "", ""
	}
	// A variable, once, if it is the file's.
	if indent > 0 || len(p.open) > 0 || p.known[first] || len(p.known) >= mostEntries {
		return "", ""
	}
	switch c := w.punct(); {
	case c == '=' && w.peek() != '=', c == ':' && !keyword(first) && w.peek() != '=':
		p.known[first] = true
		return "variable", first
	}
	return "", ""
}

// keyword tells the words that a colon can stand behind.
func keyword(name string) bool {
	switch name {
	case "else", "try", "finally", "except", "lambda":
		return true
	}
	return false
}

// declares says whether a line, seen from inside brackets, can only be a
// declaration: then the brackets were never closed.
func (p *python) declares() bool {
	w := words{p.src, p.at}
	w.skip()
	first := w.name()
	if first == "async" {
		first = w.name()
	}
	if first != "def" && first != "class" || w.name() == "" {
		return false
	}
	c := w.punct()
	return c == '(' || c == '[' || c == ':' && first == "class"
}

// logicalLine goes behind the end of the line and of those that it is continued
// on. It returns the offset of its last byte that is neither space nor comment.
func (p *python) logicalLine() int {
	depth, last := 0, p.at
	start := p.at
	for p.at < len(p.src) {
		switch c := p.src[p.at]; c {
		case '\n', '\r':
			p.endLine()
			if depth == 0 {
				return last
			}
			if p.declares() {
				p.trouble(start, "a bracket is not closed")
				return last
			}
			continue
		case '\\':
			last = p.at
			p.at++
			p.endLine()
			if depth == 0 && p.at >= len(p.src) {
				return last
			}
			continue
		case '#':
			p.comment()
			continue
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				p.trouble(p.at, "a bracket is closed that was not opened")
			} else {
				depth--
			}
		case '"', '\'':
			if p.at != p.damaged {
				p.text(p.formatted())
				last = p.at - 1
				continue
			}
		case ' ', '\t', '\f':
			p.at++
			continue
		}
		last = p.at
		p.at++
	}
	if depth > 0 {
		p.trouble(start, "a bracket is not closed")
	}
	return last
}

// formatted says whether the string here is an f-string or a t-string.
func (p *python) formatted() bool {
	for i := p.at - 1; i >= 0 && i >= p.at-2; i-- {
		switch p.src[i] | 0x20 {
		case 'f', 't':
			return i == 0 || !nameByte(p.src[i-1]) || p.src[i-1]|0x20 == 'r'
		case 'r':
		default:
			return false
		}
	}
	return false
}

// text goes behind the string that begins here. The expressions in one that is
// formatted can have strings of their own.
func (p *python) text(formatted bool) {
	type level struct {
		quote     byte
		triple    bool
		formatted bool
		braces    int // that are open in its expression
	}
	start := p.at
	var stack []level
	push := func(formatted bool) {
		l := level{quote: p.src[p.at], formatted: formatted}
		if bytes.HasPrefix(p.src[p.at:], bytes.Repeat([]byte{l.quote}, 3)) {
			l.triple = true
			p.at += 3
		} else {
			p.at++
		}
		stack = append(stack, l)
	}
	push(formatted)
	for p.at < len(p.src) {
		l := &stack[len(stack)-1]
		c := p.src[p.at]
		if l.braces > 0 { // an expression
			switch {
			case c == '#' && stack[0].triple && p.src[p.at-1] <= ' ':
				p.comment()
				continue
			case c == '{':
				l.braces++
			case c == '}':
				l.braces--
			case c == l.quote && !l.triple && len(stack) == 1 && p.closes(c):
				// Before Python 3.12 this was the end, braces or not.
				p.at++
				return
			case (c == '"' || c == '\'') && len(stack) < 100 && !(c == l.quote && l.triple && p.tripled(c)):
				push(p.formatted())
				continue
			case c == l.quote && l.triple && p.tripled(c):
				p.at += 3
				if stack = stack[:len(stack)-1]; len(stack) == 0 {
					return
				}
				continue
			}
			if c == '\n' && !stack[0].triple {
				p.trouble(start, "a string is not closed")
				return
			}
			p.at++
			continue
		}
		switch {
		case c == '\\':
			p.at++
			p.endLine()
			continue
		case c == '{' && l.formatted:
			if p.at+1 < len(p.src) && p.src[p.at+1] == '{' {
				p.at++
			} else {
				l.braces++
			}
		case c == l.quote && (!l.triple || p.tripled(c)):
			p.at++
			if l.triple {
				p.at += 2
			}
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return
			}
			continue
		case (c == '\n' || c == '\r') && !l.triple:
			p.trouble(start, "a string is not closed")
			return
		}
		p.at++
	}
	p.at = len(p.src)
	p.trouble(start, "a string is not closed")
	p.failed = start
}

func (p *python) tripled(quote byte) bool {
	return bytes.HasPrefix(p.src[p.at:], []byte{quote, quote, quote})
}

// closes says whether a quote inside the braces of a string with the same
// quotes ends it: there is no further one on the line.
func (p *python) closes(quote byte) bool {
	rest := p.src[p.at+1 : min(len(p.src), p.at+1+4<<10)]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	return bytes.IndexByte(rest, quote) < 0
}

// words reads names and marks in a line.
type words struct {
	src []byte
	at  int
}

func (w *words) skip() {
	for w.at < len(w.src) {
		switch c := w.src[w.at]; {
		case c == ' ', c == '\t', c == '\f':
			w.at++
		case c == '\\' && w.at+1 < len(w.src) && (w.src[w.at+1] == '\n' || w.src[w.at+1] == '\r'):
			w.at += 2
			if w.src[w.at-1] == '\r' && w.at < len(w.src) && w.src[w.at] == '\n' {
				w.at++
			}
		default:
			return
		}
	}
}

func (w *words) name() string {
	w.skip()
	start := w.at
	for w.at < len(w.src) && nameByte(w.src[w.at]) {
		w.at++
	}
	if start < w.at && w.src[start] >= '0' && w.src[start] <= '9' {
		return ""
	}
	return string(w.src[start:w.at])
}

func (w *words) punct() byte {
	w.skip()
	if w.at == len(w.src) {
		return 0
	}
	w.at++
	return w.src[w.at-1]
}

func (w *words) peek() byte {
	if w.at == len(w.src) {
		return 0
	}
	return w.src[w.at]
}

func nameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
