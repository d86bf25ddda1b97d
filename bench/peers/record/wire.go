package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
)

// wire is a client that does nothing but to read the line of an answer: what
// it takes is the time of the server. Most of what the SDK's client takes for
// a long answer is its own.
type wire struct {
	in   io.WriteCloser
	out  *bufio.Reader
	wait func() error
}

func dial(cmd *exec.Cmd) (*wire, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &wire{in, bufio.NewReaderSize(out, 1<<20), cmd.Wait}
	_, err = w.call("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "record", "version": "1"},
	})
	if err == nil {
		_, err = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	return w, err
}

// call returns the line of the answer.
func (w *wire) call(method string, params map[string]any) ([]byte, error) {
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := w.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	return w.out.ReadBytes('\n')
}

// tool makes a side call a tool. The text is decoded when it is to be seen, and
// not when it is timed.
func (w *wire) tool(s *side, tool string, arguments map[string]any) {
	s.run = func(to io.Writer) error {
		line, err := w.call("tools/call", map[string]any{"name": tool, "arguments": arguments})
		if err != nil || to == (nowhere{}) {
			return err
		}
		var answer struct {
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal(line, &answer); err != nil || len(answer.Result.Content) != 1 {
			return fmt.Errorf("%.200s: %w", line, err)
		}
		_, err = io.WriteString(to, answer.Result.Content[0].Text)
		return err
	}
}

func (w *wire) Close() error {
	_ = w.in.Close()
	return w.wait()
}
