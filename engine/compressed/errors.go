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
var ErrUnsupported = errors.New("not supported")

// A DamageError is the error of what can't be decoded. The error of a method of
// an engine.File is an *fs.PathError with one in it.
type DamageError struct {
	Format     Format
	Compressed int64 // the offset in the compressed file up to which it was read
	Decoded    int64 // how many bytes were decoded before that
	Verified   int64 // how many of these were found right by a checksum of the format
	Err        error // what is wrong
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
