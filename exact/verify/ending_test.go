package verify_test

import (
	"context"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"schedgap/exact"
	exactcloning "schedgap/exact/cloning"
	cloningoracle "schedgap/exact/cloning/oracle"
	exactflex "schedgap/exact/flex"
	flexoracle "schedgap/exact/flex/oracle"
	exactredundancy "schedgap/exact/redundancy"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	"schedgap/models"
)

// An ending is a context that is done once it has been asked so many times, so that work can be made to end at each place that
// asks.
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

// endAnywhere ends a method's search, and then its proof, at random places: what they say then is true of the optimum.
func endAnywhere[I models.Instance, S any](
	t *testing.T, rng *rand.Rand, target *exact.Target[I, S], in I,
) {
	t.Helper()
	m, problem := target.Methods[0], target.Problem
	pass := func() *models.Pass[I, S] {
		return &models.Pass[I, S]{Instance: in, Threads: 1 + rng.IntN(2), Improved: func(S) {}, Bounded: func(float64) {}}
	}
	file := func() string {
		data, _ := problem.MarshalInstance(in)
		return string(data)
	}
	whole := endAfter(t.Context(), math.MaxInt64)
	best, err := target.Alone(whole, m, pass(), nil)
	if err != nil || best.Status != models.Optimal {
		t.Fatalf("%s, %v\n%s", best.Status, err, file())
	}
	opt := *problem.Check(in, best.Solution).Objective
	slack := 1e-9 * max(1, math.Abs(opt))
	for range 10 {
		left := rng.Int64N(whole.asked() + 1)
		out, err := target.Alone(endAfter(t.Context(), left), m, pass(), nil)
		if err != nil {
			t.Fatalf("ended after %d questions: %v\n%s", left, err, file())
		}
		if out.Bound != nil && *out.Bound > opt+slack {
			t.Fatalf("ended after %d questions: the bound %v, the optimum is %v\n%s", left, *out.Bound, opt, file())
		}
		if out.Found {
			if v := problem.Check(in, out.Solution).Objective; v == nil || *v < opt-slack || out.Status == models.Optimal &&
				*v > opt+slack {
				t.Fatalf("ended after %d questions: %s with %v, the optimum is %v\n%s", left, out.Status, v, opt, file())
			}
		}
	}
	whole = endAfter(t.Context(), math.MaxInt64)
	if _, err := m.Prove(whole, in, best.Solution, opt, opt); err != nil {
		t.Fatalf("%v\n%s", err, file())
	}
	for range 10 {
		left := rng.Int64N(whole.asked() + 1)
		claim, _ := m.Prove(endAfter(t.Context(), left), in, best.Solution, opt, opt)
		if claim != nil && claim.Bound != nil && *claim.Bound > opt+slack {
			t.Fatalf("the proof ended after %d questions: the bound %v, the optimum is %v\n%s", left, *claim.Bound, opt, file())
		}
	}
}

// Searches and proofs may end anywhere.
func TestEndsAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 7))
	for i := range 100 {
		endAnywhere(t, rng, exactflex.Opt, flexoracle.RandomInstance(rng, 7))
		in := cloningoracle.RandomInstance(rng, 8)
		endAnywhere(t, rng, exactcloning.Opt, in)
		endAnywhere(t, rng, exactcloning.OptNonpreemptive, in)
		endAnywhere(t, rng, exactredundancy.Opt, redundancyoracle.RandomInstance(rng, i%2 == 0))
	}
}
