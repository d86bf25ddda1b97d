package corpus

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

func grown(t *testing.T, log string, size int64) string {
	t.Helper()
	var b strings.Builder
	b.Grow(int(size))
	if err := Grow(t.Context(), &b, strings.NewReader(log), size); err != nil {
		t.Fatalf("%.20q to %d: %v", log, size, err)
	}
	return b.String()
}

func TestGrow(t *testing.T) {
	for _, c := range []struct{ log, unit string }{
		{"a\nb\n", "a\nb\n"},
		{"a\nb", "a\nb\n"},
		{"a\r\nb\r\n", "a\r\nb\r\n"},
		{"a\r\nb", "a\r\nb\r\n"},
		{"a\r\nb\r", "a\r\nb\r\n"}, // cut within its CR LF
		{"a\nb\r\nc", "a\nb\r\nc\n"},
		{"no end", "no end\n"},
		{"\n", "\n"},
		{"\nx", "\nx\n"},
		{"\r\nx", "\r\nx\r\n"},
	} {
		all := strings.Repeat(c.unit, 10)
		for size := range len(all) {
			if got := grown(t, c.log, int64(size)); got != all[:size] {
				t.Errorf("%q to %d: %q", c.log, size, got)
			}
		}
	}
}

// Logs about as large as the buffer, and larger.
func TestGrowLarge(t *testing.T) {
	for _, n := range []int{growBuffer/2 + 1, growBuffer - 1, growBuffer, growBuffer + 1, 2*growBuffer + 77} {
		for _, kind := range []Kind{"app", "noeol", "crlf"} {
			log := string(made(t, kind, 1, int64(n)))
			unit := log
			switch kind {
			case "noeol":
				unit += "\n"
			case "crlf":
				log = log[:n-1] // without its last LF
			}
			want := strings.Repeat(unit, 2)
			for _, size := range []int{n, n + 1, len(want) - 1} {
				if grown(t, log, int64(size)) != want[:size] {
					t.Errorf("%s of %d bytes to %d differs", kind, n, size)
				}
			}
		}
	}
}

// shrinking says that it is longer than it is.
type shrinking struct{ io.ReadSeeker }

func (s shrinking) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		n, err := s.ReadSeeker.Seek(0, io.SeekEnd)
		return n + 10, err
	}
	return s.ReadSeeker.Seek(offset, whence)
}

func TestGrowErrors(t *testing.T) {
	full := errors.New("full")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		w    io.Writer
		log  io.ReadSeeker
		size int64
		want error // nil: any
	}{
		"negative":  {t.Context(), io.Discard, strings.NewReader("x"), -1, nil},
		"empty":     {t.Context(), io.Discard, strings.NewReader(""), 1, nil},
		"full":      {t.Context(), &limited{100, full}, strings.NewReader("a\nb"), 1 << 20, full},
		"short":     {t.Context(), &limited{100, nil}, strings.NewReader("a\nb"), 1 << 20, io.ErrShortWrite},
		"cancelled": {ctx, io.Discard, strings.NewReader("a\n"), 1, context.Canceled},
		"shrinking": {t.Context(), io.Discard, shrinking{strings.NewReader("a\nb")}, 100, io.ErrUnexpectedEOF},
	} {
		err := Grow(c.ctx, c.w, c.log, c.size)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := grown(t, "", 0); got != "" {
		t.Error(got)
	}
}
