//go:build race

package readmcp_test

// patience is how much slower everything is.
const patience = 10
