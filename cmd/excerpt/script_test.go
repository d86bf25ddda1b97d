package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // a second of each command, otherwise
	testscript.Main(m, map[string]func(){"excerpt": main})
}

// TestScripts runs the sessions in testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: makeFiles,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"profile": profileSays,
			"same":    same,
			"clean":   clean,
		},
	})
}

// makeFiles makes the files that do not go into an archive.
func makeFiles(env *testscript.Env) error {
	env.Setenv("GORACE", os.Getenv("GORACE"))
	for name, text := range map[string]string{
		"crlf.log":    "one\r\ntwo\r\n\r\nfour\r\n",
		"open.log":    "one\ntwo\nthree", // no final line end
		"bom.log":     "\ufefffirst\nsecond\n",
		"invalid.log": "good\nb\xffd\n",
		"utf8.log":    "na\u00efve \u65e5\u672c\n",
		"blank.log":   "\n\n\n",
		"empty.log":   "",
		"long.log":    strings.Repeat("x", 3<<20) + "\nlast\n",
		"many.log":    strings.Repeat("a line of a log\n", 100_000),
	} {
		if err := os.WriteFile(filepath.Join(env.WorkDir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// clean fails if a profile left something behind.
func clean(ts *testscript.TestScript, neg bool, args []string) {
	left, err := filepath.Glob(ts.MkAbs(".excerpt-profile*"))
	if neg || len(args) > 0 || err != nil || len(left) > 0 {
		ts.Fatalf("left behind: %q, %v", left, err)
	}
}

// same runs two shell commands and compares what they print, byte for byte. It
// passes where the second one's program is not there.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same COMMAND COMMAND")
	}
	var out [2][]byte
	for i, command := range args {
		if _, err := exec.LookPath(strings.Fields(command)[0]); err != nil && i == 1 {
			return
		}
		var stdout bytes.Buffer
		cmd := exec.Command("bash", "-c", command)
		cmd.Dir = ts.MkAbs(".")
		cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"))
		cmd.Stdout = &stdout
		_ = cmd.Run()
		out[i] = stdout.Bytes()
	}
	if !bytes.Equal(out[0], out[1]) {
		ts.Fatalf("%s: %.200q\n%s: %.200q", args[0], out[0], args[1], out[1])
	}
}

// profileSays looks for a word in a profile as pprof reads them.
func profileSays(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: profile FILE WORD")
	}
	f, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	ts.Check(err)
	profile, err := io.ReadAll(r)
	ts.Check(err)
	if !bytes.Contains(profile, []byte(args[1])) {
		ts.Fatalf("%s: no %q in %d bytes", args[0], args[1], len(profile))
	}
}
