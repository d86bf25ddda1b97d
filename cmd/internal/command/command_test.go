package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"excerpt/engine"
)

// TestJSON holds lines of random bytes against encoding/json.
func TestJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		text := make([]byte, random.IntN(20))
		for i := range text {
			text[i] = byte(random.IntN(256)) >> random.IntN(2)
		}
		var got struct {
			Line, Offset, Bytes int64
			Text                string
			Invalid             bool
		}
		object := appendLine(nil, engine.Line{Number: 3, Offset: 7, Bytes: 9, Text: text})
		if err := json.Unmarshal(object, &got); err != nil {
			t.Fatalf("%q: %s: %v", text, object, err)
		}
		if got.Text != strings.ToValidUTF8(got.Text, "") || got.Invalid == utf8.Valid(text) || got.Line != 3 ||
			utf8.Valid(text) && got.Text != string(text) {
			t.Fatalf("%q: %s", text, object)
		}
	}
}

func TestAmount(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "007": 7, "1K": 1024, "1k": 1024, "2KiB": 2048, "3kB": 3000, "1M": 1 << 20,
		"1MB": 1e6, "1g": 1 << 30, "4T": 4 << 40, "1PiB": 1 << 50, "7E": 7 << 60, "9EB": 9e18,
		"9223372036854775807": 1<<63 - 1,
	} {
		a := &amount{text: text}
		if got, err := a.parse("-c", "bytes"); got != want || err != nil {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "K", "1KK", "1iB", "1B", "1b", "1.5K", "0x10", "1_000", " 1", "1 ", "8E", "10EB", "\x00", "１"} {
		a := &amount{text: text}
		if got, err := a.parse("-c", "bytes"); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// TestArguments has no command line crash or hang the program.
func TestArguments(t *testing.T) {
	words := []string{
		"tail", "head", "lines", "count", "prefix", "help", "version", "-", "--", "---", "-n", "-n5", "-n=5", "-c", "-N",
		"--json", "--json=1", "--lines", "--lines=", "-=", "--=", "=", "", "%d", "-%", "1-2", "1+", "-h", "--help", "\x00",
		"\"", "-n\"", "'", "-n'", "`", "--version", "__complete", "--trace=x", "--metadata", "mcp", "read", "completion", "0", "9999999999999999999999",
	}
	random := rand.New(rand.NewPCG(3, 4))
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	stdin, stderr := os.Stdin, os.Stderr
	defer func() { os.Stdin, os.Stderr = stdin, stderr }()
	os.Stderr = null
	for range 3000 {
		if os.Stdin, err = os.Open(os.DevNull); err != nil {
			t.Fatal(err)
		}
		args := make([]string, random.IntN(5))
		for i := range args {
			args[i] = words[random.IntN(len(words))]
		}
		_, _ = execute(args, nil, &output{file: null})
		_ = os.Stdin.Close()
	}
}

// TestHelp looks for every flag of a verb in its help.
func TestHelp(t *testing.T) {
	for _, v := range verbs() {
		out := filepath.Join(t.TempDir(), "out")
		file, err := os.Create(out)
		if err != nil {
			t.Fatal(err)
		}
		f := newFlags()
		v.command().define(f)
		for _, flag := range f.long() {
			if !strings.Contains(v.help, flag) {
				t.Errorf("%s: %s is not in its help", v.name, flag)
			}
		}
		if _, err := execute([]string{v.name, "--help"}, nil, &output{file: file}); err != nil {
			t.Error(err)
		}
		_ = file.Close()
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(v.help, string(got)); diff != "" {
			t.Errorf("%s: %s", v.name, diff)
		}
	}
}

func TestDimmer(t *testing.T) {
	const numbered = "9: a: b\n10: \n11: c"
	const want = "\x1b[2m9: \x1b[22ma: b\n\x1b[2m10: \x1b[22m\n\x1b[2m11: \x1b[22mc"
	for size := 1; size <= len(numbered); size++ {
		var got bytes.Buffer
		d := &dimmer{w: &got}
		for rest := numbered; rest != ""; rest = rest[min(size, len(rest)):] {
			if _, err := d.Write([]byte(rest[:min(size, len(rest))])); err != nil {
				t.Fatal(err)
			}
		}
		if got.String() != want {
			t.Errorf("by %d: %q", size, &got)
		}
	}
}

func TestBar(t *testing.T) {
	var screen bytes.Buffer
	b := &bar{w: &screen, began: time.Now()}
	b.report(1, 2)
	if screen.Len() > 0 {
		t.Errorf("too early: %q", &screen)
	}
	b.began = b.began.Add(-2 * patience)
	b.report(1<<30, 4<<30)
	if got := screen.String(); !strings.HasPrefix(got, erase+" 25% [#######....") || !strings.Contains(got, "1.00 of 4.00 GiB") {
		t.Errorf("%q", got)
	}
	b.stop()
	b.drawn = time.Time{}
	b.report(2<<30, 4<<30)
	if got := screen.String(); !strings.HasSuffix(got, erase) {
		t.Errorf("not erased: %q", got)
	}
	if got := progress(3<<20, -1, time.Second); got != "3.0 MiB, 3.0 MiB/s" {
		t.Errorf("%q", got)
	}
}

// TestAgain has a rotated log that was cut short while it was read be read once
// more, unless something was printed.
func TestAgain(t *testing.T) {
	cut := fmt.Errorf("app.log: %w", engine.ErrTruncated)
	for _, test := range []struct {
		rotated, begun bool
		errs           []error
		calls          int
		want           error
	}{
		{true, false, []error{cut, cut, nil}, 3, nil},
		{true, true, []error{cut, nil}, 1, cut},
		{false, false, []error{cut, nil}, 1, cut},
		{true, false, []error{os.ErrNotExist, nil}, 1, os.ErrNotExist},
		{true, false, slices.Repeat([]error{cut}, 20), 6, cut},
	} {
		r := &reading{rotated: test.rotated}
		calls := 0
		err := r.again(&output{begun: test.begun}, func() error {
			calls++
			return test.errs[calls-1]
		})
		if err != test.want || calls != test.calls {
			t.Errorf("%+v: %v after %d calls", test, err, calls)
		}
	}
}
