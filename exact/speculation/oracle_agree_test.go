package speculation_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/exact"
	"schedgap/exact/command"
	"schedgap/exact/linked"
	"schedgap/exact/linked/linkedtest"
	"schedgap/exact/milp"
	exactspeculation "schedgap/exact/speculation"
	"schedgap/exact/speculation/oracle"
	heuristics "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// commands are the solvers that are installed as programs.
var commands = func() (list []milp.Solver) {
	for _, cfg := range []command.Config{command.CBC(), command.Glpsol()} {
		if s, err := command.New(cfg); !errors.Is(err, milp.ErrUnavailable) {
			list = append(list, s)
		}
	}
	return list
}()

// exactly returns opt or pareto with all solvers.
func exactly(name string) *speculation.Algorithm {
	list := exactspeculation.Algorithms(exact.Parts[*speculation.Instance, speculation.Solution]{
		Solvers: append(linked.Solvers(), commands...),
		Start: func(ctx context.Context, in *speculation.Instance) (speculation.Solution, error) {
			return speculation.Solution{Assign: heuristics.WindowMatching(ctx, in)}, nil
		},
	})
	return list[slices.IndexFunc(list, func(a *speculation.Algorithm) bool { return a.Name == name })]
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

// proven is the solution of an exact algorithm with the checker's objective.
func proven(t *testing.T, name, solver string, in *speculation.Instance) (speculation.Solution, float64) {
	t.Helper()
	out, err := exactly(name).Run(t.Context(), passOf(in, solver))
	if err != nil || out.Status != models.Optimal {
		t.Fatalf("%s by %s: %s, %v\n%s", name, solver, out.Status, err, text(in))
	}
	r := speculation.Problem.CheckClaim(in, out.Solution, out.Claimed)
	if len(r.Violations) > 0 {
		t.Fatalf("%s by %s: %+v\n%s", name, solver, r.Violations, text(in))
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

// wantFront compares a front with the oracle's: as many points, and the matching of each saves exactly what it should.
func wantFront(t *testing.T, by string, in *speculation.Instance, got []speculation.Point, want []oracle.Point) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s finds %d points, the oracle %d\n%v\n%v\n%s", by, len(got), len(want), got, want, text(in))
	}
	for k := range got {
		if !isPoint(in, &got[k], want[k]) {
			t.Fatalf("%s: point %d is %+v, the oracle says %v\n%s", by, k, got[k], want[k], text(in))
		}
	}
}

func isPoint(in *speculation.Instance, p *speculation.Point, want oracle.Point) bool {
	sum, ok := oracle.Savings(in, p.Assign)
	time, energy := want.Float64s()
	return ok && sum.Time.Cmp(want.Time) == 0 && sum.Energy.Cmp(want.Energy) == 0 && same(p.Time, time) && same(p.Energy, energy)
}

// Every way to the scalar optimum and to the front, and every heuristic, against the independent oracle.
func TestAgainstOracle(t *testing.T) {
	onEveryShape(t, 6, func(t *testing.T, n int, _ *rand.Rand, in *speculation.Instance) {
		front, opt := oracle.Front(in), oracle.Opt(in)
		area := oracle.Hypervolume(front)
		matchings, fronts := linkedtest.Names("hungarian", "highs", "lpsolve"), linkedtest.Names("hungarian", "highs")
		if n%20 == 0 {
			if n < 40 && !linkedtest.Without("lpsolve") {
				// About one front in 1000 has a model that lp_solve searches without end, so long runs leave it out.
				fronts = append(fronts, "lpsolve")
			}
			for _, s := range commands {
				matchings, fronts = append(matchings, s.Name()), append(fronts, s.Name())
			}
		}
		for _, solver := range matchings {
			s, objective := proven(t, speculation.Opt, solver, in)
			if sum, ok := oracle.Savings(in, s.Assign); !ok || !same(oracle.Value(in, sum), opt) || !same(objective, opt) {
				t.Fatalf("opt by %s is %v, the oracle says %v\n%s", solver, objective, opt, text(in))
			}
		}
		for _, solver := range fronts {
			s, objective := proven(t, speculation.Pareto, solver, in)
			wantFront(t, "pareto by "+solver, in, s.Front, front)
			if !same(objective, area) {
				t.Fatalf("pareto by %s is %v, the oracle says %v\n%s", solver, objective, area, text(in))
			}
		}
		for _, h := range heuristics.All {
			p := passOf(in, "")
			p.Params = models.Defaults(h.Params)
			out, err := h.Run(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			r := speculation.Problem.Check(in, out.Solution)
			if len(r.Violations) > 0 {
				t.Fatalf("%s: %+v\n%s", h.Name, r.Violations, text(in))
			}
			if best := map[string]float64{speculation.Opt: opt, speculation.Pareto: area}[h.Reference]; *r.Objective > best*(1+1e-9) {
				t.Fatalf("%s reaches %v, the optimum is %v\n%s", h.Name, *r.Objective, best, text(in))
			}
		}
	})
}

// Fronts of instances large enough for boxes to be parted often.
func TestLargerFronts(t *testing.T) {
	onEveryShape(t, 9, func(t *testing.T, n int, _ *rand.Rand, in *speculation.Instance) {
		if n%8 == 0 {
			s, _ := proven(t, speculation.Pareto, "hungarian", in)
			wantFront(t, "pareto by hungarian", in, s.Front, oracle.Front(in))
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
			if !ok {
				continue
			}
			time, energy := sum.Float64s()
			s := speculation.Solution{Front: []speculation.Point{{Time: time, Energy: energy, Assign: m}}}
			if r := speculation.Problem.Check(in, s); len(r.Violations) > 0 || !same(*r.Objective, time*energy) {
				t.Fatalf("%v as a front: checker %v, %+v, oracle (%v, %v)\n%s", m, *r.Objective, r.Violations, time, energy, text(in))
			}
		}
	})
}
