//go:build !linux

package proc

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Missing says what of this package the system lacks; empty: nothing.
const Missing = "on " + runtime.GOOS + " a command's process group is killed, but not what left it; memory is not limited, " +
	"processor time only measured at the end, CPUs are not assigned, and a command outlives this program when that is killed"

var errUnsupported = errors.New("not supported on " + runtime.GOOS)

func attributes(Options) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// awaitEnd cannot wait without reaping here: the group is killed after the leader's number was free for a moment.
func awaitEnd(int) {}

func onCPUs(cpus []int, start func() error) error {
	if len(cpus) > 0 {
		return errUnsupported
	}
	return start()
}

// CPUs lists the CPUs that this process may use.
func CPUs() ([]int, error) { return nil, errUnsupported }

// Supervise makes this process a supervisor.
func Supervise() error { return nil }

// Isolated reports whether this process is the first of a namespace.
func Isolated() bool { return false }

// Adopt makes orphans below this process its children.
func Adopt() error { return nil }

func (p *Process) signalAll(s syscall.Signal) { _ = unix.Kill(-p.pid, s) }

func (p *Process) killRest() {}

// Usage looks at the leader and its descendants.
func (p *Process) Usage() Usage { return Usage{} }

// Stopped reports whether the leader is stopped, by a signal or a tracer.
func (p *Process) Stopped() bool { return false }

// Idles waits a while. It returns false if answered is closed or the process ends before.
func (p *Process) Idles(_ *os.File, answered <-chan struct{}) bool {
	select {
	case <-answered:
		return false
	case <-p.done:
		return false
	case <-time.After(time.Second):
		return true
	}
}

// PeakRSS is the largest resident size of this process so far, 0 if the system does not say.
func PeakRSS() int64 { return 0 }

// ResetPeakRSS makes the kernel forget the largest resident size of this process so far.
func ResetPeakRSS() bool { return false }

// OOMKills counts the processes that the kernel has killed since boot because memory ran out.
func OOMKills() int64 { return 0 }

// PeakOf is the largest resident size of one process of an ended command.
func (p *Process) PeakOf(int64) int64 { return 0 }

// Cgroups is a folder of control groups, version 2.
type Cgroups struct{ Memory bool }

// FindCgroups finds the folder of this process's group.
func FindCgroups(string) (*Cgroups, error) { return nil, errUnsupported }

// A Cgroup holds one command and all that it starts.
type Cgroup struct{}

// New makes a group.
func (*Cgroups) New(int64) (*Cgroup, error) { return nil, errUnsupported }

// OOMKilled reports whether the kernel killed processes of the group for its memory limit.
func (*Cgroup) OOMKilled() bool { return false }

// Close removes the group.
func (*Cgroup) Close() error { return nil }
