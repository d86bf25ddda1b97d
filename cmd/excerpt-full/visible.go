package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tab is how far apart tab stops are.
const tab = 4

// visible returns text as it is drawn: what could do something to a terminal,
// or hide something from its reader, is an escape, and a tab is spaces. A line
// end stays.
func visible(text string) string {
	var b strings.Builder
	column := 0
	for i, n := 0, 0; i < len(text); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(text[i:])
		drawn := text[i : i+n]
		switch {
		case r == '\n':
			b.WriteByte('\n')
			column = 0
			continue
		case r == '\t':
			drawn = strings.Repeat(" ", tab-column%tab)
		case r == utf8.RuneError && n == 1:
			drawn = fmt.Sprintf(`\x%02x`, text[i])
		case !strconv.IsGraphic(r) && r != joiner:
			quoted := strconv.QuoteRuneToASCII(r)
			drawn = quoted[1 : len(quoted)-1]
		}
		b.WriteString(drawn)
		column += utf8.RuneCountInString(drawn)
	}
	return b.String()
}

// joiner holds emoji together.
const joiner = '\u200d'
