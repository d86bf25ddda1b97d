package command

import (
	"fmt"
	"io"
	"os"

	"excerpt/engine"
	"excerpt/internal/magic"
)

// isCompressed reports whether what r reads is for excerpt-full, which reads it
// for what it holds.
func isCompressed(r io.ReaderAt) bool {
	var b [magic.Len]byte
	n, _ := r.ReadAt(b[:], 0)
	return magic.Of(b[:n]) != ""
}

// refuse returns an error if what begins with b is compressed, and comes in a
// way in which it is not decompressed.
func refuse(b []byte) error {
	if format := magic.Of(b); format != "" {
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
	if left := magic.Len - len(s.begin); left > 0 && n > 0 {
		s.begin = append(s.begin, p[:min(n, left)]...)
		if wrong := refuse(s.begin); wrong != nil {
			return 0, wrong
		}
	}
	return n, err
}
