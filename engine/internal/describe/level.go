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
	levels   = 16
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
func levelOf(text []byte) Level {
	for i := range text {
		if classes[text[i]]>>before == 0 || i > 0 && !mayStand(text[i-1], text[i]) {
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

func isLetter(c byte) bool { return c|0x20-'a' < 26 }

// wordFrom returns the level that the letters from i on are in any case, and
// where they end.
func wordFrom(text []byte, i int) (Level, int) {
	var w uint64
	n := 0
	for i+n < len(text) && isLetter(text[i+n]) {
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
	for i > 0 && isLetter(text[i-1]) {
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

// capitalLevelsGo is capitalLevels where there is no better one.
func capitalLevelsGo(b []byte, ends, signs []uint32, counts *[levels]int64, unknown *[lot]uint32) (longest int64, n int) {
	for j, end := range ends[1:] {
		begin := int(ends[j]) + 1
		longest = max(longest, int64(end)-int64(begin))
		i := bits.TrailingZeros32(signs[j] | 1<<31)
		l := NoLevel
		if i < int(end)-begin && b[begin+i]-'A' < 26 {
			l = levelAt(b[begin:end], i)
		}
		if l == NoLevel {
			unknown[n] = uint32(j)
			n++
			continue
		}
		counts[l]++
	}
	return longest, n
}

// classes has for each byte what it is, in the low bits, and in the high ones
// what the byte before it must be if a level stands at it; 0 for what is no
// sign.
var classes = [256]uint8{
	'\t': lastOfLevel << before, ' ': lastOfLevel << before, ']': lastOfLevel << before,
	'=': lastOfKey << before,
	':': notInWord << before,

	'_': word, '0': word, '1': word, '2': word, '3': word, '4': word, '5': word, '6': word, '7': word, '8': word, '9': word,
	'A': word | opens, 'B': word, 'C': endsLevel | opens, 'D': word | opens, 'E': endsBoth | opens, 'F': word | opens,
	'G': endsLevel, 'H': word, 'I': word | opens, 'J': word, 'K': word, 'L': endsBoth,
	'M': word, 'N': endsLevel | opens, 'O': endsLevel, 'P': word | opens, 'Q': word, 'R': endsLevel,
	'S': word | opens, 'T': endsLevel | opens, 'U': word, 'V': word, 'W': word | opens, 'X': word,
	'Y': endsKey, 'Z': word,
	'a': word, 'b': word, 'c': endsLevel, 'd': word, 'e': endsBoth, 'f': word,
	'g': endsLevel, 'h': word, 'i': word, 'j': word, 'k': word, 'l': endsBoth,
	'm': word, 'n': endsLevel, 'o': endsLevel, 'p': word, 'q': word, 'r': endsLevel,
	's': word, 't': endsLevel, 'u': word, 'v': word, 'w': word, 'x': word,
	'y': endsKey, 'z': word,
}

const (
	inWord      = 1 << iota // a letter, a digit or "_"
	lastOfKey               // a letter that a key ends in
	lastOfLevel             // a letter that a level ends in
	notInWord               // what is 0 here is that
	before      = 4

	word      = inWord
	endsKey   = inWord | lastOfKey
	endsLevel = inWord | lastOfLevel
	endsBoth  = inWord | lastOfKey | lastOfLevel
	opens     = notInWord << before
)

// mayStand reports whether a level may stand at c, behind b.
func mayStand(b, c byte) bool {
	is := classes[b]
	return (is|^is<<3&notInWord)&(classes[c]>>before) != 0
}
