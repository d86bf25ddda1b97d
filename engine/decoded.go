package engine

import (
	"context"
	"os"

	"excerpt/engine/internal/decoded"
	"excerpt/engine/internal/scan"
	"excerpt/engine/internal/source"
)

func init() {
	decoded.OpenFile = func(name string, opts any, open decoded.Open) (any, error) {
		f := newFile(name, opts.(*Options))
		f.decode = open
		return f.opened()
	}
	decoded.SourceOf = func(file any) decoded.Source {
		f := file.(*File)
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.snap.decoded
	}
	decoded.BytesOf = func(file any) source.Source {
		f := file.(*File)
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.snap.src
	}
	decoded.FindIn = func(ctx context.Context, file any, to, n int64) (m scan.Mark, err error) {
		f := file.(*File)
		s, err := f.acquire()
		if err != nil {
			return m, err
		}
		defer f.release(s)
		err = f.look(ctx, s, func(ctx context.Context, p *pass) error {
			var err error
			m, err = p.count(ctx, scan.Mark{}, min(to, p.src.Size()), n, false)
			return err
		})
		return m, err
	}
	decoded.JoinedFile = func(name string, opts any, j decoded.Joined) any {
		f := newFile(name, opts.(*Options))
		f.sizes.ending = 1 // what the newest file has, if that is not compressed
		f.snap = &snapshot{src: j, decoded: j, users: 1}
		return f
	}
	decoded.NonBlock = nonBlock
}

// joined returns what s reads if that is several files, or nil. Plain files pay
// for no more than a look at a field.
func (s *snapshot) joined() decoded.Joined {
	if s.decoded == nil {
		return nil
	}
	j, _ := s.decoded.(decoded.Joined)
	return j
}

// decodeWith has s read what the file holds if that is compressed.
func (f *File) decodeWith(open decoded.Open, s *snapshot) error {
	identify := func(now stamp) decoded.Identity {
		device, inode := fileID(s.info)
		return decoded.Identity{Device: device, Inode: inode, Size: now.size, Modified: now.modified, Changed: now.changed}
	}
	p := &pass{snapshot: s, f: f}
	c := decoded.File{
		ReaderAt: s.src, Size: s.size, Identity: identify(stampOf(s.info)),
		Now: func() (decoded.Identity, error) {
			info, err := s.file.Stat()
			if err != nil {
				return decoded.Identity{}, err
			}
			return identify(stampOf(info)), nil
		},
		Workers: f.opts.Workers,
	}
	if f.opts.Cache != NoCache && p.folder().Path != "" {
		c.Folder, c.Name = p.folder(), p.decodedName()
	}
	src, err := open(c)
	if err == nil && src != nil {
		s.decoded, s.src, s.raw = src, src, s.src
	}
	return err
}

// fill has what a compressed file holds be readable up to offset to, and returns
// how many bytes are.
func (f *File) fill(ctx context.Context, s *snapshot, to int64) (int64, error) {
	if m, ok := s.decoded.(decoded.Measurer); ok {
		if err := m.Measure(ctx, to); err != nil {
			return 0, err
		}
	}
	if size := s.src.Size(); size != source.Unknown {
		return size, nil
	}
	return f.learn(ctx, s, to)
}

// learn has what a compressed file holds decoded up to offset to, so that its
// lines are known, and returns how many bytes are.
func (f *File) learn(ctx context.Context, s *snapshot, to int64) (int64, error) {
	return s.decoded.Fill(ctx, to, reportOf(ctx))
}

// decodedName is the name of the sidecar of what the file holds compressed.
func (p *pass) decodedName() string {
	if name := p.sidecarName(); name != "" {
		return name + "-decoded"
	}
	return ""
}

// buildDecoded is BuildIndex of a compressed file.
func (p *pass) buildDecoded(ctx context.Context) error {
	if _, err := p.f.learn(ctx, p.snapshot, source.Unknown); err != nil {
		return err
	}
	if err := p.decoded.Keep(); err != nil {
		return err
	}
	var err error
	p.written, err = p.statDecoded()
	return err
}

// statDecoded is StatIndex of a compressed file.
func (p *pass) statDecoded() (Index, error) {
	path := p.folder().File(p.decodedName())
	info, err := os.Stat(path)
	if err != nil {
		return Index{}, err
	}
	x := p.decoded.Index()
	return Index{
		Path: path, Bytes: info.Size(), Step: x.Step(),
		Covers: Offset(x.Known().Offset), Ends: x.Known().Ends,
		Stale: !p.decoded.Verified(),
	}, nil
}
