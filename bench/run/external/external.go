// Package external runs commands of any language as algorithms: the instance file goes in on the standard input, a solution
// file comes out on the standard output.
package external

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/proc"
	"schedgap/models/environ"

	"golang.org/x/sys/unix"
)

// NotApplicable is the exit code by which a command says that it is not defined for the instance; the last line that it prints
// on its standard error says why. Interpreters and argument parsers do not end with it by mistake.
const NotApplicable = 77

// With these exit codes shells, env and the sandbox say that they could not start the command which they stand for, or not find it.
const (
	unable  = 126
	missing = 127
)

// Options say where and how a command runs.
type Options struct {
	Dir   string        // working folder; empty: the current one
	Grace time.Duration // between the time limit and SIGTERM
	// Supervised says that this process is a supervisor, see proc.Supervise: all that is below it belongs to the command.
	Supervised bool
	Cgroups    *proc.Cgroups // in which the command gets a group; nil: it gets none
	Progress   bool          // the result carries solutions printed before the end
	// Unchecked leaves the checking of solutions to the caller: the checker is a command, too, and must not run among the processes
	// of this one. The result then has a Solution and no verdict.
	Unchecked bool
	// Impatient ends a batch whose command has read an instance and waits, which is a crash: it may want to read to the end of its input.
	Impatient bool
	// Starting and Ended, unless nil, are called right before the command starts and when it has ended, before its output is read
	// and checked.
	Starting, Ended func()
}

// Run runs r.Command on in. The command finds the seed in SCHEDGAP_SEED, the time limit, if there is one, in
// SCHEDGAP_TIME_LIMIT_SECONDS and the number of threads that it may use in SCHEDGAP_THREADS. Of the other variables it sees only
// those that environ.Short lets through. It leads a session of its own, which is killed at the limits and at its end. Its
// solutions and the objective values that it claims are checked. The error says that ctx ended, which kills the command at once.
func Run(
	ctx context.Context, in *bench.Instance, r bench.Request, limits bench.Limits, o Options,
) (*bench.Result, error) {
	c := &command{in: in, request: r, limits: limits, options: o, res: in.Problem.Blank(r), group: o.group(limits)}
	c.stdout = &output{limit: limits.OutputBytes(), full: make(chan struct{}), time: limits.Time}
	if o.Progress {
		c.stdout.found = &bench.ProgressLog{}
	}
	if c.group != nil {
		defer c.group.Close()
	}
	if o.Starting != nil {
		o.Starting()
	}
	if err := c.start(); err != nil {
		c.res.Status, c.res.Error, c.res.Raw = bench.Error, err.Error(), bench.NotStarted
		return c.res, nil
	}
	c.follow(ctx)
	if c.cause == proc.Canceled {
		return nil, ctx.Err()
	}
	if o.Ended != nil {
		o.Ended()
	}
	c.conclude()
	if o.Progress && !o.Unchecked {
		c.stdout.found.Follow(c.res, in, r)
	}
	return c.res, nil
}

// group makes a control group for a command; nil: it is looked at as on systems that have none.
func (o Options) group(limits bench.Limits) *proc.Cgroup {
	if o.Cgroups == nil {
		return nil
	}
	group, _ := o.Cgroups.New(limits.Memory)
	return group
}

// A command is one run of one.
type command struct {
	in      *bench.Instance
	request bench.Request
	limits  bench.Limits
	options Options
	group   *proc.Cgroup
	res     *bench.Result
	stdout  *output

	process *proc.Process
	began   time.Time
	own     int64 // largest resident size of this process until then
	state   *os.ProcessState
	outErr  error
	cause   proc.Cause
}

// prepare makes the command of a request, which has no standard streams yet.
func prepare(r bench.Request, limits bench.Limits, dir string) *exec.Cmd {
	cmd := exec.Command(r.Command[0], r.Command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(environ.Short(),
		"SCHEDGAP_SEED="+strconv.FormatUint(r.Seed, 10), "SCHEDGAP_THREADS="+strconv.Itoa(max(1, r.Threads)))
	if limits.Time > 0 {
		cmd.Env = append(cmd.Env, "SCHEDGAP_TIME_LIMIT_SECONDS="+strconv.FormatFloat(limits.Time.Seconds(), 'f', -1, 64))
	}
	return cmd
}

func (c *command) start() (err error) {
	cmd := prepare(c.request, c.limits, c.options.Dir)
	cmd.Stdin, cmd.Stdout = bytes.NewReader(c.in.JSON), c.stdout
	proc.ResetPeakRSS()
	c.own, c.began = proc.PeakRSS(), time.Now()
	c.stdout.began = c.began
	c.process, err = proc.Start(cmd, proc.Options{Sole: c.options.Supervised, Cgroup: c.group})
	return err
}

// follow waits for the command's end, which it brings about at the limits, and enters into the result what that took.
func (c *command) follow(ctx context.Context) {
	hard := proc.Limits{Memory: c.limits.Memory, CPU: c.limits.CPU}
	if c.limits.Time > 0 {
		hard.Time = max(1, c.limits.Time+c.options.Grace-time.Since(c.began)) // a busy machine takes its time to start it
	}
	watch := proc.Watch(ctx, c.process, hard, c.process.Usage().CPU)
	select {
	case <-c.process.Done():
	case <-c.stdout.full:
		c.process.Signal(unix.SIGKILL) // not all programs end with their output
	}
	c.state, c.outErr = c.process.Wait()
	c.res.WallSeconds = c.process.Ended().Sub(c.began).Seconds()
	var most proc.Usage
	c.cause, most = watch.Stop()
	c.stdout.settle(watch.Asked())
	// The system knows nothing of children that were killed along with the command, the watcher not what came after its last
	// look.
	c.res.CPUSeconds = new(max(c.state.UserTime()+c.state.SystemTime(), most.CPU).Seconds())
	c.res.PeakRSSBytes = bench.OrNull(max(most.RSS, c.process.PeakOf(c.own)))
}

func (c *command) fail(s bench.Status, format string, args ...any) {
	c.res.Status, c.res.Error = s, c.process.Stderr.Because(fmt.Sprintf(format, args...))
}

// beyondMemory reports whether the command exceeded its memory limit, as seen by the watcher or by the kernel.
func (c *command) beyondMemory() bool {
	return c.cause == proc.Memory || c.group != nil && c.group.OOMKilled() ||
		c.limits.Memory > 0 && c.res.PeakRSSBytes != nil && *c.res.PeakRSSBytes > c.limits.Memory
}

// conclude says what came of the command.
func (c *command) conclude() {
	res := c.res
	switch {
	case c.cause == proc.Memory:
		c.fail(bench.OOM, "killed beyond the memory limit of %d bytes", c.limits.Memory)
	case c.beyondMemory():
		c.fail(bench.OOM, "beyond the memory limit of %d bytes (%v)", c.limits.Memory, c.state)
	case c.cause == proc.Time || c.cause == proc.CPU:
		res.Status = bench.Timeout
		if c.cause == proc.CPU {
			res.Error = fmt.Sprintf("killed beyond the CPU limit of %v", c.limits.CPU)
		} else if c.process.Stderr.String() != "" {
			res.Error = fmt.Sprintf("killed at the time limit of %v", c.limits.Time)
		}
		c.late()
	case c.stdout.more:
		c.fail(bench.Invalid, "the command printed more than %d bytes, the limit on output", c.stdout.limit)
	case c.outErr != nil:
		c.fail(bench.Error, "talking to the command: %v", c.outErr)
	case !c.state.Success() || c.stdout.blank():
		c.unanswered(c.state)
	case c.stdout.late:
		res.Status, res.Error = bench.Timeout, afterLimit(c.limits)
		c.late()
	default:
		c.accept(c.stdout.solution())
	}
}

// unanswered says why there is no solution, by how the command ended on its own.
func (c *command) unanswered(state *os.ProcessState) {
	switch {
	case proc.Killed(state) != 0:
		c.fail(bench.Crash, "the command died (%v)", state)
	case state.ExitCode() == NotApplicable:
		c.res.Status, c.res.Error = bench.Skipped, "the command ended with exit code 77"
		if why := c.process.Stderr.LastLine(); why != "" {
			c.res.Error = why
		}
	case !state.Success():
		if code := state.ExitCode(); code == unable || code == missing || c.withoutScript() {
			c.res.Raw = bench.NotStarted
		}
		c.fail(bench.Error, "the command failed (%v)", state)
	default:
		c.fail(bench.Error, "the command printed no solution")
	}
}

// withoutScript reports whether a command that failed is an interpreter that could not read its script: the first argument that looks like
// a file is none that can be read, and the command's last words name it. Interpreters end then as scripts do that fail.
func (c *command) withoutScript() bool {
	i := slices.IndexFunc(c.request.Command[1:], func(arg string) bool { return arg[:min(1, len(arg))] != "-" && filepath.Ext(arg) != "" })
	if i < 0 {
		return false
	}
	script := c.request.Command[1+i]
	if !strings.Contains(c.process.Stderr.String(), filepath.Base(script)) {
		return false
	}
	if !filepath.IsAbs(script) {
		script = filepath.Join(c.options.Dir, script)
	}
	f, err := os.Open(script)
	if err != nil {
		return true
	}
	info, err := f.Stat()
	return errors.Join(err, f.Close()) != nil || !info.Mode().IsRegular()
}

func afterLimit(limits bench.Limits) string {
	return fmt.Sprintf("the answer came after the time limit of %v", limits.Time)
}

// late judges what counts of the output of a command that did not end in time.
func (c *command) late() {
	if data := c.stdout.incumbent(); data != nil {
		_ = c.judge(data)
	}
	if c.res.Error != "" {
		c.res.Error = c.process.Stderr.Because(c.res.Error)
	}
}

// Output names a command's output in errors about it.
const Output = "the command's output"

func (c *command) judge(solution []byte) error {
	if !c.options.Unchecked {
		return c.in.Problem.Judge(c.res, c.in, Output, solution)
	}
	err := c.in.Read(Output, solution)
	if err == nil {
		c.res.Solution, err = json.Marshal(json.RawMessage(solution)) // as one line
	}
	return err
}

// accept judges the solution of a command that came to its own end.
func (c *command) accept(solution []byte, err error) {
	c.res.Status = bench.Feasible
	if err == nil {
		err = c.judge(solution)
	}
	if err != nil {
		c.fail(bench.Error, "%v", err)
	} else if c.res.Status == bench.Invalid {
		c.fail(bench.Invalid, "%s", c.res.Error)
	}
}
