package workload

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"excerpt/engine/utf8safe"
)

// Cuts at each of 1,000 places.
func BenchmarkCuts(b *testing.B) {
	text := open(b, "script").text[:1100]
	var prefixes, suffixes int64
	for n := 50; n < 1050; n++ {
		cut := n
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		prefixes += int64(cut)
		cut = len(text) - n
		for !utf8.RuneStart(text[cut]) {
			cut++
		}
		suffixes += int64(cut)
	}
	for _, c := range []struct {
		name string
		cut  func([]byte, int) int
		want int64
	}{
		{"prefix", utf8safe.Prefix, prefixes},
		{"suffix", utf8safe.Suffix, suffixes},
	} {
		b.Run(c.name, func(b *testing.B) {
			run(b, nil, c.want, func() (sum int64, err error) {
				for n := 50; n < 1050; n++ {
					sum += int64(c.cut(text, n))
				}
				return sum, nil
			})
		})
	}
}

func BenchmarkAppendValid(b *testing.B) {
	for _, kind := range []string{"valid", "invalid"} {
		b.Run(kind, func(b *testing.B) {
			text := open(b, "script").text[:128<<10]
			if kind == "invalid" {
				text = open(b, "invalid").text[:128<<10]
			}
			// A run of bytes that are no character becomes one for each.
			want := int64(len(bytes.Join(split(text), []byte("\uFFFD"))))
			buf := make([]byte, 0, 3*len(text))
			run(b, nil, want, func() (int64, error) { return int64(len(utf8safe.AppendValid(buf, text))), nil })
		})
	}
}

// split splits text at what utf8safe replaces.
func split(text []byte) (parts [][]byte) {
	begin := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			n = max(1, maximal(text[i:]))
			parts = append(parts, text[begin:i])
			begin = i + n
		}
		i += n
	}
	return append(parts, text[begin:])
}

// maximal returns how many bytes of p begin a character that breaks off.
func maximal(p []byte) int {
	n := 0
	for n < len(p) && n < utf8.UTFMax && !utf8.FullRune(p[:n+1]) {
		n++
	}
	return n
}
