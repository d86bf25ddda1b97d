package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// keepProfiles takes profiles of both sides of what costs more: of the
// processor, and of allocations where those are more.
func (g *gate) keepProfiles(ctx context.Context) {
	metrics := map[string][]string{}
	for _, r := range g.rows {
		if r.verdict == worse {
			metrics[r.workload] = append(metrics[r.workload], r.metric)
		}
	}
	if len(metrics) == 0 {
		return
	}
	dir, err := g.profileDir()
	if err != nil {
		fmt.Fprintf(g.out, "no profiles: %v\n", err)
		return
	}
	fmt.Fprintf(g.out, "\nProfiles of both sides are in %s:\n", dir)
	const most = 5 // a few show where it is
	taken := 0
	for _, name := range g.names {
		if metrics[name] == nil {
			continue
		}
		if taken++; taken > most || g.over(-30*time.Second) {
			fmt.Fprintln(g.out, "  and so on: go run ./bench/gate -workloads NAME takes those of others")
			return
		}
		kind := "cpu"
		if !slices.ContainsFunc(metrics[name], func(m string) bool { return !strings.HasPrefix(m, "alloc") && m != "B/op" }) {
			kind = "mem"
		}
		file := strings.ReplaceAll(name, "/", "-")
		failed := ""
		for _, s := range []struct {
			name string
			side side
		}{{"base", g.base}, {"head", g.head}} {
			args := []string{only(name), "-test.benchtime=300ms", "-test." + kind + "profile=" + filepath.Join(dir, file+"."+s.name+"."+kind)}
			if kind == "mem" {
				args = append(args, "-test.memprofilerate=1")
			}
			if _, _, err := g.run(ctx, s.side.program(), args...); err != nil {
				failed = err.Error()
			}
		}
		if failed != "" {
			fmt.Fprintf(g.out, "  none of %s: %s\n", name, failed)
			continue
		}
		index := ""
		if kind == "mem" {
			index = "-sample_index=alloc_objects "
		}
		path := filepath.Join(dir, file)
		fmt.Fprintf(g.out, "  go tool pprof -top %s-diff_base %s.base.%s %s.head.%s\n", index, path, kind, path, kind)
	}
}

func (g *gate) profileDir() (string, error) {
	if g.profiles == "" {
		return os.MkdirTemp("", "gate-profiles-*")
	}
	dir, err := filepath.Abs(g.profiles)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o777)
}
