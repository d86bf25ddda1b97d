package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"excerpt/bench/peers/internal/records"
)

// agents measures the MCP server beside the official filesystem server.
func (r *recorder) agents() error {
	size := r.sizes[len(r.sizes)-1]
	lines := []string{"--max-bytes", "262144"} // the other has no limits, and 1,000 lines can be over ours
	both := []string{filesystemNewest, filesystemBefore}
	for _, one := range []agentsCase{
		{"an agent reads the last 1,000 lines", "app", size, lines, "tail", 1000, both, 3, lastOf(999)},
		{"an agent reads the first 1,000 lines", "app", size, lines, "head", 1000, both, 0, lastOf(1000)},
		{"an agent reads the last line, of 4 MiB, cut to our limit", "", 4 << 20, nil, "tail", 1, both, 500, firstBytes(128 << 10)},
		// The older one takes as long for it as above.
		{"an agent reads the last line, of 4 MiB, all of it", "", 4 << 20, []string{"--max-bytes", "4194304"}, "tail", 1, both[:1], 0, firstBytes(4 << 20)},
	} {
		for _, client := range clients {
			err := r.agentsCase(one, client)
			if errors.Is(err, exec.ErrNotFound) {
				fmt.Printf("\nnot installed, so that %s%s is left out: %v\n", one.name, client.suffix, err)
				continue
			}
			if err != nil {
				return err
			}
		}
	}
	return r.serverMemory(size)
}

// A client of MCP servers.
type client struct {
	suffix  string // of the names of cases
	connect func(r *recorder, server *exec.Cmd) (connection, error)
}

// A connection is a client's, to a running server.
type connection interface {
	io.Closer
	tool(s *side, tool string, arguments map[string]any) // makes a side call a tool
}

// clients are that of the Go SDK, that of the TypeScript SDK, and one that does
// nothing but to read a line.
var clients = []client{
	{"", func(r *recorder, cmd *exec.Cmd) (connection, error) { return start(r.ctx, cmd) }},
	{", TypeScript client", func(r *recorder, cmd *exec.Cmd) (connection, error) { return r.typescript(cmd) }},
	{", without a client's time", func(_ *recorder, cmd *exec.Cmd) (connection, error) { return dial(cmd) }},
}

// calls is how often a tool is called for one time, where that takes some
// milliseconds.
const calls = 20

type agentsCase struct {
	name     string
	kind     string // of a corpus; "": a file whose last line is as long as its size
	size     int64
	flags    []string // of our server
	selector string
	n        int
	versions []string // of the other server
	goal     float64
	part     func(string) string // what is compared of both answers
}

// lastOf compares the last lines of 1,000, less the last line end: the other
// server leaves that out, and its tail takes it for a line more.
func lastOf(n int) func(string) string {
	return func(text string) string {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		return strings.Join(lines[max(0, len(lines)-n):], "\n")
	}
}

func firstBytes(n int) func(string) string {
	return func(text string) string { return text[:min(n, len(text))] }
}

func (r *recorder) agentsCase(c agentsCase, client client) error {
	m := records.Measure{Group: records.Agents, Case: c.name + client.suffix, Kind: c.kind, Size: c.size}
	if !r.wanted(m) {
		return nil
	}
	path, err := r.agentsFile(c)
	if err != nil {
		return err
	}
	root := filepath.Dir(path)
	var sides []side
	add := func(name, tool string, cmd *exec.Cmd, path string) (connection, error) {
		server, err := client.connect(r, cmd)
		if err != nil {
			return nil, err
		}
		s := side{Side: records.Side{Name: name, Command: tool}, part: c.part}
		if c.kind != "" {
			s.repeat = calls
		}
		server.tool(&s, tool, map[string]any{"path": path, c.selector: c.n})
		sides = append(sides, s)
		return server, nil
	}
	ours, err := add("excerpt mcp", "read_file", r.ours(root, c.flags...), filepath.Base(path))
	if err != nil {
		return err
	}
	defer ours.Close()
	for _, version := range c.versions {
		cmd, err := r.filesystem(version, root)
		if err != nil {
			return err
		}
		theirs, err := add("MCP filesystem server "+version, "read_text_file", cmd, path)
		if err != nil {
			return err
		}
		defer theirs.Close()
	}
	// The goals were set beside the version that is the last here; that of short
	// lines is one beside any.
	for i := range sides[1:] {
		if c.kind != "" || i == len(c.versions)-1 {
			sides[i+1].Goal = c.goal
		}
	}
	return r.compare(m, sides...)
}

// agentsFile returns the file that is read.
func (r *recorder) agentsFile(c agentsCase) (string, error) {
	if c.kind != "" {
		err := r.load(c.size)
		if err != nil {
			return "", err
		}
		return filepath.EvalSymlinks(r.log.Path)
	}
	dir := filepath.Join(r.tmp, "long")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "long.log")
	return path, os.WriteFile(path, []byte("first\n"+strings.Repeat("0123456789abcdef", int(c.size/16))), 0o600)
}

// serverMemory says how much memory the server has of its own after a thousand
// reads of all kinds.
func (r *recorder) serverMemory(size int64) error {
	m := records.Measure{Group: records.Memory, Case: "the MCP server's own, after 1,000 reads", Kind: "app", Size: size}
	if !r.wanted(m) {
		return nil
	}
	if err := r.load(size); err != nil {
		return err
	}
	s, err := start(r.ctx, r.ours(filepath.Dir(r.log.Path)))
	if err != nil {
		return err
	}
	defer s.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		arguments := map[string]any{"path": filepath.Base(r.log.Path)}
		switch {
		case i%20 == 0:
			line := 1 + random.Int64N(r.log.Lines-1000)
			arguments["start_line"], arguments["end_line"] = line, line+999
		case i%3 == 0:
			arguments["head"] = 1 + random.IntN(2000)
		case i%3 == 1:
			arguments["tail"] = 1 + random.IntN(2000)
		}
		if _, err := s.text(r.ctx, "read_file", arguments); err != nil {
			return err
		}
	}
	anon, err := status(s.pid, "RssAnon")
	if err != nil {
		return err
	}
	m.Sides = []records.Side{{Name: "excerpt mcp", Memory: anon}}
	return r.put(m)
}
