package describe

import (
	"bytes"
	"time"
)

// A Stamp is a time as it stands in a text.
type Stamp struct {
	Text   string // empty if there is none
	Offset int64
	Time   time.Time // zero if the text can be read in several ways, or has no year
	Zone   bool      // the text says in which zone; else Time has it as if in UTC
}

// stampPrefix is how much of a line is searched for a time stamp.
const stampPrefix = 256

// firstStamp returns the first stamp in b, which begins at off. The last line
// counts only if whole.
func firstStamp(b []byte, off int64, whole bool) Stamp {
	for at := 0; at < len(b); {
		end := bytes.IndexByte(b[at:], '\n')
		if end < 0 {
			if !whole && len(b)-at < stampPrefix {
				break
			}
			end = len(b) - at
		}
		if s := stampIn(b[at : at+end]); s.Text != "" {
			s.Offset += off + int64(at)
			return s
		}
		at += end + 1
	}
	return Stamp{}
}

// lastStamp returns the stamp of the last line that has one, in b, which begins
// at off.
func lastStamp(b []byte, off int64) Stamp {
	for end := len(b); end > 0; {
		at := bytes.LastIndexByte(b[:end], '\n') + 1
		if at == 0 && off > 0 {
			break // a part of a line
		}
		if s := stampIn(b[at:end]); s.Text != "" {
			s.Offset += off + int64(at)
			return s
		}
		end = at - 1
	}
	return Stamp{}
}

// stampIn returns the first stamp of a line.
func stampIn(line []byte) Stamp {
	line = line[:min(len(line), stampPrefix)]
	for i := range line {
		if i > 0 && inWord[line[i-1]] {
			continue
		}
		s := scanner{text: line, at: i}
		if s.stamp() {
			return Stamp{string(line[i:s.at]), int64(i), s.time, s.zoned}
		}
	}
	return Stamp{}
}

// A scanner reads a stamp. Its methods move on if they find what they look
// for, and leave it anywhere if they do not.
type scanner struct {
	text []byte
	at   int

	time  time.Time
	zoned bool
}

// date is what a stamp says. A year of 0 is not known.
type date struct {
	year, month, day     int
	hour, minute, second int
	nanos                int
}

func (s *scanner) stamp() bool {
	begin := s.at
	for _, form := range [...]func(*scanner) bool{
		(*scanner).iso, (*scanner).short, (*scanner).monthDay, (*scanner).digits,
		(*scanner).syslog, (*scanner).dayMonth, (*scanner).unix,
	} {
		s.at = begin
		s.time, s.zoned = time.Time{}, false
		if form(s) && (s.at == len(s.text) || !inWord[s.text[s.at]]) {
			return true
		}
	}
	return false
}

// iso is RFC 3339 and what is like it: 2006-01-02T15:04:05.999+07:00, with "/"
// in the date, a blank for the T, "," for the ".", without a fraction or zone.
func (s *scanner) iso() bool {
	var d date
	if !s.number(&d.year, 4, 1900, 2199) {
		return false
	}
	sep := s.next()
	if sep != '-' && sep != '/' {
		return false
	}
	if !s.number(&d.month, 2, 1, 12) || !s.one(sep) || !s.number(&d.day, 2, 1, 31) || !s.one('T', 't', ' ') {
		return false
	}
	return s.clock(&d) && s.zone(&d)
}

// short is 06/01/02 15:04:05. Which number is the year is anybody's guess.
func (s *scanner) short() bool {
	var d date
	return s.number(&d.year, 2, 0, 99) && s.one('/') && s.number(&d.month, 2, 1, 31) && s.one('/') &&
		s.number(&d.day, 2, 0, 99) && s.one(' ') && s.clock(&d)
}

// monthDay is 01-02 15:04:05.999, and not the rest of a date.
func (s *scanner) monthDay() bool {
	var d date
	return (s.at == 0 || s.text[s.at-1] != '-') && s.number(&d.month, 2, 1, 12) && s.one('-') && s.number(&d.day, 2, 1, 31) && s.one(' ') && s.clock(&d)
}

// digits is 060102 150405.
func (s *scanner) digits() bool {
	var d date
	return s.number(&d.year, 2, 0, 99) && s.number(&d.month, 2, 1, 12) && s.number(&d.day, 2, 1, 31) && s.one(' ') &&
		s.number(&d.hour, 2, 0, 23) && s.number(&d.minute, 2, 0, 59) && s.number(&d.second, 2, 0, 60)
}

// syslog is Jan _2 15:04:05, also with a weekday before it and a year after it.
func (s *scanner) syslog() bool {
	var d date
	begin := s.at
	if s.name(weekdays) > 0 {
		if s.at < len(s.text) && s.text[s.at] == ',' || !s.one(' ') {
			return false
		}
	} else {
		s.at = begin
	}
	if d.month = s.name(months); d.month == 0 || !s.one(' ') {
		return false
	}
	blank := s.peek() == ' '
	if blank {
		s.at++
	}
	if !(!blank && s.number(&d.day, 2, 1, 31) || s.number(&d.day, 1, 1, 9)) || !s.one(' ') || !s.clock(&d) {
		return false
	}
	end := s.at
	if !s.one(' ') || !s.number(&d.year, 4, 1900, 2199) || inWord[s.peek()] {
		s.at = end
		return true
	}
	return s.set(&d, time.UTC)
}

// dayMonth is 02/Jan/2006:15:04:05 -0700, and 02 Jan 2006 15:04:05.
func (s *scanner) dayMonth() bool {
	var d date
	if !s.number(&d.day, 2, 1, 31) {
		return false
	}
	sep := s.next()
	if sep != '/' && sep != ' ' && sep != '-' {
		return false
	}
	if d.month = s.name(months); d.month == 0 || !s.one(sep) || !s.number(&d.year, 4, 1900, 2199) || !s.one(':', ' ') {
		return false
	}
	return s.clock(&d) && s.zone(&d)
}

const (
	months   = "JanFebMarAprMayJunJulAugSepOctNovDec"
	weekdays = "MonTueWedThuFriSatSun"
)

// unixKeys are the keys of JSON whose value can be seconds, milliseconds,
// microseconds or nanoseconds since 1970.
var unixKeys = [...]string{`"ts":`, `"time":`, `"timestamp":`, `"@timestamp":`, `"t":`}

func (s *scanner) unix() bool {
	if c := s.peek(); c < '1' || c > '9' {
		return false
	}
	known := false
	before := bytes.TrimRight(s.text[:s.at], " ")
	for _, key := range unixKeys {
		known = known || bytes.HasSuffix(before, []byte(key))
	}
	if !known {
		return false
	}
	var n int64
	digits := 0
	for ; s.peek()-'0' < 10 && digits < 19; digits++ {
		n = 10*n + int64(s.next()-'0')
	}
	s.zoned = true
	switch digits {
	case 10:
		nanos := 0
		if s.peek() == '.' {
			nanos = s.fraction()
		}
		s.time = time.Unix(n, int64(nanos))
	case 13:
		s.time = time.UnixMilli(n)
	case 16:
		s.time = time.UnixMicro(n)
	case 19:
		s.time = time.Unix(0, n)
	default:
		return false
	}
	s.time = s.time.UTC()
	return true
}

// clock is 15:04:05, with a fraction after "." or ",".
func (s *scanner) clock(d *date) bool {
	if !s.number(&d.hour, 2, 0, 23) || !s.one(':') || !s.number(&d.minute, 2, 0, 59) || !s.one(':') ||
		!s.number(&d.second, 2, 0, 60) {
		return false
	}
	if c := s.peek(); c == '.' || c == ',' {
		d.nanos = s.fraction()
	}
	return true
}

// fraction reads a "." or "," and the digits after it, if there are any.
func (s *scanner) fraction() (nanos int) {
	begin := s.at
	s.at++
	unit := 100_000_000
	for ; s.peek()-'0' < 10; unit /= 10 {
		nanos += unit * int(s.next()-'0')
	}
	if s.at == begin+1 {
		s.at = begin
	}
	return nanos
}

// zone is Z, UTC, GMT, +07:00, +0700 or +07, or nothing, and may have a blank
// before it.
func (s *scanner) zone(d *date) bool {
	end := s.at
	if s.peek()|0x20 == 'z' {
		s.at++
		s.zoned = true
		return s.set(d, time.UTC)
	}
	if s.peek() == ' ' {
		s.at++
	}
	if s.name("UTCGMT") > 0 {
		if !inWord[s.peek()] {
			s.zoned = true
			return s.set(d, time.UTC)
		}
		s.at = end
		return s.set(d, time.UTC)
	}
	sign := 1
	switch s.peek() {
	case '-':
		sign = -1
		fallthrough
	case '+':
		var hours, minutes int
		blank := s.at > end
		s.at++
		if !s.number(&hours, 2, 0, 23) {
			break
		}
		colon := s.peek() == ':'
		if colon {
			s.at++
		}
		two := s.number(&minutes, 2, 0, 59)
		if inWord[s.peek()] || !two && (blank || colon) {
			break
		}
		s.zoned = true
		return s.set(d, time.FixedZone("", sign*(hours*3600+minutes*60)))
	}
	s.at = end
	return s.set(d, time.UTC)
}

// set makes d the time of the stamp, if there is such a day.
func (s *scanner) set(d *date, zone *time.Location) bool {
	s.time = time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute, d.second, d.nanos, zone)
	return s.time.Add(-time.Duration(d.second/60)*time.Second).Day() == d.day
}

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

func (s *scanner) next() byte {
	c := s.peek()
	if s.at < len(s.text) {
		s.at++
	}
	return c
}

// one reads one of some bytes.
func (s *scanner) one(of ...byte) bool {
	return s.at < len(s.text) && bytes.IndexByte(of, s.next()) >= 0
}

// number reads a number of as many digits.
func (s *scanner) number(to *int, digits, least, most int) bool {
	begin := s.at
	n := 0
	for range digits {
		c := s.peek()
		if c-'0' >= 10 {
			s.at = begin
			return false
		}
		n = 10*n + int(c-'0')
		s.at++
	}
	*to = n
	if n < least || n > most {
		s.at = begin
		return false
	}
	return true
}

// name reads one of names of three letters, and returns which, from 1 on, or 0.
func (s *scanner) name(names string) int {
	if len(s.text)-s.at < 3 {
		return 0
	}
	for i := 0; i < len(names); i += 3 {
		if string(s.text[s.at:s.at+3]) == names[i:i+3] {
			s.at += 3
			return i/3 + 1
		}
	}
	return 0
}
