//go:build race

package utf8safe

// race says that the race detector is on, under which exhaustive tests are
// ten times slower.
const race = true
