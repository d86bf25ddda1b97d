package describe

import "math/bits"

// A Level is how much a line of a log matters.
type Level uint8

// The levels, and the words for each.
const (
	NoLevel  Level = iota
	Trace          // TRACE
	Debug          // DEBUG
	Info           // INFO
	Notice         // NOTICE
	Warn           // WARN, WARNING
	Error          // ERROR, ERR, SEVERE
	Critical       // CRITICAL, CRIT
	Alert          // ALERT
	Fatal          // FATAL
	Panic          // PANIC, EMERG
	levels
)

// levelPrefix is how much of a line is searched for its level.
const levelPrefix = 128

// Words of up to eight letters as the numbers that load gives.
const (
	trace    = 'T' | 'R'<<8 | 'A'<<16 | 'C'<<24 | 'E'<<32
	debug    = 'D' | 'E'<<8 | 'B'<<16 | 'U'<<24 | 'G'<<32
	info     = 'I' | 'N'<<8 | 'F'<<16 | 'O'<<24
	notice   = 'N' | 'O'<<8 | 'T'<<16 | 'I'<<24 | 'C'<<32 | 'E'<<40
	warn     = 'W' | 'A'<<8 | 'R'<<16 | 'N'<<24
	warning  = 'W' | 'A'<<8 | 'R'<<16 | 'N'<<24 | 'I'<<32 | 'N'<<40 | 'G'<<48
	err      = 'E' | 'R'<<8 | 'R'<<16
	errorW   = 'E' | 'R'<<8 | 'R'<<16 | 'O'<<24 | 'R'<<32
	severe   = 'S' | 'E'<<8 | 'V'<<16 | 'E'<<24 | 'R'<<32 | 'E'<<40
	critical = 'C' | 'R'<<8 | 'I'<<16 | 'T'<<24 | 'I'<<32 | 'C'<<40 | 'A'<<48 | 'L'<<56
	crit     = 'C' | 'R'<<8 | 'I'<<16 | 'T'<<24
	alert    = 'A' | 'L'<<8 | 'E'<<16 | 'R'<<24 | 'T'<<32
	fatal    = 'F' | 'A'<<8 | 'T'<<16 | 'A'<<24 | 'L'<<32
	panicW   = 'P' | 'A'<<8 | 'N'<<16 | 'I'<<24 | 'C'<<32
	emerg    = 'E' | 'M'<<8 | 'E'<<16 | 'R'<<24 | 'G'<<32
)

// words is a perfect hash table, for the level of a line is hard to foresee,
// and each branch on it would cost more than all of this. The compiler refuses
// two words in one place.
const (
	factor = 0x9e3779b97f4a7c15
	wrap   = 1 << 64
	shift  = 64 - 6
)

var words = [64]struct {
	word  uint64
	level Level
}{
	trace * factor % wrap >> shift:    {trace, Trace},
	debug * factor % wrap >> shift:    {debug, Debug},
	info * factor % wrap >> shift:     {info, Info},
	notice * factor % wrap >> shift:   {notice, Notice},
	warn * factor % wrap >> shift:     {warn, Warn},
	warning * factor % wrap >> shift:  {warning, Warn},
	err * factor % wrap >> shift:      {err, Error},
	errorW * factor % wrap >> shift:   {errorW, Error},
	severe * factor % wrap >> shift:   {severe, Error},
	critical * factor % wrap >> shift: {critical, Critical},
	crit * factor % wrap >> shift:     {crit, Critical},
	alert * factor % wrap >> shift:    {alert, Alert},
	fatal * factor % wrap >> shift:    {fatal, Fatal},
	panicW * factor % wrap >> shift:   {panicW, Panic},
	emerg * factor % wrap >> shift:    {emerg, Panic},
}

// levelOf returns the level of a line, of which text has the first levelPrefix
// bytes or all.
func levelOf(text []byte) Level { return levelFrom(text, 0) }

// levelFrom is levelOf if no sign before from gives a level.
func levelFrom(text []byte, from int) Level {
	for i := from; i < len(text); i++ {
		if classes[text[i]]&signal == 0 {
			continue
		}
		if l := levelAt(text, i); l != NoLevel {
			return l
		}
	}
	return NoLevel
}

// levelAt returns the level that stands at the sign text[i]:
//
//	a word in capitals that begins there: "INFO"
//	the value of a key, after "=" or ":":  level=info, "level":"info"
//	a word in brackets, before "]":        [info], [core:info]
//	a field, before a TAB or two blanks:   TAB info TAB, ", Info  "
//
// In a line that begins with "{" it is the value of a key of JSON and nothing
// else.
func levelAt(text []byte, i int) Level {
	c := text[i]
	if c == ':' {
		if i == 0 || text[i-1] != '"' || !levelKey(text[:i-1]) {
			return NoLevel
		}
		i++
		if i < len(text) && text[i] == ' ' {
			i++
		}
		if i == len(text) || text[i] != '"' {
			return NoLevel
		}
		l, end := wordFrom(text, i+1)
		if end == len(text) || text[end] != '"' {
			return NoLevel
		}
		return l
	}
	if text[0] == '{' {
		return NoLevel
	}
	switch c {
	case '=':
		if !levelKey(text[:i]) {
			return NoLevel
		}
		i++
		if i < len(text) && text[i] == '"' {
			i++
		}
		l, end := wordFrom(text, i)
		if end < len(text) && classes[text[end]]&inWord != 0 {
			return NoLevel
		}
		return l
	case ']':
		l, begin := wordBefore(text, i)
		if begin == 0 || text[begin-1] != '[' && text[begin-1] != ':' {
			return NoLevel
		}
		return l
	case ' ':
		if i+1 == len(text) || text[i+1] != ' ' {
			return NoLevel
		}
		fallthrough
	case '\t':
		l, begin := wordBefore(text, i)
		if l == NoLevel || begin == 0 {
			return NoLevel
		}
		if text[begin-1] == '\t' || text[begin-1] == ' ' && begin > 1 && text[begin-2] == ',' {
			return l
		}
		return NoLevel
	}
	if i > 0 && classes[text[i-1]]&inWord != 0 {
		return NoLevel
	}
	var w uint64
	n := 0
	for i+n < len(text) && text[i+n]-'A' < 26 && n < 8 {
		w |= uint64(text[i+n]) << (8 * n)
		n++
	}
	if i+n < len(text) && classes[text[i+n]]&inWord != 0 {
		return NoLevel
	}
	return levelWord(w)
}

func levelWord(w uint64) Level {
	entry := &words[w*factor>>shift]
	if entry.word != w {
		return NoLevel
	}
	return entry.level
}

// wordFrom returns the level that the letters from i on are in any case, and
// where they end.
func wordFrom(text []byte, i int) (Level, int) {
	var w uint64
	n := 0
	for i+n < len(text) && classes[text[i+n]]&letter != 0 {
		if n == 8 {
			return NoLevel, i + n
		}
		w |= uint64(text[i+n]&^0x20) << (8 * n)
		n++
	}
	return levelWord(w), i + n
}

// wordBefore returns the level that the letters before end are in any case, and
// where they begin.
func wordBefore(text []byte, end int) (Level, int) {
	i := end
	for i > 0 && classes[text[i-1]]&letter != 0 {
		if end-i == 8 {
			return NoLevel, i
		}
		i--
	}
	if i == end {
		return NoLevel, i
	}
	l, _ := wordFrom(text[:end], i)
	return l, i
}

// levelKey reports whether text ends in a key whose value is a level.
func levelKey(text []byte) bool {
	// Most end in another letter.
	switch {
	case len(text) < len("lvl"):
		return false
	case text[len(text)-1]|0x20 != 'l' && text[len(text)-1]|0x20 != 'e' && text[len(text)-1]|0x20 != 'y':
		return false
	}
	for _, key := range [...]string{"level", "lvl", "severity", "levelname", "loglevel"} {
		before := len(text) - len(key)
		if before < 0 || before > 0 && classes[text[before-1]]&inWord != 0 {
			continue
		}
		same := true
		for i := range len(key) {
			same = same && text[before+i]|0x20 == key[i]
		}
		if same {
			return true
		}
	}
	return false
}

// capitals returns the level that stands at b[i] in capitals. There are nine
// bytes from b[i] on and one before it.
func capitals(b []byte, i int) Level {
	w := load(b[i:])
	const high = 0x8080808080808080
	low := w &^ high
	up := (low + 0x3f3f3f3f3f3f3f3f) &^ (low + 0x2525252525252525) &^ w & high
	bit := uint(bits.TrailingZeros64(up^high)) &^ 7
	w &= 1<<bit - 1
	entry := &words[w*factor>>shift]
	around := classes[b[i-1]] | classes[b[uint(i)+bit/8]]
	if entry.word^w|uint64(around&inWord) != 0 {
		return NoLevel
	}
	return entry.level
}

// What a byte can be.
const (
	inWord = 1 << iota // a letter, a digit or "_"
	letter
	signal // a sign, if those around it are right
)

const (
	capitalLetter = inWord | letter | signal
	smallLetter   = inWord | letter
)

var classes = [256]uint8{
	'\t': signal, ' ': signal, ':': signal, '=': signal, ']': signal,
	'0': inWord, '1': inWord, '2': inWord, '3': inWord, '4': inWord,
	'5': inWord, '6': inWord, '7': inWord, '8': inWord, '9': inWord, '_': inWord,
	'A': capitalLetter, 'B': capitalLetter, 'C': capitalLetter, 'D': capitalLetter, 'E': capitalLetter,
	'F': capitalLetter, 'G': capitalLetter, 'H': capitalLetter, 'I': capitalLetter, 'J': capitalLetter,
	'K': capitalLetter, 'L': capitalLetter, 'M': capitalLetter, 'N': capitalLetter, 'O': capitalLetter,
	'P': capitalLetter, 'Q': capitalLetter, 'R': capitalLetter, 'S': capitalLetter, 'T': capitalLetter,
	'U': capitalLetter, 'V': capitalLetter, 'W': capitalLetter, 'X': capitalLetter, 'Y': capitalLetter, 'Z': capitalLetter,
	'a': smallLetter, 'b': smallLetter, 'c': smallLetter, 'd': smallLetter, 'e': smallLetter,
	'f': smallLetter, 'g': smallLetter, 'h': smallLetter, 'i': smallLetter, 'j': smallLetter,
	'k': smallLetter, 'l': smallLetter, 'm': smallLetter, 'n': smallLetter, 'o': smallLetter,
	'p': smallLetter, 'q': smallLetter, 'r': smallLetter, 's': smallLetter, 't': smallLetter,
	'u': smallLetter, 'v': smallLetter, 'w': smallLetter, 'x': smallLetter, 'y': smallLetter, 'z': smallLetter,
}
