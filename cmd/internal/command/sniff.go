package command

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"excerpt/engine"
)

// maybeCompressed reports whether what r reads begins as files do that
// excerpt-full reads for what they hold.
func maybeCompressed(r io.ReaderAt) bool {
	var b [4]byte
	if n, _ := r.ReadAt(b[:], 0); n < len(b) {
		return false
	}
	switch string(b[:]) {
	case "\x28\xb5\x2f\xfd", "\xff\x06\x00\x00", "\xfd7zX": // zstd, s2 and snappy, xz
		return true
	}
	start := string(b[:3])
	return start == "\x1f\x8b\x08" || start == "BZh" || string(b[1:]) == "\x2a\x4d\x18" || b[0] == 0x99 // gzip, bzip2, zstd and s2 again
}

// sniff is how many bytes formatOf needs at most.
const sniff = 10

// formatOf returns the name of the format of what begins with b and is
// compressed. It takes no text for that.
func formatOf(b []byte) string {
	has := func(magic string) bool { return bytes.HasPrefix(b, []byte(magic)) }
	switch {
	case has("\x1f\x8b\x08"):
		return "gzip"
	case has("\x28\xb5\x2f\xfd"):
		return "zstd"
	case has("\xff\x06\x00\x00S2sTwO"):
		return "s2"
	case has("\xff\x06\x00\x00sNaPpY"):
		return "snappy"
	case has("\xfd7zXZ\x00"):
		return "xz"
	case len(b) >= sniff && has("BZh") && string(b[4:sniff]) == "1AY&SY":
		return "bzip2"
	}
	return ""
}

// refuse returns an error if what begins with b is compressed, and comes in a
// way in which it is not decompressed.
func refuse(b []byte) error {
	if format := formatOf(b); format != "" {
		return fmt.Errorf("this is %s: give the file's name, or < FILE, or what decompresses it", format)
	}
	return nil
}

// A sniffed is a pipe or the like that is read as long as it does not begin as
// what is compressed.
type sniffed struct {
	*os.File
	begin []byte
}

// openStream reads what comes.
func openStream(name string, file *os.File) *engine.File {
	return engine.NewStream(name, &sniffed{File: file}, &engine.Options{Once: true})
}

func (s *sniffed) Read(p []byte) (int, error) {
	n, err := s.File.Read(p)
	if left := sniff - len(s.begin); left > 0 && n > 0 {
		s.begin = append(s.begin, p[:min(n, left)]...)
		if wrong := refuse(s.begin); wrong != nil {
			return 0, wrong
		}
	}
	return n, err
}
