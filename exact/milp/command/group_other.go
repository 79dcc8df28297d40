//go:build !linux

package command

import "syscall"

// ownGroup puts an executable into a process group of its own. Only Linux would also kill it along with this process.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
