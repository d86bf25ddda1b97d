package main

import (
	"context"

	"excerpt/cmd/internal/command"
	"excerpt/engine"
	"excerpt/engine/logset"
)

func openRotated(ctx context.Context, name string, opts *engine.Options) (*engine.File, command.Report, error) {
	set, err := logset.Open(ctx, name, opts)
	if err != nil {
		return nil, nil, err
	}
	report := func() (said []string, lost bool) {
		for _, m := range set.Members() {
			if m.State != logset.Whole {
				said = append(said, m.String())
				lost = lost || m.Lost()
			}
		}
		return said, lost
	}
	return set.File, report, nil
}
