package compressed

import (
	"bytes"
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

// String returns the name of the format, such as "gzip".
func (f Format) String() string {
	return [...]string{"plain", "gzip", "zstd", "s2", "snappy", "bzip2", "xz"}[f]
}

// sniff is how many bytes Detect needs at most.
const sniff = 10

// Detect returns the format of a file that begins with b: 10 bytes are enough.
func Detect(b []byte) Format {
	has := func(magic string) bool { return bytes.HasPrefix(b, []byte(magic)) }
	switch {
	case has("\x1f\x8b\x08"):
		return Gzip
	case has("\x28\xb5\x2f\xfd"), len(b) >= 4 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18":
		return Zstd
	case has("\xff\x06\x00\x00S2sTwO"), len(b) >= 10 && b[0] == 0x99 && string(b[4:10]) == "s2idx\x00":
		return S2
	case has("\xff\x06\x00\x00sNaPpY"):
		return Snappy
	case len(b) >= 10 && has("BZh") && b[3] >= '1' && b[3] <= '9' && (string(b[4:10]) == "1AY&SY" || string(b[4:10]) == "\x17\x72\x45\x38\x50\x90"):
		return Bzip2
	case has("\xfd7zXZ\x00"):
		return XZ
	}
	return Plain
}
