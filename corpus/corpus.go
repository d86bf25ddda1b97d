// Package corpus makes logs for tests and benchmarks: from a kind, a seed and
// a size, the same bytes on every system, with every Go version and on any
// number of cores, from nothing to many gigabytes.
//
// [File] is what most callers need: it makes a corpus in a folder unless it is
// there already. [Write] streams one into a writer, [Lines] is the known answer
// to check a reader against, and [Grow] repeats a real log up to a size.
//
// # What holds of every corpus
//
//   - It is exactly as many bytes long as asked for.
//   - Its last byte is LF, unless it is empty or of the kind "noeol".
//   - It holds no NUL byte, and is valid UTF-8 unless it is of the kind "invalid".
//   - Of two corpora of one kind and seed, the longer begins as the shorter
//     does: they agree on all but at most the last 512 KiB of the shorter.
//   - Line ends have no relation to powers of two: a line usually lies across
//     each of them.
//
// Corpora that are too small for one line of their kind are a few digits and a
// line end.
package corpus

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
)

// Kind names what a corpus looks like. It is one of
//
//	app      application log: levels, threads, request ids
//	access   web access log in the combined format
//	json     JSON lines, each a valid object
//	stack    application log with Java, Python and Go stack traces
//	script   many scripts and emoji, valid UTF-8; also U+2028 and NEL, which end no line
//	crlf     application log, each line ends in CR LF (at size 1, a lone LF)
//	long     short lines between lines of 100 KiB to 4 MiB; from 128 KiB on, at least one
//	oneline  one line, a JSON array, whose LF is the last byte
//	noeol    application log without a final line end: app at size+1, less its last byte
//	invalid  application log with bytes that are not UTF-8; from size 2 on, at least one
type Kind string

// Kinds returns all kinds, in the order in which [Kind] lists them. The slice
// is the caller's.
func Kinds() []Kind {
	kinds := make([]Kind, len(formats))
	for i := range formats {
		kinds[i] = formats[i].kind
	}
	return kinds
}

// About says in one line, without a line end, what a corpus of the kind is. It
// is empty for an unknown kind.
func (k Kind) About() string {
	if f := find(k); f != nil {
		return f.about
	}
	return ""
}

// maxSize keeps the arithmetic of offsets far from overflow.
const maxSize = 1 << 60

// Write writes the corpus of the kind, seed and size (bytes, 0 to 1<<60) to w.
// Blocks of about 256 KiB are made on all cores, and handed to w in order from
// the calling goroutine; memory is at most 5 MiB, whatever the size.
//
// It returns the first error of w as it is, the cause of ctx if that ends
// first, and an error before anything is written if kind or size are wrong. No
// goroutine outlives the call.
func Write(ctx context.Context, w io.Writer, kind Kind, seed uint64, size int64) error {
	return write(ctx, w, kind, seed, size, runtime.GOMAXPROCS(0))
}

// Lines returns the number of lines of the corpus that [Write] makes of the
// same arguments. A line ends in LF; a last line without one counts. Lines
// makes the corpus to count it, so it costs what writing it to nowhere does.
// The errors are those of Write.
func Lines(ctx context.Context, kind Kind, seed uint64, size int64) (int64, error) {
	var c lineCounter
	if err := Write(ctx, &c, kind, seed, size); err != nil {
		return 0, err
	}
	if c.open {
		c.lines++
	}
	return c.lines, nil
}

type lineCounter struct {
	lines int64 // LFs seen
	open  bool  // bytes were seen since the last LF
}

func (c *lineCounter) Write(p []byte) (int, error) {
	if len(p) > 0 {
		c.lines += int64(bytes.Count(p, []byte{'\n'}))
		c.open = p[len(p)-1] != '\n'
	}
	return len(p), nil
}

// check returns the format of a kind, or an error that says what is wrong.
func check(kind Kind, size int64) (*format, error) {
	f := find(kind)
	if f == nil {
		var names []string
		for _, k := range Kinds() {
			names = append(names, string(k))
		}
		return nil, fmt.Errorf("corpus: unknown kind %q: it is one of %s", kind, strings.Join(names, ", "))
	}
	if size < 0 || size > maxSize {
		return nil, fmt.Errorf("corpus: size %d is not within 0 to %d bytes", size, int64(maxSize))
	}
	return f, nil
}
