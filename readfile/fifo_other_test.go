//go:build !unix

package readfile_test

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
