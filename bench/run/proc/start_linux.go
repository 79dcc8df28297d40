package proc

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes are the attributes of the process that Start starts.
func attributes(o Options) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	switch {
	case o.Namespace: // the kernel kills all the rest with it
		a.Cloneflags = unix.CLONE_NEWPID | unix.CLONE_NEWNS
		if o.Confined {
			a.Cloneflags |= unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
		}
		if o.User {
			a.Cloneflags |= unix.CLONE_NEWUSER
			a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
			a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
			a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP} // to mount, and to give up its capabilities
		}
	case o.Supervisor:
		a.Pdeathsig = syscall.SIGTERM
	}
	if o.Cgroup != nil {
		a.UseCgroupFD, a.CgroupFD = true, int(o.Cgroup.dir.Fd())
	}
	return a
}

// awaitEnd waits for the end of a child without reaping it.
func awaitEnd(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// onCPUs calls start with its thread bound to cpus, which a process started there inherits.
func onCPUs(cpus []int, start func() error) error {
	if len(cpus) == 0 {
		return start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, bound unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("reading the CPU affinity: %w", err)
	}
	for _, c := range cpus {
		bound.Set(c)
	}
	if err := unix.SchedSetaffinity(0, &bound); err != nil {
		return fmt.Errorf("binding to CPUs %v: %w", cpus, err)
	}
	return errors.Join(start(), unix.SchedSetaffinity(0, &before))
}

// CPUs lists the CPUs that this process may use.
func CPUs() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("reading the CPU affinity: %w", err)
	}
	var cpus []int
	for c := 0; len(cpus) < set.Count(); c++ {
		if set.IsSet(c) {
			cpus = append(cpus, c)
		}
	}
	return cpus, nil
}
