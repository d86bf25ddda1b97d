package compressed

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"excerpt/corpus"
)

var update = flag.Bool("update", false, "record the files of testdata again, where their producers are installed")

// A recording is a file of testdata, that a producer has made of a text.
type recording struct {
	producer
	file string
	kind corpus.Kind
	size int64
}

// recordings are files of every producer, for where it is not installed, and
// for what its next version writes no more.
func recordings() (all []recording) {
	ext := map[Format]string{Gzip: "gz", Zstd: "zst", S2: "s2", Snappy: "sz", Bzip2: "bz2", XZ: "xz"}
	for _, p := range producers {
		name := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(p.name), "-"), "-")
		add := func(suffix string, kind corpus.Kind, size int64) {
			all = append(all, recording{p, name + suffix + "." + ext[p.format], kind, size})
		}
		add("", "app", 10_000)
		switch p.name {
		case "gzip -9", "zstd -3 --zstd=wlog=12": // of several blocks, with places to begin at inside
			add("-blocks", "app", 130_000)
		case "gzip -6", "zstd -3":
			add("-empty", "app", 0)
		case "pigz -p2 -b128", "bgzip -c", "pzstd -p 2 -1 FILE", "bzip2 -1", "xz -0", "seekable zstd, converted":
			add("-empty", "app", 0)
		}
	}
	return all
}

func TestRecorded(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, p := range chosen() {
		names[p.name] = true
	}
	for _, r := range recordings() {
		if !names[r.name] {
			continue
		}
		t.Run(r.file, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", r.file)
			plain := content(t, r.kind, r.size)
			if *update {
				if b := r.make(t, plain); b != nil {
					if err := os.WriteFile(path, b, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err, "(go test ./engine/compressed -run Recorded -update records it)")
			}
			s := tiny
			if r.size > 100_000 {
				s = small
			}
			checkFile(t, b, r.format, plain, s)
			if strings.HasSuffix(strings.TrimSuffix(r.file, filepath.Ext(r.file)), "-blocks") {
				f := inMemory(b, s)
				defer f.Close()
				if _, err := readAll(f); err != nil || len(f.table.points) < 2 || !f.table.points[1].inside {
					t.Errorf("it has no places inside to begin at: %d, %v", len(f.table.points), err)
				}
				return
			}
			checked := !strings.Contains(r.name, "no-check") && !strings.Contains(r.name, "check=none") && !strings.Contains(r.name, "without checksums")
			atOnce := small
			atOnce.first = 1 << 20
			for i := sniff; i < len(b); i += 1 + len(b)/20 {
				if Detect(b[:sniff]) == Detect(b[:i]) {
					checkDamaged(t, b[:i], plain, s, false)
				}
				bad := bytes.Clone(b)
				if bad[i] ^= 0x10; checked && !strings.Contains(r.name, "--long") {
					checkDamaged(t, bad, plain, atOnce, true)
				}
			}
		})
	}
}

// No recording is left of what is not made any more, and all are small.
func TestRecordedFiles(t *testing.T) {
	wanted := map[string]bool{}
	for _, r := range recordings() {
		if wanted[r.file] {
			t.Errorf("two producers have the file %s", r.file)
		}
		wanted[r.file] = true
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		if !wanted[entry.Name()] {
			t.Errorf("%s is of no producer", entry.Name())
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
		}
	}
	if size > 300<<10 {
		t.Errorf("they have %d bytes", size)
	}
}
