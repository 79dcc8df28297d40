package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"schedgap/bench"
	"schedgap/bench/internal/proc"
	"schedgap/bench/sysinfo"
	"schedgap/models"
	"schedgap/models/environ"

	"golang.org/x/sys/unix"
)

const (
	// startTimeout is how long a worker process may take to get ready and, later, to read an instance.
	startTimeout = time.Minute
	// exitTimeout is how long one may take to end when it is asked to.
	exitTimeout = time.Second
	// bulky is the resident size beyond which a process is not used again: native code may have leaked it.
	bulky = 1 << 30
)

// Options say how units are run. The zero value is what the command line uses.
type Options struct {
	// Command starts a process that calls Serve when it gets the argument "worker" and Supervise when it gets "supervise"; empty:
	// this executable.
	Command []string
	Env     []string      // is added to this process's environment
	Pass    []string      // names of variables that commands see besides the few that they always do
	Plain   bool          // supervisors of commands get no namespaces
	Grace   time.Duration // between the time limit and SIGTERM; 0: one second
	// HandOver is how long checking and sending a solution may take where there is a time limit, which the algorithm alone
	// must keep; 0: one minute.
	HandOver time.Duration
	CPUs     []int // that the worker may use; none: all
	// Solutions is the size in bytes up to which results carry their solution; 0: they do not. Incumbents are always sent.
	Solutions int
	Progress  bool // results carry what was known before their end
	Batch     bool // commands get all their instances in one process, see external.Batch; all units have the same command
	// Confined says that commands are wrapped by sandbox.Spec, and which namespaces their supervisors get for that; nil: neither.
	Confined *Confinement
}

// A Worker runs one unit at a time, in a process that it keeps while it behaves and replaces when it does not. External
// commands run below a process that supervises them. A Worker is not for concurrent use; Close ends its processes.
type Worker struct {
	options    Options
	child      *child // that runs algorithms; nil: none
	supervisor *child // of commands; nil: none
	jobs       int64
	swept      bool // the folders of killed owners are removed
	plain      bool // namespaces are not allowed
}

// New returns a worker; its process starts with the first unit.
func New(o Options) *Worker {
	if o.Grace == 0 {
		o.Grace = time.Second
	}
	if o.HandOver == 0 {
		o.HandOver = time.Minute
	}
	return &Worker{options: o}
}

// RunOne runs one unit in a process of its own. Whatever goes wrong is in the result; when ctx ends, the unit is killed.
func RunOne(ctx context.Context, o Options, in *bench.Instance, r bench.Request, limits bench.Limits) *bench.Result {
	o.Solutions = math.MaxInt
	w := New(o)
	defer w.Close()
	res, err := w.Run(ctx, &bench.Unit{Instance: in, Request: r, Limits: limits})
	if err != nil {
		res = in.Problem.Blank(r)
		res.Status, res.Error = bench.Error, err.Error()
	}
	return res
}

// Run runs a unit to its end or its limits. The error says that there is no result because ctx ended, which kills the unit
// at once, or because no process could be started: neither is the unit's fault.
func (w *Worker) Run(ctx context.Context, u *bench.Unit) (*bench.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(u.Request.Command) > 0 {
		return w.runCommand(ctx, u)
	}
	w.jobs++
	j := &job{
		ID: w.jobs, SHA256: u.Instance.SHA256, Request: u.Request, Time: u.Limits.Time, Memory: u.Limits.Memory,
		Solution: w.options.Solutions,
	}
	if m := u.Limits.Memory; w.child != nil && m > 0 && w.child.idle > m && w.child.process.Usage().RSS > m {
		w.closeChild() // a new process may do with less
	}
	if w.child != nil {
		// A process that died while it was idle, or before it began with the unit, did not die of the unit.
		if err := w.child.send(j, u.Instance); err != nil {
			w.closeChild()
		} else if res, err := w.follow(ctx, u, j.ID); !errors.Is(err, errNotBegun) {
			return res, err
		}
	}
	for try := 1; ; try++ {
		c, err := w.start(ctx, proc.Options{CPUs: w.options.CPUs})
		if err != nil {
			return nil, err
		}
		w.child = c
		if u.Limits.Memory > 0 && c.idle > u.Limits.Memory {
			return tooLarge(u, &bench.Result{}, c.idle), nil // else it would depend on the moment how far it comes
		}
		if err = c.send(j, u.Instance); err == nil {
			break
		}
		w.closeChild()
		if try == startTries || ctx.Err() != nil {
			return nil, err
		}
	}
	res, err := w.follow(ctx, u, j.ID)
	if errors.Is(err, errNotBegun) {
		res = u.Instance.Problem.Blank(u.Request)
		res.Status, res.Error = bench.Crash, err.Error() // a new process: the instance must have killed it
		err = nil
	}
	return res, err
}

// errNotBegun says that a process died before the algorithm started.
var errNotBegun = errors.New("the worker process died before the algorithm started")

// follow follows a job to its end.
func (w *Worker) follow(ctx context.Context, u *bench.Unit, id int64) (*bench.Result, error) {
	c := w.child
	limits := proc.Limits{Memory: u.Limits.Memory, CPU: u.Limits.CPU}
	if u.Limits.Time > 0 {
		limits.Time = u.Limits.Time + w.options.Grace
	}
	loading := limits
	if loading.Time > 0 {
		loading.Time += startTimeout
	}
	var began, returned time.Time // of the algorithm
	watch := proc.Watch(ctx, c.process, loading, c.cpu)
	last := sofar{progress: w.options.Progress}
	var unproven *bench.Result
	// whole is a result with what the child could not know.
	whole := func(res *bench.Result) *bench.Result {
		if res.Solver == "" { // stopped before it could say
			res.Solver = u.Request.Solver
		}
		if res.Model == "" {
			res.Model = u.Request.Model
		}
		return res
	}
	for m := range c.messages {
		c.cpu = m.CPU
		if m.ID != id {
			continue // of a goroutine that the job before left behind
		}
		switch m.Kind {
		case start:
			began = time.Now()
			watch.Restart(limits, m.CPU)
		case ended:
			returned = time.Now()
			if limits.Time > 0 {
				checking := limits
				checking.Time = w.options.HandOver
				watch.Restart(checking, m.CPU)
			}
		case incumbent:
			last.found(*m.At, m.Solution)
		case bound:
			last.improve(u.Instance.Problem.Sense, *m.At, *m.Bound)
		case judged:
			unproven = whole(m.Result)
			if proving := limits; limits.Time > 0 {
				proving.Time += w.options.HandOver
				watch.Restart(proving, m.CPU)
			}
		case result:
			cause, most := watch.Stop()
			peak := most.RSS
			if cause != proc.Alive || !c.fit(m, u) {
				w.closeChild()
			}
			res := whole(m.Result)
			if res.PeakRSSBytes == nil && peak > 0 {
				res.PeakRSSBytes = &peak
			}
			if res.PeakRSSBytes != nil {
				peak = max(peak, *res.PeakRSSBytes)
			}
			if unproven != nil && unproven.PeakRSSBytes != nil {
				peak = *unproven.PeakRSSBytes // the proof is not the algorithm's
			}
			if u.Limits.Memory > 0 && peak > u.Limits.Memory {
				res = tooLarge(u, res, peak) // in a moment in which nobody looked
				last.fill(res, u)
			}
			if res.Status == bench.Timeout {
				last.fill(res, u)
			}
			last.follow(res, u)
			return res, nil
		}
	}
	w.child = nil
	cause, most, state, err := c.bury(ctx, watch, began)
	if err != nil {
		return nil, err
	}
	stderr := c.process.Stderr
	if unproven != nil {
		unproven.Error = stderr.Because(fmt.Sprintf("the proof was not made: the worker process was ended (%v)", state))
		if unproven.Status == bench.Timeout {
			last.fill(unproven, u)
		}
		last.follow(unproven, u)
		return unproven, nil
	}
	res := u.Instance.Problem.Blank(u.Request)
	switch {
	case !returned.IsZero():
		res.WallSeconds = returned.Sub(began).Seconds()
	case !began.IsZero():
		cpu := most.CPU.Seconds()
		res.WallSeconds, res.CPUSeconds = time.Since(began).Seconds(), &cpu
	}
	if most.RSS > 0 {
		res.PeakRSSBytes = &most.RSS
	}
	switch {
	case cause == proc.Time && !returned.IsZero() && time.Since(returned) >= w.options.HandOver:
		res.Status, res.Error = bench.Error, fmt.Sprintf(
			"the algorithm kept the time limit, but its solution was not checked and handed over within %v", w.options.HandOver)
	case cause == proc.Time:
		res.Status = bench.Timeout
		if stderr.String() != "" {
			res.Error = fmt.Sprintf("killed at the time limit of %v", u.Limits.Time)
		}
	case cause == proc.CPU:
		res.Status, res.Error = bench.Timeout, fmt.Sprintf("killed beyond the CPU limit of %v", u.Limits.CPU)
	case cause == proc.Memory:
		res.Status, res.Error = bench.OOM, fmt.Sprintf("killed beyond the memory limit of %d bytes", u.Limits.Memory)
	case outOfMemory(state, stderr, proc.OOMKills() > c.oomKills):
		res.Status, res.Error = bench.OOM, "the machine ran out of memory"
	default:
		res.Status, res.Error = bench.Crash, fmt.Sprintf("the worker process died (%v)", state)
	}
	last.fill(res, u)
	last.follow(res, u)
	if res.Error != "" {
		res.Error = stderr.Because(res.Error)
	}
	return res, nil
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

// sofar is what a running algorithm has found; it outlives the algorithm.
type sofar struct {
	solution json.RawMessage
	bound    *float64

	progress   bool // what was told is kept
	incumbents bench.Track[json.RawMessage]
	bounds     bench.Track[float64]
}

// maxTold is about how many bytes of incumbents are held until they are checked.
const maxTold = 16 << 20

func (s *sofar) found(at bench.Moment, solution json.RawMessage) {
	s.solution = solution
	if s.progress {
		s.incumbents.Add(at, solution)
		if s.incumbents.Len()*len(solution) > maxTold {
			s.incumbents.Halve()
		}
	}
}

func (s *sofar) improve(sense models.Sense, at bench.Moment, b float64) {
	if s.progress {
		s.bounds.Add(at, b)
	}
	// A dual bound is better the farther it is on the objective's worse side.
	if s.bound == nil || sense.Better(*s.bound, b) {
		s.bound = &b
	}
}

// fill enters what was found before the end into a result that has none of its own. The incumbent is checked like every
// solution; the bound of a process that crashed is not trusted.
func (s *sofar) fill(res *bench.Result, u *bench.Unit) {
	if res.Bound == nil && res.Status != bench.Crash {
		res.Bound = s.bound
	}
	if s.solution == nil || res.Feasible != nil {
		return
	}
	died, why := res.Status, res.Error
	if err := u.Instance.Problem.Judge(res, u.Instance, "incumbent", s.solution); err != nil {
		res.Status, res.Error = bench.Error, err.Error()
	}
	if died != bench.Timeout {
		res.Status, res.Error = died, why
	}
}

// follow enters what was known on the way.
func (s *sofar) follow(res *bench.Result, u *bench.Unit) {
	same := func(file json.RawMessage) (json.RawMessage, error) { return file, nil }
	bench.Follow(res, u.Instance, u.Request, &s.incumbents, same, &s.bounds)
}

// Close ends the worker's processes; the worker may be used again and then starts others.
func (w *Worker) Close() {
	w.closeChild()
	w.closeSupervisor()
}

func (w *Worker) closeChild() {
	if w.child != nil {
		w.child.close()
		w.child = nil
	}
}

// A child is a worker process as its parent sees it.
type child struct {
	process  *proc.Process
	tmp      *folder
	stdin    *os.File
	messages chan *message // closed at the process's end
	instance string        // the hash of the last one sent
	oomKills int64         // by the kernel, before the process began
	idle     int64         // resident bytes while it last waited for a job, or more
	cpu      time.Duration // that it had used when it last said something
	// What confines its commands, and why nothing does.
	confined, unconfined string
	stop                 chan struct{} // closed when nobody receives messages any more
}

// startTries is how often a process is started before a worker gives up: one that is killed or stopped from outside while it
// starts, or before it has its job, must not end a run.
const startTries = 3

func (w *Worker) start(ctx context.Context, how proc.Options) (c *child, err error) {
	if !w.swept {
		sweep(os.TempDir())
		w.swept = true
	}
	for range startTries {
		if c, err = startChild(ctx, w.options, how); err == nil || ctx.Err() != nil || how.Namespace {
			break
		}
	}
	return c, err
}

func startChild(ctx context.Context, o Options, how proc.Options) (*child, error) {
	argv := slices.Clone(o.Command)
	if len(argv) == 0 {
		self, err := sysinfo.Executable()
		if err != nil {
			return nil, fmt.Errorf("finding this executable: %w", err)
		}
		argv = []string{self}
	}
	argv = append(argv, "worker")
	if how.Supervisor {
		argv[len(argv)-1] = "supervise"
	}
	jobs, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, answers, err := os.Pipe()
	if err != nil {
		jobs.Close()
		stdin.Close()
		return nil, err
	}
	tmp := newFolder(os.TempDir())
	cmd := exec.Command(argv[0], argv[1:]...)
	if len(o.Command) == 0 {
		cmd.Args[0] = os.Args[0] // the name that process lists show
	}
	cmd.Stdin, cmd.Stdout, cmd.Env = jobs, answers, slices.Concat(os.Environ(), o.Env, tmp.env(), []string{environ.Let(o.Pass)})
	p, err := proc.Start(cmd, how)
	jobs.Close()
	answers.Close()
	if err != nil {
		tmp.remove()
		stdin.Close()
		stdout.Close()
		return nil, err
	}
	c := &child{
		process: p, tmp: tmp, stdin: stdin, messages: make(chan *message), oomKills: proc.OOMKills(), stop: make(chan struct{}),
	}
	go c.read(stdout)
	select {
	case m := <-c.messages:
		switch {
		case m == nil || m.Kind != ready:
			err = fmt.Errorf("%s did not become a worker", strings.Join(argv, " "))
		case m.Build != sysinfo.BuildID():
			err = fmt.Errorf("%s is another build of this program than the one that runs; was it replaced meanwhile?", strings.Join(argv, " "))
		default:
			c.idle, c.cpu, c.confined, c.unconfined = p.Usage().RSS, m.CPU, m.Confined, m.Unconfined
			return c, nil
		}
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(startTimeout):
		err = fmt.Errorf("%s was not ready after %v", strings.Join(argv, " "), startTimeout)
	}
	p.Signal(unix.SIGKILL)
	c.close()
	if ctx.Err() == nil {
		err = fmt.Errorf("%s", p.Stderr.Because(err.Error()))
	}
	return nil, err
}

// read hands on messages until the process ends or sends something else.
func (c *child) read(stdout *os.File) {
	defer close(c.messages)
	defer stdout.Close()
	r := bufio.NewReader(stdout)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		m := &message{}
		if err := json.Unmarshal(line, m); err != nil || !m.complete() {
			fmt.Fprintf(c.process.Stderr, "not a message: %.200q\n", line)
			return
		}
		if m.Result != nil && string(m.Result.Solution) == "null" {
			m.Result.Solution = nil
		}
		select {
		case c.messages <- m:
		case <-c.stop:
			return
		}
	}
}

// send sends a job, with its instance unless the process has it.
func (c *child) send(j *job, in *bench.Instance) error {
	j.Instance = nil
	if c.instance != in.SHA256 {
		j.Instance = in.JSON
	}
	line, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("encoding a job: %w", err)
	}
	if err := c.stdin.SetWriteDeadline(time.Now().Add(startTimeout)); err != nil {
		return fmt.Errorf("sending a job: %w", err)
	}
	c.process.Stderr.Reset() // what it holds is about earlier units
	if _, err := c.stdin.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("sending a job: %w", err)
	}
	c.instance = in.SHA256
	return nil
}

// fit reports whether the process may run another unit after one that ended with m.
func (c *child) fit(m *message, u *bench.Unit) bool {
	if m.Dirty || m.Result.Status == bench.Error {
		return false
	}
	most := int64(bulky)
	if u.Limits.Memory > 0 {
		most = min(most, u.Limits.Memory/2)
	}
	if peak := m.Result.PeakRSSBytes; peak != nil && *peak < most && !u.Request.Prove { // looking costs more than many a unit
		c.idle = *peak
	} else {
		c.idle = c.process.Usage().RSS
	}
	return c.idle < most
}

// bury waits for the end of a process that has stopped talking, which means that it is dead or about to die, and returns
// what it died of. The error says that this was the end of ctx, or that it had not begun with its unit, if that is no time.
func (c *child) bury(ctx context.Context, watch *proc.Watcher, began time.Time) (proc.Cause, proc.Usage, *os.ProcessState, error) {
	c.close()
	cause, most := watch.Stop()
	state, _ := c.process.Wait()
	var err error
	if cause == proc.Canceled {
		err = ctx.Err()
	} else if cause == proc.Alive && began.IsZero() {
		err = fmt.Errorf("%w%s", errNotBegun, c.process.Stderr.Because(fmt.Sprintf(" (%v)", state)))
	}
	return cause, most, state, err
}

// close ends the process, at once if it does not end by itself soon, and removes its folder.
func (c *child) close() {
	close(c.stop)
	c.stdin.Close()
	select {
	case <-c.process.Done():
	case <-time.After(exitTimeout):
		c.process.Signal(unix.SIGKILL)
		<-c.process.Done()
	}
	c.tmp.remove()
}
