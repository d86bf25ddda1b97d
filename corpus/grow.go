package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// Grow writes size bytes (0 to 1<<60) to w: the log from its beginning, over
// and over, the last time as much of it as fits. If the log does not end in a
// line end, one is put between the repeats, CR LF if the first line of the log
// ends so and LF otherwise, so that lines are never joined.
//
// The end is a plain cut at size. It can split a line, a CR LF or a character;
// the last byte is LF only where the cut happens to follow one.
//
// Grow reads and seeks log and leaves it anywhere. Its memory is at most 3 MiB;
// a log of up to 1 MiB is read once. It returns errors of log and w as they
// are, the cause of ctx if that ends first, io.ErrUnexpectedEOF if the log
// became shorter meanwhile, and an error for an empty log. What is appended to
// the log meanwhile is left out.
func Grow(ctx context.Context, w io.Writer, log io.ReadSeeker, size int64) error {
	if size < 0 || size > maxSize {
		return fmt.Errorf("corpus: size %d is not within 0 to %d bytes", size, int64(maxSize))
	}
	if size == 0 {
		return nil
	}
	length, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if length == 0 {
		return errors.New("corpus: an empty log cannot be grown")
	}
	buf := make([]byte, min(growBuffer, max(length, size)))
	if length <= growBuffer {
		if log, length, err = repeated(ctx, log, length, buf); err != nil {
			return err
		}
	}
	var join []byte
	if size > length {
		if join, err = joint(ctx, log, length, buf); err != nil {
			return err
		}
	}
	for {
		n := min(size, length)
		if err := replay(ctx, w, log, n, buf); err != nil {
			return err
		}
		if size -= n; size == 0 {
			return nil
		}
		n = min(size, int64(len(join)))
		if err := writeAll(w, join[:n]); err != nil {
			return err
		}
		if size -= n; size == 0 {
			return nil
		}
	}
}

const growBuffer = 1 << 20

// repeated returns as many repeats of a small log as a buffer has room for,
// each with its joint, so that growing it takes no more calls than growing a
// large one.
func repeated(ctx context.Context, log io.ReadSeeker, length int64, buf []byte) (io.ReadSeeker, int64, error) {
	var one bytes.Buffer
	if err := replay(ctx, &one, log, length, buf); err != nil {
		return nil, 0, err
	}
	join, err := joint(ctx, bytes.NewReader(one.Bytes()), length, buf)
	if err != nil {
		return nil, 0, err
	}
	one.Write(join)
	many := bytes.Repeat(one.Bytes(), max(1, len(buf)/one.Len()))
	return bytes.NewReader(many), int64(len(many)), nil
}

// joint returns what must stand between two repeats of the log.
func joint(ctx context.Context, log io.ReadSeeker, length int64, buf []byte) ([]byte, error) {
	if _, err := log.Seek(length-1, io.SeekStart); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(log, buf[:1]); err != nil {
		return nil, shorter(err)
	}
	last := buf[0]
	if last == '\n' {
		return nil, nil
	}
	var first firstLine
	if err := replay(ctx, &first, log, length, buf); err != nil && !errors.Is(err, errFound) {
		return nil, err
	}
	if first.before == '\r' && last != '\r' {
		return []byte("\r\n"), nil
	}
	return []byte("\n"), nil
}

var errFound = errors.New("found")

// firstLine is a writer that stops at the first LF.
type firstLine struct {
	before byte // last byte before the LF, once there was one
	tail   byte // last byte seen
}

func (f *firstLine) Write(p []byte) (int, error) {
	switch i := bytes.IndexByte(p, '\n'); {
	case i > 0:
		f.before = p[i-1]
		return i, errFound
	case i == 0:
		f.before = f.tail
		return i, errFound
	}
	f.tail = p[len(p)-1]
	return len(p), nil
}

// replay copies the first n bytes of the log to w.
func replay(ctx context.Context, w io.Writer, log io.ReadSeeker, n int64, buf []byte) error {
	if _, err := log.Seek(0, io.SeekStart); err != nil {
		return err
	}
	for n > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		part := buf[:min(n, int64(len(buf)))]
		if _, err := io.ReadFull(log, part); err != nil {
			return shorter(err)
		}
		if err := writeAll(w, part); err != nil {
			return err
		}
		n -= int64(len(part))
	}
	return nil
}

// shorter turns an early end of the log into the error that Grow promises.
func shorter(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
