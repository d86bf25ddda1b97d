package readfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"unicode/utf8"

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

	damage damage // where a compressed file ends to be readable; f is what is before that

	sample  []byte // the beginning of the file
	skipped int64  // bytes of the first line that were left out by wish
	many    bool   // the selection has more lines than an answer, as far as that was looked for
}

func (r *reading) read() (Result, error) {
	result, err := r.answer()
	var damaged damage
	if errors.As(err, &damaged) {
		if readable, _ := damaged.Readable(); readable > 0 {
			return r.salvage(damaged)
		}
	}
	return result, err
}

func (r *reading) answer() (Result, error) {
	sample := make([]byte, sampleSize)
	n, err := r.readAt(sample, 0)
	if err != nil && err != io.EOF {
		return Result{}, err
	}
	r.sample = sample[:n]
	if knownType(r.sample) != "" {
		return Result{}, r.binary(r.sample)
	}
	if err := r.decode(); err != nil {
		return Result{}, err
	}
	span, err := r.locate()
	if err != nil {
		if errors.Is(err, engine.ErrSelection) && bytes.IndexByte(r.sample, 0) >= 0 {
			err = r.binary(r.sample)
		}
		return Result{}, err
	}
	text, err := span.Text(engine.Limits{Lines: min(r.opts.Lines, r.wanted()), Bytes: r.opts.Bytes, Numbers: r.req.ShowLineNumbers, Valid: true})
	if err != nil {
		return Result{}, err
	}
	if bytes.IndexByte(text.Data, 0) >= 0 {
		part := r.sample
		if bytes.IndexByte(part, 0) < 0 {
			part = text.Data
		}
		return Result{}, r.binary(part)
	}
	if err := r.keepLineEnd(text); err != nil {
		return Result{}, err
	}
	total, err := r.total(span, text)
	if err != nil {
		return Result{}, err
	}
	if r.many, err = r.overLines(span, text, total); err != nil {
		return Result{}, err
	}
	return r.result(text, total), nil
}

// readAt is ReadAt of the file, and ends when the context does: a compressed one
// may be decoded for it.
func (r *reading) readAt(b []byte, off int64) (int, error) {
	if r.f.Size() < 0 {
		if _, err := r.f.Bytes(r.ctx, engine.Offset(off), engine.Offset(off+int64(len(b)))); err != nil {
			return 0, err
		}
	}
	return r.f.ReadAt(b, off)
}

// locate finds where the answer begins, and for a tail at least as many lines
// as it can have and one more. Where it ends is for the limits to say: a line
// can be as long as the file.
func (r *reading) locate() (*engine.Span, error) {
	switch {
	case r.req.Tail > 0:
		return r.f.Tail(r.ctx, min(r.req.Tail, r.opts.Lines+1))
	case r.req.StartLine == 0:
		return r.f.All(r.ctx)
	}
	span, err := r.f.Lines(r.ctx, engine.LineNumber(r.req.StartLine), engine.LastLine)
	var past *engine.RangeError
	switch {
	case errors.As(err, &past):
		return nil, r.pastEnd(past)
	case err != nil || r.req.StartColumn == 0:
		return span, err
	}
	return r.skip(span)
}

// wanted returns how many lines were asked for, whether there are so many or
// not.
func (r *reading) wanted() int64 {
	switch {
	case r.req.Head > 0:
		return r.req.Head
	case r.req.Tail > 0:
		return r.req.Tail
	case r.req.StartLine > 0:
		return r.req.EndLine - r.req.StartLine + 1
	}
	return math.MaxInt64
}

func (r *reading) pastEnd(past *engine.RangeError) error {
	name := args.Quote(r.req.Path)
	if r.damage != nil {
		return refusef(r.damage, "line %d can't be read: %s is a compressed file that is damaged (%v), and the part before has %s; send a start_line from 1 to %d",
			r.req.StartLine, name, r.damage, count(past.Lines), past.Lines)
	}
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
	offset, _ := rest.Offsets()
	at := int64(offset)
	after, err := r.readAt(make([]byte, utf8.UTFMax-1), at)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if inside, err := r.insideLineEnd(at); err != nil {
		return nil, err
	} else if inside && r.skipped > mark {
		return nil, r.pastLine(engine.ErrSelection)
	}
	start, err := utf8safe.PrefixAt(r.f, at+int64(after), at)
	if err != nil || start == at {
		return rest, err
	}
	end, err := utf8safe.SuffixAt(r.f, at+int64(after), int64(after))
	if err != nil {
		return nil, err
	}
	column := r.req.StartColumn
	return nil, refusef(engine.ErrSelection, "start_column %d is inside a character of line %d: send %d or %d",
		column, r.req.StartLine, column-at+start, column-at+end)
}

// insideLineEnd says whether an offset is between a CR and its LF.
func (r *reading) insideLineEnd(at int64) (bool, error) {
	if at == 0 {
		return false, nil
	}
	b := make([]byte, 2)
	n, err := r.readAt(b, at-1)
	if err == io.EOF {
		err = nil
	}
	return string(b[:n]) == "\r\n", err
}

// keepLineEnd gives up a CR that was cut from its LF: there is no column
// between them.
func (r *reading) keepLineEnd(text *engine.Text) error {
	if text.Column < 2 {
		return nil
	}
	inside, err := r.insideLineEnd(int64(text.End))
	if inside && bytes.HasSuffix(text.Data, []byte("\r")) {
		text.Data = text.Data[:len(text.Data)-1]
		text.End--
		text.Column--
	}
	return err
}

// pastLine says how long the first line is.
func (r *reading) pastLine(cause error) error {
	line, err := r.f.Lines(r.ctx, engine.LineNumber(r.req.StartLine), engine.LineNumber(r.req.StartLine))
	if err != nil {
		return err
	}
	start, end := line.Offsets()
	last := make([]byte, min(2, end-start))
	if _, err := r.readAt(last, int64(end)-int64(len(last))); err != nil && err != io.EOF {
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
	size := r.f.Size()
	switch {
	case r.damage != nil:
		return -1, nil
	case r.req.Tail > 0 && span.First() > 0:
		lines, _ := span.Lines()
		return int64(span.First()) + lines - 1, nil
	case text.Cut == 0 && text.First > 0 && int64(text.End) == size:
		return int64(text.First) + text.Lines - 1, nil
	case size >= 0 && r.opts.Count >= 0 && (r.f.Stored() <= r.opts.Count || r.f.Stored() != size): // what was decoded was counted
		return r.f.Count(r.ctx)
	}
	return -1, nil
}

// mostLook is how much is read to know the reason for a cut. Where there is no
// line end in a block of it, no more is.
const (
	mostLook  = 16 << 20
	lookBlock = 256 << 10
)

// overLines says whether a selection that was cut by bytes also has more lines
// than an answer may have.
func (r *reading) overLines(span *engine.Span, text *engine.Text, total int64) (bool, error) {
	switch {
	case text.Cut&engine.ByBytes == 0 || r.wanted() <= r.opts.Lines:
		return false, nil
	case total >= 0:
		asked := r.asked(total)
		return asked.End-asked.Start >= r.opts.Lines, nil
	case r.req.Tail > 0:
		lines, _ := span.Lines()
		return lines > r.opts.Lines, nil
	}
	ends := r.opts.Lines - text.Lines // line ends that go before one more byte
	if text.Column > 0 {
		ends++
	}
	block := make([]byte, lookBlock)
	for at, last := int64(text.End), int64(text.End)+min(r.opts.Count, mostLook); at < last; {
		if err := r.ctx.Err(); err != nil {
			return false, err
		}
		n, err := r.readAt(block, at)
		found := int64(bytes.Count(block[:n], []byte("\n")))
		if ends -= found; ends < 0 || ends == 0 && n > 0 && block[n-1] != '\n' {
			return true, nil
		}
		switch {
		case err == io.EOF, err == nil && found == 0:
			return false, nil
		case err != nil:
			return false, err
		}
		at += int64(n)
	}
	return false, nil
}

// cut returns which limits have made the text shorter than what was asked for.
func (r *reading) cut(text *engine.Text) engine.Cut {
	switch cut := text.Cut; {
	case r.req.Tail == 0 && cut == engine.ByLines && text.Lines == r.wanted():
		return 0
	case cut&engine.ByBytes != 0 && r.many:
		return cut | engine.ByLines
	default:
		return cut
	}
}
