package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"excerpt/bench/peers/internal/records"
)

// environment says where and how is measured.
func environment(ctx context.Context, trial bool) (records.Environment, error) {
	e := records.Environment{
		Date:    time.Now().UTC().Format(time.DateOnly),
		Command: commandLine(flag.CommandLine),
		Machine: field("/proc/cpuinfo", "model name"),
		Cores:   runtime.NumCPU(),
		Kernel:  line(ctx, "uname", "-sr"),
		Go:      runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Tools:   map[string]string{},
		Trial:   trial,
	}
	kib, _, _ := strings.Cut(field("/proc/meminfo", "MemTotal"), " ")
	if n, err := strconv.ParseInt(kib, 10, 64); err == nil {
		e.Memory = n << 10
	}
	if e.Commit = line(ctx, "git", "rev-parse", "HEAD"); line(ctx, "git", "status", "--porcelain", "--untracked-files=no", "--", "../../*.go", "../../go.mod", "go.mod") != "" {
		e.Commit += "+"
	}
	for _, tool := range [][]string{
		{"GNU coreutils", "wc", "--version"},
		{"GNU sed", "sed", "--version"},
		{"uutils", "coreutils", "--help"},
		{"busybox", "busybox"},
		{"ripgrep", "rg", "--version"},
		{"gawk", "gawk", "--version"},
		{"mawk", "mawk", "-W", "version"},
		{"gzip", "gzip", "--version"},
		{"pigz", "pigz", "--version"},
		{"zstd", "zstd", "--version"},
		{"gztool", "sh", "-c", "command -v gztool >/dev/null && gztool -h 2>&1"},
		{"node", "node", "--version"},
	} {
		if v := line(ctx, tool[1], tool[2:]...); v != "" {
			e.Tools[tool[0]] = v
		}
	}
	e.Tools["nxadm/tail"] = dependency("github.com/nxadm/tail")
	e.Tools["MCP filesystem server"] = filesystemNewest + ", and " + filesystemBefore
	e.Tools["MCP TypeScript SDK"] = typescriptVersion
	e.Tools["MCP Go SDK"] = dependency("github.com/modelcontextprotocol/go-sdk")
	e.Tools["klauspost/compress"] = dependency("github.com/klauspost/compress")
	said, err := json.Marshal(e)
	e.ID = fmt.Sprintf("%x", sha256.Sum256(said))[:8]
	return e, err
}

// commandLine says how to make it again, without the folders of this machine.
func commandLine(flags *flag.FlagSet) string {
	line := "go -C bench/peers run ./record"
	flags.Visit(func(f *flag.Flag) {
		if f.Name == "dir" || f.Name == "records" {
			return
		}
		value := f.Value.String()
		switch {
		case value == "true":
			line += " -" + f.Name
		case strings.ContainsAny(value, " |()$*"):
			line += " -" + f.Name + " '" + value + "'"
		default:
			line += " -" + f.Name + " " + value
		}
	})
	return line
}

// line returns the first line that a command prints, "" if it does not.
func line(ctx context.Context, name string, args ...string) string {
	out, _ := exec.CommandContext(ctx, name, args...).Output()
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return strings.TrimSpace(first)
}

// field returns what a file of /proc says of a key, where there is one.
func field(file, key string) string {
	b, _ := os.ReadFile(file)
	for _, line := range strings.Split(string(b), "\n") {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// dependency returns the version of a module that this program has.
func dependency(path string) string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == path {
			return module.Version
		}
	}
	return ""
}
