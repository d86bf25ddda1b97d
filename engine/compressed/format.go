package compressed

import (
	"slices"

	"excerpt/internal/magic"
)

// A Format is a format of compressed files.
type Format int

// The formats that can be read.
const (
	Plain  Format = iota // not compressed, as far as the first bytes tell
	Gzip                 // .gz: of one member or many, also bgzip's
	Zstd                 // .zst: of one frame or many, also the seekable format
	S2                   // .s2, also with an index
	Snappy               // .sz: the framing format
	Bzip2                // .bz2
	XZ                   // .xz: of one block or many
)

var formats = [...]string{"plain", "gzip", "zstd", "s2", "snappy", "bzip2", "xz"}

// String returns the name of the format, such as "gzip".
func (f Format) String() string { return formats[f] }

// sniff is how many bytes Detect needs at most.
const sniff = magic.Len

// Detect returns the format of a file that begins with b: 10 bytes are enough.
func Detect(b []byte) Format { return Format(max(0, slices.Index(formats[:], magic.Of(b)))) }
