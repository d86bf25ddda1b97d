package readfile

import (
	"errors"
	"fmt"
	"io/fs"

	"excerpt/engine"
	"excerpt/internal/args"
)

// A damage is the error of a compressed file that can be read up to a place. It
// is a DamageError of package compressed, of which this one must not know: it
// links all codecs.
type damage interface {
	error
	Readable() (bytes, verified int64) // from the first
}

// mostRatio bounds what is decoded of a file beyond what an answer needs, in
// sizes of the file.
const mostRatio = 16

// decode decodes a compressed file whose lines are to be counted: from then on,
// all is known of it. What holds more than a plain file that is counted, and very
// much more than its size, is left alone.
func (r *reading) decode() error {
	if r.f.Size() >= 0 || r.f.Stored() < 0 || r.f.Stored() > r.opts.Count {
		return nil
	}
	most := max(r.opts.Count, min(r.f.Stored(), int64(engine.LastOffset)/mostRatio)*mostRatio)
	_, err := r.f.Bytes(r.ctx, 0, engine.Offset(most))
	return err
}

// salvage answers the request from what can be read before a damage.
func (r *reading) salvage(damaged damage) (Result, error) {
	readable, _ := damaged.Readable()
	part := engine.New(r.req.Path, r.f, readable, nil)
	defer part.Close()
	r.damage, r.f = damaged, part
	if r.req.Tail == 0 {
		return r.answer()
	}
	lines, err := part.Count(r.ctx)
	if err != nil {
		return Result{}, err
	}
	return Result{}, refusef(damaged, `the end of %s can't be read: it is a compressed file that is damaged (%v); what is before has %s: send {"start_line": %d, "end_line": %d} for the last of them`,
		args.Quote(r.req.Path), damaged, count(lines), max(1, lines-r.req.Tail+1), lines)
}

// unverified says whether no checksum was seen of what the text is.
func (r *reading) unverified(text *engine.Text) bool {
	if r.damage == nil {
		return text.Unverified
	}
	_, verified := r.damage.Readable()
	return int64(text.End) > verified
}

// damageNotice says why nothing follows.
func (r *reading) damageNotice() string {
	return fmt.Sprintf("The compressed file is damaged, and nothing behind this can be read: %v.", r.damage)
}

const unverifiedNotice = "This is not verified: the compressed file was not decoded to its end, or to the checksum of this part."

func explainDamage(q string, damaged damage) error {
	if n, _ := damaged.Readable(); n > 0 {
		return refusef(damaged, "%s is a compressed file that is damaged: %v; its first %d bytes can be read, with head or a range of lines", q, damaged, n)
	}
	return refusef(damaged, "%s is a compressed file that is damaged: %v; nothing of it can be read", q, damaged)
}

// reason returns what an error says, without its path.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return "it is of a kind that is not supported"
}
