//go:build !linux

package cli

import "os"

func GrowPipe(*os.File) {}
