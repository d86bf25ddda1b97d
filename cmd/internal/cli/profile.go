package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/pkg/profile"
)

// Profiling are the flags for profiles of the program itself.
type Profiling struct {
	CPU   string `long:"cpuprofile" value-name:"FILE" unquote:"false" description:"write a CPU profile"`
	Mem   string `long:"memprofile" value-name:"FILE" unquote:"false" description:"write a memory profile"`
	Trace string `long:"trace" value-name:"FILE" unquote:"false" description:"write a trace"`
}

// Start starts the profile that is wanted, if one is. stop ends and keeps it.
func (p *Profiling) Start() (stop func() error, err error) {
	type kind struct {
		flag, file string
		mode       func(*profile.Profile)
		made       string // the name that the profile package gives the file
	}
	var chosen []kind
	for _, k := range [...]kind{
		{"--cpuprofile", p.CPU, profile.CPUProfile, "cpu.pprof"},
		{"--memprofile", p.Mem, profile.MemProfileAllocs, "mem.pprof"},
		{"--trace", p.Trace, profile.TraceProfile, "trace.out"},
	} {
		if k.file != "" {
			chosen = append(chosen, k)
		}
	}
	switch len(chosen) {
	case 0:
		return func() error { return nil }, nil
	case 1:
	default:
		return nil, Usage("%s and %s are both given: one profile at a time", chosen[0].flag, chosen[1].flag)
	}
	k := chosen[0]
	if info, err := os.Stat(k.file); err == nil && !info.Mode().IsRegular() {
		return nil, Usage("%s %s: not a regular file, and would be replaced", k.flag, k.file)
	}
	// Beside the file, so that it can be moved to its name when it is complete.
	dir, err := os.MkdirTemp(filepath.Dir(k.file), ".excerpt-profile-*")
	if err != nil {
		return nil, keepName(k.flag, k.file, err)
	}
	running := profile.Start(k.mode, profile.ProfilePath(dir), profile.Quiet, profile.NoShutdownHook)
	stop = sync.OnceValue(func() error {
		running.Stop()
		err := os.Rename(filepath.Join(dir, k.made), k.file)
		_ = os.RemoveAll(dir)
		return keepName(k.flag, k.file, err)
	})
	OnInterrupt(func() { _ = stop() })
	signal.Ignore(syscall.SIGPIPE) // a profile is wanted of what ends so, too
	return stop, nil
}

// keepName gives err the name that was asked for in place of ours.
func keepName(flag, file string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("%s %s: %w", flag, file, err)
}
