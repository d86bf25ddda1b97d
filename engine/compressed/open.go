package compressed

import (
	"io"

	"excerpt/engine"
	"excerpt/engine/internal/decoded"
)

// Open opens the named file for what it holds, whether it is compressed or
// not. A nil opts means the defaults. The caller closes the File.
//
// It is [engine.Open] otherwise: see there for what can be opened, and for the
// errors. It reads the beginning of the file, and its sidecar if there is one.
// The size of the File is -1 until the file was decoded to its end once, which
// the first operation does that needs that. It reports progress (see
// [engine.WithProgress]) in compressed bytes meanwhile, and ends when its
// context does; what was decoded by then is not decoded again while the File is
// open.
//
// The sidecar of a compressed file takes some 1 % of it.
func Open(name string, opts *engine.Options) (*engine.File, error) {
	return open(name, opts, usual)
}

func open(name string, opts *engine.Options, s sizes) (*engine.File, error) {
	f, err := decoded.OpenFile(name, opts, func(c decoded.File) (decoded.Source, error) {
		format, err := detect(c)
		if err != nil || format == Plain {
			return nil, err
		}
		return newSource(c, format, s), nil
	})
	if err != nil {
		return nil, err
	}
	return f.(*engine.File), nil
}

func detect(c decoded.File) (Format, error) {
	b := make([]byte, min(sniff, c.Size))
	n, err := c.ReadAt(b, 0)
	if err == io.EOF {
		err = nil
	}
	return Detect(b[:n]), err
}

// Verified reports whether all that f holds was decoded once, at least by an
// earlier reader that has left a sidecar, and was right by the checksums of its
// format. It is true of a file that is not compressed.
//
// Until then the first lines of a large file are what the decoder has given,
// with the checksum that they are under not seen yet.
func Verified(f *engine.File) bool {
	s := decoded.SourceOf(f)
	return s == nil || s.Verified()
}

// FormatOf returns the format of the file that f reads.
func FormatOf(f *engine.File) Format {
	if s, ok := decoded.SourceOf(f).(*file); ok {
		return s.format
	}
	return Plain
}
