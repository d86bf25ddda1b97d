//go:build !unix

package engine

const nonBlock = 0
