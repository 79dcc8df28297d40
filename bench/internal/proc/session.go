package proc

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// gone is how long wait looks after the members of a dead leader's session: SIGKILL takes effect soon, not at once.
const gone = time.Second

// members lists the living processes of the session of a leader and the leader's descendants, whatever process group
// they are in. Those of the session are found even after the leader's death, when init has become their parent.
func members(leader int) []int {
	type process struct{ pid, parent, session int }
	var all []process
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + name + "/stat")
		// The name in parentheses may hold anything. Behind it: state, parent, process group, session.
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(f) < 4 || f[0][0] == 'Z' || f[0][0] == 'X' {
			continue
		}
		parent, _ := strconv.Atoi(string(f[1]))
		session, _ := strconv.Atoi(string(f[3]))
		all = append(all, process{pid, parent, session})
	}
	var found []int
	for more := true; more; {
		more = false
		all = slices.DeleteFunc(all, func(p process) bool {
			in := p.pid == leader || p.session == leader || p.parent == leader || slices.Contains(found, p.parent)
			if in {
				found, more = append(found, p.pid), true
			}
			return in
		})
	}
	return found
}

// signalAll sends s to the leader's process group and to all members.
func signalAll(leader int, s unix.Signal) {
	found := members(leader) // first: the descendants of a dead leader are nobody's
	// Errors only say that somebody is gone.
	_ = unix.Kill(-leader, s)
	for _, pid := range found {
		if group, err := unix.Getpgid(pid); err == nil && group != leader { // one signal each: some count them
			_ = unix.Kill(pid, s)
		}
	}
}

// killRest kills what a dead leader left behind and waits until it is gone, but not for a process that the kernel holds.
func killRest(leader int) {
	_ = unix.Kill(-leader, unix.SIGKILL)
	for end := time.Now().Add(gone); ; time.Sleep(time.Millisecond) {
		rest := members(leader)
		for _, pid := range rest {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		if len(rest) == 0 || time.Now().After(end) {
			return
		}
	}
}
