// Command excerpt-full is the whole of excerpt, with what takes libraries that
// take longer to start than a short read takes: the MCP server, cards drawn in
// colours, profiles of the program.
//
// It is run by excerpt, and does the same if it is run in its place.
package main

import (
	"os"
	"runtime"

	"excerpt/cmd/internal/command"
	"excerpt/engine/compressed"
)

func main() {
	runtime.MemProfileRate = 0 // --memprofile sets it; to all others, samples are lost time
	os.Exit(command.Main(os.Args[1:], &command.Full{
		Open:    compressed.Open,
		Rotated: openRotated,
		Serve:   serve,
		Draw:    drawCard,
		Outline: printOutline,
		Convert: convert,
		Profile: startProfile,
	}))
}
