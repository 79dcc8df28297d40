package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Missing says what of this package the system lacks; empty: nothing.
const Missing = ""

// Supervise makes this process a supervisor. Orphans below it become its children, in whatever session they are. With its own
// namespaces, where it is process 1, it sees only the processes below it. Other processes of the same user can neither trace it
// nor read its memory and environment.
func Supervise() error {
	if err := Adopt(); err != nil {
		return err
	}
	if Isolated() {
		// New mounts of the machine arrive, and none leave.
		if err := unix.Mount("", "/", "", unix.MS_SLAVE|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("a mount namespace: %w", err)
		}
		// Without, the process numbers of /proc would be other processes'.
		if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
			return fmt.Errorf("mounting /proc in a namespace: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("protecting the supervisor: %w", err)
	}
	return nil
}

// Isolated reports whether this process is the first of a namespace.
func Isolated() bool { return os.Getpid() == 1 }

// Adopt makes orphans below this process its children.
func Adopt() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("becoming the parent of orphans: %w", err)
	}
	return nil
}

// adopts reports whether Adopt was called.
func adopts() bool {
	var on int32
	return unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&on)), 0, 0, 0) == nil && on != 0
}

// children lists the children of a process, zombies included. They are listed with the thread that made them.
func children(pid string) (found []int) {
	for _, thread := range threads(pid) {
		for _, c := range bytes.Fields(contents("/proc/" + pid + "/task/" + thread + "/children")) {
			if child, err := strconv.Atoi(string(c)); err == nil {
				found = append(found, child)
			}
		}
	}
	return found
}

// threads lists the threads of a process; of one that is gone, none.
func threads(pid string) []string {
	dir, err := os.Open("/proc/" + pid + "/task")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	return names
}

// below lists all that is below this process but the zombies, and reaps those that nobody else will. clear says that the leader
// was the only child: a process whose parent ends during the look, and which becomes our child then, may be in no list.
func below(leader int) (found []int, clear bool) {
	queue := children("self")
	clear = true
	for _, pid := range queue {
		if pid != leader {
			clear = false
			if state(pid) == 'Z' {
				_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // it is there, and ours
			}
		}
	}
	for len(queue) > 0 {
		pid := queue[0]
		queue = queue[1:]
		if s := state(pid); s != 'Z' && s != 'X' && s != 0 {
			found = append(found, pid)
		}
		queue = append(queue, children(strconv.Itoa(pid))...)
	}
	return found, clear && len(found) == 0
}

// state returns the letter of a process's state, 0 if it is gone.
func state(pid int) byte { return stateOf(strconv.Itoa(pid)) }

// stateOf is state of what has its folder below /proc under that name, such as a thread.
func stateOf(name string) byte {
	f := stat(name)
	if len(f) == 0 || len(f[0]) == 0 {
		return 0
	}
	return f[0][0]
}

// killBelow kills all that is below this process, except the leader's zombie, and waits until it is gone. In a namespace of
// its own the kernel does that at once; elsewhere it needs to be faster than what makes new processes. The kernel's list of
// children may miss one while others come and go, so nobody must be there twice.
func killBelow(leader int) {
	const looks = 2
	end := time.Now().Add(gone)
	for quiet := 0; quiet < looks && time.Now().Before(end); {
		if Isolated() {
			_ = unix.Kill(-1, unix.SIGKILL) // all but this process; an error says that there is nobody
		}
		rest, clear := below(leader)
		for _, pid := range rest {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		quiet++
		if !clear {
			quiet = 0
		}
	}
}

// belowUsage returns the resources that the processes below this one use and have used.
func belowUsage() Usage {
	var u Usage
	for _, pid := range children("self") {
		more := treeUsage(pid)
		u.RSS += more.RSS
		u.CPU += more.CPU
	}
	u.CPU += reapedCPU()
	return u
}

// reapedCPU is the processor time of all processes that this one has waited for, and of those that they had waited for.
func reapedCPU() time.Duration {
	var ru unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &ru); err != nil {
		return 0
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}
