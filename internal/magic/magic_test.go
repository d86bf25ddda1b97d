package magic

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for begin, want := range map[string]string{
		"":                             "",
		"a line of text":               "",
		"BZh9, said the log":           "",
		"BZhA1AY&SY":                   "",
		"\x99 is no index":             "",
		"\xff\x06\x00\x00 of what":     "",
		"\x1f\x8b":                     "",
		"\x1f\x8b\x08":                 "gzip",
		"\x28\xb5\x2f\xfd":             "zstd",
		"\x5f\x2a\x4d\x18":             "zstd",
		"\x60\x2a\x4d\x18":             "",
		"\xff\x06\x00\x00S2sTwO":       "s2",
		"\x99\x00\x00\x00s2idx\x00":    "s2",
		"\xff\x06\x00\x00sNaPpY":       "snappy",
		"BZh91AY&SY":                   "bzip2",
		"BZh1\x17\x72\x45\x38\x50\x90": "bzip2",
		"\xfd7zXZ\x00":                 "xz",
	} {
		for _, b := range []string{begin, begin + strings.Repeat("x", 20)} {
			if got := Of([]byte(b)); got != want && (len(b) >= Len || want != "") {
				t.Errorf("%q: %q, want %q", b, got, want)
			}
			if len(b) >= Len && Of([]byte(b[:Len])) != want {
				t.Errorf("%q: its first %d bytes are not enough", b, Len)
			}
		}
	}
}
