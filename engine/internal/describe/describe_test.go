package describe

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"excerpt/engine/internal/reference"
)

// want compares a part that was finished with the reference.
func want(data []byte, p *Part) error {
	w := reference.Describe(data)
	bytes, nuls, first := p.Bytes, p.NULs, p.FirstNUL
	r := p.Finish()
	if nuls == 0 {
		first = -1
	}
	got := reference.Description{
		Bytes: bytes, Lines: r.Lines, Longest: r.Longest, LongestBytes: r.Text,
		LF: r.LF, CRLF: r.CRLF, CR: r.CR, Ended: r.Ended, BOM: r.BOM,
		Encoding:  [...]string{"", "ASCII", "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"}[r.Encoding],
		InvalidAt: r.Bad, NULs: nuls, FirstNUL: first, Levels: map[string]int64{},
	}
	for i, words := range reference.Levels {
		if n := r.Levels[i+1]; n > 0 {
			got.Levels[words[0]] = n
		}
	}
	if g, w := fmt.Sprint(got), fmt.Sprint(w); g != w {
		return fmt.Errorf("%.200q (%d bytes):\ngot  %s\nwant %s", data, len(data), g, w)
	}
	var lines int64
	for _, n := range r.Levels {
		lines += n
	}
	if lines != r.Lines {
		return fmt.Errorf("%.200q: levels of %d lines, and there are %d", data, lines, r.Lines)
	}
	return nil
}

// fed returns what data are like, added in blocks and surveyed in pieces.
func fed(data []byte, block, piece int) *Part {
	p := new(Part)
	for b := range slices.Chunk(data, block) {
		p.add(slices.Clip(b), piece)
	}
	return p
}

// wordsOf calls fn with each word of up to n letters.
func wordsOf(letters []string, n int, fn func(word []byte)) {
	var extend func(word []byte, n int)
	extend = func(word []byte, n int) {
		fn(word)
		if n > 0 {
			for _, letter := range letters {
				extend(append(word, letter...), n-1)
			}
		}
	}
	extend(make([]byte, 0, 64), n)
}

var every = flag.Bool("every", false, "short texts a letter longer")

// Every short text, in every way in which two parts and two blocks can have it.
func TestEveryShortText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		letters []string
		longest int
	}{
		{[]string{"a", "\n", "\r", "\x00", "\xc3", "\xa9"}, 5},
		{[]string{"\n", "\ufeff", "\xef", "\xbb", "\xbf"}, 4},
		{[]string{"\n", "\xf0", "\x9f", "\x98", "\x80", "\xe0"}, 5},
		{[]string{"\n", "\xff\xfe", "\x00", "a", "\xfe\xff"}, 4},
		{[]string{"\n", "INFO", "error", "[", "]", "=", "level", "{", `"`, ":", " ", "_", "\t"}, 4},
	} {
		if !*every {
			test.longest--
		}
		wordsOf(test.letters, test.longest, func(data []byte) {
			for at := range len(data) + 1 {
				p, next := fed(data[:at], 64, 64), fed(data[at:], 2, 1)
				p.Merge(next)
				if err := want(data, p); err != nil {
					t.Fatalf("cut at %d: %v", at, err)
				}
			}
			p := new(Part)
			for i := range data {
				p.Merge(fed(data[i:i+1], 1, 1))
			}
			if err := want(data, p); err != nil {
				t.Fatalf("merged of bytes: %v", err)
			}
		})
	}
}

var pieces = []string{
	"", "a", "some text ", "\r", "\r\n", "\n", "\n\n\n", "\x00", "\xff", "\xe4\xb8", "\u00e9", "\u4e16\u754c", "\U0001f600", "\ufeff",
	"\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf",
	"2026-01-05T00:00:00.000Z ", "INFO ", " WARN", "ERRO", "R", "CRITICAL", "EMERG", "Info", "error", "notice", "ſevere",
	"[", "]", ":", "=", `"`, `":"`, `": "`, "{", "level", "severity", "lvl", ", ", "  ", "\t", "_", "log.level=", `"level":"`,
	"mod_x:crit]", "Warning]", "GET HTTP POST",
}

func texts() *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		var b []byte
		end := rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\r", ""}).Draw(t, "line end")
		for range rapid.IntRange(0, 30).Draw(t, "lines") {
			for range rapid.IntRange(0, 12).Draw(t, "pieces") {
				text := rapid.SampledFrom(pieces).Draw(t, "piece")
				b = append(b, text...)
			}
			if n := rapid.SampledFrom([]int{0, 0, 0, 0, 1, 40, 130, 3000}).Draw(t, "filler"); n > 0 {
				b = append(b, bytes.Repeat([]byte{'x'}, n)...)
			}
			b = append(b, end...)
		}
		return b
	})
}

func TestAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := texts().Draw(t, "text")
		p := new(Part)
		for rest := data; len(rest) > 0; {
			n := min(len(rest), rapid.SampledFrom([]int{1, 2, 3, 7, 64, 200, 1 << 20}).Draw(t, "part"))
			next := fed(rest[:n], rapid.SampledFrom([]int{1, 5, 300, 1 << 20}).Draw(t, "block"), rapid.SampledFrom([]int{1, 64, 100, piece}).Draw(t, "piece"))
			p.Merge(next)
			rest = rest[n:]
		}
		if err := want(data, p); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, seed := range pieces {
		f.Add([]byte("2026-01-05T00:00:00.000Z INFO  [main] "+seed+"\n"), uint16(3), uint16(2))
		f.Add([]byte(seed+seed), uint16(1), uint16(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, cut, block uint16) {
		at := min(int(cut), len(data))
		p := fed(data[:at], int(block)+1, piece)
		p.Merge(fed(data[at:], int(block)+1, int(block)%piece+1))
		if err := want(data, p); err != nil {
			t.Fatal(err)
		}
	})
}

// NULs of a hole are those of a text.
func TestZeros(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := new(Part)
		var data []byte
		for range rapid.IntRange(0, 5).Draw(t, "parts") {
			b := texts().Draw(t, "text")
			n := rapid.SampledFrom([]int{0, 1, 2, 127, 128, 130, 20_000}).Draw(t, "zeros")
			next := fed(b, 1<<20, piece)
			next.Zeros(int64(n))
			data = append(append(data, b...), make([]byte, n)...)
			p.Merge(next)
		}
		if err := want(data, p); err != nil {
			t.Fatal(err)
		}
	})
}

// A line can be longer than any buffer and than what 32 bits can count.
func TestLongLine(t *testing.T) {
	t.Parallel()
	p := new(Part)
	p.Add([]byte("a\nWARN "))
	for range 3 {
		next := new(Part)
		next.Zeros(1 << 40)
		p.Merge(next)
	}
	p.Add([]byte("\r\nend"))
	r := p.Finish()
	if r.Lines != 3 || r.Longest != 2 || r.Text != 3<<40+5 || r.CRLF != 1 || r.Levels[Warn] != 1 || p.NULs != 3<<40 || p.FirstNUL != 7 {
		t.Errorf("%+v", r)
	}
}

// What is fast is what is plain, at each length and at each place of a byte.
func TestSurvey(t *testing.T) {
	t.Parallel()
	atEnd := guard(t)
	random := rand.New(rand.NewPCG(1, 2))
	letters := []byte("\n\n\r\x00a \t=]}:\"\x1dAZ@[INFO\x7f\x80\xc3\xa9\xff")
	for n := range 700 {
		for _, of := range [][]byte{letters, letters[:1], []byte("a"), []byte("a\n"), []byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\xc3\xa9")} {
			b := make([]byte, n)
			for i := range b {
				b[i] = of[random.IntN(len(of))]
			}
			b = atEnd(b)
			got, plain := make([]uint32, n+1), make([]uint32, n+1)
			count, has := survey(b, 1000, got)
			plainCount, plainHas := surveyGo(b, 1000, plain)
			if count != plainCount || has != plainHas || !slices.Equal(got[:count], plain[:count]) {
				t.Fatalf("survey of %q: %d %b %d, want %d %b %d", b, count, has, got[:count], plainCount, plainHas, plain[:count])
			}
			if valid(b) != validGo(b) {
				t.Fatalf("valid(%q) = %t", b, valid(b))
			}
		}
	}
}

func TestSigns(t *testing.T) {
	t.Parallel()
	atEnd := guard(t)
	random := rand.New(rand.NewPCG(1, 2))
	letters := []byte("\n\r\x00a  \t=]}:\"\x1dAZ@[INFO\x7f\x80\xc3\xff{")
	levelWords := []string{"INFO ", "WARNING", "CRITICAL", " ERR", "PANIC!", "TRACES", "DEBUG_", "{"}
	for range 3000 {
		b := []byte{'\n'}
		for len(b) < 500 {
			if random.IntN(8) == 0 {
				b = append(b, levelWords[random.IntN(len(levelWords))]...)
			}
			b = append(b, letters[random.IntN(len(letters))])
		}
		b = atEnd(b)
		ends := make([]uint32, len(b)+1)
		n, _ := survey(b, 0, ends)
		ends = ends[:n]
		for from, chunks := range []int{1, 3} {
			from *= chunk
			for len(ends) > 1 && int(ends[len(ends)-2])+from+chunks*chunk+capitalsAfter >= len(b) {
				ends = ends[:len(ends)-1]
			}
			lines := len(ends) - 1
			got, plain := make([]uint32, lines*chunks), make([]uint32, lines*chunks)
			signs(b, ends[:lines], from, chunks, got)
			signsGo(b, ends[:lines], from, chunks, plain)
			for i := range got {
				// Sets of letters that are alike may let some more pass.
				if plain[i]&^got[i] != 0 {
					at := int(ends[i/chunks]) + 1 + from + i%chunks*chunk
					t.Fatalf("signs of %q: %b, want %b", b[at:at+chunk], got[i], plain[i])
				}
			}
			if from > 0 {
				continue
			}
			var counts, plainCounts [levels]int64
			var unknown, plainUnknown [lot]uint32
			lines = min(lines, lot)
			longest, m := capitalLevels(b, ends[:lines+1], got, &counts, &unknown)
			plainLongest, plainM := capitalLevelsGo(b, ends[:lines+1], got, &plainCounts, &plainUnknown)
			if longest != plainLongest || counts != plainCounts || m != plainM || !slices.Equal(unknown[:m], plainUnknown[:m]) {
				t.Fatalf("levels of %q: %d %d %d, want %d %d %d", b, longest, counts, unknown[:m], plainLongest, plainCounts, plainUnknown[:plainM])
			}
		}
	}
}

// Each sequence of up to four bytes that matter, at each place of a step.
func TestValid(t *testing.T) {
	t.Parallel()
	edges := []byte{0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff}
	b := bytes.Repeat([]byte("a"), 160)
	n := 0
	for _, w := range edges {
		for _, x := range edges {
			for _, y := range edges {
				for _, z := range edges {
					n++
					at := n % (len(b) - 3)
					copy(b[at:], []byte{w, x, y, z})
					if got := valid(b); got != validGo(b) {
						t.Fatalf("%x at %d: %t", b[at:at+4], at, got)
					}
					copy(b[at:], "aaaa")
				}
			}
		}
	}
}
