// Package cli is what the programs excerpt and excerpt-agent share: the flags
// of the verbs that both know, messages, exit codes, profiles.
package cli
