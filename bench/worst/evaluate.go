package worst

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
)

// A Value is what an evaluation finds out about an instance.
type Value struct {
	Objective float64  // of the algorithm, as the checker computes it
	Optimum   *float64 // proven; nil: it was not, within the steps
	Known     *float64 // the best feasible value that the attempt at a proof found
	Bound     *float64 // proven, on the optimum; nil: none
	Solution  []byte   // the algorithm's solution file
	Optimal   []byte   // that of the optimum, if proven
	Solver    string   // the exact method
	Score     Score
	// Screened says that bounds alone showed the instance to be no candidate; Score is then only an upper end.
	Screened bool
	Failure  string // why there is no value; empty: there is one
	Skipped  bool   // the failure is that the algorithm is not defined for the instance
}

// A Score orders instances: the larger, the worse for the algorithm.
type Score struct {
	Rank  Rank
	Value float64
}

// A Rank says what a score's value is.
type Rank int8

// The ranks. Where an objective may come close to 0, or change its sign, a ratio has no ceiling and says nothing about the
// algorithm: a search maximises regret there, on all instances alike, and ratios elsewhere.
const (
	Failed Rank = iota
	Outside
	ByRegret
	ByRatio
)

func (s Score) less(t Score) bool {
	if s.Rank != t.Rank {
		return s.Rank < t.Rank
	}
	return s.Value < t.Value
}

// excess is how far the score is above that of an optimal solution.
func (s Score) excess() float64 {
	switch s.Rank {
	case ByRatio:
		return s.Value - 1
	case ByRegret:
		return s.Value
	}
	return 0
}

// least is the score that an instance must have to keep a share of the excess of s, and of its ratio.
func (s Score) least(ofRatio, ofExcess float64) Score {
	switch s.Rank {
	case ByRatio:
		return Score{s.Rank, max(ofRatio*s.Value, 1+ofExcess*(s.Value-1))}
	case ByRegret:
		return Score{s.Rank, ofRatio * s.Value}
	}
	return s
}

// tolerance is the relative error below which an algorithm counts as optimal: objectives are checked to that.
const tolerance = 1e-6

// An evaluator measures one algorithm against one reference. It may be used by several goroutines.
type evaluator struct {
	problem   *bench.Problem
	request   bench.Request // of the algorithm
	exact     string        // the algorithm that proves optima of the reference
	reference string
	steps     int64         // of a proof
	limit     time.Duration // of a proof, 0: none
	run       runner
}

// newEvaluator finds the exact algorithm of the reference.
func newEvaluator(p *bench.Problem, r bench.Request, reference string) (*evaluator, error) {
	e := &evaluator{problem: p, request: r, steps: proof, exact: p.Exact(reference), reference: reference}
	if e.exact == "" {
		var names []string
		for _, a := range p.Algorithms {
			if a.Kind == models.Exact && !slices.Contains(names, a.Reference) {
				names = append(names, a.Reference)
			}
		}
		return nil, fmt.Errorf("--reference: nothing proves optima of %q in %s; it must be one of %s", reference, p.Name,
			strings.Join(names, ", "))
	}
	if len(r.Command) > 0 {
		return e, nil
	}
	a, _, err := p.Find(r.Algorithm)
	if err != nil {
		return nil, err
	}
	if a.Kind == models.Bound {
		return nil, fmt.Errorf("algorithm %s is a bound and gives no solutions; a heuristic or a command is needed", r.Algorithm)
	}
	if !p.Related(a.Class, reference) {
		return nil, fmt.Errorf("--reference: values of %s cannot be compared with optima of %s", r.Algorithm, reference)
	}
	return e, nil
}

// runner runs a command on an instance.
type runner = func(ctx context.Context, in *bench.Instance, r bench.Request) (*bench.Result, error)

// evaluate measures the algorithm on in. If bounds show that its score is below atLeast, the optimum is left unproven. The error
// says that ctx ended.
func (e *evaluator) evaluate(ctx context.Context, in *bench.Instance, atLeast Score) (*Value, error) {
	v, err := e.apply(ctx, in)
	if err != nil || v.Failure != "" {
		return v, err
	}
	timed, cancel := context.WithCancel(ctx)
	if e.limit > 0 {
		timed, cancel = context.WithTimeout(ctx, e.limit)
	}
	defer cancel()
	limited := newSteps(timed, e.steps)
	res := e.problem.Run(limited, in, bench.Request{Algorithm: e.exact, Seed: 1, Threads: 1}, bench.Observer{
		Bound: func(_ bench.Moment, b float64) {
			if v.Bound == nil || e.problem.Sense.Better(*v.Bound, b) {
				v.Bound = &b
			}
			if e.score(in, v.Objective, b).less(atLeast) {
				v.Screened = true
				limited.stop()
			}
		},
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v.Solver = res.Solver
	if res.Bound != nil {
		v.Bound = res.Bound
	}
	if usable(res) {
		v.Known = res.Objective
	}
	switch {
	case res.Status == bench.Optimal:
		v.Optimum, v.Optimal, v.Screened = res.Objective, res.Solution, false
	case res.Status == bench.Skipped, res.Status.Broken(), res.Status == bench.Infeasible:
		v.Failure = fmt.Sprintf("%s: %s (%s)", e.exact, res.Status, res.Error)
		return v, nil
	case v.Screened:
		v.Score = e.score(in, v.Objective, *v.Bound)
		return v, nil
	}
	if v.Known != nil {
		v.Score = e.score(in, v.Objective, *v.Known)
	}
	return v, ctx.Err()
}

// apply runs the algorithm.
func (e *evaluator) apply(ctx context.Context, in *bench.Instance) (*Value, error) {
	var res *bench.Result
	if len(e.request.Command) > 0 {
		var err error
		if res, err = e.run(ctx, in, e.request); err != nil {
			return nil, err
		}
	} else {
		res = e.problem.Run(ctx, in, e.request, bench.Observer{})
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v := &Value{Solution: res.Solution}
	if !usable(res) {
		v.Failure, v.Skipped = res.Error, res.Status == bench.Skipped
		if v.Failure == "" {
			v.Failure = string(res.Status)
		}
		return v, nil
	}
	v.Objective = *res.Objective
	return v, nil
}

// usable reports whether a result has a solution that the checker accepted.
func usable(r *bench.Result) bool {
	return r.Feasible != nil && *r.Feasible && r.Objective != nil && !r.Status.Broken()
}

// score compares a value with an optimum, or with a bound or a feasible value in its place.
func (e *evaluator) score(in *bench.Instance, objective, optimum float64) Score {
	if in.Scales != nil {
		return Score{ByRegret, max(0, float64(e.problem.Sense)*(objective-optimum)) / in.Scale(e.reference)}
	}
	high, low := objective, optimum
	if e.problem.Sense == models.Maximize {
		high, low = optimum, objective
	}
	if low <= 0 {
		return Score{ByRatio, math.Inf(1)} // a bound that says nothing
	}
	return Score{ByRatio, high / low}
}
