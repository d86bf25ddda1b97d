package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// typescriptVersion is that of the official MCP SDK for TypeScript.
const typescriptVersion = "1.32.2"

//go:embed client.mjs
var typescriptClient []byte

// typescript is a server behind the client of the TypeScript SDK, which most
// agents have. It takes the time itself: what is between it and this program is
// none of a client's.
type typescript struct {
	in   io.WriteCloser
	out  *json.Decoder
	wait func() error
}

func (r *recorder) typescript(server *exec.Cmd) (*typescript, error) {
	dir := filepath.Join(r.tmp, "typescript")
	if err := r.npm(dir, "@modelcontextprotocol/sdk@"+typescriptVersion); err != nil {
		return nil, err
	}
	main := filepath.Join(dir, "client.mjs")
	if err := os.WriteFile(main, typescriptClient, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(r.ctx, "node", append([]string{main}, server.Args...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &typescript{in, json.NewDecoder(out), cmd.Wait}, cmd.Start()
}

// call calls a tool, and returns how long that took, and the text if it is to
// be shown.
func (t *typescript) call(tool string, arguments map[string]any, show bool) (took time.Duration, text string, err error) {
	line, err := json.Marshal(map[string]any{"name": tool, "arguments": arguments, "show": show})
	if err != nil {
		return 0, "", err
	}
	if _, err := t.in.Write(append(line, '\n')); err != nil {
		return 0, "", err
	}
	var answer struct {
		NS          time.Duration
		Text, Error string
	}
	if err := t.out.Decode(&answer); err != nil {
		return 0, "", err
	}
	if answer.Error != "" {
		return 0, "", errors.New(answer.Error)
	}
	return answer.NS, answer.Text, nil
}

// tool makes a side call a tool.
func (t *typescript) tool(s *side, tool string, arguments map[string]any) {
	s.run = func(w io.Writer) error {
		_, text, err := t.call(tool, arguments, true)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		return err
	}
	s.clock = func() (time.Duration, error) {
		took, _, err := t.call(tool, arguments, false)
		return took, err
	}
}

func (t *typescript) Close() error {
	return errors.Join(t.in.Close(), t.wait())
}
