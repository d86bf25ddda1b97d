package logset

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"

	"excerpt/engine/internal/source"
)

// compare finds out what is there twice: a file under two names; one that is
// just being compressed, under its name or its next, with what there is of that;
// and the copy that copytruncate has made, or has begun to make, of a live file
// that is not cut short yet. Files are the same if their content is.
func (f *found) compare(ctx context.Context) error {
	for i, p := range f.parts {
		for _, newer := range f.parts[i+1:] {
			if p.isRead() && newer.isRead() && os.SameFile(p.info, newer.info) {
				p.twice("it is the same file as %s", newer)
			}
		}
	}
	for from := 0; from < len(f.parts); {
		to := from + 1
		for to < len(f.parts) && f.parts[to].name.kind == f.parts[from].name.kind && f.parts[to].name.bare == f.parts[from].name.bare {
			to++
		}
		if err := compareOne(ctx, f.parts[from:to]); err != nil {
			return err
		}
		from = to
	}
	if err := f.compareNext(ctx); err != nil {
		return err
	}
	return f.compareLive(ctx)
}

// compareNext compares compressed files with the plain ones behind them. Some
// programs compress a file under its next name, and remove it then: app.log.1
// and app.log.2.gz are both there meanwhile, and stay if that was interrupted.
// What was compressed so is not older than what it was made of, as a file before
// another is otherwise.
func (f *found) compareNext(ctx context.Context) error {
	var before *part
	for _, p := range f.parts {
		if !p.isRead() {
			continue
		}
		if before != nil && before.plain == nil && p.plain != nil && p.size > 0 && !before.info.ModTime().Before(p.info.ModTime()) {
			r, err := relate(ctx, before, p)
			switch {
			case err != nil:
				return err
			case r == equal, r == shorter && before.state == Partial && before.known() > 0:
				before.twice("%s has what it holds", p)
			}
		}
		before = p
	}
	return nil
}

// compareOne compares the files of one number or date.
func compareOne(ctx context.Context, parts []*part) error {
	var kept *part
	for _, p := range parts {
		switch {
		case !p.isRead():
			continue
		case kept == nil:
			kept = p
			continue
		}
		r, err := relate(ctx, kept, p)
		switch {
		case err != nil:
			return err
		case r == other:
			p.state = Ambiguous
			p.err = fmt.Errorf("it has not the content of %s, which has the same place", kept.name.file)
		case r == shorter:
			kept.twice("%s has what it holds", p)
			kept = p
		default:
			p.twice("%s has what it holds", kept)
		}
	}
	slices.SortStableFunc(parts, func(a, b *part) int {
		if a.info == nil || b.info == nil {
			return 0
		}
		return a.info.ModTime().Compare(b.info.ModTime())
	})
	return nil
}

// compareLive compares the live file with those before it, as long as these are
// copies of it.
func (f *found) compareLive(ctx context.Context) error {
	last := len(f.parts) - 1
	for last >= 0 && !f.parts[last].isRead() {
		last--
	}
	if last < 0 || !f.parts[last].name.kind.live || f.parts[last].plain == nil || f.parts[last].size == 0 {
		return nil
	}
	live := f.parts[last]
	for _, p := range slices.Backward(f.parts[:last]) {
		if !p.isRead() || p.known() == 0 {
			continue
		}
		if p.plain == nil {
			return nil // logrotate compresses no copy before the live file is cut short
		}
		r, err := relate(ctx, p, live)
		switch {
		case err != nil:
			return err
		case r == other:
			return nil
		case r == longer:
			// A copy of more than was there a moment ago: it is still being made,
			// or it is none.
			f.settled = false
			return nil
		}
		p.twice("%s begins with what it holds", live)
	}
	return nil
}

// isRead reports whether the part is of the set, as far as is known by now.
func (p *part) isRead() bool { return p.state == Whole || p.state == Partial || p.state == Ambiguous }

func (p *part) twice(format string, other *part) {
	p.state, p.err = Twice, fmt.Errorf(format, other.name.file)
}

// A relation is what the content of a file is to that of another.
type relation int

const (
	other   relation = iota
	equal            // the same
	shorter          // the beginning of it
	longer           // more than it
)

// relate compares two parts: first where the shorter one ends, if that is known,
// then from the beginning on.
func relate(ctx context.Context, a, b *part) (relation, error) {
	const block = 64 << 10
	bufA, bufB := make([]byte, block), make([]byte, block)
	same := func(off, n int64) (bool, error) {
		if err := a.read(ctx, bufA[:n], off); err != nil {
			return false, err
		}
		err := b.read(ctx, bufB[:n], off)
		return bytes.Equal(bufA[:n], bufB[:n]), err
	}
	defer a.rest()
	defer b.rest()
	if both := min(a.known(), b.known()); max(a.known(), b.known()) != source.Unknown {
		off := max(0, both-block)
		if ok, err := same(off, both-off); err != nil || !ok {
			return other, err
		}
	}
	for off := int64(0); ; {
		hasA, err := a.fill(ctx, off+block, nil)
		if err != nil {
			return other, err
		}
		hasB, err := b.fill(ctx, off+block, nil)
		if err != nil {
			return other, err
		}
		n := min(hasA-off, hasB-off, block)
		if n <= 0 {
			switch {
			case hasA > hasB:
				return longer, nil
			case hasA < hasB:
				return shorter, nil
			}
			return equal, nil
		}
		if ok, err := same(off, n); err != nil || !ok {
			return other, err
		}
		off += n
	}
}
