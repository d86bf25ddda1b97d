package engine

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"excerpt/engine/internal/index"
	"excerpt/engine/internal/sidecar"
)

// NoCache is the [Options.Cache] that keeps nothing for later.
const NoCache = "off"

// cached reports whether the index may be kept for later.
func (p *pass) cached() bool {
	return p.info != nil && p.f.opts.Cache != NoCache && p.folder().Path != "" && p.sidecarName() != ""
}

func (p *pass) folder() sidecar.Folder {
	if p.f.opts.Cache != "" {
		return sidecar.Folder{Path: p.f.opts.Cache}
	}
	return sidecar.Default()
}

// sidecarName is a name for the file itself, whatever its path, where the
// system has one.
func (p *pass) sidecarName() string {
	if device, inode := fileID(p.info); inode != 0 {
		return fmt.Sprintf("%x-%x", device, inode)
	}
	path, err := filepath.Abs(p.f.name)
	if err != nil || p.f.opts.Open != nil {
		return ""
	}
	return fmt.Sprintf("path-%x", xxhash.Sum64String(path))
}

// seekSidecar has the pass know what the sidecar does, if it knows more.
func (p *pass) seekSidecar() {
	k := p.knowledge
	k.mu.Lock()
	sought := k.sought
	k.mu.Unlock()
	if sought || p.sought {
		return
	}
	p.sought = true
	x, e, err := p.readSidecar()
	if err != nil {
		return
	}
	x, e = p.trust(x, e)
	if x.Known().Offset > p.learned.Known().Offset {
		*p.learned, p.proven, p.kept = x, e.sample, x.Known().Offset
	}
}

// words is how many numbers a sidecar has before the index.
const words = 8

func (p *pass) readSidecar() (x index.Index, e evidence, err error) {
	folder, name := p.folder(), p.sidecarName()
	b, err := folder.Read(name, 8*words+index.Most)
	if err != nil {
		return x, e, err
	}
	device, inode := fileID(p.info)
	word := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[8*i:])) }
	if len(b) < 8*words || word(0) != int64(device) || word(1) != int64(inode) || x.UnmarshalBinary(b[8*words:]) != nil {
		return x, e, &fs.PathError{Op: "read", Path: folder.File(name), Err: fs.ErrNotExist}
	}
	e = evidence{stamp{word(2), word(3), word(4)}, word(5), sample{word(6), uint64(word(7))}}
	return x, e, nil
}

func (p *pass) writeSidecar() error {
	device, inode := fileID(p.info)
	var b []byte
	for _, word := range [words]int64{
		int64(device), int64(inode), p.stamp.size, p.stamp.modified, p.stamp.changed,
		p.began.UnixNano(), p.proven.size, int64(p.proven.sum),
	} {
		b = binary.LittleEndian.AppendUint64(b, uint64(word))
	}
	b, err := p.learned.AppendBinary(b)
	if err != nil {
		return err
	}
	if err := p.folder().Write(p.sidecarName(), b); err != nil {
		return err
	}
	p.written = p.stat(p.learned, int64(len(b))+sidecar.Overhead, false)
	return nil
}

// statSidecar says what the sidecar has.
func (p *pass) statSidecar() (Index, error) {
	x, e, err := p.readSidecar()
	if err != nil {
		return Index{}, err
	}
	info, err := os.Stat(p.folder().File(p.sidecarName()))
	if err != nil {
		return Index{}, err
	}
	known := x.Known().Offset
	good, _ := p.trust(x, e)
	return p.stat(&x, info.Size(), known > 0 && good.Known().Offset == 0), nil
}

func (p *pass) stat(x *index.Index, size int64, stale bool) Index {
	return Index{
		Path: p.folder().File(p.sidecarName()), Bytes: size, Step: x.Step(),
		Covers: Offset(x.Known().Offset), Ends: x.Known().Ends, Stale: stale,
	}
}
