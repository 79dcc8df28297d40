package optimatest

import (
	"context"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"schedgap/exact"
	"schedgap/models"
)

// An ending is a context that is done once it has been asked so many times, so that work can be made to end at each place that asks.
type ending struct {
	context.Context
	left atomic.Int64
}

func endAfter(ctx context.Context, asked int64) *ending {
	e := &ending{Context: ctx}
	e.left.Store(asked)
	return e
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// asked is how often a context was asked that never ended.
func (e *ending) asked() int64 { return math.MaxInt64 - e.left.Load() }

// Ends ends the search of a target's first method, and then its proof, at once and at random places, from the optimum or from nothing. All
// values and bounds must be true of the optimum, which the search finds where nothing ends it.
func Ends[I models.Instance, S any](t *testing.T, rng *rand.Rand, target *exact.Target[I, S], in I) {
	t.Helper()
	m, problem, show := target.Methods[0], target.Problem, ""
	if data, err := target.Problem.MarshalInstance(in); err == nil {
		show = string(data)
	}
	value := func(s S) float64 {
		v := problem.Check(in, s).Objective
		if v == nil {
			t.Fatalf("%s: a solution without a value\n%s", target.Name, show)
		}
		return *v
	}
	pass := func() *models.Pass[I, S] {
		return &models.Pass[I, S]{Instance: in, Threads: 1 + rng.IntN(2), Improved: func(S) {}, Bounded: func(float64) {}}
	}
	whole := endAfter(t.Context(), math.MaxInt64)
	best, err := target.Alone(whole, m, pass(), nil)
	if err != nil || best.Status != models.Optimal {
		t.Fatalf("%s: %s, %v\n%s", target.Name, best.Status, err, show)
	}
	opt := value(best.Solution)
	slack := 1e-9 * max(1, math.Abs(opt))
	beyond := func(better, v float64) bool { return problem.Sense.Better(better, v) && math.Abs(better-v) > slack }
	for k := range 11 {
		left, start := rng.Int64N(whole.asked()+1), &best.Solution
		if k == 0 {
			left = 0
		}
		if rng.IntN(2) == 0 {
			start = nil
		}
		p, last := pass(), math.Inf(-1)*float64(problem.Sense)
		p.Improved = func(s S) {
			if v := value(s); beyond(v, opt) {
				t.Errorf("%s, ended after %d questions: the value %v, the optimum is %v\n%s", target.Name, left, v, opt, show)
			}
		}
		p.Bounded = func(b float64) {
			if beyond(opt, b) || beyond(b, last) {
				t.Errorf("%s, ended after %d questions: the bound %v after %v, the optimum is %v\n%s", target.Name, left, b, last, opt, show)
			}
			last = b
		}
		out, err := target.Alone(endAfter(t.Context(), left), m, p, start)
		if err != nil || out.Status != models.Timeout && out.Status != models.Optimal || start != nil && !out.Found {
			t.Fatalf("%s, ended after %d questions: %s, %v\n%s", target.Name, left, out.Status, err, show)
		}
		if out.Bound != nil {
			p.Bounded(*out.Bound)
		}
		if out.Found {
			p.Improved(out.Solution)
			if v := value(out.Solution); (start != nil || out.Status == models.Optimal) && beyond(opt, v) {
				t.Fatalf("%s, ended after %d questions: %s with %v, the optimum is %v\n%s", target.Name, left, out.Status, v, opt, show)
			}
		}
	}
	if m.Prove == nil {
		return
	}
	whole = endAfter(t.Context(), math.MaxInt64)
	claim, err := m.Prove(whole, in, best.Solution, opt, opt)
	if err != nil || claim == nil || claim.Value == nil || beyond(*claim.Value, opt) {
		t.Fatalf("%s: %+v is claimed of the optimum %v, %v\n%s", target.Name, claim, opt, err, show)
	}
	for range 10 {
		left := rng.Int64N(whole.asked() + 1)
		claim, _ := m.Prove(endAfter(t.Context(), left), in, best.Solution, opt, opt)
		if claim != nil && claim.Bound != nil && beyond(opt, *claim.Bound) {
			t.Fatalf("%s, its proof ended after %d questions: the bound %v, the optimum is %v\n%s", target.Name, left, *claim.Bound, opt, show)
		}
	}
}
