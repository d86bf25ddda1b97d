//go:build !race

package utf8safe

const race = false
