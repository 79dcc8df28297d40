package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"schedgap/models"
	"schedgap/models/nearest"
	"schedgap/models/strict"
)

// quick is the time for writing an incumbent that is never counted as late. Limits are not kept more exactly.
const quick = 50 * time.Millisecond

// mostStack is the size in bytes to which the stack of a panic is cut: its beginning says where it happened.
const mostStack = 4 << 10

// panicked is the error of a panic, with its stack from the second line on. It is called by the function that recovers.
func panicked(where string, p any) error {
	stack := string(debug.Stack())
	if _, below, found := strings.Cut(stack, "\npanic("); found { // above are only this function and the runtime
		_, stack, _ = strings.Cut(below, "\n\t") // the runtime's own file
		_, stack, _ = strings.Cut(stack, "\n")
	}
	return fmt.Errorf("panic %s: %v\n%s", where, p, strings.TrimSpace(stack[:min(len(stack), mostStack)]))
}

// An execution is one run of an algorithm on an instance of its types.
type execution[I models.Instance, S any] struct {
	*typed[I, S]
	algorithm *models.Algorithm[I, S]
	request   Request
	arg       string
	values    models.Values
	res       *Result
	kept      int // bytes of the solution's file; a longer one is not written
}

// execute runs a validated request and judges what came out.
func (e *execution[I, S]) execute(ctx context.Context, obs Observer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked("in "+e.algorithm.Name, p)
		}
	}()
	out, err := e.measure(ctx, obs)
	var refuted *models.Refutation
	if err == nil && out.Audit != nil {
		later, cancel := context.WithTimeout(context.WithoutCancel(ctx), auditing)
		refuted = out.Audit(later)
		cancel()
	}
	if err == nil && refuted != nil {
		return e.refute(out, refuted)
	}
	if err == nil {
		err = e.judge(out)
	}
	if err == nil && out.Proof != nil {
		err = e.res.attach(e.erased, out.Proof)
	}
	if err == nil && e.res.Objective != nil && (e.res.Status == Optimal || e.res.Status == Timeout) {
		e.res.prover = out.Prove
	}
	if err == nil && e.request.Relax {
		e.res.relax = out.Relax
	}
	return err
}

// measure runs the algorithm and enters into the result what that took.
func (e *execution[I, S]) measure(ctx context.Context, obs Observer) (models.Outcome[S], error) {
	var took atomic.Int64 // nanoseconds, by the last incumbent's writing
	r, res := e.request, e.res
	start, cpu := time.Now(), ProcessCPU()
	now := func() Moment {
		at := Moment{Wall: time.Since(start).Seconds()}
		if used := ProcessCPU() - cpu; used >= 0 {
			at.CPU = new(used.Seconds())
		}
		return at
	}
	var commands outside
	if e.erased.Problem.Folder != nil {
		ctx = commands.begin(ctx, obs.Ended)
		defer commands.end()
	}
	pass := &models.Pass[I, S]{
		Instance: e.in, Arg: e.arg, Params: e.values, Seed: r.Seed, Threads: max(1, r.Threads), Solver: r.Solver, Model: r.Model,
		Prove: r.Prove, Known: &e.known,
		Improved: func(s S) {
			// An incumbent that would be late would delay the algorithm's end, too.
			last := time.Duration(took.Load())
			if end, ok := ctx.Deadline(); ok && last > quick && time.Until(end) < last {
				return
			}
			began, at := time.Now(), now()
			if data, err := e.Problem.MarshalSolution(e.in, r.Algorithm, nil, s); err == nil {
				obs.Incumbent(at, data)
			}
			took.Store(int64(time.Since(began)))
		},
		Bounded: func(b float64) { obs.Bound(now(), b) },
	}
	if commands.cancel != nil {
		pass.Outside = commands.ask
	}
	out, err := e.algorithm.Run(ctx, pass)
	if fault := commands.failed(); fault != nil {
		err = fault
	}
	res.Stats = out.Stats
	end := now()
	res.WallSeconds, res.CPUSeconds = end.Wall, end.CPU
	obs.Ended()
	return out, err
}

// An outside watches over the commands of a problem that a running algorithm asks, which several threads may do.
type outside struct {
	cancel context.CancelFunc // of the algorithm; nil: the problem has no commands
	stop   func() bool
	ended  func()

	mu    sync.Mutex
	asked int  // commands that have not answered
	over  bool // the algorithm's time
	fault error
}

// begin returns the context of the algorithm. A command that has not answered when the algorithm's time is over has its own time: that
// of the algorithm is then said to have ended.
func (o *outside) begin(ctx context.Context, ended func()) context.Context {
	o.ended = ended
	run, cancel := context.WithCancel(ctx)
	o.cancel = cancel
	o.stop = context.AfterFunc(ctx, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.over = true
		o.late()
	})
	return run
}

// late says once that the algorithm has ended, if its time is over and a command has not answered.
func (o *outside) late() {
	if o.over && o.asked > 0 && o.ended != nil {
		o.ended()
		o.ended = nil
	}
}

func (o *outside) end() {
	o.stop()
	o.cancel()
}

// ask is models.Pass.Outside.
func (o *outside) ask(ask func() error) error {
	o.mu.Lock()
	if o.fault != nil {
		defer o.mu.Unlock()
		return o.fault // a command that hangs is not waited for again
	}
	o.asked++
	o.late()
	o.mu.Unlock()
	err := ask()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked--
	if fault := new(models.Fault); errors.As(err, &fault) && o.fault == nil {
		o.fault = err
		o.cancel()
	}
	return err
}

// failed is the first fault.
func (o *outside) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.fault
}

// auditing is how long the known heuristics and bounds may take that a solver's claims are held against.
const auditing = 10 * time.Second

// refute enters a solver's claim that is known to be false. Its solution is checked like any other, the claim stays beside what
// refutes it, and nothing is proven.
func (e *execution[I, S]) refute(out models.Outcome[S], r *models.Refutation) error {
	if out.Found {
		rep := e.Problem.Check(e.in, out.Solution)
		if rep.Err != nil {
			return rep.Err
		}
		solution, err := e.write(rep, out.Solution)
		if err != nil {
			return err
		}
		e.res.judge(rep, out.Claimed, solution)
	}
	e.res.Status, e.res.Bound, e.res.RootBound = Refuted, nil, nil
	e.res.Claimed, e.res.RefutedBy, e.res.Error = nil, &r.Evidence, r.String()
	if !math.IsInf(r.Claim, 0) { // there is no number in "infeasible"
		e.res.Claimed = &r.Claim
	}
	return nil
}

// judge enters into the result what came out: its status, its bound and the checker's verdict on its solution.
func (e *execution[I, S]) judge(out models.Outcome[S]) error {
	mp, a, res := e.Problem, e.algorithm, e.res
	res.Status, res.Bound = Status(out.Status), out.Bound
	if !out.Found {
		if res.Status == Optimal || (res.Status == Feasible && a.Kind != models.Bound) {
			return fmt.Errorf("%s ended as %s without a solution", a.Name, out.Status)
		}
		if mp.Hopeless != nil {
			res.Hopeless = mp.Hopeless(e.in)
		}
		return nil
	}
	rep := mp.Check(e.in, out.Solution)
	if rep.Err != nil {
		return rep.Err
	}
	solution, err := e.write(rep, out.Solution)
	if err != nil {
		return err
	}
	res.judge(rep, out.Claimed, solution)
	if res.Status == Invalid && out.Stats.Model != "" { // the solver's tolerances left more undone than the checker forgives
		res.Error = fmt.Sprintf("model %s by %s: %v: %s", out.Stats.Model, out.Stats.Solver, models.ErrPoint, res.Error)
	}
	if res.Status == Optimal {
		return e.settle(out)
	}
	return nil
}

// write is the solution's file; nil: it is longer than what is kept.
func (e *execution[I, S]) write(rep models.Report, s S) ([]byte, error) {
	if e.kept <= 0 {
		return nil, nil
	}
	file, err := e.Problem.MarshalSolutionUpTo(e.kept, e.in, e.request.Algorithm, rep.Objective, s)
	if errors.Is(err, strict.ErrLong) {
		return nil, nil
	}
	return file, err
}

// settle judges the claim that the checked value is the optimum. A method that has not closed the gap to its bound has not proven
// it; the bound of a MILP solver has lost the solver's tolerances and stays apart from the value. A bound that the rounding of the
// value keeps apart from it is not moved there, since it would then be beyond the optimum.
func (e *execution[I, S]) settle(out models.Outcome[S]) error {
	res := e.res
	if res.Objective == nil {
		return fmt.Errorf("%s claims an optimum without an objective", e.algorithm.Name)
	}
	value, accuracy := *res.Objective, e.erased.Accuracy
	far := func(claim *float64) bool { return claim != nil && !accuracy.Near(*claim, value) } // solvers have tolerances of this order
	claims := []*float64{out.Claimed}
	if out.Bound != nil && e.Problem.Sense.Better(value, *out.Bound) {
		claims = append(claims, out.Bound)
	}
	for _, claim := range claims {
		if far(claim) {
			err := fmt.Errorf("%s claims the optimum %v, but the checker finds %v", e.algorithm.Name, *claim, value)
			if out.Stats.Model != "" { // it is the solver's, whose tolerances do not tell times from due dates
				err = fmt.Errorf("model %s by %s: %w: %w", out.Stats.Model, out.Stats.Solver, models.ErrPoint, err)
			}
			return err
		}
	}
	unrounded := accuracy
	unrounded.Rounding = 0
	switch {
	case out.Bound == nil || unrounded.Same(*out.Bound, value) || e.Problem.Sense.Better(value, *out.Bound):
		res.Bound = res.Objective
	case accuracy.Same(*out.Bound, value): // rounding put the value above the optimum, as where arrivals are dates: the bound stays
	case out.Stats.Model == "" || far(out.Bound):
		res.Status = Feasible
	}
	return nil
}

// choices reports a solver or model that an algorithm does not have.
func choices(algorithm string, r Request, solvers, models []string) error {
	if r.Solver != "" && !slices.Contains(solvers, r.Solver) {
		return fmt.Errorf("algorithm %s: %w", algorithm, nearest.Unknown("solver", r.Solver, solvers))
	}
	if r.Model != "" && !slices.Contains(models, r.Model) {
		return fmt.Errorf("algorithm %s: %w", algorithm, nearest.Unknown("model", r.Model, models))
	}
	return nil
}

// Provable is r, without asking for a proof where a has none of what r asks for.
func (a *Algorithm) Provable(r Request) Request {
	r.Prove = r.Prove && provable(a, r) == nil
	return r
}

// provable reports why a proof cannot be had of what r asks for.
func provable(a *Algorithm, r Request) error {
	switch {
	case !r.Prove || slices.Contains(a.Provers, r.Solver) && r.Model == "":
		return nil
	case !a.Proves:
		return fmt.Errorf("algorithm %s gives no proofs; see: schedgap list algorithms", a.Name)
	case r.Model != "":
		return fmt.Errorf("algorithm %s: a proof is made by its own methods and not by the model %q", a.Name, r.Model)
	case r.Solver != "":
		return fmt.Errorf("algorithm %s: the solver %q gives no proofs; those that do: %s", a.Name, r.Solver,
			strings.Join(a.Provers, ", "))
	}
	return nil
}

// Run runs an algorithm in this process. It never fails the harness: whatever goes wrong is in the Result.
func (p *Problem) Run(ctx context.Context, in *Instance, r Request, obs Observer) *Result {
	if obs.Incumbent == nil {
		obs.Incumbent = func(Moment, json.RawMessage) {}
	}
	if obs.Bound == nil {
		obs.Bound = func(Moment, float64) {}
	}
	if obs.Ended == nil {
		obs.Ended = func() {}
	}
	res := p.Blank(r)
	a, arg, values, err := p.validate(in, r)
	if err == nil {
		err = a.run(ctx, in, arg, values, r, obs, res)
	}
	var na *models.NotApplicable
	var fault *models.Fault
	switch {
	case errors.As(err, &fault):
		res.Fail(err)
	case errors.As(err, &na):
		res.Status, res.Error = Skipped, na.Reason
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		res.Status, res.Error = Timeout, ""
	case errors.Is(err, models.ErrPoint):
		res.Status, res.Error = Invalid, err.Error()
	case err != nil:
		res.Fail(err)
	}
	if res.Status == Invalid {
		res.Bound, res.RootBound = nil, nil // of what is refused nothing is believed
	}
	return res
}

// Validate reports why a cannot be run on in as r asks: unknown solver, model or parameter, or not applicable. The harness
// turns it into exit code 2 or a skipped row before any process is started.
func (p *Problem) Validate(in *Instance, r Request) error {
	_, _, _, err := p.validate(in, r)
	return err
}

// validate is Validate, and returns what r asks for.
func (p *Problem) validate(in *Instance, r Request) (a *Algorithm, arg string, v models.Values, err error) {
	a, arg, err = p.Find(r.Algorithm)
	if err != nil {
		return nil, "", nil, err
	}
	v, err = a.resolve(r.Params)
	if err != nil {
		return nil, "", nil, fmt.Errorf("algorithm %s: %w", r.Algorithm, err)
	}
	if err := choices(a.Name, r, a.Solvers, a.Models); err != nil {
		return nil, "", nil, err
	}
	if err := provable(a, r); err != nil {
		return nil, "", nil, err
	}
	if err := a.applies(in, arg); err != nil {
		return nil, "", nil, models.NotApplicablef("%s is not applicable to %s: %v", r.Algorithm, in.Name, err)
	}
	return a, arg, v, nil
}
