package proc

import (
	"bytes"
	"os"
	"strconv"
)

var pageSize = int64(os.Getpagesize())

// RSS is the resident memory of the leader and its descendants in bytes; shared pages count in each of them.
func (p *Process) RSS() int64 { return treeRSS(p.pid) }

func treeRSS(pid int) int64 {
	dir := "/proc/" + strconv.Itoa(pid)
	// A process that is gone has no files and no memory; /proc is polled too often for an error to be worth more.
	statm, _ := os.ReadFile(dir + "/statm")
	total := int64(0)
	if f := bytes.Fields(statm); len(f) > 1 {
		pages, _ := strconv.ParseInt(string(f[1]), 10, 64)
		total = pages * pageSize
	}
	// A child is listed with the thread that made it.
	threads, _ := os.ReadDir(dir + "/task")
	for _, t := range threads {
		children, _ := os.ReadFile(dir + "/task/" + t.Name() + "/children")
		for _, c := range bytes.Fields(children) {
			if child, err := strconv.Atoi(string(c)); err == nil {
				total += treeRSS(child)
			}
		}
	}
	return total
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
