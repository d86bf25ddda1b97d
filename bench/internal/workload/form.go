package workload

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"excerpt/corpus"
	"excerpt/engine"
	"excerpt/engine/compressed"
)

// A Form is a way in which a corpus is compressed.
type Form struct {
	Name, Suffix string
	encode       func(io.Writer) (io.WriteCloser, error)
	member       int64 // bytes of each member or frame; 0: there is one
}

// Forms are those of logs.
var Forms = []Form{
	{"gzip", ".gz", newGzip, 0},
	{"gzip_members", ".members.gz", newGzip, 1 << 20},
	{"zstd", ".zst", newZstd, 0},
	{"zstd_frames", ".frames.zst", newZstd, 1 << 20},
	{"s2", ".s2", func(w io.Writer) (io.WriteCloser, error) { return s2.NewWriter(w), nil }, 0},
}

func newGzip(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, 6) }

func newZstd(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
}

// As returns the corpus in a form, beside the plain one. It is made if it is
// not there.
func (c *Corpus) As(ctx context.Context, form Form) (*Corpus, error) {
	as := *c
	as.Path, as.form = c.Path+form.Suffix, &form
	if info, err := os.Stat(as.Path); err == nil && info.Size() > 0 {
		return &as, nil
	}
	in, err := os.Open(c.Path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := os.Create(as.Path + ".part")
	if err != nil {
		return nil, err
	}
	for at := int64(0); err == nil && at < c.Size; {
		n := c.Size
		if form.member > 0 {
			n = min(form.member, c.Size-at)
		}
		var w io.WriteCloser
		if w, err = form.encode(out); err != nil {
			break
		}
		_, err = io.Copy(w, io.NewSectionReader(in, at, n))
		err = errors.Join(err, w.Close(), ctx.Err())
		at += n
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return nil, err
	}
	return &as, os.Rename(out.Name(), as.Path)
}

// open opens the corpus as whoever reads it does.
func (c *Corpus) open(opts *engine.Options) (*engine.File, error) {
	if c.form != nil {
		return compressed.Open(c.Path, opts)
	}
	return engine.Open(c.Path, opts)
}

// plain is the path of the plain bytes.
func (c *Corpus) plain() string {
	if c.form != nil {
		return strings.TrimSuffix(c.Path, c.form.Suffix)
	}
	return c.Path
}

// FormKinds are those of the corpora that are tried compressed: what most logs
// are like, and lines of megabytes.
var FormKinds = []corpus.Kind{"app", "long"}
