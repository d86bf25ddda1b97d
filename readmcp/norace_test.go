//go:build !race

package readmcp_test

const patience = 1
