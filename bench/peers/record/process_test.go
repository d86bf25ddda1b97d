package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestReverse asks the readers that are peers of ours on all short texts: that
// they are wrong is to be their own fault.
func TestReverse(t *testing.T) {
	texts := []string{""}
	for i := 0; i < len(texts) && len(texts[i]) < 8; i++ {
		texts = append(texts, texts[i]+"a", texts[i]+"\n")
	}
	for _, text := range texts {
		for n := 1; n < 6; n++ {
			lines := strings.SplitAfter(text, "\n")
			if lines[len(lines)-1] == "" {
				lines = lines[:len(lines)-1]
			}
			want := strings.Join(lines[max(0, len(lines)-n):], "")
			var a, b bytes.Buffer
			if err := lastLines(strings.NewReader(text), int64(len(text)), int64(n), &a); err != nil || a.String() != want {
				t.Fatalf("lastLines(%q, %d) = %q, %v", text, n, a.String(), err)
			}
			if err := lastStrings(strings.NewReader(text), int64(len(text)), int64(n), &b); err != nil || b.String() != want {
				t.Fatalf("lastStrings(%q, %d) = %q, %v", text, n, b.String(), err)
			}
		}
	}
}

func TestWords(t *testing.T) {
	got := words("gawk 'NR>=1{print}' LOG ''")
	if strings.Join(got, "#") != "gawk#NR>=1{print}#LOG#" {
		t.Errorf("%q", got)
	}
}
