package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/bench/internal/proc"
)

const (
	// overdue is how long after the time limit a supervisor may take to kill its command and say so.
	overdue = 5 * time.Second
	// checkTime is the least time that reading and checking what a command printed may take.
	checkTime = 10 * time.Second
)

// namespacesVariable is set to off by users whose commands need the machine's process numbers or mounts.
const namespacesVariable = "SCHEDGAP_NAMESPACES"

// runCommand runs an external command below a supervisor, which is kept while it lives.
func (w *Worker) runCommand(ctx context.Context, u *bench.Unit) (*bench.Result, error) {
	w.jobs++
	j := &job{
		ID: w.jobs, SHA256: u.Instance.SHA256, Request: u.Request, Time: u.Limits.Time, Memory: u.Limits.Memory, CPU: u.Limits.CPU,
		Output: u.Limits.Output, Grace: w.options.Grace, Dir: u.Dir, Solution: w.options.Solutions,
		Progress: w.options.Progress, Batch: w.options.Batch,
	}
	// A supervisor that died before the command started did not die of it, unless that happens again and again.
	var err error
	for range startTries {
		if w.supervisor == nil {
			if w.supervisor, err = w.startSupervisor(ctx); err != nil {
				return nil, err
			}
		}
		if err = w.supervisor.send(j, u.Instance); err == nil {
			var res *bench.Result
			if res, err = w.followCommand(ctx, u, j.ID); !errors.Is(err, errNotBegun) {
				return res, err
			}
		}
		w.closeSupervisor()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	res := u.Instance.Problem.Blank(u.Request)
	res.Status, res.Error = bench.Crash, err.Error()
	return res, nil
}

// startSupervisor starts a supervisor in namespaces of its own where that is allowed.
func (w *Worker) startSupervisor(ctx context.Context) (*child, error) {
	if c := w.options.Confined; c != nil {
		how := c.how
		how.CPUs = w.options.CPUs
		return w.start(ctx, how)
	}
	if !w.options.Plain && !w.plain && os.Getenv(namespacesVariable) != "off" {
		c, err := w.start(ctx, proc.Options{CPUs: w.options.CPUs, Supervisor: true, Namespace: true})
		if err == nil || ctx.Err() != nil {
			return c, err
		}
		w.plain = true
	}
	return w.start(ctx, proc.Options{CPUs: w.options.CPUs, Supervisor: true})
}

// A Confinement is how this machine confines commands.
type Confinement struct {
	Says string // by what
	how  proc.Options
}

// Confine finds out by trying: with namespaces where the user may make them, where a user without rights may, and without any. An
// UnconfinedError says why nothing suffices.
func Confine(ctx context.Context) (*Confinement, error) {
	w := New(Options{Env: []string{confinedVariable + "=1"}})
	ways := []proc.Options{{Namespace: true, Confined: true}, {Namespace: true, Confined: true, User: true}, {}}
	if os.Getenv(namespacesVariable) == "off" {
		ways = ways[2:]
	}
	var reasons []string
	for _, how := range ways {
		how.Supervisor = true
		c, err := w.start(ctx, how)
		if err == nil {
			c.close()
			if c.confined != "" {
				if !how.Namespace && reasons != nil {
					c.confined += ", but no namespaces (" + strings.Join(reasons, "; ") + ")"
				}
				return &Confinement{c.confined, how}, nil
			}
			err = errors.New(c.unconfined)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if reason, _, _ := strings.Cut(err.Error(), "\n"); !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return nil, &UnconfinedError{strings.Join(reasons, "; ")}
}

// An UnconfinedError says why this machine cannot confine a command.
type UnconfinedError struct{ reason string }

func (e *UnconfinedError) Error() string {
	return fmt.Sprintf(
		"this machine cannot confine a command (%s); --sandbox off runs it all the same, and the result says so", e.reason)
}

func (w *Worker) closeSupervisor() {
	if w.supervisor != nil {
		w.supervisor.close()
		w.supervisor = nil
	}
}

// followCommand follows a command to its end. Its limits are its supervisor's to keep; looked after is only that the supervisor
// is able to, which a command that can reach it may have ended.
func (w *Worker) followCommand(ctx context.Context, u *bench.Unit, id int64) (*bench.Result, error) {
	c := w.supervisor
	watch := proc.Watch(ctx, c.process, proc.Limits{Time: startTimeout, Awake: true}, 0)
	var began, returned time.Time // of the command
	check := proc.Limits{Time: min(w.options.HandOver, max(u.Limits.Time, checkTime)), Awake: true}
	if u.Limits.Memory > 0 {
		check.Memory = checkMemory(c.idle, u.Limits.Memory)
	}
	for m := range c.messages {
		if m.ID != id {
			continue
		}
		switch m.Kind {
		case start:
			began = time.Now()
			running := proc.Limits{Awake: true}
			if u.Limits.Time > 0 {
				running.Time = u.Limits.Time + w.options.Grace + overdue
			}
			watch.Restart(running, m.CPU)
		case ended:
			returned = time.Now()
			watch.Restart(check, m.CPU)
		case result:
			if cause, _ := watch.Stop(); cause != proc.Alive || m.Dirty {
				w.closeSupervisor()
			}
			return m.Result, nil
		}
	}
	w.supervisor = nil
	cause, most, state, err := c.bury(ctx, watch, began)
	if err != nil {
		return nil, err
	}
	stderr := c.process.Stderr
	res := u.Instance.Problem.Blank(u.Request)
	if !began.IsZero() {
		end := returned
		if end.IsZero() {
			end = time.Now()
		}
		res.WallSeconds = end.Sub(began).Seconds()
	}
	if most.RSS > 0 && returned.IsZero() {
		res.PeakRSSBytes = &most.RSS
	}
	switch {
	case cause == proc.Time && !returned.IsZero():
		res.Status, res.Error = bench.Error, fmt.Sprintf("what the command printed was not read and checked within %v", check.Time)
	case cause == proc.Time:
		res.Status, res.Error = bench.Timeout, fmt.Sprintf("killed after the time limit of %v with its supervisor, which did not do so", u.Limits.Time)
	case cause == proc.Memory:
		res.Status, res.Error = bench.OOM, fmt.Sprintf("reading and checking what the command printed took more than %d bytes of memory", check.Memory)
	case cause == proc.Stopped:
		res.Status, res.Error = bench.Crash, "the process that supervises the command was stopped, by the command or from outside"
	case outOfMemory(state, stderr, proc.OOMKills() > c.oomKills):
		res.Status, res.Error = bench.OOM, "the machine ran out of memory"
	default:
		res.Status, res.Error = bench.Crash, fmt.Sprintf("the process that supervises the command died (%v), by the command or from outside", state)
	}
	res.Error = stderr.Because(res.Error)
	return res, nil
}
