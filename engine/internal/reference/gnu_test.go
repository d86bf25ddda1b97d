package reference

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestGNU puts the same questions to the GNU programs. There is one known
// difference: wc -l counts line ends, so not an unterminated last line.
func TestGNU(t *testing.T) {
	for _, program := range []string{"head", "tail", "sed", "wc"} {
		version, err := exec.Command(program, "--version").Output()
		if err != nil || !bytes.Contains(version, []byte("GNU")) {
			t.Skipf("GNU %s is not installed", program)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		file := randomFile(rnd)
		n := rnd.Int64N(12)
		first := 1 + rnd.Int64N(12)
		last := first + rnd.Int64N(4)

		check := func(want string, read read) {
			t.Helper()
			got, err := read(bytes.NewReader(file))
			if err != nil || string(got.Bytes) != want {
				t.Errorf("of %q: %q, %v; want %q", file, got.Bytes, err, want)
			}
		}
		check(run(t, file, "head", "-n", fmt.Sprint(n)), head(n))
		check(run(t, file, "tail", "-n", fmt.Sprint(n)), tail(n))
		check(run(t, file, "sed", "-n", fmt.Sprintf("%d,%dp", first, last)), lines(first, last))
		check(run(t, file, "head", "-c", fmt.Sprint(n)), span(0, n))

		want, err := strconv.ParseInt(strings.TrimSpace(run(t, file, "wc", "-l")), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if len(file) > 0 && file[len(file)-1] != '\n' {
			want++
		}
		if got, err := Count(bytes.NewReader(file)); err != nil || got != want {
			t.Errorf("of %q: %d lines, %v; want %d", file, got, err, want)
		}
	}
}

// randomFile returns up to ten short lines, the last often unterminated.
func randomFile(rnd *rand.Rand) []byte {
	pieces := []string{"", "a", "b c", "\r", "\f", "\v", "\x00", "\xff", "\u0085", "\u2028", "世界", "\ufeff"}
	var file []byte
	for range rnd.IntN(11) {
		for range rnd.IntN(4) {
			file = append(file, pieces[rnd.IntN(len(pieces))]...)
		}
		file = append(file, '\n')
	}
	if len(file) > 0 && rnd.IntN(2) == 0 {
		file = file[:len(file)-1]
	}
	return file
}

func run(t *testing.T, stdin []byte, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return string(out)
}
