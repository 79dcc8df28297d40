// Package proc runs commands that cannot be trusted to end: each leads a session of its own, which dies with it and with
// its limits, whatever process groups there are in it, and so do its daemons, which left both the session and their parent but
// carry its mark in their environment. When this process is killed, the kernel kills the command; children
// of the command that shall die then, too, need a parent death signal of their own. It is written for Linux.
package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// waitDelay is how long the pipes of a dead process may be held open by a descendant that escaped.
const waitDelay = 200 * time.Millisecond

// A Process is a running command and its session.
type Process struct {
	Stderr *Tail
	pid    int
	mark   string // in the environment of all its processes and of no others
	cmd    *exec.Cmd
	done   chan struct{}
	state  *os.ProcessState // set before done is closed
	outErr error            // what went wrong with the command's standard streams, likewise
	ended  time.Time        // likewise

	mu     sync.Mutex
	reaped bool // the session's number may belong to somebody else
}

// Start starts cmd, whose Stderr it captures, on the given CPUs; none: on all that this process may use. When this process
// dies, the kernel kills the command. (The kernel means the thread that started it; the Go runtime ends a thread only along
// with a goroutine that is locked to it, which nothing here leaves behind.)
func Start(cmd *exec.Cmd, cpus []int) (*Process, error) {
	p := &Process{Stderr: &Tail{}, mark: newMark(), cmd: cmd, done: make(chan struct{})}
	cmd.Env = append(cmd.Environ(), p.mark)
	cmd.Stderr, cmd.WaitDelay = p.Stderr, waitDelay
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if err := onCPUs(cpus, cmd.Start); err != nil {
		return nil, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	p.pid = cmd.Process.Pid
	go p.wait()
	return p, nil
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

// wait waits for the leader's end and kills what is left of its session before the leader is reaped: until then no other
// session can get its number.
func (p *Process) wait() {
	for {
		err := unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	p.ended = time.Now()
	killRest(p.pid, p.mark)
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		p.outErr = err
	}
	p.state = p.cmd.ProcessState
	close(p.done)
}

// Signal sends s to the whole session and to all other descendants, daemons among them.
func (p *Process) Signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		signalAll(p.pid, p.mark, s)
	}
}

// Done is closed when the leader has ended and the rest of the session is killed.
func (p *Process) Done() <-chan struct{} { return p.done }

// Ended is when the leader ended; it may be called after Done.
func (p *Process) Ended() time.Time { return p.ended }

// Wait waits for Done. It returns the leader's state and what went wrong with copying its standard streams, if anything.
func (p *Process) Wait() (*os.ProcessState, error) {
	<-p.done
	return p.state, p.outErr
}

// Killed returns the signal that ended the leader, or 0.
func Killed(s *os.ProcessState) syscall.Signal {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal()
	}
	return 0
}
