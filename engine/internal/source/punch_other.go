//go:build !linux

package source

import "os"

func punch(*os.File, int64, int64) {}
