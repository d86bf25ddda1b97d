package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version is the version that this program was built from.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}

// About is what --version prints. It is the same for both programs if they were
// built from the same source, in the same way.
func About() string {
	return fmt.Sprintf("excerpt %s %s %s/%s", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
