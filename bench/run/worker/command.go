package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"schedgap/bench/run/proc"
)

const (
	// overdue is how long after the time limit a supervisor may take to kill its command and say so.
	overdue = 5 * time.Second
	// checkTime is the least time allowed for reading and checking a command's output.
	checkTime = 10 * time.Second
)

// namespacesVariable is set to off by users whose commands need the machine's process numbers or mounts.
const namespacesVariable = "SCHEDGAP_NAMESPACES"

// startSupervisor starts a supervisor in namespaces of its own where that is allowed.
func (w *Worker) startSupervisor(ctx context.Context) (*child, error) {
	if c := w.options.Confined; c != nil {
		how := c.how
		how.CPUs = w.options.CommandCPUs
		return w.start(ctx, how)
	}
	if !w.options.Plain && !w.plain && os.Getenv(namespacesVariable) != "off" {
		c, err := w.start(ctx, proc.Options{CPUs: w.options.CommandCPUs, Supervisor: true, Namespace: true})
		if err == nil || ctx.Err() != nil {
			return c, err
		}
		w.plain = true
	}
	return w.start(ctx, proc.Options{CPUs: w.options.CommandCPUs, Supervisor: true})
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
