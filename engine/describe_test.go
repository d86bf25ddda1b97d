package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"excerpt/corpus"
	"excerpt/engine"
	"excerpt/engine/internal/reference"
	"excerpt/engine/internal/scan"
)

// described compares what Describe says with what the reference does.
func described(content []byte, d *engine.Description) error {
	return describedAs(reference.Describe(content), content, d)
}

func describedAs(want reference.Description, content []byte, d *engine.Description) error {
	got := reference.Description{
		Bytes: d.Bytes, Lines: d.Lines, Longest: int64(d.Longest), LongestBytes: d.LongestBytes,
		LF: d.LineEnds.LF, CRLF: d.LineEnds.CRLF, CR: d.LineEnds.CR, Ended: d.Ended, BOM: d.BOM, Encoding: d.Encoding,
		InvalidAt: -1, NULs: d.NULs, FirstNUL: -1, Levels: levelCounts(d),
	}
	if d.Invalid {
		got.InvalidAt = int64(d.InvalidAt)
	}
	if d.NULs > 0 {
		got.FirstNUL = int64(d.FirstNUL)
	}
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		return fmt.Errorf("%s, want %s", g, w)
	}
	if binary := d.NULs > 0 && !strings.HasPrefix(d.Encoding, "UTF-16") && !strings.HasPrefix(d.Encoding, "UTF-32"); d.Binary != binary {
		return fmt.Errorf("Binary = %t", d.Binary)
	}
	for _, stamp := range []engine.Stamp{d.First, d.Last} {
		if at := int(stamp.Offset); string(content[at:at+len(stamp.Text)]) != stamp.Text {
			return fmt.Errorf("%q is not at %d", stamp.Text, at)
		}
	}
	return nil
}

func levelCounts(d *engine.Description) map[string]int64 {
	l := d.Levels
	counts := map[string]int64{}
	for i, n := range []int64{l.Trace, l.Debug, l.Info, l.Notice, l.Warn, l.Error, l.Critical, l.Alert, l.Fatal, l.Panic} {
		if n > 0 {
			counts[reference.Levels[i][0]] = n
		}
	}
	return counts
}

func checkDescribe(t tb, content []byte, k kind, plan scan.Plan) {
	t.Helper()
	checkDescribed(t, reference.Describe(content), content, k, plan)
}

func checkDescribed(t tb, want reference.Description, content []byte, k kind, plan scan.Plan) {
	t.Helper()
	f, done := k.openIn(t, content, plan)
	defer done()
	d, err := f.Describe(ctx)
	if err == nil {
		err = describedAs(want, content, d)
	}
	if err != nil {
		t.Fatalf("%s by %s, %+v: %v", abridged(content), k.name, plan, err)
	}
}

func TestDescribeEmpty(t *testing.T) {
	t.Parallel()
	for _, k := range kinds(t.TempDir()) {
		f, done := k.openIn(t, nil, scan.Plan{})
		if d, err := f.Describe(ctx); err != nil || *d != (engine.Description{}) {
			t.Errorf("%s: %+v, %v", k.name, d, err)
		}
		done()
	}
}

func TestDescribeEveryShortFile(t *testing.T) {
	t.Parallel()
	for _, k := range kinds(t.TempDir()) {
		longest := 3
		switch {
		case quick():
			longest = 2
		case k.name == readerAt.name:
			longest = 5
		}
		words([]byte("a\r\n\x00\xc3\xa9"), longest, func(content []byte) { checkDescribe(t, bytes.Clone(content), k, tiny) })
	}
}

func TestDescribeAnything(t *testing.T) {
	t.Parallel()
	all := kinds(t.TempDir())
	rapid.Check(t, func(t *rapid.T) {
		checkDescribe(t, logs(400_000).Draw(t, "content"), all[rapid.IntRange(0, len(all)-1).Draw(t, "kind")], plans().Draw(t, "plan"))
	})
}

func FuzzDescribe(f *testing.F) {
	for i, seed := range seeds {
		f.Add([]byte(seed), uint16(1), byte(i), uint32(i*7919))
	}
	f.Add([]byte("2026-01-05 00:00:00,123 INFO  \u4e16 a line\r\n"), uint16(9_000), byte(3), uint32(1<<20))
	all := kinds(f.TempDir())
	f.Fuzz(func(t *testing.T, content []byte, times uint16, kind byte, plan uint32) {
		size := func(shift int) int { return int(plan >> shift & 255 << 3) }
		p := scan.Plan{Workers: int(plan & 7), Alone: int64(size(8)), Stripe: int64(size(16)), Block: size(24)}
		checkDescribe(t, fuzzed(content, times), all[int(kind)%len(all)], p)
	})
}

// Each corpus, against the reference and against the tools that are there.
func TestDescribeCorpora(t *testing.T) {
	t.Parallel()
	for _, name := range corpus.Kinds() {
		t.Run(string(name), func(t *testing.T) {
			var b bytes.Buffer
			size := int64(2<<20 + 12_345)
			if quick() {
				size = 200_000
			}
			must(0, corpus.Write(ctx, &b, name, 7, size))
			content := b.Bytes()
			want := reference.Describe(content)
			for _, k := range kinds(t.TempDir()) {
				if k.name != "stream of one byte" {
					checkDescribed(t, want, content, k, scan.Plan{Workers: 3, Alone: 1 << 16, Stripe: 1 << 16, Block: 50_003})
				}
			}
			path := filepath.Join(t.TempDir(), "corpus.log")
			must(0, os.WriteFile(path, content, 0o600))
			f := must(engine.Open(path, nil))
			defer f.Close()
			againstTools(t, path, must(f.Describe(ctx)))
		})
	}
}

// againstTools asks those tools that there are.
func againstTools(t *testing.T, path string, d *engine.Description) {
	run := func(name string, args ...string) (string, bool) {
		if _, err := exec.LookPath(name); err != nil {
			return "", false
		}
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err == nil
	}
	if out, ok := run("wc", "-l", path); ok {
		lines := d.Lines
		if !d.Ended {
			lines--
		}
		if n, _, _ := strings.Cut(out, " "); n != strconv.FormatInt(lines, 10) {
			t.Errorf("wc -l says %s; %d lines", out, d.Lines)
		}
	}
	// Where a byte is a column.
	if out, ok := run("wc", "-L", path); ok && d.Encoding == "ASCII" && !bytes.Contains(must(os.ReadFile(path)), []byte("\t")) {
		if n, _, _ := strings.Cut(out, " "); n != strconv.FormatInt(d.LongestBytes, 10) {
			t.Errorf("wc -L says %s; %d", out, d.LongestBytes)
		}
	}
	if _, err := exec.LookPath("iconv"); err == nil {
		if _, ok := run("iconv", "-f", "utf-8", "-t", "utf-8", path); ok == d.Invalid {
			t.Errorf("iconv says %t; invalid %t", ok, d.Invalid)
		}
	}
	if out, ok := run("file", "-b", path); ok && strings.Contains(out, "CRLF") != (d.LineEnds.CRLF > 0) {
		t.Errorf("file says %s; %v", out, d.LineEnds)
	}
	// One level, where nothing but capitals is one.
	if out, ok := run("grep", "-acE", `^[^{]{0,115}\b(WARN|WARNING)\b`, path); ok && d.Levels.Info > 0 && d.Levels.Fatal == 0 {
		if out != strconv.FormatInt(d.Levels.Warn, 10) {
			t.Errorf("grep says %s; %d", out, d.Levels.Warn)
		}
	}
}

// What is described is what is there: not what a cut has left.
func TestDescribeUnderChange(t *testing.T) {
	t.Parallel()
	content := numbered(300_000)
	small := scan.Plan{Workers: 3, Alone: 64 << 10, Stripe: 32 << 10, Block: 16 << 10}
	want := reference.Describe(content)
	for _, opts := range []engine.Options{{}, {Unmapped: true}} {
		path := filepath.Join(t.TempDir(), "app.log")
		for _, when := range []moment{beforeLocate, whileScanning, atLastWrite} {
			for _, change := range changes {
				must(0, replace(path, content))
				f := must(engine.Open(path, &opts))
				f.SetPlan(small)
				happened := false
				at := func(now moment) {
					if now == when && !happened {
						happened = true
						must(0, change.make(path, content))
					}
				}
				at(beforeLocate)
				d, err := f.Describe(engine.WithProgress(ctx, func(done, total int64) {
					at(whileScanning)
					if done == total {
						at(atLastWrite) // nothing is left to be read
					}
				}))
				f.Close()
				gone := change.size(int64(len(content))) < int64(len(content))
				switch {
				case !happened:
					t.Errorf("%s did not happen", when)
				case gone && !errors.Is(err, engine.ErrTruncated):
					t.Errorf("%s, %s, unmapped %t: %v, want ErrTruncated", change.name, when, opts.Unmapped, err)
				case !gone && err == nil:
					err = describedAs(want, content, d)
				}
				if !gone && err != nil {
					t.Errorf("%s, %s, unmapped %t: %v", change.name, when, opts.Unmapped, err)
				}
			}
		}
	}
}

func TestDescribeHoles(t *testing.T) {
	t.Parallel()
	const size = 1 << 40
	const middle = size/2 + 777
	begun := time.Now()
	f := hole(t, size, map[int64]string{0: "2026-01-05 00:00:00 INFO\nWARN ", middle: "x\nERROR\n", size - 28: "\n2026-01-05 00:00:01 fatal\r\n"})
	d := must(f.Describe(ctx))
	if d.Bytes != size || d.Lines != 5 || d.Longest != 2 || d.LongestBytes != middle-24 || !d.Binary || !d.Ended ||
		d.FirstNUL != 30 || d.NULs != size-30-8-28 || d.LineEnds != (engine.LineEnds{LF: 4, CRLF: 1}) ||
		d.Levels != (engine.Levels{Info: 1, Warn: 1, Error: 1}) || d.Invalid || d.Encoding != "ASCII" ||
		d.First.Text != "2026-01-05 00:00:00" || d.Last.Text != "2026-01-05 00:00:01" || d.Last.Offset != size-27 {
		t.Errorf("%+v", d)
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	many := map[int64]string{}
	for at := int64(0); at < 8<<20; at += 300_000 {
		many[at] = fmt.Sprintf("INFO %d\r\n", at)
	}
	f = hole(t, 8<<20, many)
	f.SetPlan(scan.Plan{Workers: 3, Alone: 1, Stripe: 100_000, Block: 4096})
	if err := described(must(os.ReadFile(f.Name())), must(f.Describe(ctx))); err != nil {
		t.Error(err)
	}
}

func TestDescribeProgress(t *testing.T) {
	t.Parallel()
	content := numbered(1 << 20)
	for _, k := range kinds(t.TempDir()) {
		if k.name == "stream of one byte" {
			continue
		}
		f, done := k.openIn(t, content, scan.Plan{Workers: 3, Alone: 1 << 16, Stripe: 1 << 16, Block: 1 << 14})
		var last int64
		d, err := f.Describe(engine.WithProgress(ctx, func(done, total int64) {
			if done <= last || total >= 0 && done > total {
				t.Errorf("%s: %d after %d, of %d", k.name, done, last, total)
			}
			last = done
		}))
		if err != nil || last != d.Bytes || d.Bytes != int64(len(content)) {
			t.Errorf("%s: %d of %d, %v", k.name, last, len(content), err)
		}
		done()
		f, done = k.openIn(t, content, scan.Plan{Workers: 3, Alone: 1 << 16, Stripe: 1 << 16, Block: 1 << 14})
		ending, cancel := context.WithCancel(ctx)
		if _, err := f.Describe(engine.WithProgress(ending, func(int64, int64) { cancel() })); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want Canceled", k.name, err)
		}
		done()
	}
}

func TestDescribeFails(t *testing.T) {
	t.Parallel()
	content := numbered(1 << 20)
	f := engine.New("disk", failing{bytes.NewReader(content), 1 << 19}, int64(len(content)), nil)
	f.SetPlan(scan.Plan{Workers: 3, Alone: 1 << 16, Stripe: 1 << 16, Block: 1 << 15})
	if _, err := f.Describe(ctx); !errors.Is(err, errDisk) {
		t.Errorf("%v, want that of the source", err)
	}
	must(0, f.Close())
	if _, err := f.Describe(ctx); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("%v, want ErrClosed", err)
	}
}

// Several at once, on a file that is closed or refreshed meanwhile.
func TestDescribeAtOnce(t *testing.T) {
	t.Parallel()
	content := numbered(1 << 20)
	f, path := openFile(t, content, nil)
	f.SetPlan(scan.Plan{Workers: 3, Alone: 1 << 16, Stripe: 1 << 16, Block: 1 << 14})
	var wg sync.WaitGroup
	want := reference.Describe(content)
	for range 4 {
		wg.Go(func() {
			if err := describedAs(want, content, must(f.Describe(ctx))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	must(0, appendTo(path, []byte("more\n")))
	for range 4 {
		wg.Go(func() {
			if d, err := f.Describe(ctx); err != nil || d.Bytes != 1<<20 && d.Bytes != 1<<20+5 {
				t.Errorf("%+v, %v", d, err)
			}
		})
	}
	must(f.Refresh())
	wg.Wait()
}

func TestDescribeStreamOfSystem(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile("/proc/self/cmdline")
	if err != nil {
		t.Skip("no /proc here")
	}
	f := must(engine.Open("/proc/self/cmdline", nil))
	defer f.Close()
	if err := described(want, must(f.Describe(ctx))); err != nil {
		t.Error(err)
	}
}
