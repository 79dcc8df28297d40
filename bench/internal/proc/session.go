package proc

import (
	"bytes"
	"crypto/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// gone is how long wait looks after the members of a dead leader's session: SIGKILL takes effect soon, not at once.
const gone = time.Second

// newMark returns a variable of the environment that no other process has.
func newMark() string { return "SCHEDGAP_PROCESS=" + rand.Text() }

// marked reports whether a process has the mark in the environment that it was started with. That of another user's
// process cannot be read.
func marked(pid int, mark string) bool {
	env, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return slices.Contains(strings.Split(string(env), "\x00"), mark)
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
	var all []process
	var born int64 // when the leader was
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
		// The name in parentheses may hold anything. Behind it: state, parent, process group, session; the time of the start
		// is the 20th field.
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
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
	for i := range all { // the mark is looked for where it can be and is needed
		p := &all[i]
		p.daemon = p.session != leader && p.start >= born && marked(p.pid, mark)
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

// signalAll sends s to the leader's process group and to all members.
func signalAll(leader int, mark string, s unix.Signal) {
	found := members(leader, mark) // first: the descendants of a dead leader are nobody's
	// Errors only say that somebody is gone.
	_ = unix.Kill(-leader, s)
	for _, pid := range found {
		if group, err := unix.Getpgid(pid); err == nil && group != leader { // one signal each: some count them
			_ = unix.Kill(pid, s)
		}
	}
}

// killRest kills what a dead leader left behind and waits until it is gone, but not for a process that the kernel holds.
func killRest(leader int, mark string) {
	_ = unix.Kill(-leader, unix.SIGKILL)
	for end := time.Now().Add(gone); ; time.Sleep(time.Millisecond) {
		rest := members(leader, mark)
		for _, pid := range rest {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		if len(rest) == 0 || time.Now().After(end) {
			return
		}
	}
}
