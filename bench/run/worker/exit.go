package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/external"
	"schedgap/bench/run/proc"
	"schedgap/models"
)

// phases are the limits of a process's successive steps on a unit. Nil: the limits of the step before stay.
type phases struct {
	loading, running  proc.Limits
	checking, proving *proc.Limits
}

// phases returns the limits of each phase of a unit. An algorithm is held to its limits from here. A command is held to them by its
// supervisor; from here it is only seen to that the supervisor is alive, which a command that can reach it may have ended.
func (w *Worker) phases(u *bench.Unit, c *child) phases {
	l := u.Limits
	if len(u.Request.Command) > 0 {
		p := phases{loading: proc.Limits{Time: startTimeout, Awake: true}, running: proc.Limits{Awake: true}}
		if l.Time > 0 {
			p.running.Time = l.Time + w.options.Grace + overdue
		}
		p.checking = &proc.Limits{Time: min(w.options.CheckTimeout, max(l.Time, checkTime)), Awake: true}
		if l.Memory > 0 {
			p.checking.Memory = checkMemory(c.idle, l.Memory)
		}
		return p
	}
	running := proc.Limits{Memory: l.Memory, CPU: l.CPU}
	if l.Time == 0 {
		return phases{loading: running, running: running}
	}
	of := func(d time.Duration) proc.Limits { return proc.Limits{Time: d, Memory: l.Memory, CPU: l.CPU} }
	limit := l.Time + w.options.Grace
	checking, proving := of(w.options.CheckTimeout), of(limit+w.options.CheckTimeout)
	return phases{of(limit + startTimeout), of(limit), &checking, &proving}
}

// An exit is how a process came to the end of a unit, or to its own.
type exit struct {
	child           *child
	result          *bench.Result // that it sent; nil: it died before that
	dirty           bool          // it said that it should end
	unproven        *bench.Result // that it sent before a pass after the run; nil: there was none
	found           partial
	phases          phases
	began, returned time.Time // of the algorithm or command; zero: it did not come so far
	cause           proc.Cause
	most            proc.Usage
	state           *os.ProcessState // of a process that died
	oomKilled       bool             // the kernel killed something, for want of memory, while the process lived
}

// notBegun reports that the process died by itself before the algorithm started.
func (e *exit) notBegun() bool { return e.state != nil && e.cause == proc.Alive && e.began.IsZero() }

// follow follows a job to its end, or to that of the process, which is then closed.
func (c *child) follow(ctx context.Context, id int64, p phases, progress bool, sense models.Sense) *exit {
	e := &exit{child: c, phases: p}
	if progress {
		e.found.told = &bench.ProgressLog{}
	}
	watch := proc.Watch(ctx, c.process, p.loading, c.cpu)
	for m := range c.messages {
		c.cpu = m.CPU
		if m.ID != id {
			continue // of a goroutine that the job before left behind
		}
		var next *proc.Limits
		switch m.Kind {
		case start:
			e.began, next = time.Now(), &p.running
		case ended:
			e.returned, next = time.Now(), p.checking
		case incumbent:
			e.found.found(*m.At, m.Solution)
		case bound:
			e.found.improve(sense, *m.At, *m.Bound)
		case judged:
			e.unproven, next = m.Result, p.proving
		case result:
			e.result, e.dirty = m.Result, m.Dirty
			e.cause, e.most = watch.Stop()
			return e
		}
		if next != nil {
			watch.Restart(*next, m.CPU)
		}
	}
	c.close() // it has stopped talking: it is dead or about to die
	e.cause, e.most = watch.Stop()
	e.state, _ = c.process.Wait()
	e.oomKilled = proc.OOMKills() > c.oomKills
	return e
}

// reusable reports whether the process may run another unit.
func (e *exit) reusable(u *bench.Unit) bool {
	switch {
	case e.result == nil || e.dirty || e.cause != proc.Alive:
		return false
	case len(u.Request.Command) > 0:
		return true
	case e.result.Status == bench.Error:
		return false
	}
	most := int64(bulky)
	if u.Limits.Memory > 0 {
		most = min(most, u.Limits.Memory/2)
	}
	c := e.child
	if peak := e.result.PeakRSSBytes; peak != nil && *peak < most && !u.Request.Prove { // looking costs more than many a unit
		c.idle = *peak
	} else {
		c.idle = c.process.Usage().RSS
	}
	return c.idle < most
}

// judge makes the result of an exit. For a unit that did not end by itself it enters the solution and the bound found before.
func (w *Worker) judge(u *bench.Unit, e *exit) *bench.Result {
	res := e.result
	switch {
	case res != nil && len(u.Request.Command) == 0:
		res = e.measured(u)
	case res != nil:
	case e.unproven != nil:
		res = e.unproven
		if u.Request.Prove {
			res.Error = fmt.Sprintf("the proof was not made: the worker process was ended (%v)", e.state)
		}
	default:
		res = w.died(u, e)
	}
	if unchecked(res) {
		w.check(u, res)
	}
	res.Solver = cmp.Or(res.Solver, u.Request.Solver) // it was stopped before it could say
	res.Model = cmp.Or(res.Model, u.Request.Model)
	if res.Status == bench.Timeout || res.Status == bench.OOM || e.state != nil && e.unproven == nil {
		e.found.fill(res, u)
	}
	if e.found.told != nil {
		e.found.told.Follow(res, u.Instance, u.Request)
	}
	if e.state != nil && res.Error != "" {
		res.Error = e.child.process.Stderr.Because(res.Error)
	}
	return res
}

// check has this process, which no command can reach, start the checker of a command's solution.
func (w *Worker) check(u *bench.Unit, res *bench.Result) {
	if err := u.Instance.Problem.Judge(res, u.Instance, external.Output, res.Solution); err != nil {
		res.Fail(err)
		res.Solution = nil
	}
	if len(res.Solution) > w.options.Solutions {
		res.Solution = nil
	}
}

// measured is the result that a worker sent, with the peak of its memory, which may be beyond the limit of the unit.
func (e *exit) measured(u *bench.Unit) *bench.Result {
	res, peak := e.result, e.most.RSS
	if res.PeakRSSBytes == nil && peak > 0 {
		res.PeakRSSBytes = &peak
	}
	if res.PeakRSSBytes != nil {
		peak = max(peak, *res.PeakRSSBytes)
	}
	if e.unproven != nil && e.unproven.PeakRSSBytes != nil {
		peak = *e.unproven.PeakRSSBytes // a later pass is not the algorithm's
	}
	if u.Limits.Memory > 0 && peak > u.Limits.Memory {
		return tooLarge(u, res, peak) // in a moment in which nobody looked
	}
	return res
}

// died is the result of a unit whose process died.
func (w *Worker) died(u *bench.Unit, e *exit) *bench.Result {
	res, command := u.Instance.Problem.Blank(u.Request), len(u.Request.Command) > 0
	fail := func(s bench.Status, format string, args ...any) {
		res.Status, res.Error = s, fmt.Sprintf(format, args...)
	}
	if e.notBegun() {
		fail(bench.Crash, "the worker process died before the algorithm started (%v)", e.state)
		return res
	}
	end, returned := e.returned, !e.returned.IsZero()
	if !returned {
		end = time.Now()
	}
	if !e.began.IsZero() {
		res.WallSeconds = end.Sub(e.began).Seconds()
	}
	if !e.began.IsZero() && !returned && !command {
		res.CPUSeconds = new(e.most.CPU.Seconds())
	}
	if e.most.RSS > 0 && !command {
		res.PeakRSSBytes = &e.most.RSS
	}
	switch cause := e.cause; {
	case cause == proc.Time && returned && command:
		fail(bench.Error, "the command's output was not read and checked within %v", e.phases.checking.Time)
	case cause == proc.Time && returned && time.Since(e.returned) >= w.options.CheckTimeout:
		fail(bench.Error, "the algorithm kept the time limit, but its solution was not checked and handed over within %v",
			w.options.CheckTimeout)
	case cause == proc.Time && command:
		fail(bench.Timeout, "killed after the time limit of %v with its supervisor, which did not do so", u.Limits.Time)
	case cause == proc.Time:
		res.Status = bench.Timeout
		if e.child.process.Stderr.String() != "" {
			fail(bench.Timeout, "killed at the time limit of %v", u.Limits.Time)
		}
	case cause == proc.CPU:
		fail(bench.Timeout, "killed beyond the CPU limit of %v", u.Limits.CPU)
	case cause == proc.Memory && command:
		fail(bench.OOM, "reading and checking the command's output took more than %d bytes of memory", e.phases.checking.Memory)
	case cause == proc.Memory:
		fail(bench.OOM, "killed beyond the memory limit of %d bytes", u.Limits.Memory)
	case cause == proc.Stopped:
		fail(bench.Crash, "the process that supervises the command was stopped, by the command or from outside")
	case outOfMemory(e.state, e.child.process.Stderr, e.oomKilled):
		fail(bench.OOM, "the machine ran out of memory")
	case command:
		fail(bench.Crash, "the process that supervises the command died (%v), by the command or from outside", e.state)
	default:
		fail(bench.Crash, "the worker process died (%v)", e.state)
	}
	return res
}

// tooLarge is the result of a unit that ended before it was killed for its memory: the same as if it had been.
func tooLarge(u *bench.Unit, res *bench.Result, peak int64) *bench.Result {
	oom := u.Instance.Problem.Blank(u.Request)
	oom.WallSeconds, oom.CPUSeconds, oom.PeakRSSBytes = res.WallSeconds, res.CPUSeconds, &peak
	oom.Status = bench.OOM
	oom.Error = fmt.Sprintf("the worker process took %d bytes, beyond the memory limit of %d bytes", peak, u.Limits.Memory)
	return oom
}

// outOfMemory reports whether a process died because the machine, not the unit, ran out of memory.
func outOfMemory(state *os.ProcessState, stderr *proc.Tail, kernelKilled bool) bool {
	if proc.Killed(state) == syscall.SIGKILL {
		return kernelKilled
	}
	why := stderr.Cause() + stderr.String()
	return strings.Contains(why, "out of memory") || strings.Contains(why, "std::bad_alloc")
}

// partial holds the solution and the bound of a running algorithm; it outlives the algorithm.
type partial struct {
	solution json.RawMessage
	bound    *float64
	told     *bench.ProgressLog // nil: it is not kept
}

func (s *partial) found(at bench.Moment, solution json.RawMessage) {
	s.solution = solution
	if s.told != nil {
		s.told.Incumbent(at, solution)
	}
}

func (s *partial) improve(sense models.Sense, at bench.Moment, b float64) {
	if s.told != nil {
		s.told.Bound(at, b)
	}
	// A dual bound is better the farther it is on the objective's worse side.
	if s.bound == nil || sense.Better(*s.bound, b) {
		s.bound = &b
	}
}

// fill enters the last incumbent and bound into a result that has none of its own. The incumbent is checked like every solution.
// The bound of a process that crashed is not trusted.
func (s *partial) fill(res *bench.Result, u *bench.Unit) {
	if res.Bound == nil && res.Status != bench.Crash {
		res.Bound = s.bound
	}
	if s.solution == nil || res.Feasible != nil {
		return
	}
	died, why := res.Status, res.Error
	if err := u.Instance.Problem.Judge(res, u.Instance, "incumbent", s.solution); err != nil {
		res.Fail(err)
	}
	if died != bench.Timeout && res.Fault() == nil {
		res.Status, res.Error = died, why
	}
}
