package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"excerpt/cmd/internal/command"
)

// asFull has what tests run as excerpt be excerpt-full.
const asFull = "EXCERPT_TEST_AS_FULL"

func excerptMain() {
	if os.Getenv(asFull) != "" {
		main()
	}
	os.Exit(command.Main(os.Args[1:], nil))
}

// TestScripts runs the sessions in testdata/script, with each of the programs.
func TestScripts(t *testing.T) {
	t.Parallel()
	for name, full := range map[string]string{"excerpt": "", "excerpt-full": "1"} {
		if full == "" && testing.Short() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Dir: "testdata/script",
				Setup: func(env *testscript.Env) error {
					env.Setenv(asFull, full)
					return makeFiles(env)
				},
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"profile": profileSays,
					"same":    same,
					"clean":   clean,
				},
			})
		})
	}
}

// made are the files that do not go into an archive.
var made = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"crlf.log":    "one\r\ntwo\r\n\r\nfour\r\n",
		"open.log":    "one\ntwo\nthree", // no final line end
		"bom.log":     "\ufefffirst\nsecond\n",
		"invalid.log": "good\nb\xffd\n",
		"utf8.log":    "na\u00efve \u65e5\u672c\n",
		"blank.log":   "\n\n\n",
		"empty.log":   "",
		"long.log":    strings.Repeat("x", 3<<20) + "\nlast\n",
		"many.log":    strings.Repeat("a line of a log\n", 100_000),
		"old.log.gz":  gzipped("one\ntwo\nthree\n"),
		"cut.log.gz":  gzipped(strings.Repeat("a line of a log\n", 100_000))[:2000],
		"main.go.gz":  gzipped("package main\n"),
	}
})

func makeFiles(env *testscript.Env) error {
	env.Setenv("GORACE", os.Getenv("GORACE"))
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
	for name, text := range made() {
		if err := os.WriteFile(filepath.Join(env.WorkDir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return makeRotated(filepath.Join(env.WorkDir, "rotated"))
}

// makeRotated makes a rotated log of nine lines, and one of which the half is
// missing.
func makeRotated(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte("one\ntwo\nINFO three\n"))
	if err := w.Close(); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"app.log": "seven\neight\nnine\n", "app.log.1": "four\nfive\nsix\n", "app.log.2.gz": packed.String(),
		"gap.log": "three\n", "gap.log.2": "one\n",
		"half.log": "before\nlast\n", "half.log.1.gz": packed.String()[:packed.Len()-4],
		"twice.log": "four\n", "twice.log.1": "one\ntwo\nINFO three\n", "twice.log.1.gz": packed.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func gzipped(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
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
		cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"), asFull+"="+ts.Getenv(asFull))
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

// excerpt returns the command as a child process of its own.
func excerpt(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("excerpt") // testscript has put it there
	if err != nil {
		t.Skip(err)
	}
	return exec.CommandContext(t.Context(), path, args...)
}

// TestInterrupt ends a command that waits for its input, with the profile that
// was asked for.
func TestInterrupt(t *testing.T) {
	if signal.Ignored(os.Interrupt) {
		t.Skip("interrupts are ignored here")
	}
	for _, profile := range []string{"", filepath.Join(t.TempDir(), "cpu")} {
		cmd := excerpt(t, "tail", "--cpuprofile="+profile)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := stdin.Write(make([]byte, 1<<20)); err != nil { // it is under way then
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Skip(err)
		}
		began := time.Now()
		_ = cmd.Wait()
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if !status.Signaled() || status.Signal() != syscall.SIGINT || stderr.Len() > 0 || time.Since(began) > 5*time.Second {
			t.Errorf("%v after %v, %s", cmd.ProcessState, time.Since(began), &stderr)
		}
		if profile != "" {
			if _, err := os.Stat(profile); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestInterruptConvert: a conversion that is interrupted leaves nothing, while
// it works and while it waits for more.
func TestInterruptConvert(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for _, idle := range []time.Duration{0, 500 * time.Millisecond} {
			t.Run(fmt.Sprintf("%v after %v", sig, idle), func(t *testing.T) {
				if signal.Ignored(sig) {
					t.Skip("it is ignored here")
				}
				t.Parallel()
				interruptConvert(t, sig, idle)
			})
		}
	}
}

func interruptConvert(t *testing.T, sig syscall.Signal, idle time.Duration) {
	dir := t.TempDir()
	cmd := excerpt(t, "convert", "-", "out.zst")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asFull+"=1", "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdin.Write(bytes.Repeat([]byte("a line of a log\n"), 200_000)); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for {
		if files, _ := filepath.Glob(filepath.Join(dir, ".out.zst-*")); len(files) == 1 {
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatal("nothing is written")
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(idle)
	if err := cmd.Process.Signal(sig); err != nil {
		t.Skip(err)
	}
	_ = cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != sig || stderr.Len() > 0 {
		t.Errorf("%v, %s", cmd.ProcessState, &stderr)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
