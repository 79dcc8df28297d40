// Package proc runs commands that cannot be trusted to end. Each command leads a session of its own. The whole session is killed
// with the command and at its limits. Daemons that left the session and their parent are found by a mark in their environment
// and are killed as well. When this process is killed, the kernel kills the command; the command's children need a parent death
// signal of their own to die then.
//
// A supervisor is a process that runs one command at a time, see Supervise. All processes below it belong to the command, so no
// process escapes it. Where the system allows, no process below it can reach it either.
//
// All this is made for Linux. Elsewhere a command leads a process group. Only that group is killed, and it is measured only at
// its end; Missing says so.
package proc

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// waitDelay is how long the pipes of a dead process may be held open by a descendant that escaped.
const waitDelay = 200 * time.Millisecond

// Options say how a command is started.
type Options struct {
	CPUs []int // that it may use; none: all that this process may use
	// Sole says that this process is a supervisor: all that is below it belongs to the command, and nothing else does.
	Sole bool
	// Supervisor says that the command is a supervisor: it gets SIGTERM when this process is killed, so that it can kill the
	// processes below it.
	Supervisor bool
	// Namespace gives the command its own namespaces for processes, where it is the first, and for mounts. Processes below it
	// cannot signal it or see others, and the kernel kills them when it dies. Where this is not allowed it is an error.
	Namespace bool
	// Confined, with Namespace, adds namespaces for networks and communication, and with User one for users, in which a user
	// without rights may make them; the user stays the same.
	Confined, User bool
	Cgroup         *Cgroup // in which it starts; nil: in this process's
	// Kept says that the command outlives the work during which it starts, see Kept.
	Kept bool
}

// starting is held for reading from fork to exec, see members.
var starting sync.RWMutex

// A Process is a running command and its session.
type Process struct {
	Stderr *Tail
	pid    int
	sole   bool
	mark   string // in the environment of all its processes and of no others
	cmd    *exec.Cmd
	done   chan struct{}
	state  *os.ProcessState // set before done is closed
	outErr error            // of the command's standard streams; set before done is closed
	ended  time.Time        // set before done is closed
	cgroup *Cgroup

	mu     sync.Mutex
	reaped bool // the session's number may belong to somebody else
}

// Start starts cmd, whose Stderr it captures. When this process dies, the kernel kills the command. (The kernel means the
// thread that started it; the Go runtime ends a thread only along with a goroutine that is locked to it, which nothing here
// leaves behind.)
func Start(cmd *exec.Cmd, o Options) (*Process, error) {
	p := &Process{Stderr: &Tail{}, sole: o.Sole, cmd: cmd, done: make(chan struct{}), cgroup: o.Cgroup}
	cmd.Env = cmd.Environ()
	if !o.Sole { // processes below a supervisor carry the supervisor's mark
		p.mark = newMark()
		cmd.Env = append(cmd.Env, p.mark)
	}
	cmd.Stderr, cmd.WaitDelay = p.Stderr, waitDelay
	cmd.SysProcAttr = attributes(o)
	starting.RLock()
	err := onCPUs(o.CPUs, cmd.Start)
	starting.RUnlock()
	if err != nil {
		// The system's error is the executable's also where the folder is missing.
		if info, bad := os.Stat(cmp.Or(cmd.Dir, ".")); bad != nil || !info.IsDir() {
			return nil, fmt.Errorf("starting %s: its working folder %s is not there (for a command of a suite, its key dir names it)",
				cmd.Args[0], cmd.Dir)
		}
		if missing := interpreter(cmd); missing != "" && errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("starting %s: its interpreter %q, which its first line names, is not there", cmd.Path, missing)
		}
		return nil, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	p.pid = cmd.Process.Pid
	if o.Kept {
		keeping.Store(p, true)
	}
	go p.wait()
	return p, nil
}

// interpreter is the program that a script's first line names; empty: it is no script. A line that ends as on Windows names one whose
// name ends in a carriage return.
func interpreter(cmd *exec.Cmd) string {
	path := cmd.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(cmd.Dir, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line := make([]byte, 256) // as the kernel reads
	n, _ := f.Read(line)
	text, _, _ := strings.Cut(string(line[:n]), "\n")
	text, script := strings.CutPrefix(text, "#!")
	name, _, _ := strings.Cut(strings.TrimLeft(text, " \t"), " ")
	if !script {
		return ""
	}
	return name
}

// StartPiped is Start of a command whose standard input and output are pipes; it returns the other ends.
func StartPiped(cmd *exec.Cmd, o Options) (p *Process, stdin, stdout *os.File, err error) {
	ends := make([]*os.File, 4)
	for i := 0; i < 4 && err == nil; i += 2 {
		ends[i], ends[i+1], err = os.Pipe()
	}
	cmd.Stdin, cmd.Stdout = ends[0], ends[3]
	if err != nil {
		err = fmt.Errorf("pipes for %s: %w", cmd.Path, err)
	} else {
		p, err = Start(cmd, o)
	}
	closing := []*os.File{ends[0], ends[3]}
	if err != nil {
		closing = ends
	}
	for _, f := range closing {
		f.Close() // of nil, too
	}
	return p, ends[1], ends[2], err
}

// keeping are the processes that live and are kept.
var keeping sync.Map

// Kept returns the number of goroutines that belong to kept commands, and the processor time that these have used.
func Kept() (goroutines int, cpu time.Duration) {
	keeping.Range(func(p, _ any) bool {
		goroutines += 2 // one waits for its end, one reads its standard error
		cpu += p.(*Process).Usage().CPU
		return true
	})
	return goroutines, cpu
}

// End waits for the end of a process that was asked for it, and kills it if that takes longer than patience.
func (p *Process) End(patience time.Duration) {
	select {
	case <-p.done:
	case <-time.After(patience):
		p.Signal(syscall.SIGKILL)
		<-p.done
	}
}

// wait waits for the leader's end and kills the rest of its session before the leader is reaped. Until then no other session can
// get its number.
func (p *Process) wait() {
	awaitEnd(p.pid)
	p.ended = time.Now()
	p.killRest()
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		p.outErr = err
	}
	p.state = p.cmd.ProcessState
	keeping.Delete(p)
	close(p.done)
}

// Signal sends s to the whole session and to all other descendants, daemons among them.
func (p *Process) Signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		p.signalAll(s)
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

const markName = "SCHEDGAP_PROCESS="

// newMark returns a variable of the environment that no other process has.
func newMark() string { return markName + rand.Text() }

// A Usage holds the resources that a process and its descendants use.
type Usage struct {
	RSS int64         // resident bytes; shared pages count in each process
	CPU time.Duration // processor time, that of ended children included once they were waited for
}
