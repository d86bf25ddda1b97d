package compressed

import "sync"

// A cache has the chunks that were decoded last. Those that were read lately are
// not favoured: who reads in order needs those that were decoded ahead.
type cache struct {
	mu      sync.Mutex
	limit   int // bytes
	buffer  int // bytes that every buffer has at least
	size    int
	entries map[int]*entry
	oldest  *entry // of a ring
	free    [][]byte
	spare   int // how many are kept free
}

// An entry is a chunk. While somebody looks at it, its memory is not used for
// another.
type entry struct {
	chunk      int
	buf        []byte
	users      int
	gone       bool // not in the cache any more
	prev, next *entry
}

// get returns a chunk, for the caller to give back, or nil.
func (c *cache) get(chunk int) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[chunk]
	if e == nil {
		return nil
	}
	e.users++
	return e
}

// has reports whether the cache has a chunk.
func (c *cache) has(chunk int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries[chunk] != nil
}

// put takes in a chunk and its buffer, and returns it for the caller to give
// back.
func (c *cache) put(chunk int, buf []byte) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.entries[chunk]; old != nil {
		c.drop(old)
	}
	e := &entry{chunk: chunk, buf: buf, users: 1}
	if c.entries == nil {
		c.entries = map[int]*entry{}
	}
	c.entries[chunk] = e
	c.link(e)
	c.size += cap(buf)
	for c.size > c.limit && c.oldest != e {
		c.drop(c.oldest)
	}
	return e
}

// keep drops the oldest chunks if all are more than limit bytes, from now on.
func (c *cache) keep(limit int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = limit
	for c.size > c.limit && c.oldest.next != c.oldest {
		c.drop(c.oldest)
	}
}

// release gives an entry back.
func (c *cache) release(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.users--; e.users == 0 && e.gone {
		c.recycle(e.buf)
	}
}

// room returns an empty buffer of c.buffer bytes, or more if it is to have more.
func (c *cache) room(n int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := len(c.free) - 1; last >= 0 && cap(c.free[last]) >= n {
		b := c.free[last]
		c.free = c.free[:last]
		return b[:0]
	}
	if b, ok := buffers.Get().(*[]byte); ok && cap(*b) >= max(n, c.buffer) {
		return (*b)[:0]
	}
	return make([]byte, 0, max(n, c.buffer))
}

// buffers are those that no cache keeps, for the files that are opened next.
var buffers sync.Pool

// giveBack takes a buffer that room gave and nobody uses.
func (c *cache) giveBack(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recycle(b)
}

// keepFree keeps n buffers at most for later, from now on.
func (c *cache) keepFree(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spare = n
	for last := len(c.free) - 1; last >= n; last-- {
		b := c.free[last]
		c.free[last] = nil
		c.free = c.free[:last]
		c.recycle(b)
	}
}

// close drops all. What somebody looks at still is his.
func (c *cache) close() {
	c.keepFree(0)
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.oldest != nil {
		c.drop(c.oldest)
	}
}

// free0 is how many buffers are kept free usually.
const free0 = 4

func (c *cache) recycle(b []byte) {
	if len(c.free) < c.spare {
		c.free = append(c.free, b)
	} else if cap(b) == c.buffer {
		buffers.Put(&b)
	}
}

func (c *cache) drop(e *entry) {
	c.unlink(e)
	delete(c.entries, e.chunk)
	c.size -= cap(e.buf)
	e.gone = true
	if e.users == 0 {
		c.recycle(e.buf)
	}
}

func (c *cache) link(e *entry) {
	if c.oldest == nil {
		c.oldest, e.prev, e.next = e, e, e
		return
	}
	last := c.oldest.prev
	last.next, e.prev = e, last
	e.next, c.oldest.prev = c.oldest, e
}

func (c *cache) unlink(e *entry) {
	if e.next == e {
		c.oldest = nil
		return
	}
	e.prev.next, e.next.prev = e.next, e.prev
	if c.oldest == e {
		c.oldest = e.next
	}
}
