package speculation_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/exact/milp/command"
	"schedgap/exact/milp/linked"
	"schedgap/exact/milp/linked/linkedtest"
	exactspeculation "schedgap/exact/speculation"
	"schedgap/exact/speculation/oracle"
	heuristics "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// commands are the solvers that are installed as programs.
var commands = func() (list []milp.Solver) {
	for _, cfg := range command.Known() {
		if s, err := command.New(cfg); !errors.Is(err, milp.ErrUnavailable) {
			list = append(list, s)
		}
	}
	return list
}()

// exactly is opt with all solvers.
func exactly() *speculation.Algorithm {
	return exactspeculation.Algorithms(exact.Deps[*speculation.Instance, speculation.Solution]{
		Solvers: append(linked.Solvers(), commands...),
		Start: func(ctx context.Context, in *speculation.Instance) (speculation.Solution, error) {
			return speculation.Solution{Assign: heuristics.WindowMatching(ctx, in)}, nil
		},
	})[0]
}

func passOf(in *speculation.Instance, solver string) *speculation.Pass {
	return &speculation.Pass{
		Instance: in, Threads: 1, Solver: solver, Improved: func(speculation.Solution) {}, Bounded: func(float64) {},
	}
}

func text(in *speculation.Instance) string {
	data, err := speculation.Problem.MarshalInstance(in)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func same(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// proven is an optimal solution with the checker's objective.
func proven(t *testing.T, solver string, in *speculation.Instance) (speculation.Solution, float64) {
	t.Helper()
	out, err := exactly().Run(t.Context(), passOf(in, solver))
	if err != nil || out.Status != models.Optimal {
		t.Fatalf("opt by %s: %s, %v\n%s", solver, out.Status, err, text(in))
	}
	r := speculation.Problem.CheckClaim(in, out.Solution, out.Claimed)
	if len(r.Violations) > 0 {
		t.Fatalf("opt by %s: %+v\n%s", solver, r.Violations, text(in))
	}
	return out.Solution, *r.Objective
}

// onEveryShape runs a test on random instances of each shape with at most size stragglers and slots.
func onEveryShape(t *testing.T, size int, test func(t *testing.T, n int, rng *rand.Rand, in *speculation.Instance)) {
	for k, shape := range oracle.Shapes {
		t.Run(shape.Name, func(t *testing.T) {
			t.Parallel()
			rng := trials.Rand(t, uint64(k), uint64(size))
			for n := range trials.Count(40) {
				in := oracle.RandomInstance(rng, shape, size)
				in.Name = fmt.Sprintf("%s-%d", in.Name, n)
				test(t, n, rng, in)
			}
		})
	}
}

// Every way to the optimum, and every heuristic, against the independent oracle. By varying the weight of energy opt finds the
// supported points of the trade-off: no point of the front is worth more.
func TestAgainstOracle(t *testing.T) {
	onEveryShape(t, 6, func(t *testing.T, n int, _ *rand.Rand, in *speculation.Instance) {
		opt := oracle.Opt(in)
		matchings := linkedtest.Names("hungarian", "highs", "lpsolve")
		if n%20 == 0 {
			for _, s := range commands {
				matchings = append(matchings, s.Name())
			}
		}
		for _, solver := range matchings {
			s, objective := proven(t, solver, in)
			if sum, ok := oracle.Savings(in, s.Assign); !ok || !same(oracle.Value(in, sum), opt) || !same(objective, opt) {
				t.Fatalf("opt by %s is %v, the oracle says %v\n%s", solver, objective, opt, text(in))
			}
		}
		for _, weight := range []float64{0, 0.03, 1, 20, 1e9} {
			best := 0.0
			for _, p := range oracle.Front(in) {
				time, energy := p.Float64s()
				best = max(best, time+weight*energy)
			}
			if _, got := proven(t, "hungarian", altered(in, weighted(weight))); !same(got, best) {
				t.Fatalf("opt with the weight %v is %v, the front has %v\n%s", weight, got, best, text(in))
			}
		}
		for _, h := range heuristics.All {
			p := passOf(in, "")
			p.Params = models.Defaults(h.Params)
			out, err := h.Run(t.Context(), p)
			fail.On(t, err)
			r := speculation.Problem.Check(in, out.Solution)
			if len(r.Violations) > 0 {
				t.Fatalf("%s: %+v\n%s", h.Name, r.Violations, text(in))
			}
			if *r.Objective > opt*(1+1e-9) {
				t.Fatalf("%s reaches %v, the optimum is %v\n%s", h.Name, *r.Objective, opt, text(in))
			}
		}
	})
}

// The checker and the oracle agree on which matchings are feasible, whatever is wrong with them, and on what they are worth.
func TestCheckerAgainstOracle(t *testing.T) {
	onEveryShape(t, 4, func(t *testing.T, _ int, rng *rand.Rand, in *speculation.Instance) {
		for range 20 {
			m := make(speculation.Matching, len(in.Stragglers)+rng.IntN(8)/7)
			for i := range m {
				m[i] = max(speculation.None, rng.IntN(2*len(in.Slots)+2)-len(in.Slots)-1)
			}
			sum, ok := oracle.Savings(in, m)
			r := speculation.Problem.Check(in, speculation.Solution{Assign: m})
			if ok != (len(r.Violations) == 0) || ok && !same(*r.Objective, oracle.Value(in, sum)) {
				t.Fatalf("%v: checker %v, %+v, oracle %v, %v\n%s", m, *r.Objective, r.Violations, oracle.Value(in, sum), ok, text(in))
			}
		}
	})
}
