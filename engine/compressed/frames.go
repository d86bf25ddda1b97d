package compressed

import (
	"bytes"
	"encoding/binary"
	"io"
	"runtime"

	"github.com/klauspost/compress/zstd"
)

// mostFrame is how many bytes a frame holds at most. Smaller frames are not
// much larger in all, and who reads a few lines decodes one of them.
const mostFrame = 1 << 20

// A frameWriter writes the seekable format of zstd. Frames are compressed on
// several cores, and written in order.
type frameWriter struct {
	w       io.Writer
	most    int // bytes that a frame holds
	encoder *zstd.Encoder
	plain   []byte      // of the frame that comes next
	queue   chan *frame // those under way, the oldest first
	free    chan *frame // whose memory can be used again
	begun   bool

	// Of the goroutine that writes, until it has ended.
	table []byte
	n     uint32
	err   error
	ended chan struct{}

	failed chan struct{} // closed when err is set
}

// A frame is on its way to the file.
type frame struct {
	plain, compressed []byte
	done              chan struct{}
}

// mostEncoders is how many frames are compressed at a time, each with some
// 8 MiB of memory.
const mostEncoders = 4

func encoders() int { return min(runtime.GOMAXPROCS(0), mostEncoders) }

func newFrameWriter(w io.Writer, most int) (*frameWriter, error) {
	workers := encoders()
	encoder, err := zstd.NewWriter(nil,
		zstd.WithEncoderConcurrency(workers),
		// A log is compressed once, and read often: this is a tenth smaller
		// than the default, and decoded faster.
		zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
		zstd.WithSingleSegment(true), // so that all say their size
		zstd.WithWindowSize(max(most, zstd.MinWindowSize)),
	)
	if err != nil {
		return nil, err
	}
	fw := &frameWriter{
		w: w, most: most, encoder: encoder, plain: make([]byte, 0, most),
		queue: make(chan *frame, workers), free: make(chan *frame, workers+2),
		ended: make(chan struct{}), failed: make(chan struct{}),
	}
	go fw.write()
	return fw, nil
}

// Write takes in what follows.
func (fw *frameWriter) Write(p []byte) (int, error) {
	for n := 0; n < len(p); {
		m := copy(fw.plain[len(fw.plain):fw.most], p[n:])
		fw.plain = fw.plain[:len(fw.plain)+m]
		n += m
		if len(fw.plain) < fw.most {
			break
		}
		end := bytes.LastIndexByte(fw.plain, '\n') + 1
		if end == 0 { // a long line
			end = fw.most
		}
		if !fw.send(end) {
			return n, fw.err
		}
	}
	return len(p), nil
}

// send has the first n bytes be compressed and written.
func (fw *frameWriter) send(n int) bool {
	var f *frame
	select {
	case f = <-fw.free:
	default:
		f = &frame{plain: make([]byte, 0, fw.most)}
	}
	rest := append(f.plain[:0], fw.plain[n:]...)
	f.plain, fw.plain = fw.plain[:n], rest
	f.done = make(chan struct{})
	fw.begun = true
	select {
	case fw.queue <- f:
	case <-fw.failed:
		return false
	}
	go func() {
		f.compressed = fw.encoder.EncodeAll(f.plain, f.compressed[:0])
		close(f.done)
	}()
	return true
}

// write writes frames until there are no more.
func (fw *frameWriter) write() {
	defer close(fw.ended)
	for f := range fw.queue {
		<-f.done
		if fw.err != nil {
			continue
		}
		if _, err := fw.w.Write(f.compressed); err != nil {
			fw.err = err
			close(fw.failed)
			continue
		}
		// The checksum of a frame and that of the table are the same: the low
		// half of an XXH64 of what it holds.
		fw.table = binary.LittleEndian.AppendUint32(fw.table, uint32(len(f.compressed)))
		fw.table = binary.LittleEndian.AppendUint32(fw.table, uint32(len(f.plain)))
		fw.table = append(fw.table, f.compressed[len(f.compressed)-4:]...)
		fw.n++
		fw.free <- f
	}
}

// stop ends it without the rest.
func (fw *frameWriter) stop() {
	close(fw.queue)
	<-fw.ended
	_ = fw.encoder.Close()
}

// close writes what is left, and the table.
func (fw *frameWriter) close() error {
	if len(fw.plain) > 0 || !fw.begun { // of nothing, one frame is made
		fw.send(len(fw.plain))
	}
	fw.stop()
	if fw.err != nil {
		return fw.err
	}
	b := binary.LittleEndian.AppendUint32(nil, tableFrame)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(fw.table)+tableFooter))
	b = append(b, fw.table...)
	b = binary.LittleEndian.AppendUint32(b, fw.n)
	b = append(b, tableChecksums)
	b = binary.LittleEndian.AppendUint32(b, tableMagic)
	_, err := fw.w.Write(b)
	return err
}

// The table of the seekable format is a skippable frame at the end of the file.
// It has the compressed size of each frame, its decoded size and, if the flag
// says so, a checksum, in four bytes each; then a footer.
const (
	tableFrame     = 0x184D2A5E // begins the skippable frame
	tableHeader    = 8          // bytes of its magic and its size
	tableFooter    = 9          // bytes: the number of frames, flags, a magic
	tableMagic     = 0x8F92EAB1
	tableChecksums = 0x80
)
