package readfile_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"excerpt/readfile"
)

func wide(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

func TestBinary(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte("a log\n"))
	z.Close()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	const text = "2026-11-30 some text\r\nand more\n"
	for content, word := range map[string]string{
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR": "PNG",
		"\x89PNG\n":                           "PNG", // without any NUL
		"\xff\xd8\xff\xe0JFIF":                "JPEG",
		"GIF89a\x01\x02":                      "GIF",
		"%PDF-1.7\n%\xe2\xe3":                 "PDF",
		"PK\x03\x04\x14\x00":                  "ZIP",
		zipped.String():                       "gzip",
		"\x28\xb5\x2f\xfd\x04":                "zstd",
		"BZh91AY&SYabc":                       "bzip2",
		"\xfd7zXZ\x00\x00":                    "xz",
		"7z\xbc\xaf\x27\x1c\x00":              "7-Zip",
		"\x7fELF\x02\x01\x01\x00":             "ELF",
		"MZ\x90\x00\x03":                      "Windows",
		"\xcf\xfa\xed\xfe\x07":                "Mach-O",
		"\xca\xfe\xba\xbe\x00\x00\x00\x34":    "Java",
		"\x00asm\x01\x00\x00\x00":             "WebAssembly",
		"SQLite format 3\x00\x10":             "SQLite",
		"a.txt" + strings.Repeat("\x00", 252) + "ustar\x0000": "tar",
		"RIFF\x10\x00\x00\x00WEBPVP8 ":                        "WebP",
		"\x00\x00\x00\x20ftypisom":                            "MP4",
		"OggS\x00\x02":                                        "Ogg",
		"ID3\x03\x00\x00":                                     "MP3",
		string(self[:4096]):                                   "binary",
		"\x00":                                                "binary",
		"a\x00b\n":                                            "binary",
		"some text\n\x00\n":                                   "binary",
		strings.Repeat("some text\n", 400) + "\x00":           "binary",
		"\x01\x00\x02\x00\x03\x00\x04\x00":                    "binary",
		"\xff\xfe" + wide(text, binary.LittleEndian):          "UTF-16LE",
		"\xfe\xff" + wide(text, binary.BigEndian):             "UTF-16BE",
		"\xff\xfe":                                            "UTF-16LE",
		wide(text, binary.LittleEndian):                       "UTF-16LE",
		wide(text, binary.BigEndian):                          "UTF-16BE",
		wide("错误 error: 世界\n", binary.LittleEndian):           "UTF-16LE",
		wide("ab", binary.BigEndian):                          "UTF-16BE",
		"\xff\xfe\x00\x00a\x00\x00\x00":                       "UTF-32LE",
		"\x00\x00\xfe\xff\x00\x00\x00a":                       "UTF-32BE",
	} {
		tool := contents(t, readfile.Options{}, map[string]string{"f": content})
		for _, req := range []readfile.Request{{}, {Tail: 1 << 40}, {Head: 1 << 40, ShowLineNumbers: true}} {
			req.Path = "w/f"
			r := tool.Read(ctx, req)
			if !errors.Is(r.Err, readfile.ErrBinary) || !strings.Contains(r.Text(), word) || !strings.Contains(r.Text(), "bytes") {
				t.Errorf("%.30q: %q, want %s", content, r.Text(), word)
			}
		}
	}
}

// What begins like something binary, or has rare bytes, and is text.
func TestText(t *testing.T) {
	long := "a" + strings.Repeat("界", 30_000) // every sample ends inside a character
	for _, content := range []string{
		"BMW\n", "MZ\n", "PAR1\n", "BZh\n", "ID3 decision trees\n", "wOFF\n", "8BPS\n", "PK\n", "RIFFxxxxWAVE\n", "xxxxftyp\n", "GIF\n", "PDF\n", "II*\n", "SQLite format 3\n",
		long, "b" + long, "bc" + long, "\ufeff" + long, "😀" + long,
		"\x01\x02\x1b[31mred\x1b[0m\x7f\n", "caf\xe9\n", "\xfe\n", "\xff\n", "\xef\xbb\n", "\xef\xbb\xbf",
		"العربية\nעברית\nไทย\n한국어\n日本語\n", "\v\f\u0085\u2028\n",
		strings.Repeat(" ", 257) + "ustar\n",
	} {
		tool := contents(t, readfile.Options{}, map[string]string{"f": content})
		if r := tool.Read(ctx, readfile.Request{Path: "w/f", Head: 1}); r.Err != nil {
			t.Errorf("%.30q is refused: %s", content, r.Text())
		}
	}
}

// A NUL somewhere else is no reason to refuse what was asked for: logs that are
// copied and truncated begin with NULs.
func TestNULElsewhere(t *testing.T) {
	tool := contents(t, readfile.Options{}, map[string]string{"f": strings.Repeat("\x00", 5000) + "\none\ntwo\n"})
	if r := tool.Read(ctx, readfile.Request{Path: "w/f", Tail: 2}); r.Text() != "one\ntwo\n" {
		t.Errorf("%q", r.Text())
	}
	for _, req := range []readfile.Request{{Tail: 3}, {Head: 1}, {}, {StartLine: 9, EndLine: 9}} {
		req.Path = "w/f"
		if r := tool.Read(ctx, req); !errors.Is(r.Err, readfile.ErrBinary) {
			t.Errorf("%+v: %q", req, r.Text())
		}
	}
}

// A hole of gigabytes is refused at once, from wherever it is read.
func TestHole(t *testing.T) {
	w := newWorkspace(t)
	w.write("hole.log", "")
	if err := os.Truncate(w.path("hole.log"), 2<<30); err != nil {
		t.Skip(err)
	}
	tool := w.tool(nil)
	for _, req := range []readfile.Request{{}, {Tail: 5}, {Tail: 5, ShowLineNumbers: true}, {Head: 5}, {StartLine: 2, EndLine: 3}, {StartLine: 1, EndLine: 1, StartColumn: 1 << 30}} {
		req.Path = "hole.log"
		if r := tool.Read(ctx, req); !errors.Is(r.Err, readfile.ErrBinary) {
			t.Errorf("%+v: %q", req, r.Text())
		}
	}
}
