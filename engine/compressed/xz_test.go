package compressed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
)

// xzLie returns a stream whose first block demands a dictionary by a byte, and
// has its sizes, filters and check as a header can say.
func xzLie(check byte, dict byte, header ...byte) []byte {
	sealed := func(b []byte, from int) []byte {
		return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b[from:]))
	}
	b := sealed([]byte{0xfd, '7', 'z', 'X', 'Z', 0, 0, check}, 6)
	if header == nil {
		header = []byte{0, 0x21, 1, dict}
	}
	block := append([]byte{0}, header...)
	for len(block)%4 != 0 {
		block = append(block, 0)
	}
	block[0] = byte(len(block) / 4)
	b = append(b, sealed(block, 0)...)
	return append(b, "\x01\x00\x04hello\x00\x00\x00\x00"...) // a chunk that is stored, an end
}

// TestXZHeaders: what a header can say, and is not read, is said.
func TestXZHeaders(t *testing.T) {
	for _, c := range []struct {
		name string
		b    []byte
		want error
	}{
		{"a dictionary of 96 MiB", xzLie(0, 29), ErrUnsupported},
		{"a dictionary of 4 GiB", xzLie(0, 40), ErrUnsupported},
		{"a dictionary larger than any", xzLie(0, 41), ErrDamaged},
		{"a check that nobody knows", xzLie(7, 18), ErrUnsupported},
		{"a check that can't be", xzLie(16, 18), ErrDamaged},
		{"two filters", xzLie(0, 0, 1, 3, 1, 0, 0x21, 1, 18), ErrUnsupported},
		{"a filter for programs", xzLie(0, 0, 0, 4, 0), ErrUnsupported},
		{"a flag that nobody knows", xzLie(0, 0, 4, 0x21, 1, 18), ErrDamaged},
		{"a number without end", xzLie(0, 0, 0x40, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255), ErrDamaged},
		{"a size that is none", xzLie(0, 0, 0x80, 6, 0x21, 1, 18), ErrDamaged},
		{"an index of 2^62 blocks", append(xzLie(0, 18), "\x00\xff\xff\xff\xff\xff\xff\xff\xff\x3f"...), ErrDamaged},
	} {
		var got []byte
		var err error
		most := peak(func() {
			f := inMemory(c.b, usual)
			got, err = readAll(f)
			_ = f.Close()
		})
		if !errors.Is(err, c.want) || !bytes.HasPrefix([]byte("hello"), got) {
			t.Errorf("%s: %q, %v; want %v", c.name, got, err, c.want)
		}
		if most > 8<<20 && !raceEnabled {
			t.Errorf("%s: %d MiB", c.name, most>>20)
		}
	}
}

// Blocks that all demand large dictionaries do not get them all at once.
func TestXZDictionaries(t *testing.T) {
	p := tool(XZ, "xz", "-9", "--block-size=100")
	plain := content(t, "app", 4_000)
	b := p.make(t, plain)
	if b == nil {
		t.SkipNow()
	}
	most := peak(func() {
		f := inMemory(b, usual)
		defer f.Close()
		if got, err := readAll(f); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
	t.Logf("%d MiB", most>>20)
	if most > 100<<20 && !raceEnabled {
		t.Errorf("%d MiB", most>>20)
	}
}
