package speculation_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"schedgap/exact/speculation/oracle"
	"schedgap/models"
	"schedgap/models/speculation"
)

// patience is a context that ends after it was asked left times whether it has.
type patience struct {
	context.Context
	left int
	end  context.CancelFunc
}

func newPatience(t *testing.T, left int) *patience {
	ctx, cancel := context.WithCancel(t.Context())
	return &patience{ctx, left, cancel}
}

func (p *patience) Err() error {
	p.left--
	if p.left < 0 {
		p.end()
	}
	return p.Context.Err()
}

// run runs opt and holds all that it reports on its way, and in the end, against the oracle: bounds are never below the optimum,
// matchings are feasible.
func run(t *testing.T, ctx context.Context, solver string, in *speculation.Instance) speculation.Outcome {
	t.Helper()
	optimum := oracle.Opt(in)
	trueSolution := func(s speculation.Solution) {
		t.Helper()
		r := speculation.Problem.Check(in, s)
		if len(r.Violations) > 0 || *r.Objective > optimum*(1+1e-9) {
			t.Fatalf("by %s: objective %v of %v, %+v\n%s", solver, *r.Objective, optimum, r.Violations, text(in))
		}
	}
	trueBound := func(bound float64) {
		t.Helper()
		if bound < optimum*(1-1e-12) {
			t.Fatalf("by %s: bound %v, the optimum is %v\n%s", solver, bound, optimum, text(in))
		}
	}
	p := passOf(in, solver)
	p.Bounded = trueBound
	p.Improved = trueSolution
	out, err := exactly().Run(ctx, p)
	if err != nil {
		t.Fatalf("by %s: %v\n%s", solver, err, text(in))
	}
	if !out.Found || out.Status != models.Timeout && out.Status != models.Optimal {
		t.Fatalf("by %s: found %v, %s\n%s", solver, out.Found, out.Status, text(in))
	}
	trueSolution(out.Solution)
	if out.Bound != nil {
		trueBound(*out.Bound)
	}
	if r := speculation.Problem.CheckClaim(in, out.Solution, out.Claimed); len(r.Violations) > 0 {
		t.Fatalf("by %s: %+v\n%s", solver, r.Violations, text(in))
	}
	if out.Status == models.Optimal && !same(*speculation.Problem.Check(in, out.Solution).Objective, optimum) {
		t.Fatalf("by %s is not the optimum %v\n%s", solver, optimum, text(in))
	}
	return out
}

// The combinatorial method, stopped at every moment at which it looks at its context.
func TestStoppedAnywhere(t *testing.T) {
	onEveryShape(t, 5, func(t *testing.T, n int, rng *rand.Rand, in *speculation.Instance) {
		if n%8 > 0 {
			return
		}
		for left, status := 0, models.Timeout; status != models.Optimal; left += 1 + rng.IntN(1+left/4) {
			status = run(t, newPatience(t, left), "hungarian", in).Status
		}
	})
}
