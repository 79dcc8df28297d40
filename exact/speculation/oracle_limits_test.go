package speculation_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/exact/linked/linkedtest"
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
	if p.left--; p.left < 0 {
		p.end()
	}
	return p.Context.Err()
}

// run runs an algorithm and holds all that it reports on its way, and in the end, against the oracle: bounds are never below the
// optimum, matchings are feasible, and the points of a front are of the true one, unless the front is the start's single point.
func run(
	t *testing.T, ctx context.Context, name, solver string, in *speculation.Instance, improved func(speculation.Solution),
) speculation.Outcome {
	t.Helper()
	front := oracle.Front(in)
	optimum := map[string]float64{speculation.Opt: oracle.Opt(in), speculation.Pareto: oracle.Hypervolume(front)}[name]
	known := func(p *speculation.Point) bool {
		return slices.ContainsFunc(front, func(want oracle.Point) bool { return isPoint(in, p, want) })
	}
	trueSolution := func(s speculation.Solution) {
		t.Helper()
		r := speculation.Problem.Check(in, s)
		if len(r.Violations) > 0 || *r.Objective > optimum*(1+1e-9) {
			t.Fatalf("%s by %s: objective %v of %v, %+v\n%s", name, solver, *r.Objective, optimum, r.Violations, text(in))
		}
		for k := range s.Front {
			if !known(&s.Front[k]) && len(s.Front) > 1 {
				t.Fatalf("%s by %s: point %+v is not on the front %v\n%s", name, solver, s.Front[k], front, text(in))
			}
		}
	}
	trueBound := func(bound float64) {
		t.Helper()
		if bound < optimum*(1-1e-12) {
			t.Fatalf("%s by %s: bound %v, the optimum is %v\n%s", name, solver, bound, optimum, text(in))
		}
	}
	p := passOf(in, solver)
	p.Bounded = trueBound
	p.Improved = func(s speculation.Solution) {
		trueSolution(s)
		improved(s)
	}
	out, err := exactly(name).Run(ctx, p)
	if err != nil {
		t.Fatalf("%s by %s: %v\n%s", name, solver, err, text(in))
	}
	if !out.Found || out.Status != models.Timeout && out.Status != models.Optimal {
		t.Fatalf("%s by %s: found %v, %s\n%s", name, solver, out.Found, out.Status, text(in))
	}
	trueSolution(out.Solution)
	if out.Bound != nil {
		trueBound(*out.Bound)
	}
	if r := speculation.Problem.CheckClaim(in, out.Solution, out.Claimed); len(r.Violations) > 0 {
		t.Fatalf("%s by %s: %+v\n%s", name, solver, r.Violations, text(in))
	}
	if out.Status == models.Optimal && !same(*speculation.Problem.Check(in, out.Solution).Objective, optimum) {
		t.Fatalf("%s by %s is not the optimum %v\n%s", name, solver, optimum, text(in))
	}
	return out
}

// The combinatorial methods, stopped at every moment at which they look at their context.
func TestStoppedAnywhere(t *testing.T) {
	onEveryShape(t, 5, func(t *testing.T, n int, rng *rand.Rand, in *speculation.Instance) {
		if n%8 > 0 {
			return
		}
		for _, way := range [][2]string{{speculation.Opt, "hungarian"}, {speculation.Pareto, "hungarian"}} {
			for left, status := 0, models.Timeout; status != models.Optimal; left += 1 + rng.IntN(1+left/4) {
				status = run(t, newPatience(t, left), way[0], way[1], in, func(speculation.Solution) {}).Status
			}
		}
	})
}

// A front by models, stopped at its n-th report.
func TestStoppedBetweenModels(t *testing.T) {
	linkedtest.Need(t, "highs")
	onEveryShape(t, 5, func(t *testing.T, n int, _ *rand.Rand, in *speculation.Instance) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		left := n % 5
		run(t, ctx, speculation.Pareto, "highs", in, func(speculation.Solution) {
			if left--; left < 0 {
				cancel()
			}
		})
	})
}
