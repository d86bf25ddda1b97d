package compressed

import (
	"slices"
	"sort"

	"excerpt/engine/internal/index"
)

// A table is what is known of what a file holds.
type table struct {
	points []point // where decoding can begin, the first at the beginning
	chunks []chunk // what was decoded, piece by piece; one begins at each point
	lines  index.Index
	tail   []byte // the last bytes of all, once that is known: most who read it again want these
}

// mostTail is how many bytes the tail has at most.
const mostTail = 64 << 10

// tailOf returns how many bytes of the end are kept for a compressed file of
// size bytes: so few that its sidecar is hardly larger for them.
func tailOf(size int64) int { return int(min(max(size/512, 4<<10), mostTail)) }

// A chunk is a piece of what a file holds. It begins where the one before it
// ends.
type chunk struct {
	end int64
	sum uint32 // of its bytes
}

// known returns how many bytes were decoded.
func (t *table) known() int64 { return t.start(len(t.chunks)) }

// start returns where a chunk begins.
func (t *table) start(c int) int64 {
	if c == 0 {
		return 0
	}
	return t.chunks[c-1].end
}

// chunkAt returns the chunk that the byte at off lies in.
func (t *table) chunkAt(off int64) int {
	return sort.Search(len(t.chunks), func(i int) bool { return t.chunks[i].end > off })
}

// pointAt returns the last point that is not behind offset off.
func (t *table) pointAt(off int64) int {
	return sort.Search(len(t.points), func(i int) bool { return t.points[i].out > off }) - 1
}

// end returns where the part ends that is decoded from a point: at the next, or
// at the end of what is known.
func (t *table) end(p int) int64 {
	if p+1 < len(t.points) {
		return t.points[p+1].out
	}
	return t.known()
}

// add takes in a point, which may lie before others.
func (t *table) add(p point) {
	t.points = slices.Insert(t.points, t.pointAt(p.out)+1, p)
}

// thin drops every other point that takes memory.
func (t *table) thin() {
	kept := t.points[:0]
	drop := false
	for _, p := range t.points {
		if p.inside {
			if drop = !drop; drop {
				continue
			}
		}
		kept = append(kept, p)
	}
	clear(t.points[len(kept):])
	t.points = kept
}
