package readfile

import (
	"bytes"
	"fmt"
	"strings"

	"excerpt/internal/args"
)

// sampleSize is how much of the beginning of a file tells its type.
const sampleSize = 512

// signatures are what files of a type begin with. Those that a text could begin
// with, too, count only if there is a NUL.
var signatures = []struct {
	at    int
	bytes string
	weak  bool
	kind  string
}{
	{0, "\x89PNG", false, "a PNG image"},
	{0, "\xff\xd8\xff", false, "a JPEG image"},
	{0, "GIF87a", false, "a GIF image"},
	{0, "GIF89a", false, "a GIF image"},
	{8, "WEBP", true, "a WebP image"},
	{0, "BM", true, "a BMP image"},
	{0, "II*\x00", false, "a TIFF image"},
	{0, "MM\x00*", false, "a TIFF image"},
	{0, "\x00\x00\x01\x00", false, "an icon (ICO)"},
	{0, "8BPS", true, "a Photoshop document"},
	{0, "%PDF-", false, "a PDF document"},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", false, "an old Microsoft Office document"},
	{0, "PK\x03\x04", false, "a ZIP archive (or a document that is one, such as .docx, .xlsx, .jar)"},
	{0, "PK\x05\x06", false, "a ZIP archive"},
	{0, "\x1f\x8b", false, "a gzip file: decompress it first"},
	{0, "\x28\xb5\x2f\xfd", false, "a zstd file: decompress it first"},
	{0, "BZh", true, "a bzip2 file: decompress it first"},
	{4, "1AY&SY", false, "a bzip2 file: decompress it first"},
	{0, "\xfd7zXZ\x00", false, "an xz file: decompress it first"},
	{0, "\x04\x22\x4d\x18", false, "an LZ4 file: decompress it first"},
	{0, "\xff\x06\x00\x00", false, "a snappy or S2 file: decompress it first"},
	{0, "7z\xbc\xaf\x27\x1c", false, "a 7-Zip archive"},
	{0, "Rar!\x1a\x07", false, "a RAR archive"},
	{257, "ustar", true, "a tar archive"},
	{0, "!<arch>\n", false, "an ar archive or static library"},
	{0, "\x7fELF", false, "an ELF executable or library"},
	{0, "MZ", true, "a Windows executable or library (PE)"},
	{0, "\xfe\xed\xfa\xce", false, "a Mach-O executable or library"},
	{0, "\xfe\xed\xfa\xcf", false, "a Mach-O executable or library"},
	{0, "\xce\xfa\xed\xfe", false, "a Mach-O executable or library"},
	{0, "\xcf\xfa\xed\xfe", false, "a Mach-O executable or library"},
	{0, "\xca\xfe\xba\xbe", false, "a Java class file or a Mach-O library"},
	{0, "\x00asm", false, "a WebAssembly module"},
	{0, "SQLite format 3\x00", false, "an SQLite database"},
	{0, "LPKSHHRH", false, "a systemd journal: read it with journalctl"},
	{0, "PAR1", true, "a Parquet file"},
	{0, "\xd4\xc3\xb2\xa1", false, "a packet capture"},
	{0, "\xa1\xb2\xc3\xd4", false, "a packet capture"},
	{0, "\x0a\x0d\x0d\x0a", true, "a packet capture"},
	{0, "wOFF", true, "a WOFF font"},
	{0, "wOF2", true, "a WOFF2 font"},
	{0, "OTTO\x00", false, "an OpenType font"},
	{0, "\x00\x01\x00\x00", false, "a TrueType font"},
	{4, "ftyp", true, "an MP4 or QuickTime file"},
	{8, "WAVE", true, "a WAV sound"},
	{8, "AVI ", true, "an AVI video"},
	{0, "ID3", true, "an MP3 sound"},
	{0, "OggS\x00", false, "an Ogg file"},
	{0, "fLaC\x00", false, "a FLAC sound"},
	{0, "\x1aE\xdf\xa3", false, "a Matroska or WebM video"},
}

// knownType returns what a file is that begins with sample, or "".
func knownType(sample []byte) string {
	for _, mark := range []struct{ bytes, name string }{
		{"\xff\xfe\x00\x00", "UTF-32LE"}, // before that of UTF-16LE, which it begins with
		{"\x00\x00\xfe\xff", "UTF-32BE"},
		{"\xff\xfe", "UTF-16LE"},
		{"\xfe\xff", "UTF-16BE"},
	} {
		if bytes.HasPrefix(sample, []byte(mark.bytes)) {
			return wideKind(mark.name)
		}
	}
	nul := bytes.IndexByte(sample, 0) >= 0
	for _, s := range signatures {
		if len(sample) > s.at && bytes.HasPrefix(sample[s.at:], []byte(s.bytes)) && (nul || !s.weak) {
			return s.kind
		}
	}
	if nul {
		return unmarked(sample)
	}
	return ""
}

func wideKind(encoding string) string {
	return fmt.Sprintf("%s text: convert it to UTF-8 first, for example with iconv -f %[1]s -t UTF-8", encoding)
}

// unmarked tells UTF-16 without a byte order mark, if a third of it is ASCII:
// by the NULs, which are all on the same side.
func unmarked(b []byte) string {
	var little, big int // units whose second or first byte is NUL, the other being ASCII
	units := len(b) / 2
	for i := range units {
		first, second := b[2*i], b[2*i+1]
		switch {
		case first == 0 && printable(second):
			big++
		case second == 0 && printable(first):
			little++
		case first == 0 || second == 0:
			return ""
		}
	}
	least := max(2, (units+2)/3)
	switch {
	case little >= least && big == 0:
		return wideKind("UTF-16LE")
	case big >= least && little == 0:
		return wideKind("UTF-16BE")
	}
	return ""
}

func printable(b byte) bool {
	return b >= ' ' && b < 0x7f || b == '\n' || b == '\r' || b == '\t'
}

// binary refuses the file. part is what shows that it is no text.
func (r *reading) binary(part []byte) error {
	kind, hint, hinted := strings.Cut(knownType(part), ": ")
	if kind == "" {
		kind = "it has NUL bytes"
	}
	bytes := ""
	switch size, stored := r.f.Size(), r.f.Stored(); {
	case size < 0 && stored >= 0:
		bytes = fmt.Sprintf(" (compressed, %d bytes)", stored)
	case size >= 0:
		bytes = fmt.Sprintf(" of %d bytes", size)
	}
	text := fmt.Sprintf("%s is a binary file%s, not text: %s", args.Quote(r.req.Path), bytes, kind)
	if strings.HasPrefix(kind, "UTF-") {
		text = fmt.Sprintf("%s is not UTF-8 but %s%s", args.Quote(r.req.Path), kind, bytes)
	}
	if hinted {
		text += "; " + hint
	}
	return &refusal{text, ErrBinary}
}
