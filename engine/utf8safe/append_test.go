package utf8safe

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestAppendValid(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", ""},
		{"plain", "plain"},
		{"世界😀", "世界😀"},
		{"a\ufffdb", "a\ufffdb"},
		{"\xff", "?"},
		{"a\xe7\x95", "a?"},
		{"\xe7\x95X", "?X"},
		{"\xf0\x9f\x98\xf0\x9f\x98\x80", "?😀"},
		// Tables 3-8 to 3-11 of the Unicode Standard.
		{"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "????????A"},
		{"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", "????????A"},
		{"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", "?????A??B"},
		{"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", "????A"},
	}
	for _, tt := range tests {
		want := "dst" + strings.ReplaceAll(tt.want, "?", "\ufffd")
		if got := AppendValid([]byte("dst"), []byte(tt.src)); string(got) != want {
			t.Errorf("AppendValid(%q) = %q, want %q", tt.src, got, want)
		}
	}
}

func TestAppendValidN(t *testing.T) {
	tests := []struct {
		src      string
		n        int
		want     string
		consumed int
	}{
		{"世界", 2, "", 0},
		{"世界", 3, "世", 3},
		{"世界", 5, "世", 3},
		{"世界", 6, "世界", 6},
		{"\xffa", 2, "", 0}, // a replacement is not split, nor left out
		{"\xffa", 3, "\ufffd", 1},
		{"\xffa", 4, "\ufffda", 2},
		{"\xf0\x9f\x98a", 3, "\ufffd", 3},
		{"ab\xe7", 3, "ab", 2},
	}
	for _, tt := range tests {
		out, consumed := AppendValidN([]byte("dst"), []byte(tt.src), tt.n)
		if string(out) != "dst"+tt.want || consumed != tt.consumed {
			t.Errorf("AppendValidN(%q, %d) = %q, %d, want dst%s, %d", tt.src, tt.n, out, consumed, tt.want, tt.consumed)
		}
	}
}

// TestPieces moves a bad sequence and a character over the border between two
// pieces.
func TestPieces(t *testing.T) {
	for _, s := range []string{"\xff", "\xe7\x95", "\xf0\x9f\x98", "界", "😀", "\x80\x80", "\xf0\x9f界"} {
		for at := piece - 5; at <= piece+1; at++ {
			src := padded(at, s, piece)
			us := units(src)
			whole := naiveValid(us, src)
			if got := AppendValid(nil, src); !bytes.Equal(got, whole) {
				t.Errorf("%q at %d: differs from the oracle", s, at)
			}
			for n := piece - 6; n <= piece+6; n++ {
				appended, wantConsumed := naiveFit(us, n)
				got, consumed := AppendValidN(nil, src, n)
				if !bytes.Equal(got, whole[:appended]) || consumed != wantConsumed {
					t.Errorf("%q at %d, %d bytes: %d of %d, want %d of %d", s, at, n, len(got), consumed, appended, wantConsumed)
				}
			}
		}
	}
}

func padded(before int, s string, after int) []byte {
	return []byte(strings.Repeat("x", before) + s + strings.Repeat("y", after))
}

// TestResume goes through a text in bounded steps.
func TestResume(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := text().Draw(t, "src")
		n := rapid.IntRange(utf8.UTFMax, 20).Draw(t, "n")
		var out []byte
		for rest := src; len(rest) > 0; {
			before := len(out)
			var consumed int
			out, consumed = AppendValidN(out, rest, n)
			if consumed == 0 || len(out)-before > n {
				t.Fatalf("%d bytes consumed, %d appended", consumed, len(out)-before)
			}
			if same := bytes.Equal(out[before:], rest[:consumed]); same != utf8.Valid(rest[:consumed]) {
				t.Errorf("output equal to the source: %v, of %q", same, rest[:consumed])
			}
			rest = rest[consumed:]
		}
		if want := AppendValid(nil, src); !bytes.Equal(out, want) {
			t.Errorf("got %q, want %q", out, want)
		}
	})
}

func TestAppendValidAllocs(t *testing.T) {
	src := padded(3*piece, "\xff界\xe7\x95", piece)
	dst := make([]byte, 0, len(src)+16)
	if n := testing.AllocsPerRun(20, func() { AppendValid(dst, src) }); n != 0 {
		t.Errorf("%v allocations with enough capacity", n)
	}
	valid := bytes.Repeat([]byte("世"), piece)
	if out := AppendValid(nil, valid); cap(out) > len(valid)*5/4 {
		t.Errorf("capacity %d for %d bytes", cap(out), len(valid))
	}
	// The limit bounds the growth, not the length of the source.
	if out, _ := AppendValidN(nil, src, 10); cap(out) > 64 {
		t.Errorf("capacity %d for 10 bytes", cap(out))
	}
}

func BenchmarkAppendValid(b *testing.B) {
	const size = 1 << 20
	texts := []struct{ name, unit string }{
		{"ascii", "2026-11-30T22:30:35Z INFO request served in 12 ms\n"},
		{"many-byte", "2026-11-30 情報 要求を処理しました 😀\n"},
		{"bad/line", "2026-11-30T22:30:35Z INFO caf\xe9 served in 12 ms..\n"},
		{"bad/all", "\xff"},
	}
	for _, text := range texts {
		src := bytes.Repeat([]byte(text.unit), size/len(text.unit))
		dst := make([]byte, 0, 3*size)
		want := len(src) + 2*bytes.Count(src, []byte{0xe9}) + 2*bytes.Count(src, []byte{0xff})
		if text.name == "many-byte" {
			want = len(src)
		}
		b.Run(text.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if got := len(AppendValid(dst, src)); got != want {
					b.Fatalf("%d bytes, want %d", got, want)
				}
			}
		})
		if text.name == "ascii" {
			b.Run(fmt.Sprintf("%s/copy", text.name), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					_ = append(dst, src...)
				}
			})
		}
	}
}

func BenchmarkPrefix(b *testing.B) {
	p := []byte(strings.Repeat("世界😀", 1000))
	for b.Loop() {
		if Prefix(p, 5002) != 5000 {
			b.Fatal("wrong cut")
		}
	}
}
