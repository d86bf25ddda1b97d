//go:build !unix

package readcard_test

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
