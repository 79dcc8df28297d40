package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
)

const (
	leave   = 300 * time.Millisecond // before a deadline, for writing the solution
	overrun = time.Second            // beyond the time limit, for stopping
)

// The names of what is in a solve's folder.
const (
	modelFile    = "model.mps"
	solutionFile = "solution"
)

// native solves m in a folder of its own.
func (s *Solver) native(ctx context.Context, m *milp.Model, opt milp.Options) (backend.Answer, error) {
	dir, err := os.MkdirTemp("", "schedgap-"+s.cfg.Name+"-")
	if err != nil {
		return backend.Answer{}, err
	}
	defer os.RemoveAll(dir)
	if err := writeModel(filepath.Join(dir, modelFile), m); err != nil {
		return backend.Answer{}, err
	}
	began, whole := time.Now(), opt.TimeLimit
	log, stopped, err := s.execute(ctx, s.cfg.Args, dir, opt)
	for _, arguments := range s.cfg.Retry {
		if stopped || !broken(err) {
			break
		}
		if whole > 0 {
			opt.TimeLimit = max(whole-time.Since(began), time.Millisecond)
		}
		log, stopped, err = s.execute(ctx, arguments, dir, opt)
	}
	if err != nil && !stopped {
		return backend.Answer{}, fmt.Errorf("%w: %s", err, tail(log))
	}
	if err == nil {
		a, bad := output{model: m, path: filepath.Join(dir, solutionFile), log: strings.Split(log, "\n")}.read(s.cfg.Format)
		if bad == nil {
			if a.Status == milp.Limit && !m.Integers() {
				a.X = nil // the last point of an unfinished LP is feasible by chance only
			}
			return a, nil
		}
		if !stopped {
			return a, fmt.Errorf("%w: %s", bad, tail(log))
		}
	}
	return backend.Answer{Status: milp.Limit, Raw: "stopped from outside", Bound: math.NaN(), Nodes: -1}, nil
}

// execute runs the executable on the model in a folder, in the time that is left.
func (s *Solver) execute(ctx context.Context, arguments []string, dir string, opt milp.Options) (log string, stopped bool, err error) {
	var remaining time.Duration
	if end, ok := ctx.Deadline(); ok {
		remaining = max(time.Until(end), time.Millisecond)
	}
	limit := allowance(opt.TimeLimit, remaining, s.cfg.WholeSeconds)
	args := s.fill(arguments, filepath.Join(dir, modelFile), filepath.Join(dir, solutionFile), limit, opt)
	r := process{path: s.path, args: args, dir: dir, env: s.cfg.Env, interrupt: s.cfg.Interrupt}
	if limit > 0 {
		r.limit = limit + overrun
	}
	log, stopped, err = r.run(ctx)
	var exit *exec.ExitError
	if errors.As(err, &exit) && slices.Contains(s.cfg.ExitCodes, exit.ExitCode()) {
		err = nil
	}
	return log, stopped, err
}

// faults are the signals of a process that its own fault has ended.
var faults = []syscall.Signal{syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL}

// broken reports whether a fault of its own has ended a process. Another signal is from outside, such as a
// limit of memory, which a second run would reach again.
func broken(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && slices.Contains(faults, status.Signal())
}

// allowance is the time limit to give to an executable when there is a limit, and time remaining until the context's
// deadline, 0 meaning none: it should end by itself before the deadline. Whole seconds are rounded up, but not past the
// deadline.
func allowance(limit, remaining time.Duration, whole bool) time.Duration {
	latest := max(remaining-leave, remaining/2)
	if remaining > 0 && (limit == 0 || limit > latest) {
		limit = latest
	}
	if !whole || limit == 0 {
		return limit
	}
	up := (limit + time.Second - 1).Truncate(time.Second)
	if remaining > 0 && up > latest {
		up -= time.Second
	}
	return max(up, time.Second)
}

// tail is the end of a log in one line, for error messages.
func tail(log string) string {
	lines := strings.FieldsFunc(log, func(r rune) bool { return r == '\n' })
	text := strings.Join(lines[max(0, len(lines)-4):], " | ")
	return text[max(0, len(text)-400):]
}
