package main

import (
	"context"
	"errors"
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
	ctx context.Context
	pid int
}

func start(ctx context.Context, cmd *exec.Cmd) (*server, error) {
	session, err := mcp.NewClient(&mcp.Implementation{Name: "record", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, err
	}
	return &server{session, ctx, cmd.Process.Pid}, nil
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
	return exec.CommandContext(r.ctx, "excerpt", append([]string{"mcp", "--root", root}, flags...)...)
}

// Versions of the official server: the newest, and the one that the goals
// were set beside, which looks for the end of a long line again and again.
const (
	filesystemNewest = "2026.8.31"
	filesystemBefore = "2025.11.25"
)

// filesystem returns the command of a version of the official server, which npm
// installs when it is first needed.
func (r *recorder) filesystem(version, root string) (*exec.Cmd, error) {
	dir := filepath.Join(r.tmp, "filesystem-"+version)
	err := r.npm(dir, "@modelcontextprotocol/server-filesystem@"+version)
	main := filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js")
	return exec.CommandContext(r.ctx, "node", main, root), err
}

// npm installs a package into a folder, if that is not there.
func (r *recorder) npm(dir, name string) error {
	if there(filepath.Join(dir, "node_modules")) {
		return nil
	}
	npm := exec.CommandContext(r.ctx, "npm", "install", "--prefix", dir, "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", name)
	if out, err := npm.CombinedOutput(); err != nil {
		return errors.Join(fmt.Errorf("npm install %s: %w: %s", name, err, out), os.RemoveAll(dir))
	}
	return nil
}

// tool makes a side call a tool.
func (s *server) tool(to *side, tool string, arguments map[string]any) {
	to.run = func(w io.Writer) error {
		text, err := s.text(s.ctx, tool, arguments)
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
