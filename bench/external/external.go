// Package external runs commands of any language as algorithms: the instance file goes in on the standard input, a solution
// file comes out on the standard output.
package external

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"schedgap/bench"
	"schedgap/bench/internal/proc"

	"golang.org/x/sys/unix"
)

// NotApplicable is the exit code by which a command says that it is not defined for the instance; the last line that it prints
// on its standard error says why. Interpreters and argument parsers do not end with it by mistake.
const NotApplicable = 77

// Options say where and how a command runs.
type Options struct {
	Dir   string        // working folder; empty: the current one
	Grace time.Duration // between the time limit and SIGTERM
	CPUs  []int         // that the command may use; none: all
}

// Run runs r.Command on in. The command finds the seed in SCHEDGAP_SEED, the time limit, if there is one, in
// SCHEDGAP_TIME_LIMIT_SECONDS and the number of threads that it may use in SCHEDGAP_THREADS. It leads a session of its own,
// which is killed at the limits and at its end. What it prints is checked like every solution, and what it claims about
// the objective too. The error says that ctx ended, which kills the command at once.
func Run(
	ctx context.Context, in *bench.Instance, r bench.Request, limits bench.Limits, o Options,
) (*bench.Result, error) {
	res := in.Problem.Blank(r)
	cmd := exec.Command(r.Command[0], r.Command[1:]...)
	stdout := newOutput()
	defer stdout.close()
	cmd.Dir, cmd.Stdin, cmd.Stdout = o.Dir, bytes.NewReader(in.JSON), stdout
	cmd.Env = append(os.Environ(),
		"SCHEDGAP_SEED="+strconv.FormatUint(r.Seed, 10), "SCHEDGAP_THREADS="+strconv.Itoa(max(1, r.Threads)))
	hard := proc.Limits{Memory: limits.Memory, CPU: limits.CPU}
	if limits.Time > 0 {
		cmd.Env = append(cmd.Env, "SCHEDGAP_TIME_LIMIT_SECONDS="+strconv.FormatFloat(limits.Time.Seconds(), 'f', -1, 64))
		hard.Time = limits.Time + o.Grace
	}
	began := time.Now()
	p, err := proc.Start(cmd, o.CPUs)
	if err != nil {
		res.Status, res.Error = bench.Error, err.Error()
		return res, nil
	}
	watch := proc.Watch(ctx, p, hard)
	select {
	case <-p.Done():
	case <-stdout.full:
		p.Signal(unix.SIGKILL) // not all programs end with their output
	}
	state, outErr := p.Wait()
	res.WallSeconds = p.Ended().Sub(began).Seconds()
	cause, most := watch.Stop()
	// The system knows nothing of children that were killed along with the command, the watcher not what came after its last look.
	cpu := max(state.UserTime()+state.SystemTime(), most.CPU).Seconds()
	res.CPUSeconds = &cpu
	if most.RSS > 0 {
		res.PeakRSSBytes = &most.RSS
	}
	fail := func(s bench.Status, format string, args ...any) {
		res.Status, res.Error = s, p.Stderr.Because(fmt.Sprintf(format, args...))
	}
	judge := func() error {
		data, err := stdout.all()
		if err != nil {
			return err
		}
		return in.Problem.Judge(res, in, "the command's output", data)
	}
	switch {
	case cause == proc.Canceled:
		return nil, ctx.Err()
	case cause == proc.Memory:
		fail(bench.OOM, "killed beyond the memory limit of %d bytes", limits.Memory)
	case cause == proc.Time || cause == proc.CPU:
		res.Status = bench.Timeout
		if cause == proc.CPU {
			res.Error = fmt.Sprintf("killed beyond the CPU limit of %v", limits.CPU)
		} else if p.Stderr.String() != "" {
			res.Error = fmt.Sprintf("killed at the time limit of %v", limits.Time)
		}
		_ = judge() // a command may use its last second to print what it has; half a solution is none
		if res.Error != "" {
			res.Error = p.Stderr.Because(res.Error)
		}
	case stdout.tooMuch():
		fail(bench.Error, "the command printed more than %d bytes", maxOutput)
	case outErr != nil:
		fail(bench.Error, "talking to the command: %v", outErr)
	case proc.Killed(state) != 0:
		fail(bench.Crash, "the command died (%v)", state)
	case state.ExitCode() == NotApplicable:
		res.Status, res.Error = bench.Skipped, "the command ended with exit code 77"
		if why := p.Stderr.LastLine(); why != "" {
			res.Error = why
		}
	case !state.Success():
		fail(bench.Error, "the command failed (%v)", state)
	case stdout.blank:
		fail(bench.Error, "the command printed no solution")
	default:
		res.Status = bench.Feasible
		if err := judge(); err != nil {
			fail(bench.Error, "%v", err)
		} else if res.Status == bench.Invalid {
			fail(bench.Invalid, "%s", res.Error)
		}
	}
	return res, nil
}
