package main

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"excerpt/bench/peers/internal/records"
)

// agents measures the MCP server beside the official filesystem server, with
// the client of the SDK, and with one that does nothing but to read a line.
func (r *recorder) agents() error {
	size := r.sizes[len(r.sizes)-1]
	lines := []string{"--max-bytes", "262144"} // the other has no limits, and 1,000 lines can be over ours
	for _, one := range []agentsCase{
		{"an agent reads the last 1,000 lines", "app", size, lines, "tail", 1000, 3, lastOf(999)},
		{"an agent reads the first 1,000 lines", "app", size, lines, "head", 1000, 3, lastOf(1000)},
		{"an agent reads the last line, of 4 MiB, cut to our limit", "", 4 << 20, nil, "tail", 1, 500, firstBytes(128 << 10)},
		{"an agent reads the last line, of 4 MiB, all of it", "", 4 << 20, []string{"--max-bytes", "4194304"}, "tail", 1, 500, firstBytes(4 << 20)},
	} {
		for _, wire := range []bool{false, true} {
			if err := r.agentsCase(one, wire); err != nil {
				return err
			}
		}
	}
	return r.serverMemory(size)
}

type agentsCase struct {
	name     string
	kind     string // of a corpus; "": a file whose last line is as long as its size
	size     int64
	flags    []string // of our server
	selector string
	n        int
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

func (r *recorder) agentsCase(c agentsCase, onTheWire bool) error {
	m := records.Measure{Group: records.Agents, Case: c.name, Kind: c.kind, Size: c.size}
	if onTheWire {
		m.Case += ", without a client's time"
	}
	if !r.wanted(m) {
		return nil
	}
	path, err := r.agentsFile(c)
	if err != nil {
		return err
	}
	root := filepath.Dir(path)
	theirs, err := r.filesystem(root)
	if err != nil {
		return err
	}
	ours := r.ours(root, c.flags...)
	arguments := map[string]any{"path": filepath.Base(path), c.selector: c.n}
	peer := map[string]any{"path": path, c.selector: c.n}
	sides := []side{
		{Side: records.Side{Name: "excerpt mcp", Command: "read_file"}, part: c.part},
		{Side: records.Side{Name: "MCP filesystem server", Command: "read_text_file"}, part: c.part},
	}
	if onTheWire {
		a, err := dial(ours)
		if err != nil {
			return err
		}
		defer a.Close()
		b, err := dial(theirs)
		if err != nil {
			return err
		}
		defer b.Close()
		sides[0].run, sides[1].run = a.tool("read_file", arguments), b.tool("read_text_file", peer)
	} else {
		a, err := start(r.ctx, ours)
		if err != nil {
			return err
		}
		defer a.Close()
		b, err := start(r.ctx, theirs)
		if err != nil {
			return err
		}
		defer b.Close()
		sides[0].run, sides[1].run = a.call(r.ctx, "read_file", arguments), b.call(r.ctx, "read_text_file", peer)
	}
	sides[1] = sides[1].goal(c.goal)
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
		if err := s.call(r.ctx, "read_file", arguments)(io.Discard); err != nil {
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
