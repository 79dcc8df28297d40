package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"schedgap/models/environ"
)

// patience is the time between asking a process group to stop and killing it.
const patience = 500 * time.Millisecond

// A process is one run of an executable.
type process struct {
	path      string
	args      []string
	dir       string
	env       []string // names of variables that it sees, see environ.Short
	interrupt syscall.Signal
	limit     time.Duration // 0: none
}

// run runs p to its end, or to the end of ctx or p.limit, and returns what it printed and whether it was stopped. The
// error is the exit status or what kept p from running.
func (p process) run(ctx context.Context) (log string, stopped bool, err error) {
	// A file, not a pipe: a pipe that some grandchild keeps open would hold up the return.
	out, err := os.Create(filepath.Join(p.dir, "log"))
	if err != nil {
		return "", false, err
	}
	defer out.Close()
	cmd := exec.Command(p.path, p.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = p.dir, out, out, environ.Short(p.env...)
	// The kernel's death signal means the death of the thread that started the executable, so that thread is kept.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = ownGroup()
	if err := cmd.Start(); err != nil {
		return "", false, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var end <-chan time.Time
	if p.limit > 0 {
		timer := time.NewTimer(p.limit)
		defer timer.Stop()
		end = timer.C
	}
	select {
	case err = <-done:
	case <-ctx.Done():
		stopped = true
	case <-end:
		stopped = true
	}
	if stopped {
		err = stop(cmd.Process.Pid, cmp.Or(p.interrupt, syscall.SIGTERM), done)
	}
	text, readErr := os.ReadFile(out.Name())
	if err == nil {
		err = readErr
	}
	return string(text), stopped, err
}

// stop ends the process group of pid, whose exit arrives at done.
func stop(pid int, interrupt syscall.Signal, done <-chan error) error {
	// Whatever else happens, nobody of the group survives. The group may have gone already.
	defer syscall.Kill(-pid, syscall.SIGKILL)
	if err := syscall.Kill(-pid, interrupt); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("stopping process group %d: %w", pid, err)
	}
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		syscall.Kill(-pid, syscall.SIGKILL)
		return <-done
	}
}
