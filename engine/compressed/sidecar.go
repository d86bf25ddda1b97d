package compressed

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/s2"

	"excerpt/engine/internal/decoded"
	"excerpt/engine/internal/describe"
	"excerpt/engine/internal/source"
)

// version changes with what is in the sidecar.
const version = 4

// mostKept is the most bytes that a sidecar has, but for the states of points
// that lie inside of something: these are read when somebody begins there.
const mostKept = 64 << 20

// granularity is how far apart two changes of a file must be to have different
// times, in nanoseconds.
const granularity = 20e6

// evidence is what has to hold of a file for what was learned of it to be right.
type evidence struct {
	decoded.Identity
	at     int64  // the time before a look at it, in nanoseconds
	sample uint64 // of pieces of it
}

// fresh reports whether the file may have changed since with the same times.
func (e *evidence) fresh() bool { return e.at-max(e.Modified, e.Changed) < granularity }

// holds reports whether e is of what f is now. A file that was renamed has
// another time of change.
func (f *file) holds(e evidence) bool {
	now := f.c.Identity
	if e.Identity == now && !e.fresh() {
		return true
	}
	e.Changed = now.Changed
	return e.Identity == now && f.sample() == e.sample
}

// sample stands for the whole file, as that of package engine does.
func (f *file) sample() uint64 {
	const pieces, piece = 256, 64
	digest := xxhash.New()
	buf := make([]byte, min(piece, f.c.Size))
	last := f.c.Size - int64(len(buf))
	for i := range int64(pieces) {
		if _, err := f.c.ReadAt(buf, last*i/(pieces-1)); err != nil && err != io.EOF {
			return 0
		}
		_, _ = digest.Write(buf)
	}
	return max(digest.Sum64(), 1)
}

var errNotKept = errors.New("nothing can be kept of it")

// look takes the evidence, before anything is read.
func (f *file) look() {
	f.evidence.at = time.Now().UnixNano()
	if now, err := f.c.Now(); err != nil || now != f.c.Identity {
		f.c.Name = "" // it is being written: nothing is kept
	}
	f.evidence.Identity = f.c.Identity
}

// Keep writes the sidecar.
func (f *file) Keep() error {
	if f.c.Name == "" {
		return errNotKept
	}
	if f.evidence.sample == 0 {
		f.evidence.sample = f.sample()
	}
	if now, err := f.c.Now(); err != nil || now != f.c.Identity || f.evidence.sample == 0 {
		return errors.Join(source.ErrTruncated, err)
	}
	f.mu.RLock()
	size := 1<<10 + 32*len(f.table.points) + 16*len(f.table.chunks) + 8*int(f.size/f.line)
	body, states, err := f.appendTo(make([]byte, 0, size))
	f.mu.RUnlock()
	if err != nil {
		return err
	}
	return f.c.Folder.Write(f.c.Name, body, states...)
}

// errLost says that the state of a point is not there any more.
var errLost = errors.New("the state of a point is lost")

// state returns the state of a point, from the sidecar if it is there.
func (f *file) state(p *point) ([]byte, error) {
	if p.kept.size == 0 {
		return p.state, nil
	}
	b := make([]byte, p.kept.size)
	_, err := f.rest.ReadAt(b, p.kept.at)
	switch {
	case errors.Is(err, fs.ErrClosed):
		return nil, source.ErrClosed
	case err != nil || sumOf(b) != p.kept.sum:
		return nil, errLost
	}
	return b, nil
}

// lose forgets a point whose state is lost. Next time, all is learned anew.
func (f *file) lose(out int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := f.table.pointAt(out); i > 0 && f.table.points[i].out == out {
		f.table.points = slices.Delete(f.table.points, i, i+1)
		_ = f.c.Folder.Remove(f.c.Name)
	}
}

// appendTo returns the body of the sidecar, and the states behind it.
func (f *file) appendTo(b []byte) (body []byte, states [][]byte, err error) {
	if f.err != io.EOF {
		return nil, nil, errNotKept
	}
	e := &f.evidence
	for _, word := range []uint64{
		version, e.Device, e.Inode, uint64(e.Size), uint64(e.Modified), uint64(e.Changed),
		uint64(e.at), e.sample, uint64(f.format), uint64(len(f.table.points)), uint64(len(f.table.chunks)),
	} {
		b = binary.LittleEndian.AppendUint64(b, word)
	}
	last := point{}
	for _, p := range f.table.points {
		b = binary.AppendUvarint(b, uint64(p.out-last.out))
		b = binary.AppendUvarint(b, uint64(p.in-last.in))
		kind := p.bit << 1
		if p.inside {
			kind |= 1
		}
		b = append(b, kind)
		state, err := f.state(&p)
		if err != nil {
			return nil, nil, err
		}
		b = binary.AppendUvarint(b, uint64(len(state)))
		if p.inside {
			b = binary.LittleEndian.AppendUint32(b, sumOf(state))
			states = append(states, state)
		} else {
			b = append(b, state...)
		}
		last = p
	}
	at := int64(0)
	for _, c := range f.table.chunks {
		b = binary.AppendUvarint(b, uint64(c.end-at))
		b = binary.LittleEndian.AppendUint32(b, c.sum)
		at = c.end
	}
	b = binary.LittleEndian.AppendUint32(b, sumOf(f.table.tail))
	tail := s2.Encode(nil, f.table.tail)
	b = binary.AppendUvarint(b, uint64(len(tail)))
	b = append(b, tail...)
	text, err := json.Marshal(f.text) // null, if it is not known
	if err != nil {
		return nil, nil, err
	}
	b = binary.AppendUvarint(b, uint64(len(text)))
	b = append(b, text...)
	b, err = f.table.lines.AppendBinary(b)
	return b, states, err
}

// load takes what the sidecar has, if it is of this file.
func (f *file) load() {
	f.look()
	if f.c.Name == "" {
		return
	}
	b, rest, err := f.c.Folder.Open(f.c.Name, mostKept)
	if err != nil {
		return
	}
	t, text, e, ok := f.parse(b, rest.Size())
	if !ok || !f.holds(e) {
		_ = rest.Close()
		return
	}
	if rest.Size() > 0 {
		f.rest = rest
	} else {
		_ = rest.Close()
	}
	f.table, f.text = t, text
	f.err, f.size, f.limit, f.verified = io.EOF, t.known(), t.known(), t.known()
}

// reader takes a sidecar apart.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return make([]byte, min(n, 8))
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) word() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

func (r *reader) varint() int64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > 1<<62 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return int64(v)
}

// parse refuses whatever could not be of this file. Behind b are states of so
// many bytes.
func (f *file) parse(b []byte, states int64) (t table, text *describe.Result, e evidence, ok bool) {
	r := &reader{b: b}
	if r.word() != version {
		return t, nil, e, false
	}
	e.Device, e.Inode = r.word(), r.word()
	e.Size, e.Modified, e.Changed = int64(r.word()), int64(r.word()), int64(r.word())
	e.at, e.sample = int64(r.word()), r.word()
	if Format(r.word()) != f.format {
		return t, nil, e, false
	}
	points, chunks := r.word(), r.word()
	if points < 1 || points > uint64(len(b)) || chunks > uint64(len(b)) {
		return t, nil, e, false
	}
	last, at := point{}, int64(0)
	t.points = make([]point, points)
	for i := range t.points {
		p := point{out: last.out + r.varint(), in: last.in + r.varint()}
		kind := r.take(1)[0]
		p.inside, p.bit = kind&1 != 0, kind>>1
		if size := r.varint(); !p.inside {
			p.state = r.take(uint64(size))
		} else if size < 1 || size > min(states-at, mostState) {
			return t, nil, e, false
		} else {
			p.kept = kept{at, int(size), binary.LittleEndian.Uint32(r.take(4))}
			at += size
		}
		if p.bit > 7 || p.in < last.in || p.in > f.c.Size || i > 0 == (p.out == last.out) {
			return t, nil, e, false
		}
		t.points[i], last = p, p
	}
	if at != states {
		return t, nil, e, false
	}
	at = 0
	t.chunks = make([]chunk, chunks)
	for i := range t.chunks {
		size := r.varint()
		if size < 1 || size > 1<<30 || at > 1<<61 {
			return t, nil, e, false
		}
		at += size
		t.chunks[i] = chunk{at, binary.LittleEndian.Uint32(r.take(4))}
	}
	for i := range t.points {
		if out := t.points[i].out; out > 0 && (out >= at || t.start(t.chunkAt(out)) != out) {
			return t, nil, e, false
		}
	}
	sum := binary.LittleEndian.Uint32(r.take(4))
	tail := r.take(uint64(r.varint()))
	if n, err := s2.DecodedLen(tail); err != nil || int64(n) > min(at, mostTail) {
		return t, nil, e, false
	}
	var err error
	if t.tail, err = s2.Decode(nil, tail); err != nil || sumOf(t.tail) != sum {
		return t, nil, e, false
	}
	if json.Unmarshal(r.take(uint64(r.varint())), &text) != nil || text != nil && text.Bytes != at {
		return t, nil, e, false
	}
	if r.bad || t.lines.UnmarshalBinary(r.b) != nil || t.lines.Known().Offset != at {
		return t, nil, e, false
	}
	return t, text, e, true
}
