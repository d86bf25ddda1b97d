//go:build race

package compressed

const raceEnabled = true
