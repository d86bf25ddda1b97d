package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"excerpt/cmd/internal/cli"
	"excerpt/cmd/internal/command"
	"excerpt/readmcp"
)

// serve is the verb mcp.
func serve(s *command.MCP) error {
	timeout, err := time.ParseDuration(s.Timeout)
	if err != nil || timeout <= 0 {
		return cli.Usage("--timeout %s: want a time such as 30s or 2m", s.Timeout)
	}
	debug.SetGCPercent(400) // of some 3 MiB; an answer is a tenth of that, many times over
	debug.SetMemoryLimit(mostGarbage)
	files, end, err := s.Open()
	if err != nil {
		return err
	}
	defer func() { _ = end() }()
	server := mcp.NewServer(&mcp.Implementation{Name: "excerpt", Title: "excerpt", Version: cli.Version()}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}, // the list stays as it is
	})
	if err := readmcp.AddTools(server, files, &readmcp.Options{
		Tools:    names(s.Tools),
		Metadata: readmcp.Metadata(s.Metadata),
		Timeout:  timeout,
	}); err != nil {
		return cli.Usage("--tools %s: %v", s.Tools, err)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	if s.HTTP != "" {
		return serveHTTP(ctx, server, s)
	}
	cli.GrowPipe(os.Stdout) // for an answer at once
	err = server.Run(ctx, readmcp.NewTransport(os.Stdin, os.Stdout))
	if errors.Is(err, context.Canceled) {
		return nil // as it should be
	}
	return err
}

// mostGarbage is how much memory there may be before what nobody uses is
// collected at once: who decodes has ten times what an answer has.
const mostGarbage = 40 << 20

// names takes a list with commas apart.
func names(list string) []string {
	all := strings.Split(list, ",")
	for i, name := range all {
		all[i] = strings.TrimSpace(name)
	}
	return all
}

const instructions = "The tools read files of one workspace, of any size. Paths are relative to it. An answer that is cut says how to read on."

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "excerpt: "+format+"\n", args...) }
