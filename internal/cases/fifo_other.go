//go:build !unix

package cases

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
