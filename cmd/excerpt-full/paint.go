package main

// A painter has colours, or has none.
type painter bool

// Colours are a terminal's own, which it shows well on its background.
const (
	bold    = "1"
	dim     = "2"
	red     = "31"
	green   = "32"
	yellow  = "33"
	blue    = "34"
	magenta = "35"
	cyan    = "36"
)

// on returns text in a colour, "" for none.
func (p painter) on(colour, text string) string {
	if !p || colour == "" || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[m"
}
