//go:build unix

package engine

import "syscall"

const nonBlock = syscall.O_NONBLOCK
