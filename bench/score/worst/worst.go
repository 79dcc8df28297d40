// Package worst searches for instances on which an algorithm is furthest from a proven optimum. It simplifies them, proves their
// optima by a second method and reports where the two schedules part. Its entry point is Run, which `schedgap worst` calls.
//
// A search with a given number of evaluations depends only on the seed: candidates are made and compared in rounds of a fixed
// size, each with its own random stream, and proofs are limited by steps instead of time.
package worst

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"schedgap/bench"
	"schedgap/models"
)

// Options say what to search for and how.
type Options struct {
	Problem   *bench.Problem
	Request   bench.Request // the algorithm, or a command
	Reference string        // empty: the algorithm's own
	Jobs      int           // the most jobs of an instance
	// Params of the generator that makes the instances with which the search begins, as given.
	Params map[string]any
	From   []*bench.Instance // to begin with instead
	Like   []*bench.Instance // within whose ranges to stay; the search begins with them unless there is From
	Within []Range
	// Suite has the instances whose mean a curve shows beside the worst.
	Suite []*bench.Instance
	// Budget is the time for all, Evaluations the number of them in the search; exactly one is not 0.
	Budget      time.Duration
	Evaluations int
	Seed        uint64
	Workers     int
	Name        string  // of the instance
	augment     float64 // the factor of instances that have it in them; 0: as they are
	thorough    bool    // heuristics before each proof and no bound in its place, to compare with
	// Command runs a command, by worker number.
	Command func(ctx context.Context, worker int, in *bench.Instance, r bench.Request) (*bench.Result, error)
	// Second runs the exact algorithm by another method; it returns nil when there is none or ctx ended.
	Second func(ctx context.Context, in *bench.Instance, algorithm string) *bench.Result
	// Progress is called after every round; nil: nobody is.
	Progress func(evaluations int, best float64)
}

// An Explanation says why an instance is bad.
type Explanation struct {
	Parting *Divergence `json:"parting"` // nil: the schedules do not differ, or cannot be drawn
}

// A Found is the worst instance found, simplified, proven and explained.
type Found struct {
	report
	Instance *bench.Instance
	Value    *Value
}

// A Proof is how an optimum was proven.
type Proof struct {
	Method  string  `json:"method"`
	Optimum float64 `json:"optimum"`
}

// An Improvement is the best score after so many evaluations.
type Improvement struct {
	Evaluation int     `json:"evaluation"`
	Rank       string  `json:"measure"` // ratio or regret
	Value      float64 `json:"value"`
}

// An Outcome that is no finding.
var (
	// ErrNothing says that the algorithm was optimal wherever it was looked at.
	ErrNothing = errors.New("nothing worse than optimal was found")
	// ErrUnproven says that no instance had an optimum that was proven in time.
	ErrUnproven = errors.New("no optimum was proven in time; fewer --jobs or a larger --budget may help")
)

// A FailedError says that the algorithm failed on every instance.
type FailedError struct{ Reason string }

func (e *FailedError) Error() string {
	return "the algorithm failed on every instance: " + e.Reason
}

// The shares of the budget until the ends of search and simplification.
const (
	searchShare   = 0.7
	simplifyShare = 0.9
)

// Run searches, simplifies, proves and explains. With an error it may also return results found before.
func Run(ctx context.Context, o Options) (*Found, error) {
	began := time.Now()
	s, err := newSearch(o)
	if err != nil {
		return nil, err
	}
	until := func(share float64) (context.Context, context.CancelFunc) {
		if o.Budget == 0 {
			return context.WithCancel(ctx)
		}
		return context.WithDeadline(ctx, began.Add(time.Duration(share*float64(o.Budget))))
	}
	searching, cancel := until(searchShare)
	defer cancel()
	s.run(searching)
	best := s.pool.best()
	switch {
	case s.fault.Load() != nil:
		return nil, s.fault.Load()
	case best == nil && s.Evaluations == 0 && s.Failures == 0:
		return nil, s.empty(ctx)
	case best == nil && s.Failures > 0:
		return nil, s.failed()
	case best == nil, best.value.Score.excess() <= tolerance:
		return nil, cmp.Or(ctx.Err(), ErrNothing)
	}
	f := &Found{report: s.report}
	shrinking, cancel := until(simplifyShare)
	defer cancel()
	h := &shrinker{evaluator: s.evaluator.patient(), box: s.box}
	e := s.proven(shrinking, h)
	if e == nil {
		// The best has no proof: it is kept all the same.
		f.Interrupted = ctx.Err() != nil
		return f, cmp.Or(f.settle(best), ErrUnproven)
	}
	f.Before = e.value.Score.Value
	small := h.shrink(shrinking, e)
	if small != e {
		f.Lineage = append(f.Lineage, "simplified from "+e.instance.SHA256)
	}
	f.Simplifying, f.Lineage = h.evaluations, append(f.Lineage, e.origin)
	if err := f.settle(small); err != nil {
		return nil, err
	}
	f.Interrupted = ctx.Err() != nil
	if f.Interrupted {
		return f, nil
	}
	if err := f.confirm(ctx, o); err != nil {
		return f, err
	}
	f.Why = &Explanation{Part(f.Instance, f.Value.Solution, f.Value.Optimal, f.Algorithm, "the optimum")}
	return f, nil
}

// settle enters an instance into the result, with the result as its lineage.
func (f *Found) settle(e *entry) error {
	v, sense := e.value, e.instance.Problem.Sense
	f.Value, f.Problem, f.Answer.Instance, f.Measure = v, e.instance.Problem.Name, InstanceFile, v.Score.Rank.String()
	f.Objective, f.Optimum, f.Bound, f.Difference = &v.Objective, v.Optimum, v.Bound, new(float64)
	known := cmp.Or(v.Optimum, v.Known)
	if known != nil {
		*f.Difference = max(0, float64(sense)*(v.Objective-*known))
	}
	switch v.Score.Rank {
	case ByRatio:
		f.Ratio = &v.Score.Value
	case ByRegret:
		f.Regret = &v.Score.Value
		if known != nil && *known > 0 && v.Objective > 0 && e.instance.Comparison != models.Difference {
			f.Ratio = new(math.Pow(v.Objective / *known, float64(sense)))
		}
	}
	lineage, err := json.Marshal(map[string]any{"worst": map[string]any{
		"algorithm": f.Algorithm, "reference": f.Reference, "seed": f.Seed, "evaluations": f.Evaluations, "ratio": f.Ratio,
		"regret": f.Regret, "difference": f.Difference, "objective": f.Objective, "optimum": f.Optimum,
	}})
	if err != nil {
		return err
	}
	file := append(append([]byte(`{"lineage":`), lineage...), ',')
	rest := bytes.Replace(e.instance.JSON, append(append([]byte(`"lineage":`), e.instance.Lineage...), ','), nil, 1)
	f.Instance, err = e.instance.Problem.ParseInstance(e.instance.Name, append(file, rest[1:]...))
	return err
}

// confirm proves the optimum by another method.
func (f *Found) confirm(ctx context.Context, o Options) error {
	if o.Second == nil {
		return nil
	}
	limit := time.Minute
	if o.Budget > 0 {
		limit = min(20*time.Second, max(5*time.Second, o.Budget/10))
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	res := o.Second(timed, f.Instance, o.Problem.Exact(f.Reference))
	if res == nil || res.Status != bench.Optimal || res.Objective == nil {
		return nil
	}
	f.Confirmed = &Proof{Method: res.Solver, Optimum: *res.Objective}
	if res.Model != "" {
		f.Confirmed.Method += ", model " + res.Model
	}
	if first := *f.Value.Optimum; !f.Instance.Accuracy.Near(first, *res.Objective) {
		return fmt.Errorf("two exact methods disagree on the optimum: %s proves %v, %s %v; please report this",
			f.Value.Solver, first, f.Confirmed.Method, *res.Objective)
	}
	return nil
}
