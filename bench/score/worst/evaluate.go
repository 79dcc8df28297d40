package worst

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
)

// A Value is the result of evaluating an instance.
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

// A Rank says whether a score is a ratio, a regret or missing. Higher ranks win.
type Rank int8

func (r Rank) String() string { return [...]string{"none", "none", "regret", "ratio"}[r] }

// The ranks. Where an objective may come close to 0, or change its sign, a ratio has no ceiling and says nothing about the
// algorithm: a search maximises regret there, on all instances alike, and ratios elsewhere.
const (
	Failed Rank = iota
	Outside
	ByRegret
	ByRatio
)

func (s Score) compare(t Score) int {
	return cmp.Or(cmp.Compare(s.Rank, t.Rank), cmp.Compare(s.Value, t.Value))
}

func (s Score) less(t Score) bool { return s.compare(t) < 0 }

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
	least := Score{s.Rank, ofRatio * s.Value}
	if s.Rank == ByRatio {
		least.Value = max(least.Value, 1+ofExcess*(s.Value-1))
	}
	return least
}

// tolerance is the relative error below which an algorithm counts as optimal: objectives are checked to that.
const tolerance = 1e-6

// An evaluator measures one algorithm against one reference. It may be used by several goroutines.
type evaluator struct {
	Options
	exact string   // the algorithm that proves optima of the reference
	quick []string // bounds on it that are computed at once
	// params of the exact algorithm: small optima are proven before heuristics and annealing have found a start
	params map[string]any
	steps  int64         // of a proof
	limit  time.Duration // of a proof, 0: none
}

// slow are the bounds that take longer than a proof of a small optimum.
var slow = []string{"lb-price"}

// newEvaluator finds the exact algorithm of the reference.
func newEvaluator(o Options) (evaluator, error) {
	p := o.Problem
	e := evaluator{Options: o, steps: proof, limit: o.Budget / 20, exact: p.Exact(o.Reference)}
	if e.exact == "" {
		var names []string
		for _, a := range p.Algorithms {
			if a.Kind == models.Exact && !slices.Contains(names, a.Reference) {
				names = append(names, a.Reference)
			}
		}
		return e, fmt.Errorf("--reference: nothing proves optima of %q in %s; it must be one of %s", o.Reference, p.Name,
			strings.Join(names, ", "))
	}
	for _, a := range p.Algorithms {
		starts := func(q models.Param) bool { return q.Name == "start" }
		if a.Name == e.exact && slices.ContainsFunc(a.Params, starts) {
			e.params = map[string]any{"start": "none"}
		}
		if a.Kind == models.Bound && !slices.Contains(slow, a.Name) && p.ReferenceWithin(e.Reference, a.Reference) {
			e.quick = append(e.quick, a.Name)
		}
	}
	if e.thorough {
		e.quick, e.params = nil, nil
	}
	if len(o.Request.Command) > 0 {
		return e, nil
	}
	name := o.Request.Algorithm
	a, _, err := p.Find(name)
	switch {
	case err != nil:
	case a.Kind == models.Bound:
		err = fmt.Errorf("algorithm %s is a bound and gives no solutions; a heuristic or a command is needed", name)
	case !p.Related(a.Class, o.Reference):
		err = fmt.Errorf("--reference: values of %s cannot be compared with optima of %s", name, o.Reference)
	}
	return e, err
}

// patient is the evaluator for the last proofs, whose values the heuristics check: none may be better than an optimum.
func (e evaluator) patient() evaluator {
	e.steps, e.limit, e.params = e.steps*longer, 0, nil
	return e
}

// evaluate measures the algorithm on in, as a worker. If bounds show that its score is below atLeast, the optimum is left
// unproven. The error says that ctx ended.
func (e *evaluator) evaluate(ctx context.Context, worker int, in *bench.Instance, atLeast Score) (*Value, error) {
	v, err := e.apply(ctx, worker, in)
	if err != nil || v.Failure != "" {
		return v, err
	}
	if e.screened(ctx, in, v, atLeast) {
		return v, ctx.Err()
	}
	timed, cancel := context.WithCancel(ctx)
	if e.limit > 0 {
		timed, cancel = context.WithTimeout(ctx, e.limit)
	}
	defer cancel()
	limited := newSteps(timed, e.steps)
	res := e.Problem.Run(limited, in, bench.Request{Algorithm: e.exact, Params: e.params, Seed: 1, Threads: 1}, bench.Observer{
		Bound: func(_ bench.Moment, b float64) {
			if v.Bound == nil || e.Problem.Sense.Better(*v.Bound, b) {
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
	if err := res.Fault(); err != nil {
		return nil, err
	}
	v.Solver, v.Bound = res.Solver, cmp.Or(res.Bound, v.Bound)
	if usable(res) {
		v.Known = res.Objective
	}
	switch {
	case res.Status == bench.Optimal:
		v.Optimum, v.Optimal, v.Screened = res.Objective, res.Solution, false
	case res.Status == bench.Skipped, res.Status.Broken(), res.Status == bench.Infeasible:
		v.Failure = fmt.Sprintf("%s: %s (%s)", e.exact, res.Status, res.Error)
	}
	if best := v.Known; v.Failure == "" {
		if v.Screened {
			best = v.Bound
		}
		if best != nil {
			v.Score = e.score(in, v.Objective, *best)
		}
	}
	return v, nil
}

// screened tries the bounds that take no more than a pass over the jobs. A candidate that one of them excludes needs no proof.
func (e *evaluator) screened(ctx context.Context, in *bench.Instance, v *Value, atLeast Score) bool {
	for _, name := range e.quick {
		if atLeast.Rank == Failed {
			break // every score will do
		}
		b := e.Problem.Run(ctx, in, bench.Request{Algorithm: name, Seed: 1, Threads: 1}, bench.Observer{}).Bound
		if b == nil { // a fault of the problem's command shows where it is needed
			continue
		}
		if s := e.score(in, v.Objective, *b); s.less(atLeast) {
			v.Bound, v.Score, v.Screened = b, s, true
			return true
		}
	}
	return false
}

// apply runs the algorithm.
func (e *evaluator) apply(ctx context.Context, worker int, in *bench.Instance) (v *Value, err error) {
	var res *bench.Result
	if len(e.Request.Command) > 0 {
		res, err = e.Command(ctx, worker, in, e.Request)
	} else {
		res = e.Problem.Run(ctx, in, e.Request, bench.Observer{})
	}
	err = cmp.Or(ctx.Err(), err)
	if err == nil {
		err = res.Fault()
	}
	if err != nil {
		return nil, err
	}
	v = &Value{Solution: res.Solution}
	if usable(res) {
		v.Objective = *res.Objective
	} else {
		v.Failure, v.Skipped = cmp.Or(res.Error, string(res.Status)), res.Status == bench.Skipped
	}
	return v, nil
}

// usable reports whether a result has a solution that the checker accepted.
func usable(r *bench.Result) bool {
	return r.Feasible != nil && *r.Feasible && r.Objective != nil && !r.Status.Broken()
}

// score compares a value with an optimum, or with a bound or a feasible value in its place.
func (e *evaluator) score(in *bench.Instance, objective, optimum float64) Score {
	if in.Scales != nil {
		return Score{ByRegret, max(0, float64(e.Problem.Sense)*(objective-optimum)) / in.Scale(e.Reference)}
	}
	high, low := objective, optimum
	if e.Problem.Sense == models.Maximize {
		high, low = optimum, objective
	}
	if low <= 0 {
		return Score{ByRatio, math.Inf(1)} // a bound that says nothing
	}
	return Score{ByRatio, high / low}
}
