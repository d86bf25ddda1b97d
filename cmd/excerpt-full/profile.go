package main

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

	"excerpt/cmd/internal/cli"
)

// profiles are the modes of the flags, and the names that the profile package
// gives the files.
var profiles = map[string]struct {
	mode func(*profile.Profile)
	made string
}{
	"--cpuprofile": {profile.CPUProfile, "cpu.pprof"},
	"--memprofile": {profile.MemProfileAllocs, "mem.pprof"},
	"--trace":      {profile.TraceProfile, "trace.out"},
}

// startProfile starts the profile that flag wants in file. stop ends it, and
// only then file is there.
func startProfile(flag, file string) (stop func() error, err error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return nil, cli.Usage("%s %s: not a regular file, and would be replaced", flag, file)
	}
	// Beside the file, so that it can be moved to its name when it is complete.
	dir, err := os.MkdirTemp(filepath.Dir(file), ".excerpt-profile-*")
	if err != nil {
		return nil, keepName(flag, file, err)
	}
	running := profile.Start(profiles[flag].mode, profile.ProfilePath(dir), profile.Quiet, profile.NoShutdownHook)
	stop = sync.OnceValue(func() error {
		running.Stop()
		err := os.Rename(filepath.Join(dir, profiles[flag].made), file)
		_ = os.RemoveAll(dir)
		return keepName(flag, file, err)
	})
	cli.OnInterrupt(func() { _ = stop() })
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
