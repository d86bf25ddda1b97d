package corpus

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"excerpt/corpus/internal/atomicfile"
)

// fileVersion is part of the names of files, so that one made by an older
// version of the package is not taken for the corpus. Raise it with every
// change of the bytes (the tests notice one).
const fileVersion = 1

// File returns the path of a file in dir that holds the corpus of the kind, seed
// and size (bytes). If there is none, it makes dir, and the file, at the speed
// of the disk; otherwise it costs a stat. The name tells the arguments.
//
// The file appears when it is complete: after an error, a full disk say, dir
// holds nothing new. Several goroutines and processes may ask for one file at
// the same time. The errors are those of [Write], and *fs.PathError or
// *os.LinkError from the file system.
func File(ctx context.Context, dir string, kind Kind, seed uint64, size int64) (string, error) {
	if _, err := check(kind, size); err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-v%d-%d-%d.log", kind, fileVersion, seed, size))
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() == size {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	err := atomicfile.Write(path, func(w io.Writer) error {
		return Write(ctx, w, kind, seed, size)
	})
	if err != nil {
		return "", err
	}
	return path, nil
}
