package readfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"

	"excerpt/engine"
	"excerpt/engine/utf8safe"
	"excerpt/internal/args"
)

// A reading is one request under way.
type reading struct {
	opts Options
	ctx  context.Context
	req  Request
	f    *engine.File

	sample  []byte // the beginning of the file
	skipped int64  // bytes of the first line that were left out by wish
}

func (r *reading) read() (Result, error) {
	sample := make([]byte, sampleSize)
	n, err := r.f.ReadAt(sample, 0)
	if err != nil && err != io.EOF {
		return Result{}, err
	}
	r.sample = sample[:n]
	if knownType(r.sample) != "" {
		return Result{}, binary(r.req.Path, r.sample, r.f.Size())
	}
	span, err := r.locate()
	if err != nil {
		if errors.Is(err, engine.ErrSelection) && bytes.IndexByte(r.sample, 0) >= 0 {
			err = binary(r.req.Path, r.sample, r.f.Size())
		}
		return Result{}, err
	}
	text, err := span.Text(engine.Limits{Lines: r.opts.Lines, Bytes: r.opts.Bytes, Numbers: r.req.ShowLineNumbers, Valid: true})
	if err != nil {
		return Result{}, err
	}
	if bytes.IndexByte(text.Data, 0) >= 0 {
		part := r.sample
		if bytes.IndexByte(part, 0) < 0 {
			part = text.Data
		}
		return Result{}, binary(r.req.Path, part, r.f.Size())
	}
	total, err := r.total(span, text)
	if err != nil {
		return Result{}, err
	}
	return r.result(text, total), nil
}

// locate finds what was asked for, and of many lines no more than one over the
// limit: that says as much as all of them.
func (r *reading) locate() (*engine.Span, error) {
	q, more := r.req, r.opts.Lines+1
	switch {
	case q.Head > 0:
		return r.f.Head(r.ctx, min(q.Head, more))
	case q.Tail > 0:
		return r.f.Tail(r.ctx, min(q.Tail, more))
	case q.StartLine == 0:
		return r.f.All(r.ctx)
	}
	first, last := engine.LineNumber(q.StartLine), engine.LineNumber(q.EndLine)
	if q.EndLine-q.StartLine >= more {
		last = engine.LineNumber(q.StartLine + more - 1)
	}
	span, err := r.f.Lines(r.ctx, first, last)
	var past *engine.RangeError
	switch {
	case errors.As(err, &past):
		return nil, r.pastEnd(past)
	case err != nil || q.StartColumn == 0:
		return span, err
	}
	return r.skip(span)
}

func (r *reading) pastEnd(past *engine.RangeError) error {
	name := args.Quote(r.req.Path)
	if past.Lines == 0 {
		return refusef(past, "line %d is past the end: %s is empty", r.req.StartLine, name)
	}
	return refusef(past, "line %d is past the end: %s has %s; send a start_line from 1 to %d, or tail", r.req.StartLine, name, count(past.Lines), past.Lines)
}

// skip leaves out the columns of the first line before the wanted one.
func (r *reading) skip(span *engine.Span) (*engine.Span, error) {
	mark := r.mark(r.req.StartLine)
	r.skipped = min(r.req.StartColumn, math.MaxInt64-mark) + mark
	rest, err := span.Skip(r.skipped)
	switch {
	case errors.Is(err, engine.ErrSelection):
		return nil, r.pastLine(err)
	case err != nil:
		return nil, err
	}
	at, end := rest.Offsets()
	cut, err := utf8safe.PrefixAt(r.f, int64(end), int64(at))
	if err != nil {
		return nil, err
	}
	if cut != int64(at) {
		next, err := utf8safe.SuffixAt(r.f, int64(end), int64(end-at))
		if err != nil {
			return nil, err
		}
		return nil, refusef(engine.ErrSelection, "start_column %d is inside a character of line %d: send %d or %d",
			r.req.StartColumn, r.req.StartLine, r.req.StartColumn-int64(at)+cut, r.req.StartColumn-int64(at)+next)
	}
	return rest, nil
}

// pastLine says how long the first line is.
func (r *reading) pastLine(cause error) error {
	line, err := r.f.Lines(r.ctx, engine.LineNumber(r.req.StartLine), engine.LineNumber(r.req.StartLine))
	if err != nil {
		return err
	}
	start, end := line.Offsets()
	last := make([]byte, min(2, end-start))
	if _, err := r.f.ReadAt(last, int64(end)-int64(len(last))); err != nil && err != io.EOF {
		return err
	}
	size := int64(end-start) - r.mark(r.req.StartLine)
	switch {
	case string(last) == "\r\n":
		size -= 2
	case bytes.HasSuffix(last, []byte("\n")):
		size--
	}
	return refusef(cause, "start_column %d is past the end of line %d, whose text has %d bytes: send a smaller start_column, or leave it out for the whole line",
		r.req.StartColumn, r.req.StartLine, size)
}

// bom is a byte order mark.
const bom = "\ufeff"

// mark returns how many bytes of the line are a byte order mark.
func (r *reading) mark(line int64) int64 {
	if line == 1 && bytes.HasPrefix(r.sample, []byte(bom)) {
		return int64(len(bom))
	}
	return 0
}

// total returns how many lines the file has, or -1 if nothing tells and it is
// too large to count them just for that.
func (r *reading) total(span *engine.Span, text *engine.Text) (int64, error) {
	_, end := span.Offsets()
	lines, known := span.Lines()
	first, size := span.First(), r.f.Size()
	switch {
	case known && first > 0 && int64(end) == size:
		return int64(first) + lines - 1, nil
	case text.Cut == 0 && text.First > 0 && int64(text.End) == size:
		return int64(text.First) + text.Lines - 1, nil
	case size >= 0 && size <= r.opts.Count:
		return r.f.Count(r.ctx)
	}
	return -1, nil
}
