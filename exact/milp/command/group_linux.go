package command

import "syscall"

// ownGroup puts an executable into a process group of its own, which the kernel kills along with this process.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
