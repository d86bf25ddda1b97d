//go:build !unix

package sidecar

const noWait = 0
