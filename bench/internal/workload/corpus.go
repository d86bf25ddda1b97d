// Package workload has what is measured: corpora whose answers are known, and
// the operations of the engine on them. Each operation is checked against what
// a plain pass over the file has found before its time means anything.
package workload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"excerpt/corpus"
	"excerpt/engine"
)

// A Corpus is a file of which it is known where its lines are. That was found
// in the plainest way, with nothing of the engine.
type Corpus struct {
	Kind  corpus.Kind
	Path  string
	Size  int64
	Lines int64

	form   *Form   // that Path has, if it is not the plain bytes
	before []int64 // line ends before each block of blockSize bytes
}

const blockSize = 1 << 20

// Short is a kind besides those of corpus: lines of 0 to 15 bytes. The last has
// no end where the size cuts it.
const Short corpus.Kind = "short"

// Kinds returns all kinds.
func Kinds() []corpus.Kind { return append(corpus.Kinds(), Short) }

// Make returns the corpus of the kind and size in dir, and makes it if it is
// not there.
func Make(ctx context.Context, dir string, kind corpus.Kind, size int64) (*Corpus, error) {
	file := corpus.File
	if kind == Short {
		file = short
	}
	path, err := file(ctx, dir, kind, 1, size)
	if err != nil {
		return nil, err
	}
	return Read(ctx, kind, path)
}

// short is a corpus.File of short lines, the same ones over and over.
func short(ctx context.Context, dir string, kind corpus.Kind, seed uint64, size int64) (string, error) {
	path := filepath.Join(dir, fmt.Sprintf("%s-%d-%d.log", kind, seed, size))
	if info, err := os.Stat(path); err == nil && info.Size() == size {
		return path, nil
	}
	var lines []byte
	for random := rand.New(rand.NewPCG(seed, 0)); len(lines) < 100_000; {
		lines = append(lines, "0123456789abcde"[:random.IntN(16)]...)
		lines = append(lines, '\n')
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	f, err := os.Create(path + ".part")
	if err != nil {
		return "", err
	}
	if err := errors.Join(corpus.Grow(ctx, f, bytes.NewReader(lines), size), f.Close()); err != nil {
		return "", err
	}
	return path, os.Rename(f.Name(), path)
}

// Read returns the corpus of any file.
func Read(ctx context.Context, kind corpus.Kind, path string) (*Corpus, error) {
	c := &Corpus{Kind: kind, Path: path}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := make([]byte, blockSize)
	for last := byte('\n'); ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := io.ReadFull(f, buf)
		if n > 0 {
			c.before = append(c.before, c.Lines)
			c.Lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
			c.Size += int64(n)
			last = buf[n-1]
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			if last != '\n' {
				c.Lines++
			}
			return c, nil
		default:
			return nil, err
		}
	}
}

// Start returns the offset at which a line begins, of the line after the last
// that is the end of the file.
func (c *Corpus) Start(line int64) int64 {
	switch {
	case line <= 1:
		return 0
	case line > c.Lines:
		return c.Size
	}
	i := len(c.before) - 1
	for c.before[i] >= line-1 { // that many line ends are before it
		i--
	}
	at := int64(i) * blockSize
	b, err := c.bytes(at, min(at+blockSize, c.Size))
	if err != nil {
		panic(err) // it was read before
	}
	for left := line - 1 - c.before[i]; left > 0; left-- {
		n := bytes.IndexByte(b, '\n') + 1
		at += int64(n)
		b = b[n:]
	}
	return at
}

func (c *Corpus) bytes(from, to int64) ([]byte, error) {
	f, err := os.Open(c.plain())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, to-from)
	_, err = io.ReadFull(io.NewSectionReader(f, from, to-from), b)
	return b, err
}

// sum returns the checksum of the bytes from one offset to another.
func (c *Corpus) sum(from, to int64) (uint64, error) {
	f, err := os.Open(c.plain())
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum := xxhash.New()
	_, err = io.Copy(sum, io.NewSectionReader(f, from, to-from))
	return sum.Sum64(), err
}

// Evict takes the file out of the system's cache, which can't be done while it
// is mapped.
func (c *Corpus) Evict() error { return evict(c.Path) }

func (c *Corpus) String() string { return fmt.Sprintf("%s of %d bytes", c.Kind, c.Size) }

// unindexed is how a file is opened whose index is not to be kept, nor known
// from an earlier time.
func unindexed(workers int) *engine.Options {
	return &engine.Options{Workers: workers, Cache: engine.NoCache}
}
