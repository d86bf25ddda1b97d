package utf8safe

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCuts(t *testing.T) {
	tests := []struct {
		p              string
		n              int
		prefix, suffix int // Prefix(p, n), and Suffix(p, len(p)-n): the cut at n
	}{
		{"", 0, 0, 0},
		{"abc", 2, 2, 2},
		{"é", 1, 0, 2},
		{"a界b", 1, 1, 1},
		{"a界b", 2, 1, 4},
		{"a界b", 3, 1, 4},
		{"a界b", 4, 4, 4},
		{"😀", 1, 0, 4},
		{"😀", 2, 0, 4},
		{"😀", 3, 0, 4},
		{"e\u0301", 1, 1, 1},      // a combining sequence is two characters
		{"\r\n", 1, 1, 1},         // so is CR LF
		{"\xe7\x95X", 2, 2, 2},    // begins like a character, is none
		{"\xe7\x95", 1, 1, 1},     // never completed
		{"\x80\x80\x80", 2, 2, 2}, // no character begins
		{"\xc0\xaf", 1, 1, 1},     // overlong
		{"\xe0\x80\xbf", 1, 1, 1}, // overlong
		{"\xed\xa0\x80", 2, 2, 2}, // surrogate half
		{"\xf4\x90\x80\x80", 3, 3, 3},
		{"\xf5\x80\x80\x80", 1, 1, 1},
		{"é\x80\x80", 3, 3, 3}, // continuation bytes that continue nothing
		{"😀\x80", 4, 4, 4},
		{"\xf0\x9f界", 3, 2, 5},
	}
	for _, tt := range tests {
		p := []byte(tt.p)
		if got := Prefix(p, tt.n); got != tt.prefix {
			t.Errorf("Prefix(%q, %d) = %d, want %d", p, tt.n, got, tt.prefix)
		}
		if got := Suffix(p, len(p)-tt.n); got != tt.suffix {
			t.Errorf("Suffix(%q, %d) = %d, want %d", p, len(p)-tt.n, got, tt.suffix)
		}
	}
}

func TestOutOfRange(t *testing.T) {
	p := []byte("世界")
	for _, n := range []int{math.MinInt, -1, 0, 6, 7, math.MaxInt} {
		cut := min(max(n, 0), len(p))
		if got := Prefix(p, n); got != cut {
			t.Errorf("Prefix(n = %d) = %d, want %d", n, got, cut)
		}
		if got := Suffix(p, n); got != len(p)-cut {
			t.Errorf("Suffix(n = %d) = %d, want %d", n, got, len(p)-cut)
		}
		if got, err := PrefixAt(nil, 6, int64(n)); got != int64(cut) || err != nil {
			t.Errorf("PrefixAt(n = %d) = %d, %v, want %d", n, got, err, cut)
		}
		if got, err := SuffixAt(nil, 6, int64(n)); got != int64(6-cut) || err != nil {
			t.Errorf("SuffixAt(n = %d) = %d, %v, want %d", n, got, err, 6-cut)
		}
		for _, size := range []int64{math.MinInt64, -1, 0} {
			if got, err := PrefixAt(nil, size, int64(n)); got != 0 || err != nil {
				t.Errorf("PrefixAt(size = %d, n = %d) = %d, %v", size, n, got, err)
			}
			if got, err := SuffixAt(nil, size, int64(n)); got != 0 || err != nil {
				t.Errorf("SuffixAt(size = %d, n = %d) = %d, %v", size, n, got, err)
			}
		}
		if out, consumed := AppendValidN(nil, p, n); len(out) != cut || consumed != cut {
			t.Errorf("AppendValidN(n = %d) = %q, %d", n, out, consumed)
		}
	}
}

func TestIncomplete(t *testing.T) {
	tests := []struct {
		p    string
		want int
	}{
		{"", 0},
		{"a", 0},
		{"世", 0},
		{"世\xe7", 1},
		{"世\xe7\x95", 2},
		{"\xf0\x9f\x98", 3},
		{"😀", 0},
		{"😀\x80", 0},
		{"\x80", 0},
		{"\x80\x80\x80\x80", 0},
		{"\xc0", 0},
		{"\xc1", 0},
		{"\xf5", 0},
		{"\xff", 0},
		{"\xe0", 1},
		{"\xe0\x9f", 0},
		{"\xe0\xa0", 2},
		{"\xed", 1},
		{"\xed\x9f", 2},
		{"\xed\xa0", 0},
		{"\xf0", 1},
		{"\xf0\x8f", 0},
		{"\xf0\x90", 2},
		{"\xf0\x90\x80", 3},
		{"\xf4", 1},
		{"\xf4\x8f", 2},
		{"\xf4\x90", 0},
		{"\xe7\x95\xc2", 1},
	}
	for _, tt := range tests {
		if got := Incomplete([]byte(tt.p)); got != tt.want {
			t.Errorf("Incomplete(%q) = %d, want %d", tt.p, got, tt.want)
		}
	}
}

// nasty has an inner and an extreme byte of every class of the table.
var nasty = []byte{'a', '\n', 0x80, 0x8F, 0x90, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE7, 0xED, 0xF0, 0xF4, 0xFF}

// TestShortInputs checks every function on every input of up to five nasty
// bytes, at every cut.
func TestShortInputs(t *testing.T) {
	longest := 5
	if testing.Short() || race {
		longest = 4
	}
	buf := make([]byte, 0, 64)
	var extend func(p []byte)
	extend = func(p []byte) {
		check(t, p, buf)
		if len(p) < longest && !t.Failed() {
			for _, b := range nasty {
				extend(append(p, b))
			}
		}
	}
	extend(make([]byte, 0, longest))
}

// check compares every function with its oracle, for every cut of p.
func check(t rapid.TB, p, buf []byte) {
	us := units(p)
	if got, want := Incomplete(p), naiveIncomplete(p); got != want {
		t.Errorf("Incomplete(%q) = %d, want %d", p, got, want)
	}
	for n := range len(p) + 1 {
		if got, want := Prefix(p, n), naivePrefix(us, len(p), n); got != want {
			t.Errorf("Prefix(%q, %d) = %d, want %d", p, n, got, want)
		}
		if got, want := Suffix(p, n), naiveSuffix(us, len(p), n); got != want {
			t.Errorf("Suffix(%q, %d) = %d, want %d", p, n, got, want)
		}
	}
	whole := naiveValid(us, p)
	if got := AppendValid(buf, p); !bytes.Equal(got, whole) {
		t.Errorf("AppendValid(%q) = %q, want %q", p, got, whole)
	}
	for n := range len(whole) + 1 {
		appended, wantConsumed := naiveFit(us, n)
		got, consumed := AppendValidN(buf, p, n)
		if !bytes.Equal(got, whole[:appended]) || consumed != wantConsumed {
			t.Errorf("AppendValidN(%q, %d) = %q, %d, want %q, %d", p, n, got, consumed, whole[:appended], wantConsumed)
		}
	}
}

// text draws bytes in which characters, parts of them and nasty bytes mix.
func text() *rapid.Generator[[]byte] {
	pieces := rapid.OneOf(
		rapid.SampledFrom([]string{"a", "é", "世", "界", "😀", "\ufeff", "\ufffd", "\U0010ffff"}),
		rapid.SampledFrom([]string{"\xe7\x95", "\xf0\x9f\x98", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf"}),
		rapid.Map(rapid.SampledFrom(nasty), func(b byte) string { return string([]byte{b}) }),
	)
	return rapid.Map(rapid.SliceOfN(pieces, 0, 24), func(s []string) []byte {
		var p []byte
		for _, piece := range s {
			p = append(p, piece...)
		}
		return p
	})
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { check(rt, text().Draw(rt, "p"), nil) })
}

// A valid text is cut into valid texts, of which at most three bytes are lost.
func TestCutsOfValidText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := []byte(rapid.String().Draw(t, "p"))
		n := rapid.IntRange(0, len(p)).Draw(t, "n")
		if k := Prefix(p, n); !utf8.Valid(p[:k]) || !utf8.Valid(p[k:]) || k > n || k < n-3 {
			t.Errorf("Prefix = %d", k)
		}
		if k := Suffix(p, n); !utf8.Valid(p[:k]) || !utf8.Valid(p[k:]) || len(p)-k > n || len(p)-k < n-3 {
			t.Errorf("Suffix = %d", k)
		}
	})
}

// frugal is a source that fails the test if it is asked for much, twice, or
// outside of it.
type frugal struct {
	t     rapid.TB
	p     []byte
	eof   bool // say io.EOF with the last bytes already
	calls int
}

func (f *frugal) ReadAt(b []byte, off int64) (int, error) {
	f.calls++
	if f.calls > 1 || len(b) > 6 || off < 0 || off+int64(len(b)) > int64(len(f.p)) {
		f.t.Errorf("call %d: read of %d bytes at %d of %d", f.calls, len(b), off, len(f.p))
	}
	n := copy(b, f.p[off:])
	if f.eof && off+int64(n) == int64(len(f.p)) {
		return n, io.EOF
	}
	return n, nil
}

func TestAtProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := text().Draw(t, "p")
		eof := rapid.Bool().Draw(t, "eof")
		for n := -1; n <= len(p)+1; n++ {
			size := int64(len(p))
			got, err := PrefixAt(&frugal{t: t, p: p, eof: eof}, size, int64(n))
			if want := int64(Prefix(p, n)); got != want || err != nil {
				t.Errorf("PrefixAt(%d) = %d, %v, want %d", n, got, err, want)
			}
			got, err = SuffixAt(&frugal{t: t, p: p, eof: eof}, size, int64(n))
			if want := int64(Suffix(p, n)); got != want || err != nil {
				t.Errorf("SuffixAt(%d) = %d, %v, want %d", n, got, err, want)
			}
		}
	})
}

// endless is 界 again and again, up to the last offset there is.
type endless struct{}

func (endless) ReadAt(p []byte, off int64) (int, error) {
	for i := range p {
		p[i] = "界"[(off+int64(i))%3]
	}
	return len(p), nil
}

func TestLargeOffsets(t *testing.T) {
	const size = math.MaxInt64 // 3i+1: the last character is not whole
	for n := int64(size - 6); n < size; n++ {
		if got, err := PrefixAt(endless{}, size, n); got != n-n%3 || err != nil {
			t.Errorf("PrefixAt(%d) = %d, %v, want %d", n, got, err, n-n%3)
		}
		want := n + (3-n%3)%3
		if got, err := SuffixAt(endless{}, size, size-n); got != want || err != nil {
			t.Errorf("SuffixAt(%d) = %d, %v, want %d", size-n, got, err, want)
		}
	}
}

type readerAtFunc func([]byte, int64) (int, error)

func (f readerAtFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

func TestSourceErrors(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		name string
		r    io.ReaderAt
		want error
	}{
		{"shorter than said", bytes.NewReader([]byte("世界")), io.ErrUnexpectedEOF},
		{"ends inside the read", bytes.NewReader([]byte("世界世")), io.ErrUnexpectedEOF},
		{"fails", readerAtFunc(func([]byte, int64) (int, error) { return 0, broken }), broken},
		{"fails halfway", readerAtFunc(func([]byte, int64) (int, error) { return 4, broken }), broken},
		{"reads nothing", readerAtFunc(func([]byte, int64) (int, error) { return 0, nil }), io.ErrUnexpectedEOF},
	}
	for _, tt := range tests {
		if got, err := PrefixAt(tt.r, 100, 8); got != 0 || err != tt.want {
			t.Errorf("%s: PrefixAt = %d, %v, want 0, %v", tt.name, got, err, tt.want)
		}
		if got, err := SuffixAt(tt.r, 100, 92); got != 0 || err != tt.want {
			t.Errorf("%s: SuffixAt = %d, %v, want 0, %v", tt.name, got, err, tt.want)
		}
	}
}

// TestStream hands on what is complete of each read: together it must be what
// AppendValid makes of the whole.
func TestStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := text().Draw(t, "p")
		want := AppendValid(nil, p)
		for name, r := range map[string]io.Reader{
			"one byte":      iotest.OneByteReader(bytes.NewReader(p)),
			"half":          iotest.HalfReader(bytes.NewReader(p)),
			"data with EOF": iotest.DataErrReader(bytes.NewReader(p)),
		} {
			var out, held []byte
			for buf := make([]byte, 7); ; {
				n, err := r.Read(buf)
				held = append(held, buf[:n]...)
				k := len(held)
				if err == nil {
					k -= Incomplete(held)
				}
				out = AppendValid(out, held[:k])
				held = slices.Delete(held, 0, k)
				if err != nil {
					break
				}
			}
			if !bytes.Equal(out, want) {
				t.Errorf("%s: got %q, want %q", name, out, want)
			}
		}
	})
}
