package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/proc"
	"schedgap/bench/run/sysinfo"
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

// Options say how units are run. The command line uses the zero value.
type Options struct {
	// Command starts a process that calls Serve when it gets the argument "worker" and Supervise when it gets "supervise"; empty:
	// this executable.
	Command []string
	Env     []string      // is added to this process's environment
	Pass    []string      // names of variables that commands see besides the few that they always do
	Plain   bool          // supervisors of commands get no namespaces
	Grace   time.Duration // between the time limit and SIGTERM; 0: one second
	// CheckTimeout is how long checking and sending a solution may take where there is a time limit, which the algorithm alone
	// must keep; 0: one minute.
	CheckTimeout time.Duration
	CPUs         []int // that the worker may use; none: all
	// CommandCPUs are the processors that a command and its supervisor may use; none: all.
	CommandCPUs []int
	// Solutions is the size in bytes up to which results carry their solution; 0: they do not. Incumbents are always sent.
	Solutions int
	Progress  bool // results carry incumbents and bounds found before the end
	// Confined says that commands are wrapped by sandbox.Spec, and which namespaces their supervisors get. Nil: neither.
	Confined *Confinement
}

// A Worker runs one unit at a time, in a process that it keeps while it behaves and replaces when it does not. External
// commands run below a process that supervises them. A Worker is not for concurrent use; Close ends its processes.
type Worker struct {
	options    Options
	algorithms *child // the worker process that is kept for the next unit; nil: none
	commands   *child // the supervisor; nil: none runs
	jobs       int64
	swept      bool // the folders of killed owners are removed
	plain      bool // namespaces are not allowed
	impatient  bool // a batch ends whose command waits
	guarded    bool // supervisors without namespaces are started below a guard
}

// Guarded returns a worker of the same kind whose commands, where they have no namespaces and so could do something to this process,
// run below a guard: a process between this one and the supervisor. When the guard dies, its command ends as a crash.
func (w *Worker) Guarded() *Worker {
	guarded := New(w.options)
	guarded.guarded = true
	return guarded
}

// New returns a worker; its process starts with the first unit.
func New(o Options) *Worker {
	if o.Grace == 0 {
		o.Grace = time.Second
	}
	if o.CheckTimeout == 0 {
		o.CheckTimeout = time.Minute
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

// Run runs a unit to its end or its limits: its process follows it to its exit, and the exit is judged once. The error says
// that there is no result because ctx ended, which kills the unit at once, or because no process could be started: neither is
// the unit's fault.
func (w *Worker) Run(ctx context.Context, u *bench.Unit) (*bench.Result, error) {
	kept, start, command := &w.algorithms, w.startWorker, len(u.Request.Command) > 0
	if command {
		kept, start = &w.commands, w.startSupervisor
	}
	end := func() {
		(*kept).close()
		*kept = nil
	}
	j := &job{
		SHA256: u.Instance.SHA256, Request: u.Request, Limits: u.Limits, Grace: w.options.Grace, Dir: u.Home(),
		Solution: w.options.Solutions, Progress: w.options.Progress, Impatient: w.impatient,
	}
	if f := u.Instance.Problem.Folder; f != nil {
		j.Folder = f.Path
	}
	if c, m := *kept, u.Limits.Memory; !command && c != nil && m > 0 && c.idle > m && c.process.Usage().RSS > m {
		end() // a new process may do with less
	}
	// A process that died before it began with the unit did not die of it, unless it is a new one.
	for try := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if *kept == nil {
			var err error
			*kept, err = start(ctx)
			if err != nil {
				return nil, err
			}
			try++
		}
		c := *kept
		if m := u.Limits.Memory; !command && try > 0 && m > 0 && c.idle > m {
			return tooLarge(u, &bench.Result{}, c.idle), nil // else it would depend on the moment how far it comes
		}
		w.jobs++
		j.ID = w.jobs
		err := c.send(j, u.Instance)
		if err == nil {
			e := c.follow(ctx, j.ID, w.phases(u, c), w.options.Progress, u.Instance.Problem.Sense)
			if e.result == nil && e.cause == proc.Canceled {
				err = ctx.Err()
			} else if !e.notBegun() || try > 0 && !command || try == startTries {
				if !e.reusable(u) {
					end()
				}
				return w.judge(u, e), nil
			}
		}
		end()
		if err != nil && (try == startTries || ctx.Err() != nil) {
			return nil, err
		}
	}
}

// Close ends the worker's processes; the worker may be used again and then starts others.
func (w *Worker) Close() {
	w.algorithms.close()
	w.commands.close()
	w.algorithms, w.commands = nil, nil
}

// A child is a worker process as its parent sees it.
type child struct {
	process  *proc.Process
	tmp      folder
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

func (w *Worker) startWorker(ctx context.Context) (*child, error) {
	return w.start(ctx, proc.Options{CPUs: w.options.CPUs})
}

func (w *Worker) start(ctx context.Context, how proc.Options) (c *child, err error) {
	if !w.swept {
		sweep(os.TempDir())
		w.swept = true
	}
	for range startTries {
		c, err = startChild(ctx, w.options, w.guarded, how)
		if err == nil || ctx.Err() != nil || how.Namespace {
			break
		}
	}
	return c, err
}

func startChild(ctx context.Context, o Options, guarded bool, how proc.Options) (*child, error) {
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
	tmp := newFolder(os.TempDir())
	if tmp.path == "" && how.Supervisor && o.Confined != nil { // it would write into the user's
		return nil, fmt.Errorf("%s: no folder for temporary files can be made in it", os.TempDir())
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	if len(o.Command) == 0 {
		cmd.Args[0] = os.Args[0] // the name that process lists show
	}
	cmd.Env = slices.Concat(os.Environ(), o.Env, tmp.env(), []string{environ.Let(o.Pass)})
	if guarded && !how.Namespace {
		cmd.Env = append(cmd.Env, guardVariable+"=1")
	}
	p, stdin, stdout, err := proc.StartPiped(cmd, how)
	if err != nil {
		tmp.remove()
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
			err = fmt.Errorf("%s is another build of this program than the one that runs; was it replaced meanwhile?",
				strings.Join(argv, " "))
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
		solution := make([]byte, m.Bytes, m.Bytes+1) // a file ends in a newline
		if _, err := io.ReadFull(r, solution); err != nil {
			return
		}
		m.paste(solution)
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
	c.process.Stderr.Reset() // it holds output about earlier units
	if _, err := c.stdin.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("sending a job: %w", err)
	}
	c.instance = in.SHA256
	return nil
}

// close ends the process, if there is one, at once if it does not end by itself soon, and removes its folder, unless that is
// done.
func (c *child) close() {
	if c == nil {
		return
	}
	select {
	case <-c.stop:
		return
	default:
		close(c.stop)
	}
	c.stdin.Close()
	c.process.End(exitTimeout)
	c.tmp.remove()
}
