// Package evaluate judges a command that is to be improved, by a program or a person: it runs it on sets of instances whose
// optima or bounds are proven, has the independent checker judge every solution, and says in one number, and in words, how far it
// is from them. The command is not trusted: it sees copies of the instances under other names and in another order, and nothing
// that it prints about itself counts.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/bench/run/sandbox"
	"schedgap/bench/run/worker"
	"schedgap/models"
)

// Options choose the command and the instances.
type Options struct {
	Registry     *bench.Registry
	Problem      *bench.Problem
	Command      []string
	Files        string            // the folder whose copy the command runs from; empty: the program's own
	Set          string            // train, test or a set of the library; unused with Given
	Given        []*bench.Instance // in place of a set
	Stage        int               // 1: five tiny instances, 2: the set, 3: the set and fresh ones
	Seed         uint64            // of test, of fresh instances and of the order in which the command gets the instances
	Limits       bench.Limits      // of the command on each instance
	RequireValid bool              // one instance without a valid solution makes the score 0
	Batch        bool              // the command reads many instances, see external.Batch
	Confined     bool              // in a sandbox
	Hide         []string          // paths that the command does not see in it, whatever it sees around them
	Cache        string            // the folder of proven optima; empty: they are proven each time
	Log          *slog.Logger
	Adversarial  int // so many instances are searched on which the command is worst, with Evaluations in all, and kept in Out
	Evaluations  int
	Out          string
}

// An Outcome is the object that evaluate prints.
type Outcome struct {
	Status    string            `json:"status"` // success or error
	Score     float64           `json:"combined_score"`
	Metrics   Metrics           `json:"metrics"`
	Artifacts map[string]string `json:"artifacts"`

	NotStarted bool `json:"-"` // the command could not be started at all
}

// Metrics are the numbers of an outcome.
type Metrics struct {
	Score        float64 `json:"combined_score"`
	MeanRatio    float64 `json:"mean_ratio"` // of valid solutions, at least 1; 1e6 where there is none
	P90Ratio     float64 `json:"p90_ratio"`
	WorstRatio   float64 `json:"worst_ratio"`
	ValidShare   float64 `json:"valid_share"`
	OptimalShare float64 `json:"optimal_share"`
	OpenShare    float64 `json:"open_share"` // of the instances whose optimum is not known, but a bound
	Instances    int     `json:"instances"`
	Seconds      float64 `json:"seconds"`
}

// The statuses.
const (
	Success = "success"
	Failed  = "error"
)

// Unstarted is the outcome for a command that does not start.
func Unstarted(reason string) *Outcome {
	return &Outcome{
		Status: Failed, Artifacts: map[string]string{"feedback": reason}, NotStarted: true,
		Metrics: Metrics{MeanRatio: mostRatio, P90Ratio: mostRatio, WorstRatio: mostRatio},
	}
}

// Run judges the command. The error says that it was not judged: the options are wrong, ctx ended, or no process could be
// started.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	began := time.Now()
	copied, err := snapshot(o.Command, o.Files, []string{o.optima()}, o.Log)
	if err != nil {
		return nil, err
	}
	defer copied.remove()
	if copied.missing != "" {
		return Unstarted(copied.missing), nil
	}
	r := &runner{options: &o, copied: copied}
	var cases []*trial
	prepare, preparing := errgroup.WithContext(ctx)
	prepare.Go(func() (err error) {
		cases, err = o.cases(preparing)
		return err
	})
	if o.Confined {
		prepare.Go(func() (err error) { // beside the cases, which may take minutes the first time
			r.confined, err = worker.Confine(preparing)
			return err
		})
	}
	if err := prepare.Wait(); err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.seat(min(runtime.GOMAXPROCS(0), max(len(cases), o.Adversarial*o.Evaluations))); err != nil {
		return nil, err
	}
	if err := r.all(ctx, cases); err != nil {
		return nil, err
	}
	if reason := unstarted(cases); reason != "" {
		return Unstarted(reason), nil
	}
	out := conclude(&o, cases)
	if o.Adversarial > 0 && out.Status == Success {
		out.Artifacts["adversarial"], err = r.adversary(ctx)
		if err != nil {
			return nil, err
		}
	}
	out.Metrics.Seconds = time.Since(began).Seconds()
	return out, nil
}

// unstarted says why the command started on no instance; empty: it did on one.
func unstarted(cases []*trial) string {
	for _, c := range cases {
		if c.result.Raw != bench.NotStarted {
			return ""
		}
	}
	return "the command does not start: " + plain(cases[0].result.Error) + "."
}

// A trial is an instance with what came of the command on it.
type trial struct {
	instance *bench.Instance
	optimum  *optimum
	hidden   bool // nothing of it may be shown

	seen   *anonymized // the command's input
	result *bench.Result
	part   float64 // of the score
	reason string  // why the part is 0; empty: the solution is valid
}

// A runner runs the command in seats.
type runner struct {
	options  *Options
	copied   *candidate
	confined *worker.Confinement // nil: the command is not
	slots    []*slot
}

// A slot runs the command on one instance at a time: a supervisor, with a copy of the command's files and a processor of its own.
type slot struct {
	*worker.Worker
	request bench.Request
	dir     string
}

// grace is the time between the time limit and SIGTERM. Output after the limit is late.
const grace = 100 * time.Millisecond

// seat makes n seats.
func (r *runner) seat(n int) (err error) {
	cpus, _ := worker.Share(n, 1) // where the system cannot assign processors, it does not
	for k := range n {
		copied := r.copied
		if k > 0 {
			copied, err = r.copied.again(k)
			if err != nil {
				return err
			}
		}
		o := worker.Options{Grace: grace, Solutions: bench.DefaultOutput, Confined: r.confined}
		if cpus != nil {
			o.CommandCPUs = cpus[k]
		}
		s := &slot{worker.New(o), bench.Request{
			// No function of --seed, from which names and instances could be found again.
			Algorithm: "command", Seed: 1, Threads: 1, Command: copied.command, Batch: r.options.Batch,
		}, copied.dir}
		r.slots = append(r.slots, s)
		if r.options.Confined {
			spec := sandbox.Spec{Read: copied.reads(), Hide: r.options.Hide}
			s.request.Command, err = spec.Wrap(copied.command)
			if err != nil {
				return err
			}
		}
	}
	for k := range n { // when all are copied, which reads the first
		if err := (&candidate{root: filepath.Join(r.copied.base, strconv.Itoa(k))}).seal(); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) close() {
	for _, s := range r.slots {
		s.Close()
	}
}

// try runs the command on the instance of c, which it sees under the name, and judges what comes of it.
func (r *runner) try(ctx context.Context, s *slot, c *trial, name string) (err error) {
	c.seen, err = blinded(c.instance, name, r.options.Seed)
	if err != nil {
		return err
	}
	c.result, err = s.Run(ctx, &bench.Unit{Instance: c.seen.instance, Request: s.request, Limits: r.options.Limits, Dir: s.dir})
	if err == nil {
		err = c.result.Fault()
	}
	if err != nil {
		return err
	}
	c.judge()
	return c.result.Fault()
}

// all runs the command on every instance. Which process of a batch gets which instances depends on nothing but their number.
func (r *runner) all(ctx context.Context, cases []*trial) error {
	return parallel(ctx, len(cases), r.slots[:min(len(r.slots), len(cases))], func(ctx context.Context, s *slot, i int) error {
		return r.try(ctx, s, cases[i], fmt.Sprintf("instance-%03d", i+1))
	})
}

// parallel calls do for 0 to n-1: worker k gets items k, k+len(workers), k+2·len(workers), … The first error ends all.
func parallel[W any](ctx context.Context, n int, workers []W, do func(ctx context.Context, w W, i int) error) error {
	all, ctx := errgroup.WithContext(ctx)
	for first, w := range workers {
		all.Go(func() error {
			for i := first; i < n; i += len(workers) {
				if err := do(ctx, w, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all.Wait()
}

// judge gives the trial its part of the score.
func (c *trial) judge() {
	res, in := c.result, c.instance
	switch {
	case res.Status == bench.Timeout:
		c.reason = "it was late"
	case res.Status == bench.Skipped:
		c.reason = "the command says that it is not made for it"
	case res.Status != bench.Feasible && res.Status != bench.Invalid:
		c.reason = "it failed (" + string(res.Status) + ")"
	default:
		c.reason = c.check()
	}
	if c.reason == "" {
		c.part = c.optimum.part(in, *res.Objective)
	}
}

// check maps the solution back and has it checked against the instance as it was; it says why it does not count.
func (c *trial) check() string {
	in, first := c.instance, c.result
	solution, err := c.seen.back.Solution(first.Solution, in.Name)
	res := in.Problem.Blank(bench.Request{Algorithm: "command", Command: []string{"command"}})
	res.Status = bench.Feasible
	if err == nil {
		err = in.Problem.Judge(res, in, "the command's output", solution)
	}
	if fault := new(models.Fault); errors.As(err, &fault) {
		res.Fail(err)
		c.result = res
		return err.Error()
	}
	if err != nil {
		return "its output is no solution"
	}
	c.result = res
	switch {
	case first.Status == bench.Invalid || res.Status == bench.Invalid || res.Feasible == nil || !*res.Feasible:
		return c.refusal()
	case res.Objective == nil:
		return "some job never completes"
	case res.Augmentation != 1:
		return fmt.Sprintf("its solution has machines that are %v times as large or fast", res.Augmentation)
	case !in.Problem.ReferenceWithin(res.Reference, c.optimum.Reference):
		return fmt.Sprintf("its solution is of the class %s, and asked for is one of %s", res.Reference, c.optimum.Reference)
	}
	return ""
}

// refusal names the violated constraint, with its statement.
func (c *trial) refusal() string {
	rep, err := c.instance.Check("the command's output", c.result.Solution)
	v := rep.Worst(nil)
	if err != nil || v == nil {
		return "the checker refused its solution"
	}
	if c.hidden {
		return fmt.Sprintf("its solution breaks the constraint %s, %s", v.Constraint, v.Statement)
	}
	return fmt.Sprintf("its solution breaks the constraint %s at %s by %.6g, %s", v.Constraint, v.Where, v.Amount, v.Statement)
}
