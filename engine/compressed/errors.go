package compressed

import (
	"errors"
	"fmt"
)

// ErrDamaged is what a [DamageError] is: the compressed file ends too early, or
// is not what its format or its checksums say.
var ErrDamaged = errors.New("the compressed file is damaged")

// ErrUnsupported is the error of a file that its format allows and this package
// does not read: a window of zstd of more than 128 MiB, or of xz of more than 64,
// a dictionary, a filter of xz.
// It is an [errors.ErrUnsupported] too.
var ErrUnsupported error = unsupported{}

type unsupported struct{}

func (unsupported) Error() string        { return "not supported" }
func (unsupported) Is(target error) bool { return target == errors.ErrUnsupported }

// A DamageError is the error of what can't be decoded. The error of a method of
// an engine.File is an *fs.PathError with one in it.
type DamageError struct {
	Format     Format
	Compressed int64 // the offset in the compressed file up to which it was read
	Decoded    int64 // how many bytes were decoded before that
	Verified   int64 // how many of these were found right by a checksum of the format
	Err        error // what is wrong

	readable int64
}

// Readable returns how many bytes can be read, from the first, and how many of
// them are verified: these are all, unless the file only ends too early. None
// are if the file was damaged after it was decoded once.
func (e *DamageError) Readable() (bytes, verified int64) {
	return e.readable, min(e.Verified, e.readable)
}

// Error says what is wrong, where, and what of the file can be trusted.
func (e *DamageError) Error() string {
	return fmt.Sprintf("damaged %s at offset %d, after %d decoded bytes, of which %d are verified: %v",
		e.Format, e.Compressed, e.Decoded, e.Verified, e.Err)
}

// Unwrap returns what is wrong.
func (e *DamageError) Unwrap() error { return e.Err }

// Is makes a DamageError an ErrDamaged.
func (e *DamageError) Is(target error) bool { return target == ErrDamaged }
