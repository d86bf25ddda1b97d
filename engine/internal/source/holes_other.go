//go:build !linux && !darwin && !freebsd

package source

import "io/fs"

func sparse(fs.FileInfo) bool { return false }
