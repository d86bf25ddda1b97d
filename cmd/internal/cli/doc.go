// Package cli is how a program speaks with who runs it: messages, exit codes,
// interrupts, pipes, its version.
package cli
