package compressed

// Rest lets go of memory: of chunks, which can be decoded again, and of decoders
// that wait. Reads under way go on.
func (f *file) Rest() {
	f.cache.empty()
	r := &f.reading
	r.mu.Lock()
	parked, retired := r.parked, r.retired
	r.parked, r.retired = nil, nil
	r.mu.Unlock()
	for _, c := range parked {
		c.dec.close()
	}
	for _, dec := range retired {
		dec.close()
	}
}

// empty drops all chunks.
func (c *cache) empty() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.oldest != nil {
		c.drop(c.oldest)
	}
	c.free = nil
}
