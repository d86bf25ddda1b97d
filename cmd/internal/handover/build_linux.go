package handover

import (
	"os/exec"
	"runtime"
	"syscall"
)

// endWithThis has cmd interrupted when this program is killed, and returns what
// is to be called when cmd has ended.
func endWithThis(cmd *exec.Cmd) func() {
	runtime.LockOSThread() // it is the end of the thread that counts
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGINT}
	return runtime.UnlockOSThread
}
