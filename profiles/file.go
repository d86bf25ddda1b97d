package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"
)

// tidy reads a profile, and takes the folders of this machine out of it.
func tidy(ctx context.Context, path string) (*profile.Profile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT", "GOMODCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	folders := strings.Fields(string(out))
	folders[0] = filepath.Join(folders[0], "src")
	for _, fn := range p.Function {
		for _, folder := range append(folders, here) {
			if name, ok := strings.CutPrefix(fn.Filename, folder+string(filepath.Separator)); ok {
				fn.Filename = name
				break
			}
		}
	}
	for _, m := range p.Mapping {
		if m.File != "" {
			m.File = filepath.Base(m.File)
		}
	}
	return p, p.CheckValid()
}

func writeProfile(p *profile.Profile, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = p.Write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
