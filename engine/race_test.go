//go:build race

package engine_test

// raceEnabled says that everything is ten times slower.
const raceEnabled = true
