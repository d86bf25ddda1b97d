package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func measure(ctx context.Context, o options, log, tmp string) error {
	root, err := filepath.Abs(o.dir)
	if err != nil {
		return err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return err
	}
	name := filepath.Base(log)
	// The other server has no limits, and 1,000 lines can be over ours.
	limits := []string{"--max-bytes", "262144"}
	head(o.peer, o.rounds)
	for _, which := range []string{"tail", "head"} {
		err := both(ctx, o, tmp, root, limits, which+" 1,000", o.rounds, 3, sameLines, name, which, 1000)
		if err != nil {
			return err
		}
	}
	if err := longLine(ctx, o, tmp); err != nil {
		return err
	}
	return reads(ctx, o, tmp, root, name)
}

// both measures a call with the SDK's client, and with one that does nothing.
func both(ctx context.Context, o options, tmp, root string, flags []string, what string, rounds int, goal float64,
	same func(ours, theirs string) bool, name, selector string, lines int,
) error {
	arguments := map[string]any{"path": name, selector: lines}
	peer := map[string]any{"path": filepath.Join(root, name), selector: lines}
	for _, client := range []string{"", ", on the wire"} {
		a, err := excerpt(ctx, tmp, root, flags...)
		if err != nil {
			return err
		}
		b, err := filesystem(ctx, o.peer, root)
		if err != nil {
			return err
		}
		var ours, theirs side
		var ends [2]io.Closer
		if client == "" {
			s, err := start(ctx, a)
			if err != nil {
				return err
			}
			t, err := start(ctx, b)
			if err != nil {
				return err
			}
			ours, theirs, ends = s.side(ctx, "excerpt", "read_file", arguments), t.side(ctx, "filesystem", "read_text_file", peer), [2]io.Closer{s, t}
		} else {
			s, err := dial(a)
			if err != nil {
				return err
			}
			t, err := dial(b)
			if err != nil {
				return err
			}
			ours, theirs, ends = s.side("excerpt", "read_file", arguments), t.side("filesystem", "read_text_file", peer), [2]io.Closer{s, t}
		}
		err = compare(what+client, rounds, goal, same, ours, theirs)
		for _, end := range ends {
			_ = end.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sameLines compares answers of 1,000 lines, less the last line end, which the
// other server leaves out. Its tail counts that as a line, and has one less.
func sameLines(ours, theirs string) bool {
	ours = strings.TrimSuffix(ours, "\n")
	theirs = strings.TrimSuffix(theirs, "\n")
	_, less, _ := strings.Cut(ours, "\n")
	return strings.Count(ours, "\n") == 999 && (ours == theirs || less == theirs)
}

// longLine measures tail 1 of a file whose last line has 4 MiB: with our
// limits, where the answer is the line's beginning, and without.
func longLine(ctx context.Context, o options, tmp string) error {
	dir := filepath.Join(tmp, "long")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	const size = 4 << 20
	content := "first\n" + strings.Repeat("0123456789abcdef", size/16)
	if err := os.WriteFile(filepath.Join(dir, "long.log"), []byte(content), 0o600); err != nil {
		return err
	}
	for _, c := range []struct {
		what  string
		flags []string
		same  func(ours, theirs string) bool
	}{
		{"tail 1 of a 4 MiB line, as agents get it", nil, func(ours, theirs string) bool {
			line, _, cut := strings.Cut(ours, "\n[Cut ")
			return cut && len(line) == 128<<10 && len(theirs) == size && strings.HasPrefix(theirs, line)
		}},
		{"tail 1 of a 4 MiB line, all of it", []string{"--max-bytes", "4194304"}, func(ours, theirs string) bool { return ours == theirs && len(ours) == size }},
	} {
		if err := both(ctx, o, tmp, dir, c.flags, c.what, 3, 500, c.same, "long.log", "tail", 1); err != nil {
			return err
		}
	}
	return nil
}

// deep measures a range far inside, without an index.
func deep(ctx context.Context, ours *server, name string) error {
	const line = 30_000_000
	var times []time.Duration
	for range 5 {
		began := time.Now()
		text, err := ours.text(ctx, "read_file", map[string]any{"path": name, "start_line": line, "end_line": line + 99, "show_line_numbers": true})
		times = append(times, time.Since(began))
		if err != nil {
			return err
		}
		if !strings.HasPrefix(text, fmt.Sprint(line, ": ")) || strings.Count(text, "\n") < 100 {
			return fmt.Errorf("line %d: %.100q", line, text)
		}
	}
	fmt.Printf("\n100 lines from line 30,000,000, no index: median %v of %v\n", median(times).Round(time.Millisecond), times)
	return nil
}

// reads measures a range far inside, and then says how much memory the server
// has after many reads of all kinds.
func reads(ctx context.Context, o options, tmp, root, name string) error {
	cmd, err := excerpt(ctx, tmp, root)
	if err != nil {
		return err
	}
	ours, err := start(ctx, cmd)
	if err != nil {
		return err
	}
	defer ours.Close()
	if err := deep(ctx, ours, name); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	before, err := memory(ours.pid)
	if err != nil {
		return err
	}
	for i := range o.reads {
		arguments := map[string]any{"path": name}
		switch {
		case i%20 == 0:
			line := 1 + random.IntN(20_000_000)
			arguments["start_line"], arguments["end_line"] = line, line+999
		case i%3 == 0:
			arguments["head"] = 1 + random.IntN(2000)
		case i%3 == 1:
			arguments["tail"] = 1 + random.IntN(2000)
		}
		if _, err := ours.text(ctx, "read_file", arguments); err != nil {
			return err
		}
	}
	after, err := memory(ours.pid)
	if err != nil {
		return err
	}
	fmt.Printf("memory of the server at its start: %s\n       after %d reads of the log: %s\n", before, o.reads, after)
	return nil
}
