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
	for i := 0; i+2 < len(text); i++ {
		if letters[0][text[i]|0x20]&letters[1][text[i+1]|0x20]&letters[2][text[i+2]|0x20] == 0 {
			continue
		}
		if l := levelAt(text, i); l != NoLevel {
			return l
		}
	}
	return NoLevel
}

// levelAt returns the level that begins at text[i], if it is one that stands
//
//	in capitals:              INFO
//	as the value of a key:    level=info, "level":"info"
//	last in brackets:         [info], [core:info]
//	as a field:               TAB info TAB, ", Info  "
//
// In a line that begins with "{" it is the string of a key of JSON and nothing
// else.
func levelAt(text []byte, i int) Level {
	if i > 0 && inWord[text[i-1]] {
		return NoLevel
	}
	l, end, capitals := wordFrom(text, i)
	if l == NoLevel || end < len(text) && inWord[text[end]] {
		return NoLevel
	}
	before, after := text[:i], text[end:]
	json := text[0] == '{'
	switch {
	case capitals && !json:
		return l
	case i == 0:
		return NoLevel
	case before[i-1] == '"' && len(after) > 0 && after[0] == '"':
		key := before[:i-1]
		if len(key) > 0 && key[len(key)-1] == ' ' {
			key = key[:len(key)-1]
		}
		if n := len(key) - 2; n > 0 && key[n] == '"' && key[n+1] == ':' && endsInKey(key[:n]) {
			return l
		}
	}
	if json {
		return NoLevel
	}
	switch before[i-1] {
	case '[', ':':
		if len(after) > 0 && after[0] == ']' {
			return l
		}
	case '"':
		before = before[:i-1]
	case '\t':
		if isField(after) {
			return l
		}
	case ' ':
		if i > 1 && before[i-2] == ',' && isField(after) {
			return l
		}
	}
	if n := len(before) - 1; n > 0 && before[n] == '=' && endsInKey(before[:n]) {
		return l
	}
	return NoLevel
}

// isField reports whether a field ends before after.
func isField(after []byte) bool {
	return len(after) > 0 && after[0] == '\t' || len(after) > 1 && after[0] == ' ' && after[1] == ' '
}

func levelWord(w uint64) Level {
	entry := &words[w*factor>>shift]
	if entry.word != w {
		return NoLevel
	}
	return entry.level
}

// wordFrom returns the level that the letters from i on are, eight at most,
// where they end, and whether all are capitals.
func wordFrom(text []byte, i int) (l Level, end int, capitals bool) {
	var w uint64
	if len(text)-i >= 8 {
		w = load(text[i:])
	} else {
		for n, c := range text[i:] {
			w |= uint64(c) << (8 * n)
		}
	}
	// All letters at once, since how many there are is hard to foresee.
	const high = 0x8080808080808080
	const small = 0x2020202020202020
	low := (w | small) &^ high
	letters := (low + 0x1f1f1f1f1f1f1f1f) &^ (low + 0x0505050505050505) &^ w & high // from a, and not beyond z
	n := bits.TrailingZeros64(letters^high) / 8
	w &= 1<<(8*n) - 1
	return levelWord(w &^ small), i + n, w&small == 0
}

// endsInKey reports whether text ends in a key whose value is a level.
func endsInKey(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	switch text[len(text)-1] | 0x20 {
	case 'l':
		return endsIn(text, "level") || endsIn(text, "lvl") || endsIn(text, "loglevel")
	case 'y':
		return endsIn(text, "severity")
	case 'e':
		return endsIn(text, "levelname")
	}
	return false
}

// endsIn reports whether text ends in a word, which has small letters only, in
// any case.
func endsIn(text []byte, word string) bool {
	begin := len(text) - len(word)
	if begin < 0 || begin > 0 && inWord[text[begin-1]] {
		return false
	}
	for i := range len(word) {
		if text[begin+i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// capitalLevelsGo is capitalLevels where there is no better one.
func capitalLevelsGo(b []byte, ends, signs []uint32, counts *[levels]int64, unknown *[lot]uint32) (longest int64, n int) {
	for j, end := range ends[1:] {
		begin := int(ends[j]) + 1
		longest = max(longest, int64(end)-int64(begin))
		i := bits.TrailingZeros32(signs[j] | 1<<31)
		l := NoLevel
		if i < int(end)-begin && b[begin] != '{' {
			if _, _, capitals := wordFrom(b[begin:end], i); capitals {
				l = levelAt(b[begin:end], i)
			}
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

// inWord has the letters, the digits and "_".
var inWord = [256]bool{
	'_': true, '0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true, 'j': true, 'k': true, 'l': true, 'm': true,
	'n': true, 'o': true, 'p': true, 'q': true, 'r': true, 's': true, 't': true, 'u': true, 'v': true, 'w': true, 'x': true, 'y': true, 'z': true,
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true, 'I': true, 'J': true, 'K': true, 'L': true, 'M': true,
	'N': true, 'O': true, 'P': true, 'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true, 'W': true, 'X': true, 'Y': true, 'Z': true,
}
