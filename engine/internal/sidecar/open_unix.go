//go:build unix

package sidecar

import "syscall"

// noWait has the opening of a FIFO not wait for its writer, and no link be
// followed.
const noWait = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
