package utf8safe

import (
	"bytes"
	"testing"
)

func seed(f *testing.F) {
	for _, s := range []string{
		"", "abc", "a界b😀", "\xe7\x95X", "\xed\xa0\x80", "\xf4\x90\x80\x80",
		"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41",
	} {
		f.Add([]byte(s), len(s)/2)
	}
}

func FuzzPrefix(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, p []byte, n int) {
		want := naivePrefix(units(p), len(p), n)
		if got := Prefix(p, n); got != want {
			t.Errorf("Prefix(%q, %d) = %d, want %d", p, n, got, want)
		}
		got, err := PrefixAt(bytes.NewReader(p), int64(len(p)), int64(n))
		if got != int64(want) || err != nil {
			t.Errorf("PrefixAt(%q, %d) = %d, %v, want %d", p, n, got, err, want)
		}
	})
}

func FuzzSuffix(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, p []byte, n int) {
		want := naiveSuffix(units(p), len(p), n)
		if got := Suffix(p, n); got != want {
			t.Errorf("Suffix(%q, %d) = %d, want %d", p, n, got, want)
		}
		got, err := SuffixAt(bytes.NewReader(p), int64(len(p)), int64(n))
		if got != int64(want) || err != nil {
			t.Errorf("SuffixAt(%q, %d) = %d, %v, want %d", p, n, got, err, want)
		}
	})
}

func FuzzIncomplete(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, p []byte, _ int) {
		if got, want := Incomplete(p), naiveIncomplete(p); got != want {
			t.Errorf("Incomplete(%q) = %d, want %d", p, got, want)
		}
	})
}

func FuzzAppendValid(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, p []byte, n int) {
		us := units(p)
		appended, wantConsumed := naiveFit(us, n)
		want := naiveValid(us, p)[:appended]
		got, consumed := AppendValidN(nil, p, n)
		if !bytes.Equal(got, want) || consumed != wantConsumed {
			t.Errorf("AppendValidN(%q, %d) = %q, %d, want %q, %d", p, n, got, consumed, want, wantConsumed)
		}
	})
}
