package describe

import (
	"bytes"
)

// A Result is what a text is like that a part has from its beginning to its end.
type Result struct {
	Bytes     int64
	Lines     int64
	Longest   int64 // 1-based, the first of the longest lines; 0 if there is none
	Text      int64 // bytes of its text
	LF        int64 // that have no CR before them
	CRLF      int64
	CR        int64 // that have no LF behind them
	Ended     bool  // the last byte is LF
	BOM       bool
	Encoding  Encoding
	NULs      int64
	FirstNUL  int64 // if there are any
	Bad       int64 // where the first sequence begins that is no UTF-8, -1 if there is none
	Levels    [levels]int64
	HeadStamp Stamp
	TailStamp Stamp
}

// An Encoding is how characters are bytes.
type Encoding uint8

// The encodings that are told apart.
const (
	Unknown Encoding = iota
	ASCII
	UTF8
	UTF16LE
	UTF16BE
	UTF32LE
	UTF32BE
)

// Finish returns what the text is like. The part must not be used any more.
func (p *Part) Finish() Result {
	r := Result{Bytes: p.Bytes, NULs: p.NULs, FirstNUL: p.FirstNUL}
	if p.Bytes == 0 {
		r.Bad = -1
		return r
	}
	p.count(&p.begin, 0, p.Ends > 0)
	r.Lines = p.Ends
	if p.open().bytes > 0 {
		r.Lines++
		if p.Ends > 0 {
			p.count(&p.end, p.Ends, false)
		}
	}
	r.Longest, r.Text = p.longestAt+1, p.longest
	r.LF, r.CRLF, r.CR = p.Ends-p.CRLF, p.CRLF, p.CRs-p.CRLF
	r.Ended = p.last == '\n'
	r.Bad = p.text.firstBad()
	r.Encoding, r.BOM = p.encoding(r.Bad < 0)
	r.Levels = p.levels
	r.HeadStamp = firstStamp(p.head, 0, p.Bytes <= int64(len(p.head)))
	tail := p.tail[max(0, len(p.tail)-Sample):]
	r.TailStamp = lastStamp(tail, p.Bytes-int64(len(tail)))
	return r
}

var marks = [...]struct {
	bytes    string
	encoding Encoding
}{
	{byteOrderMark, UTF8},
	{"\xff\xfe\x00\x00", UTF32LE}, // before the one that it begins with
	{"\x00\x00\xfe\xff", UTF32BE},
	{"\xff\xfe", UTF16LE},
	{"\xfe\xff", UTF16BE},
}

func (p *Part) encoding(valid bool) (e Encoding, mark bool) {
	for _, m := range marks {
		if bytes.HasPrefix(p.head, []byte(m.bytes)) {
			if m.encoding == UTF8 && !valid {
				return Unknown, true
			}
			return m.encoding, true
		}
	}
	if p.NULs > 0 {
		if e := p.wide(); e != Unknown {
			return e, false
		}
	}
	switch {
	case !valid:
		return Unknown, false
	case p.text.high:
		return UTF8, false
	}
	return ASCII, false
}

// wide tells UTF-16 by the NULs of its ASCII: half of the units or more have
// theirs on one side, and there are hardly any on the other.
func (p *Part) wide() Encoding {
	var even, odd int
	units := len(p.head) / 2
	for i := range units {
		if p.head[2*i] == 0 {
			even++
		}
		if p.head[2*i+1] == 0 {
			odd++
		}
	}
	switch {
	case 2*odd >= units && even <= units/64:
		return UTF16LE
	case 2*even >= units && odd <= units/64:
		return UTF16BE
	}
	return Unknown
}
