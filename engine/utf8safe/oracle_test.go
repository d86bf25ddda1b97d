package utf8safe

// The tests know UTF-8 from this table alone, and not from unicode/utf8:
// Table 3-7, "Well-Formed UTF-8 Byte Sequences", of the Unicode Standard.
// Each row gives the lowest and highest value of each byte.
var wellFormed = [][][2]byte{
	{{0x00, 0x7F}},
	{{0xC2, 0xDF}, {0x80, 0xBF}},
	{{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}},
	{{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}},
	{{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}},
}

// match returns how many bytes of p, from the first, follow a row of the
// table, and whether they are all of that row.
func match(p []byte) (n int, whole bool) {
	for _, row := range wellFormed {
		k := 0
		for k < len(row) && k < len(p) && row[k][0] <= p[k] && p[k] <= row[k][1] {
			k++
		}
		if k > 0 { // no byte begins two rows
			return k, k == len(row)
		}
	}
	return 0, false
}

// A unit is one character, or one maximal ill-formed subsequence.
type unit struct {
	start, end int
	char       bool
}

// units takes p apart, from its first byte to its last.
func units(p []byte) []unit {
	var us []unit
	for at := 0; at < len(p); {
		n, whole := match(p[at:])
		us = append(us, unit{at, at + max(n, 1), whole})
		at += max(n, 1)
	}
	return us
}

// splits reports whether a cut at n splits a character.
func splits(us []unit, n int) bool {
	for _, u := range us {
		if u.char && u.start < n && n < u.end {
			return true
		}
	}
	return false
}

func naivePrefix(us []unit, size, n int) int {
	k := min(max(n, 0), size)
	for splits(us, k) {
		k--
	}
	return k
}

func naiveSuffix(us []unit, size, n int) int {
	k := size - min(max(n, 0), size)
	for splits(us, k) {
		k++
	}
	return k
}

func naiveIncomplete(p []byte) int {
	for at := range p {
		if n, whole := match(p[at:]); !whole && at+n == len(p) {
			return n
		}
	}
	return 0
}

// naiveValid is what AppendValid makes of p.
func naiveValid(us []unit, p []byte) []byte {
	var out []byte
	for _, u := range us {
		if u.char {
			out = append(out, p[u.start:u.end]...)
		} else {
			out = append(out, "\xef\xbf\xbd"...)
		}
	}
	return out
}

// naiveFit returns how many bytes of naiveValid are whole characters and
// replacements within n bytes, and how many bytes of the source they stand for.
func naiveFit(us []unit, n int) (appended, consumed int) {
	for _, u := range us {
		size := 3
		if u.char {
			size = u.end - u.start
		}
		if appended+size > n {
			break
		}
		appended += size
		consumed = u.end
	}
	return appended, consumed
}
