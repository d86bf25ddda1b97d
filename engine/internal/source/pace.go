package source

import "time"

// Trial is how a long view finds out whether its file is scanned faster in the
// mapping, or read into a buffer that stays in the processor's cache. It depends
// on the machine and on the pages that the file is cached in: either can take
// three times as long as the other. Tests make it small.
var Trial = struct {
	Piece int64 // bytes that are scanned in one way: a large page
	After int64 // bytes of a view before it tries
	Again int64 // and before it tries again
}{2 << 20, 32 << 20, 1 << 30}

// trials is how many pieces are scanned in each way. The fastest counts.
const trials = 3

// pace is how a view goes through its file, once it has passed Trial.After.
type pace struct {
	read bool // not mapped

	passed, next int64            // bytes: all, and those before the next trial
	piece, done  int64            // of a trial: the piece under way, and its bytes so far
	begun        time.Time        // when that was begun
	whole        int              // pieces that were scanned whole
	least        [2]time.Duration // for a piece that is mapped, and one that is read
}

// reads reports whether what comes next, at off, is to be read.
func (p *pace) reads(off int64) bool {
	if p.passed < p.next {
		return p.read
	}
	if piece := off / Trial.Piece; piece != p.piece || p.begun.IsZero() {
		p.finish()
		if p.whole == 2*trials || p.passed >= p.next+8*trials*Trial.Piece {
			p.decide()
			return p.read
		}
		p.piece, p.done, p.begun = piece, 0, time.Now()
	}
	return p.piece%2 == 1
}

// add says that n bytes were scanned.
func (p *pace) add(n int) {
	p.passed += int64(n)
	p.done += int64(n)
}

// finish takes the time of a piece, if it was scanned whole.
func (p *pace) finish() {
	if p.begun.IsZero() || p.done < Trial.Piece {
		return
	}
	took := max(time.Since(p.begun), 1)
	if least := &p.least[p.piece%2]; *least == 0 || took < *least {
		*least = took
	}
	p.whole++
}

// decide goes on in the faster way. Reading must be so by more than chance: what
// is not cached yet is cached in large pages if it is mapped.
func (p *pace) decide() {
	mapped, read := p.least[0], p.least[1]
	*p = pace{passed: p.passed, next: p.passed + Trial.Again, read: read > 0 && read < mapped*9/10}
}
