package proc

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

var pageSize = int64(os.Getpagesize())

// A Usage is what a process and its descendants use.
type Usage struct {
	RSS int64         // resident bytes; shared pages count in each process
	CPU time.Duration // processor time, that of ended children included once they were waited for
}

// Usage looks at the leader and its descendants.
func (p *Process) Usage() Usage { return treeUsage(p.pid) }

// tick is the unit in which /proc tells processor time, USER_HZ.
const tick = time.Second / 100

func treeUsage(pid int) Usage {
	dir := "/proc/" + strconv.Itoa(pid)
	// A process that is gone has no files and no memory; /proc is polled too often for an error to be worth more.
	stat, _ := os.ReadFile(dir + "/stat")
	// The name in parentheses may hold anything. Behind it: state is the first field, utime the 12th and rss the 22nd.
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	var u Usage
	if len(f) > 21 {
		for _, field := range f[11:15] { // utime, stime, and those of children
			ticks, _ := strconv.ParseInt(string(field), 10, 64)
			u.CPU += time.Duration(ticks) * tick
		}
		pages, _ := strconv.ParseInt(string(f[21]), 10, 64)
		u.RSS = pages * pageSize
	}
	// A child is listed with the thread that made it.
	threads, _ := os.ReadDir(dir + "/task")
	for _, t := range threads {
		children, _ := os.ReadFile(dir + "/task/" + t.Name() + "/children")
		for _, c := range bytes.Fields(children) {
			if child, err := strconv.Atoi(string(c)); err == nil {
				below := treeUsage(child)
				u.RSS += below.RSS
				u.CPU += below.CPU
			}
		}
	}
	return u
}

// OOMKills counts the processes that the kernel has killed since boot because memory ran out.
func OOMKills() int64 {
	stat, _ := os.ReadFile("/proc/vmstat")
	_, rest, found := bytes.Cut(stat, []byte("\noom_kill "))
	if !found {
		return 0
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	n, _ := strconv.ParseInt(string(line), 10, 64)
	return n
}
