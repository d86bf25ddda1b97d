package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"excerpt/corpus"
	"excerpt/engine"
	"excerpt/engine/internal/scan"
)

// gnuTools are the programs that people would use instead.
type gnuTools struct{}

func gnu(t *testing.T) gnuTools {
	t.Helper()
	for _, program := range []string{"head", "tail", "sed", "wc"} {
		version, err := exec.Command(program, "--version").Output()
		if err != nil || !bytes.Contains(version, []byte("GNU")) {
			t.Skipf("GNU %s is not installed", program)
		}
	}
	return gnuTools{}
}

// command is the one that selects the same bytes, or nil.
func (gnuTools) command(path string, sel selection) *exec.Cmd {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	var args []string
	switch sel.op {
	case "head":
		args = []string{"head", "-n", number(sel.a), path}
	case "tail":
		args = []string{"tail", "-n", number(sel.a), path}
	case "lines":
		args = []string{"sed", "-n", fmt.Sprintf("%d,%dp", sel.a, min(sel.b, 1<<30)), path}
	case "bytes":
		switch {
		case sel.a == 0:
			args = []string{"head", "-c", number(sel.b), path}
		case sel.a < 0:
			args = []string{"tail", "-c", number(-sel.a), path}
		}
	}
	if args == nil {
		return nil
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	return cmd
}

// compare asks both for the same, at both ends of the file and in its middle.
func (g gnuTools) compare(t *testing.T, path string) {
	t.Helper()
	f, err := engine.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.SetPlan(scan.Plan{Workers: 3, Alone: 1 << 18, Stripe: 1 << 18, Block: 1 << 16})
	lines, err := f.Count(ctx)
	if err != nil {
		t.Fatal(err)
	}
	counted := must(exec.Command("wc", "-l", path).Output())
	ends := must(strconv.ParseInt(strings.Fields(string(counted))[0], 10, 64))
	if last := tailByte(f); last != '\n' && f.Size() > 0 {
		ends++ // wc counts line ends
	}
	if lines != ends {
		t.Errorf("%d lines, wc says %d", lines, ends)
	}
	for _, sel := range append(aroundLines(lines), aroundBytes(f.Size())...) {
		cmd := g.command(path, sel)
		if cmd == nil {
			continue
		}
		want, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", cmd, err)
		}
		var got bytes.Buffer
		span, err := sel.locate(ctx, f)
		if err == nil {
			_, err = span.WriteTo(&got)
		} else if errors.As(err, new(*engine.RangeError)) {
			err = nil // sed prints nothing
		}
		if err := errors.Join(err, same(got.Bytes(), want)); err != nil {
			t.Errorf("%s, unlike %s: %v", sel, cmd, err)
		}
	}
}

func tailByte(f *engine.File) byte {
	var b [1]byte
	if _, err := f.ReadAt(b[:], f.Size()-1); err != nil && err != io.EOF {
		return 0
	}
	return b[0]
}

// aroundLines are selections of a file of so many lines.
func aroundLines(n int64) []selection {
	return []selection{
		{"head", 0, 0},
		{"head", 1, 0},
		{"head", n / 3, 0},
		{"head", n, 0},
		{"head", n + 1, 0},
		{"tail", 0, 0},
		{"tail", 1, 0},
		{"tail", 10, 0},
		{"tail", n / 3, 0},
		{"tail", max(0, n-1), 0},
		{"tail", n, 0},
		{"tail", n + 1, 0},
		{"lines", 1, 1},
		{"lines", n/2 + 1, n/2 + 20},
		{"lines", max(1, n-3), n + 7},
		{"lines", max(1, n), math.MaxInt64},
		{"lines", n + 1, n + 2},
	}
}

func aroundBytes(size int64) []selection {
	var all []selection
	for _, n := range []int64{1, 4096, size / 2, 1 << 20, size - 1, size, size + 1} {
		if n > 0 {
			all = append(all, selection{"bytes", 0, n}, selection{"bytes", -n, math.MaxInt64})
		}
	}
	return all
}

// TestGNU compares on a log of each kind.
func TestGNU(t *testing.T) {
	t.Parallel()
	tools := gnu(t)
	dir := t.TempDir()
	sizes := []int64{3 << 20, 1<<20 + 1, 256<<10 - 1}
	if quick() {
		sizes = sizes[2:]
	}
	for _, kind := range corpus.Kinds() {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%d", kind, size), func(t *testing.T) {
				t.Parallel()
				path, err := corpus.File(ctx, dir, kind, 7, size)
				if err != nil {
					t.Fatal(err)
				}
				tools.compare(t, path)
			})
		}
	}
}
