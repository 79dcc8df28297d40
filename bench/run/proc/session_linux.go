package proc

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// gone is how long wait looks after the members of a dead leader's session: SIGKILL takes effect soon, not at once.
const gone = time.Second

func hasMark(variable string) bool { return strings.HasPrefix(variable, markName) }

// environment returns the environment with which a process was started. Another user's processes cannot be read.
func environment(pid int) []string {
	env, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return strings.Split(string(env), "\x00")
}

// ends reports whether a process is ending or has ended: it has no memory any more, its environment included.
func ends(pid int) bool {
	f := stat(strconv.Itoa(pid))
	return len(f) < 21 || string(f[20]) == "0"
}

// settledEnvironment returns the environment of a living process. A process that just executes a program has none for a moment, so its
// place must be the same before and after it is read; not whole: the process ends, or its environment may not be read.
func settledEnvironment(pid int) (env []string, whole bool) {
	for range 50 {
		before := environmentAt(pid)
		env = environment(pid)
		switch {
		case before != "" && before == environmentAt(pid):
			return env, true
		case ends(pid):
			return nil, false
		}
		time.Sleep(time.Millisecond)
	}
	return nil, false
}

// environmentAt says where a process's environment lies in its memory; empty: it has none, or it may not be asked.
func environmentAt(pid int) string {
	f := stat(strconv.Itoa(pid)) // state is the third field of proc(5), env_start and env_end are the 50th and 51st
	if len(f) < 49 || string(f[48]) == "0" {
		return ""
	}
	return string(f[47]) + " " + string(f[48])
}

// kernelThreads are the threads of the kernel, which are half of what a quiet machine has below /proc and never members. All but one
// are children of the second process. In a namespace of processes there are none, and the second process is one as any other.
func kernelThreads() map[int]bool {
	const second, ofKernel = "2", 0x00200000 // PF_KTHREAD in the kernel's sched.h
	f := stat(second)                        // flags are the 9th field of proc(5), the state is the third
	if len(f) < 7 {
		return nil
	}
	flags, _ := strconv.ParseUint(string(f[6]), 10, 64)
	if flags&ofKernel == 0 {
		return nil
	}
	found := map[int]bool{}
	for _, pid := range children(second) {
		found[pid] = true
	}
	return found
}

// members lists the living processes of the session of a leader, the leader's descendants, whatever process group they are in,
// and the processes with the mark. Those of the session are found even after the leader's death, when init has become their
// parent; of a daemon, which has a session of its own and init as its parent, only the mark tells where it comes from.
func members(leader int, mark string) []int {
	type process struct {
		pid, parent, session int
		start                int64 // ticks since boot
		daemon               bool
	}
	// What this process is just starting has left its session but still shows this process's environment, without a mark.
	starting.Lock()
	defer starting.Unlock()
	var all []process
	var born int64 // when the leader was
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	kernels := kernelThreads()
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || kernels[pid] {
			continue
		}
		f := stat(name) // state, parent, process group, session; the time of the start is the 20th field
		if len(f) < 20 {
			continue
		}
		start, _ := strconv.ParseInt(string(f[19]), 10, 64)
		if pid == leader {
			born = start
		}
		if f[0][0] == 'Z' || f[0][0] == 'X' {
			continue
		}
		parent, _ := strconv.Atoi(string(f[1]))
		session, _ := strconv.Atoi(string(f[3]))
		all = append(all, process{pid: pid, parent: parent, session: session, start: start})
	}
	self, adopted := os.Getpid(), adopts()
	own, _ := unix.Getsid(0) // never fails of oneself
	for i := range all {     // the mark is looked for where it can be and is needed
		p := &all[i]
		if p.session == leader || p.pid == leader || p.start < born {
			continue
		}
		env := environment(p.pid)
		orphan := false
		if adopted && p.parent == self && p.session != own && !slices.ContainsFunc(env, hasMark) {
			// An orphan that cleared its environment is a child of this process, in a session of its own: the leader's session is
			// left by beginning another. What this process started beside is in its own session or has a mark.
			var whole bool
			env, whole = settledEnvironment(p.pid)
			orphan = whole && !slices.ContainsFunc(env, hasMark)
		}
		p.daemon = orphan || slices.Contains(env, mark)
	}
	var found []int
	for more := true; more; {
		more = false
		all = slices.DeleteFunc(all, func(p process) bool {
			in := p.pid == leader || p.session == leader || p.parent == leader || p.daemon || slices.Contains(found, p.parent)
			if in {
				found, more = append(found, p.pid), true
			}
			return in
		})
	}
	return found
}

// members lists the processes to be killed with the leader.
func (p *Process) members() []int {
	if p.sole {
		found, _ := below(p.pid)
		return found
	}
	return members(p.pid, p.mark)
}

// signalAll sends s to the leader's process group and to all members.
func (p *Process) signalAll(s unix.Signal) {
	if s == unix.SIGKILL && p.cgroup != nil {
		p.cgroup.kill()
	}
	found := p.members() // first: the descendants of a dead leader are nobody's
	// Errors only say that somebody is gone.
	_ = unix.Kill(-p.pid, s)
	for _, pid := range found {
		if group, err := unix.Getpgid(pid); err == nil && group != p.pid { // one signal each: some count them
			_ = unix.Kill(pid, s)
		}
	}
}

// killRest kills the processes that a dead leader left behind and waits for their end, except for a process that the kernel
// holds.
func (p *Process) killRest() {
	if p.cgroup != nil {
		p.cgroup.kill()
	}
	_ = unix.Kill(-p.pid, unix.SIGKILL)
	if p.sole {
		killBelow(p.pid)
		return
	}
	for end := time.Now().Add(gone); ; time.Sleep(time.Millisecond) {
		rest := members(p.pid, p.mark)
		for _, pid := range rest {
			_ = unix.Kill(pid, unix.SIGKILL)
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // an orphan is ours, see Adopt; others are their parents'
		}
		if len(rest) == 0 || time.Now().After(end) {
			return
		}
	}
}
