package proc

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

var pageSize = int64(os.Getpagesize())

// Usage looks at the leader and its descendants; a supervisor at all that is below it.
func (p *Process) Usage() Usage {
	if p.sole {
		_, _ = below(p.pid) // the orphans that have ended are reaped, so that they do not pile up
		return belowUsage()
	}
	return treeUsage(p.pid)
}

// Stopped reports whether the leader is stopped, by a signal or a tracer.
func (p *Process) Stopped() bool {
	s := state(p.pid)
	return s == 'T' || s == 't'
}

// Idles waits until the process has read all that was written to its standard input, whose other end stdin is, and has then slept with
// all its descendants for a while. It returns false once answered is closed or the process has ended.
func (p *Process) Idles(stdin *os.File, answered <-chan struct{}) bool {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for asleep := 0; asleep < stopPolls; {
		select {
		case <-answered:
			return false
		case <-p.done:
			return false
		case <-poll.C:
			asleep++
			if unread(stdin) > 0 || !sleeps(p.pid) {
				asleep = 0
			}
		}
	}
	return true
}

// unread is the number of bytes in a pipe.
func unread(pipe *os.File) (n int) {
	c, err := pipe.SyscallConn()
	if err == nil {
		err = c.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	}
	if err != nil {
		return 0 // it is closed
	}
	return n
}

// sleeps reports whether no thread of a process or of a descendant of it runs or waits for a disk. The first thread of a process often
// does nothing but wait for the others.
func sleeps(pid int) bool {
	name := strconv.Itoa(pid)
	for _, thread := range threads(name) {
		if s := stateOf(name + "/task/" + thread); s != 'S' && s != 'Z' && s != 0 {
			return false
		}
	}
	return state(pid) != 0 && !slices.ContainsFunc(children(name), func(child int) bool { return !sleeps(child) })
}

// tick is the unit in which /proc tells processor time, USER_HZ.
const tick = time.Second / 100

// contents reads a file of /proc, none if it cannot be read. An os.File would ask the poller first, which takes as long again.
func contents(path string) []byte {
	fd, err := open(path, unix.O_RDONLY)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	text := make([]byte, 0, 2048)
	for {
		n, err := unix.Read(fd, text[len(text):cap(text)])
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return nil
		case n == 0:
			return text
		default:
			text = text[:len(text)+n]
			text = slices.Grow(text, 1)
		}
	}
}

func open(path string, mode int) (fd int, err error) {
	for {
		fd, err = unix.Open(path, mode|unix.O_CLOEXEC, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}

// stat returns the fields of a process's stat behind its name, the state first; none if it is gone. The name, in parentheses,
// may hold anything.
func stat(pid string) [][]byte {
	text := contents("/proc/" + pid + "/stat")
	return bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
}

func treeUsage(pid int) Usage {
	// A process that is gone has no files and no memory; /proc is polled too often for an error to be worth more.
	f := stat(strconv.Itoa(pid))
	var u Usage
	if len(f) > 21 { // utime is the 12th and rss the 22nd
		for _, field := range f[11:15] { // utime, stime, and those of children
			ticks, _ := strconv.ParseInt(string(field), 10, 64)
			u.CPU += time.Duration(ticks) * tick
		}
		pages, _ := strconv.ParseInt(string(f[21]), 10, 64)
		u.RSS = pages * pageSize
	}
	for _, child := range children(strconv.Itoa(pid)) {
		more := treeUsage(child)
		u.RSS += more.RSS
		u.CPU += more.CPU
	}
	return u
}

// PeakOf is the largest resident size of one process of the ended command; 0 if it was not more than own, which this process,
// whose copy the command is until it runs its own program, had at the start.
func (p *Process) PeakOf(own int64) int64 {
	ru, ok := p.state.SysUsage().(*syscall.Rusage)
	if !ok || ru.Maxrss<<10 <= own {
		return 0
	}
	return ru.Maxrss << 10
}

// PeakRSS is the largest resident size of this process so far, 0 if the system does not say.
func PeakRSS() int64 { return number(contents("/proc/self/status"), "\nVmHWM:") << 10 }

// ResetPeakRSS makes the kernel forget the largest resident size of this process so far.
func ResetPeakRSS() bool {
	fd, err := open("/proc/self/clear_refs", unix.O_WRONLY)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte("5"))
	return err == nil
}

// OOMKills counts the processes that the kernel has killed since boot because memory ran out.
func OOMKills() int64 { return oomKills(contents("/proc/vmstat")) }

func oomKills(text []byte) int64 { return number(text, "\noom_kill ") }

// number is the number behind a key at the beginning of a line; 0: there is none.
func number(text []byte, key string) int64 {
	_, rest, _ := bytes.Cut(text, []byte(key))
	if f := bytes.Fields(rest); len(f) > 0 {
		n, _ := strconv.ParseInt(string(f[0]), 10, 64)
		return n
	}
	return 0
}
