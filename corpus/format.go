package corpus

const (
	minLine   = 160      // every format can make a line of exactly n bytes for n >= minLine
	maxShort  = 640      // no record but a stack trace is longer
	maxRecord = 16 << 10 // nor is a stack trace longer than this
)

// format is how a kind is made.
type format struct {
	kind   Kind
	about  string
	stream uint64 // tells the random streams of kinds apart; 0 is taken by plan.offset
	eol    string // LF or CR LF
	date   string // layout of package time
	trim   bool   // the last byte is left out
	layout func(f *format, m *maker, b []byte, k block) []byte

	// record appends a line, or the lines that belong together.
	record func(m *maker, b []byte) []byte

	// A line of a length that is given is: open, as many atoms as fit, filler,
	// closing, eol.
	open    func(m *maker, b []byte) []byte
	atom    func(m *maker, b []byte) []byte
	filler  byte // not needed if an atom is one byte
	closing string
}

const (
	iso    = "2006-01-02T15:04:05"
	common = "02/Jan/2006:15:04:05 -0700"
)

var formats = []format{
	{
		kind: "app", about: "application log: levels, threads, request ids",
		stream: 1, eol: "\n", date: iso, layout: records, record: app,
		open: appOpen, atom: digit,
	},
	{
		kind: "access", about: "web access log in the combined format",
		stream: 2, eol: "\n", date: common, layout: records, record: access,
		open: accessOpen, atom: digit, closing: accessClosing,
	},
	{
		kind: "json", about: "JSON lines, each a valid object",
		stream: 3, eol: "\n", date: iso, layout: records, record: jsonRecord,
		open: jsonOpen, atom: digit, closing: `"}`,
	},
	{
		kind: "stack", about: "application log with Java, Python and Go stack traces",
		stream: 4, eol: "\n", date: iso, layout: records, record: stack,
		open: appOpen, atom: digit,
	},
	{
		kind: "script", about: "many scripts and emoji, valid UTF-8, with U+2028 and NEL inside lines",
		stream: 5, eol: "\n", date: iso, layout: records, record: script,
		open: scriptOpen, atom: scriptAtom, filler: '.',
	},
	{
		kind: "crlf", about: "application log, each line ends in CR LF",
		stream: 6, eol: "\r\n", date: iso, layout: records, record: app,
		open: appOpen, atom: digit,
	},
	{
		kind: "long", about: "short lines between lines of 100 KiB to 4 MiB",
		stream: 7, eol: "\n", date: iso, layout: long, record: app,
		open: batchOpen, atom: batchAtom, filler: ' ', closing: "0]",
	},
	{
		kind: "oneline", about: "one line, a JSON array, whose LF is the last byte",
		stream: 8, eol: "\n", date: iso, layout: oneLine,
		open: arrayOpen, atom: batchAtom, filler: ' ', closing: "0]",
	},
	{
		kind: "noeol", about: "application log without a final line end",
		stream: 1, eol: "\n", date: iso, layout: records, record: app, trim: true,
		open: appOpen, atom: digit,
	},
	{
		kind: "invalid", about: "application log with bytes that are not UTF-8, and no NUL",
		stream: 9, eol: "\n", date: iso, layout: records, record: invalid,
		open: invalidOpen, atom: invalidAtom, filler: '\xff',
	},
}

func find(kind Kind) *format {
	for i := range formats {
		if formats[i].kind == kind {
			return &formats[i]
		}
	}
	return nil
}

// line appends a line of n bytes with its line end. Where nothing else fits,
// the line is digits, which every format allows (fillers, in "invalid").
func (f *format) line(m *maker, b []byte, n int) []byte {
	begin, end := len(b), len(b)+n
	b = f.open(m, b)
	if end-len(b) >= len(f.closing)+len(f.eol) {
		return f.end(m, b, end)
	}
	b = b[:begin]
	for len(b) < end-len(f.eol) {
		b = append(b, max(f.filler, '1'))
	}
	return append(b, f.eol[max(0, len(f.eol)-n):]...)
}

// end appends the rest of a line, so that b is end bytes long.
func (f *format) end(m *maker, b []byte, end int) []byte {
	b = f.fill(m, b, end-len(f.closing)-len(f.eol))
	b = append(b, f.closing...)
	return append(b, f.eol...)
}

// fill appends what may stand in the middle of a line, so that b is end bytes long.
func (f *format) fill(m *maker, b []byte, end int) []byte {
	for {
		n := len(b)
		b = f.atom(m, b)
		if len(b) > end {
			b = b[:n]
			break
		}
	}
	for len(b) < end {
		b = append(b, f.filler)
	}
	return b
}

// records is the layout of most formats.
func records(f *format, m *maker, b []byte, k block) []byte {
	return f.records(m, b, k.size)
}

// records appends records, the last one made to fit, so that b is end bytes long.
func (f *format) records(m *maker, b []byte, end int) []byte {
	for {
		n := len(b)
		b = f.record(m, b)
		if len(b) == end {
			return b
		}
		if len(b) > end-minLine {
			b = b[:n]
			break
		}
	}
	for end-len(b) > maxShort+minLine { // a stack trace did not fit
		b = app(m, b)
	}
	return f.line(m, b, end-len(b))
}

// long ends every block but the last in the middle of a long line. A block
// either lies within that line, or ends it, has short lines, and begins
// another. One block in 16 must do the latter, which limits a line to 4 MiB.
func long(f *format, m *maker, b []byte, k block) []byte {
	if k.index > 0 {
		rest := k.size
		if k.index%16 == 0 || m.below(4) == 0 {
			rest = min(rest, int(4<<10+m.below(112<<10)))
		} else if !k.last {
			return f.fill(m, b, k.size)
		}
		if k.size-rest < minLine {
			rest = k.size
		}
		b = f.end(m, b, rest)
		if rest == k.size {
			return b
		}
	}
	next := int(100<<10 + m.below(20<<10))
	if k.size-len(b) < next+minLine { // only in the last block
		return f.records(m, b, k.size)
	}
	b = f.records(m, b, k.size-next)
	if k.last {
		return f.line(m, b, next)
	}
	return f.fill(m, f.open(m, b), k.size)
}

func oneLine(f *format, m *maker, b []byte, k block) []byte {
	switch {
	case k.index == 0 && k.last:
		return f.line(m, b, k.size)
	case k.last:
		return f.end(m, b, k.size)
	case k.index == 0:
		b = f.open(m, b)
	}
	return f.fill(m, b, k.size)
}
