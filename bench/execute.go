package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"schedgap/models"
	"schedgap/models/nearest"
)

// boundTolerance is how far, relatively, an optimum's proven bound may be from the checked objective before the proof is
// disbelieved: solvers work with feasibility tolerances of this order.
const boundTolerance = 1e-6

// quick is what writing an incumbent may take without ever being too late: limits are not kept more exactly than that.
const quick = 50 * time.Millisecond

// runTyped validates a request, runs it and judges what came out.
func runTyped[I models.Instance, S any](
	ctx context.Context, mp *models.Problem[I, S], a *models.Algorithm[I, S], in I, r Request, obs Observer, res *Result,
) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in %s: %v", a.Name, p)
		}
	}()
	_, arg, _ := strings.Cut(r.Algorithm, ":")
	values, err := models.Resolve(a.Params, r.Params)
	if err != nil {
		return err
	}
	if err := choices(a.Name, r, a.Solvers, a.Models); err != nil {
		return models.NotApplicablef("%v", err)
	}
	if a.Applies != nil {
		if err := a.Applies(in, arg); err != nil {
			return models.NotApplicablef("%v", err)
		}
	}
	out, err := measure(ctx, mp, a, in, arg, values, r, obs, res)
	if err != nil {
		return err
	}
	return judge(mp, a, in, r, out, res)
}

// measure runs a and enters into res what that took.
func measure[I models.Instance, S any](
	ctx context.Context, mp *models.Problem[I, S], a *models.Algorithm[I, S], in I, arg string, values models.Values,
	r Request, obs Observer, res *Result,
) (models.Outcome[S], error) {
	var took atomic.Int64 // nanoseconds, by the last incumbent's writing
	pass := &models.Pass[I, S]{
		Instance: in, Arg: arg, Params: values, Seed: r.Seed, Threads: max(1, r.Threads), Solver: r.Solver, Model: r.Model,
		Improved: func(s S) {
			// An incumbent that would be late would delay the algorithm's end, too.
			last := time.Duration(took.Load())
			if end, ok := ctx.Deadline(); ok && last > quick && time.Until(end) < last {
				return
			}
			began := time.Now()
			if data, err := mp.MarshalSolution(in, r.Algorithm, nil, s); err == nil {
				obs.Incumbent(data)
			}
			took.Store(int64(time.Since(began)))
		},
		Bounded: obs.Bound,
	}
	start, cpu := time.Now(), processCPU()
	out, err := a.Run(ctx, pass)
	res.WallSeconds = time.Since(start).Seconds()
	res.Stats = out.Stats
	if used := processCPU() - cpu; used >= 0 {
		seconds := used.Seconds()
		res.CPUSeconds = &seconds
	}
	obs.Ended()
	return out, err
}

// judge enters into res what came out of a: its status, its bound and the checker's verdict on its solution.
func judge[I models.Instance, S any](
	mp *models.Problem[I, S], a *models.Algorithm[I, S], in I, r Request, out models.Outcome[S], res *Result,
) error {
	res.Status, res.Bound, res.claim = Status(out.Status), out.Bound, out.Proof
	if !out.Found {
		if res.Status == Optimal || (res.Status == Feasible && a.Kind != models.Bound) {
			return fmt.Errorf("%s ended as %s without a solution", a.Name, out.Status)
		}
		if mp.Hopeless != nil {
			res.Hopeless = mp.Hopeless(in)
		}
		return nil
	}
	rep := mp.Check(in, out.Solution)
	solution, err := mp.MarshalSolution(in, r.Algorithm, rep.Objective, out.Solution)
	if err != nil {
		return err
	}
	res.judge(rep, out.Claimed, solution)
	if res.Status == Optimal {
		if res.Objective == nil {
			return fmt.Errorf("%s claims an optimum without an objective", a.Name)
		}
		allowed := boundTolerance * max(1, math.Abs(*res.Objective))
		if mp.Rounding != nil {
			allowed += mp.Rounding(in)
		}
		for _, claim := range []*float64{out.Bound, out.Claimed} {
			if claim != nil && math.Abs(*claim-*res.Objective) > allowed {
				return fmt.Errorf("%s claims the optimum %v, but the checker finds %v", a.Name, *claim, *res.Objective)
			}
		}
		res.Bound = res.Objective
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

// Run runs an algorithm in this process. It never fails the harness: whatever goes wrong is in the Result.
func (p *Problem) Run(ctx context.Context, in *Instance, r Request, obs Observer) *Result {
	if obs.Incumbent == nil {
		obs.Incumbent = func(json.RawMessage) {}
	}
	if obs.Bound == nil {
		obs.Bound = func(float64) {}
	}
	if obs.Ended == nil {
		obs.Ended = func() {}
	}
	a, _, err := p.Find(r.Algorithm)
	if err != nil {
		return &Result{Status: Error, Error: err.Error()}
	}
	return a.run(ctx, in, r, obs)
}

// Validate reports why a cannot be run on in as r asks: unknown solver, model or parameter, or not applicable. The harness
// turns it into exit code 2 or a skipped row before any process is started.
func (p *Problem) Validate(in *Instance, r Request) error {
	a, arg, err := p.Find(r.Algorithm)
	if err != nil {
		return err
	}
	if _, err := models.Resolve(a.Params, r.Params); err != nil {
		return fmt.Errorf("algorithm %s: %w", r.Algorithm, err)
	}
	if err := choices(a.Name, r, a.Solvers, a.Models); err != nil {
		return err
	}
	if err := a.applies(in, arg); err != nil {
		return models.NotApplicablef("%s is not applicable to %s: %v", r.Algorithm, in.Name, err)
	}
	return nil
}
