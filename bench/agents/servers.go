package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// server is a running server, and the client's connection to it.
type server struct {
	*mcp.ClientSession
	pid int
}

func start(ctx context.Context, cmd *exec.Cmd) (*server, error) {
	session, err := mcp.NewClient(&mcp.Implementation{Name: "agents", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
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

// excerpt returns the command of ours, built into tmp.
func excerpt(ctx context.Context, tmp, root string, flags ...string) (*exec.Cmd, error) {
	build := exec.CommandContext(ctx, "go", "build", "-o", tmp+string(filepath.Separator), "excerpt/cmd/excerpt", "excerpt/cmd/excerpt-full")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return exec.Command(filepath.Join(tmp, "excerpt"), append([]string{"mcp", "--root", root}, flags...)...), nil
}

// filesystem returns the command of a version of the official server, which npm
// installs if it is not yet there.
func filesystem(ctx context.Context, version, root string) (*exec.Cmd, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "excerpt", "peer-"+version)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	npm := exec.CommandContext(ctx, "npm", "install", "--prefix", dir, "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts",
		"@modelcontextprotocol/server-filesystem@"+version)
	if out, err := npm.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm install: %w: %s", err, out)
	}
	return exec.Command("node", filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js"), root), nil
}

// side is a call through the SDK's client.
func (s *server) side(ctx context.Context, name, tool string, arguments map[string]any) side {
	return side{name, func() (func() (string, error), error) {
		text, err := s.text(ctx, tool, arguments)
		return func() (string, error) { return text, nil }, err
	}}
}

// memory says how much memory a process has: what is its own, and in all, with
// the pages of files that it has mapped.
func memory(pid int) (string, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "", err
	}
	var said []string
	for _, line := range strings.Split(string(status), "\n") {
		if key, value, ok := strings.Cut(line, ":"); ok && (key == "RssAnon" || key == "RssFile" || key == "VmRSS" || key == "VmHWM") {
			said = append(said, key+" "+strings.TrimSpace(value))
		}
	}
	return strings.Join(said, ", "), nil
}
