// Package magic knows compressed files by their first bytes, and links no codec.
package magic

import "bytes"

// Len is how many bytes Of needs at most.
const Len = 10

// Of returns the name of the format of what begins with b, such as "gzip", or ""
// if it is none that is known. It takes no text for one.
func Of(b []byte) string {
	has := func(magic string) bool { return bytes.HasPrefix(b, []byte(magic)) }
	switch {
	case has("\x1f\x8b\x08"):
		return "gzip"
	case has("\x28\xb5\x2f\xfd"), len(b) >= 4 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18": // or a frame to skip
		return "zstd"
	case has("\xff\x06\x00\x00S2sTwO"), len(b) >= Len && b[0] == 0x99 && string(b[4:Len]) == "s2idx\x00":
		return "s2"
	case has("\xff\x06\x00\x00sNaPpY"):
		return "snappy"
	case len(b) >= Len && has("BZh") && b[3] >= '1' && b[3] <= '9' && (string(b[4:Len]) == "1AY&SY" || string(b[4:Len]) == "\x17\x72\x45\x38\x50\x90"):
		return "bzip2"
	case has("\xfd7zXZ\x00"):
		return "xz"
	}
	return ""
}
