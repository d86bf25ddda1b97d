package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// server is a running server, and the client's connection to it.
type server struct {
	*mcp.ClientSession
	pid int
}

func start(ctx context.Context, cmd *exec.Cmd) (*server, error) {
	session, err := mcp.NewClient(&mcp.Implementation{Name: "record", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, err
	}
	return &server{session, cmd.Process.Pid}, nil
}

// text returns what a tool answers.
func (s *server) text(ctx context.Context, tool string, arguments map[string]any) (string, error) {
	result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "", err
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		return "", fmt.Errorf("%s", text)
	}
	return text, nil
}

// ours returns the command of our server.
func (r *recorder) ours(root string, flags ...string) *exec.Cmd {
	return exec.CommandContext(r.ctx, r.excerpt, append([]string{"mcp", "--root", root}, flags...)...)
}

// filesystemVersion is that of the official server.
const filesystemVersion = "2026.8.31"

// filesystem returns the command of the official server, which npm installs
// when it is first needed.
func (r *recorder) filesystem(root string) (*exec.Cmd, error) {
	dir := filepath.Join(r.tmp, "filesystem")
	main := filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js")
	if _, err := os.Stat(main); err != nil {
		npm := exec.CommandContext(r.ctx, "npm", "install", "--prefix", dir, "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts",
			"@modelcontextprotocol/server-filesystem@"+filesystemVersion)
		if out, err := npm.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("npm install: %w: %s", err, out)
		}
	}
	return exec.CommandContext(r.ctx, "node", main, root), nil
}

// call returns the side of a call of a tool.
func (s *server) call(ctx context.Context, tool string, arguments map[string]any) func(io.Writer) error {
	return func(w io.Writer) error {
		text, err := s.text(ctx, tool, arguments)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		return err
	}
}

// status returns how many bytes /proc says that a process has of something.
func status(pid int, key string) (int64, error) {
	kib, _, _ := strings.Cut(field(fmt.Sprintf("/proc/%d/status", pid), key), " ")
	n, err := strconv.ParseInt(kib, 10, 64)
	return n << 10, err
}
