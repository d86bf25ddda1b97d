package engine

import (
	"io/fs"
	"slices"
	"sync"
)

// memory has the knowledge of the files that were looked far into last, for
// whoever opens them next in this program.
var memory struct {
	mu    sync.Mutex
	files []memorized // the last first
}

type memorized struct {
	key memoryKey
	*knowledge
}

// A memoryKey names a file, and who wants to share what is known of it.
type memoryKey struct {
	device, inode uint64
	cache         string
}

// Bounds of the memory: files, and bytes of all.
const (
	mostFiles = 16
	mostBytes = 8 << 20
)

// recall returns what is known of a file, if only that it is nothing.
func (f *File) recall(info fs.FileInfo) *knowledge {
	if key, ok := f.memoryKey(info); ok {
		memory.mu.Lock()
		defer memory.mu.Unlock()
		if i := find(key); i >= 0 {
			return memory.files[i].knowledge
		}
	}
	return new(knowledge)
}

// memorize keeps k for those who open the file later.
func (f *File) memorize(info fs.FileInfo, k *knowledge) {
	key, ok := f.memoryKey(info)
	if !ok {
		return
	}
	memory.mu.Lock()
	defer memory.mu.Unlock()
	if i := find(key); i >= 0 {
		memory.files = slices.Delete(memory.files, i, i+1)
	}
	memory.files = slices.Insert(memory.files, 0, memorized{key, k})
	size := int64(0)
	for i, file := range memory.files {
		size += file.bytes.Load()
		if i == mostFiles || i > 0 && size > mostBytes {
			clear(memory.files[i:])
			memory.files = memory.files[:i]
			break
		}
	}
}

func find(key memoryKey) int {
	return slices.IndexFunc(memory.files, func(m memorized) bool { return m.key == key })
}

func (f *File) memoryKey(info fs.FileInfo) (key memoryKey, ok bool) {
	device, inode := fileID(info)
	return memoryKey{device, inode, f.opts.Cache}, inode != 0 && f.opts.Cache != NoCache
}
