//go:build !linux

package workload

import "errors"

func evict(string) error { return errors.ErrUnsupported }
