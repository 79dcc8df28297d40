package speculation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/exact/milp/command"
	"schedgap/exact/milp/linked"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/exact/optimatest"
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

// algorithm is opt with all solvers.
func algorithm() *speculation.Algorithm {
	return Algorithms(exact.Deps[*speculation.Instance, speculation.Solution]{
		Solvers: append(linked.Solvers(), commands...),
		Start: func(ctx context.Context, in *speculation.Instance) (speculation.Solution, error) {
			return speculation.Solution{Assign: heuristics.WindowMatching(ctx, in)}, nil
		},
	})[0]
}

func pass(in *speculation.Instance, solver string) *speculation.Pass {
	return &speculation.Pass{
		Instance: in, Threads: 1, Solver: solver, Improved: func(speculation.Solution) {}, Bounded: func(float64) {},
	}
}

func show(in *speculation.Instance) string {
	data, err := speculation.Problem.MarshalInstance(in)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// proven is an optimal solution with the checker's objective. A solver's optimum is not claimed, and why is said, where its solution is worth
// another value than it says: terms of 1e-9 beside others are rounded. The solution is held to the optimum all the same.
func proven(t *testing.T, solver string, in *speculation.Instance) (speculation.Solution, float64) {
	t.Helper()
	out, err := algorithm().Run(t.Context(), pass(in, solver))
	unclaimed := solver != "hungarian" && out.Status == models.Feasible && strings.Contains(out.Stats.Raw, "not claimed: ")
	if err != nil || out.Status != models.Optimal && !unclaimed {
		t.Fatalf("opt by %s: %s (%s), %v\n%s", solver, out.Status, out.Stats.Raw, err, show(in))
	}
	r := speculation.Problem.CheckClaim(in, out.Solution, out.Claimed)
	if len(r.Violations) > 0 {
		t.Fatalf("opt by %s: %+v\n%s", solver, r.Violations, show(in))
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

// Every way to the optimum, every heuristic, and the bound that is there at once against the independent oracle. By varying the weight
// of energy opt finds the supported points of the trade-off: no point of the front is worth more.
func TestAgainstOracle(t *testing.T) {
	onEveryShape(t, 6, func(t *testing.T, n int, _ *rand.Rand, in *speculation.Instance) {
		opt := oracle.Opt(in)
		solvers := linkedtest.Names("hungarian", "highs", "lpsolve")
		if n%20 == 0 {
			for _, s := range commands {
				solvers = append(solvers, s.Name())
			}
		}
		for _, solver := range solvers {
			s, objective := proven(t, solver, in)
			if sum, ok := oracle.Savings(in, s.Assign); !ok || !near(oracle.Value(in, sum), opt) || !near(objective, opt) {
				t.Fatalf("opt by %s is %v, the oracle says %v\n%s", solver, objective, opt, show(in))
			}
		}
		for _, weight := range []float64{0, 0.03, 1, 20, 1e9} {
			best := 0.0
			for _, p := range oracle.Front(in) {
				time, energy := p.Float64s()
				best = max(best, time+weight*energy)
			}
			weighted := altered(in, func(in *speculation.Instance) { in.EnergyWeight = weight })
			if _, got := proven(t, "hungarian", weighted); !near(got, best) {
				t.Fatalf("opt with the weight %v is %v, the front has %v\n%s", weight, got, best, show(in))
			}
		}
		for _, h := range heuristics.All {
			p := pass(in, "")
			p.Params = models.Defaults(h.Params)
			out, err := h.Run(t.Context(), p)
			fail.On(t, err)
			r := speculation.Problem.Check(in, out.Solution)
			if len(r.Violations) > 0 {
				t.Fatalf("%s: %+v\n%s", h.Name, r.Violations, show(in))
			}
			if *r.Objective > opt*(1+1e-9) {
				t.Fatalf("%s reaches %v, the optimum is %v\n%s", h.Name, *r.Objective, opt, show(in))
			}
		}
		if bound, err := upperBound(t.Context(), in); err != nil || bound < opt {
			t.Fatalf("bound %v below the optimum %v (%v)\n%s", bound, opt, err, show(in))
		}
		s, v := proven(t, "hungarian", in)
		none := speculation.Solution{Assign: speculation.NoCopies(in)}
		for worth, s := range map[float64]speculation.Solution{v: s, 0: none} {
			claim, err := Opt.Methods[0].Prove(t.Context(), in, s, worth, worth)
			if err != nil || (claim.Value != nil) != near(worth, opt) || *claim.Bound < opt || !near(*claim.Bound, opt) {
				t.Fatalf("of %v, where %v is the optimum, %+v is claimed, %v\n%s", worth, opt, claim, err, show(in))
			}
		}
	})
}

// Larger instances: both ways agree on windows of the paper's cluster with time and energy at odds.
func TestWaysAgree(t *testing.T) {
	for _, n := range []int{5, 7, 9} {
		in := cluster(t, n, n+2, 3)
		_, want := proven(t, "hungarian", in)
		for _, solver := range linkedtest.Names("highs") {
			if _, got := proven(t, solver, in); !near(got, want) {
				t.Errorf("opt of %d stragglers by %s is %v, by hungarian %v", n, solver, got, want)
			}
		}
	}
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
			if ok != (len(r.Violations) == 0) || ok && !near(*r.Objective, oracle.Value(in, sum)) {
				t.Fatalf("%v: checker %v, %+v, oracle %v, %v\n%s", m, *r.Objective, r.Violations, oracle.Value(in, sum), ok, show(in))
			}
		}
	})
}

// altered is a deep copy of an instance with a change.
func altered(in *speculation.Instance, change func(in *speculation.Instance)) *speculation.Instance {
	out := *in
	out.Stragglers, out.Slots = slices.Clone(in.Stragglers), slices.Clone(in.Slots)
	out.CopyTime = slices.Clone(in.CopyTime)
	for i := range out.CopyTime {
		out.CopyTime[i] = slices.Clone(out.CopyTime[i])
	}
	change(&out)
	return &out
}

// What must hold between an instance and others made of it, beyond the sizes that the oracle masters: other names and another order change
// nothing; times in a unit of 1/f scale savings by f, powers in a unit of 1/f energy alone; one more slot, a slower straggler and a shorter
// copy never hurt.
func TestMetamorphic(t *testing.T) {
	const f = 3
	onEveryShape(t, 12, func(t *testing.T, _ int, rng *rand.Rand, in *speculation.Instance) {
		_, opt := proven(t, "hungarian", in)
		for what, c := range map[string]struct {
			factor float64 // of the optimum, at least
			exact  bool
			change func(in *speculation.Instance)
		}{
			"other names": {1, true, shuffled(rand.New(rand.NewPCG(rng.Uint64(), 0)))},
			"another unit of time": {f, true, func(in *speculation.Instance) {
				for j := range in.Slots {
					in.Slots[j].Start *= f
				}
				for i := range in.Stragglers {
					in.Stragglers[i].Finish *= f
					for j := range in.Slots {
						in.CopyTime[i][j] *= f
					}
				}
			}},
			"another unit of power": {1, true, func(in *speculation.Instance) {
				in.EnergyWeight /= f
				for j := range in.Slots {
					in.Slots[j].Power *= f
				}
				for i := range in.Stragglers {
					in.Stragglers[i].Power *= f
				}
			}},
			"one more slot": {1, false, func(in *speculation.Instance) {
				in.Slots = append(in.Slots, speculation.Slot{ID: "another", Power: 0.5})
				for i := range in.CopyTime {
					in.CopyTime[i] = append(in.CopyTime[i], in.Stragglers[i].Finish*(0.01+rng.Float64()))
				}
			}},
			"a slower straggler": {1, false, func(in *speculation.Instance) { in.Stragglers[0].Finish += 2 }},
			"faster copies": {1, false, func(in *speculation.Instance) {
				for j := range in.Slots {
					in.CopyTime[0][j] /= 2
				}
			}},
		} {
			_, got := proven(t, "hungarian", altered(in, c.change))
			if c.exact && !near(got, c.factor*opt) || got < c.factor*opt*(1-1e-9) {
				t.Errorf("%s: opt %v, was %v\n%s", what, got, opt, show(in))
			}
		}
	})
}

// shuffled renames stragglers and slots: each gets the place and the name of another.
func shuffled(rng *rand.Rand) func(in *speculation.Instance) {
	return func(in *speculation.Instance) {
		was := altered(in, func(*speculation.Instance) {})
		ofStragglers, ofSlots := rng.Perm(len(in.Stragglers)), rng.Perm(len(in.Slots))
		for i, k := range ofStragglers {
			in.Stragglers[i] = was.Stragglers[k]
			in.Stragglers[i].ID = was.Stragglers[i].ID
			for j, l := range ofSlots {
				in.CopyTime[i][j] = was.CopyTime[k][l]
			}
		}
		for j, l := range ofSlots {
			in.Slots[j] = was.Slots[l]
			in.Slots[j].ID = was.Slots[j].ID
		}
	}
}

// Searches and proofs may end anywhere.
func TestInterrupted(t *testing.T) {
	onEveryShape(t, 6, func(t *testing.T, _ int, rng *rand.Rand, in *speculation.Instance) { optimatest.Ends(t, rng, Opt, in) })
}

// Every heuristic's matching has a point in the assignment model, worth its objective, and comes back from it.
func TestThroughModel(t *testing.T) {
	onEveryShape(t, 4, func(t *testing.T, _ int, _ *rand.Rand, in *speculation.Instance) {
		built, err := assignment.Build(in, exact.BuildOptions{})
		fail.On(t, err)
		for _, rule := range []func(context.Context, *speculation.Instance) speculation.Matching{
			heuristics.WindowMatching, heuristics.DefaultMatching, heuristics.GreedyScalarMatching,
		} {
			s := speculation.Solution{Assign: rule(t.Context(), in)}
			x, err := built.Encode(s)
			fail.On(t, err)
			if v := built.Model.Violation(x); v.Amount > 0 || !near(built.Model.Objective(x), in.Value(s.Assign)) {
				t.Errorf("%s by %v, objective %v of %v", v.Where, v.Amount, built.Model.Objective(x), in.Value(s.Assign))
			}
			if back, err := built.Decode(x); err != nil || !slices.Equal(back.Assign, s.Assign) {
				t.Errorf("%v comes back as %v, %v", s.Assign, back.Assign, err)
			}
		}
	})
	in := cluster(t, 2, 1, 1)
	built, err := assignment.Build(in, exact.BuildOptions{})
	fail.On(t, err)
	if _, err := built.Encode(speculation.Solution{Assign: speculation.Matching{0, 0}}); err == nil {
		t.Error("two stragglers on one slot have a point")
	}
}

// TestRows: no family of rows cuts off the optimum.
func TestRows(t *testing.T) {
	linkedtest.RowTest[*speculation.Instance, speculation.Solution]{
		Formulations: Opt.Formulations, Show: show,
		Random: func(rng *rand.Rand, i int) *speculation.Instance {
			for {
				in := oracle.RandomInstance(rng, oracle.Shapes[i%len(oracle.Shapes)], 7)
				if oracle.Opt(in) < 1e9 { // Rows hands costs to the solver as they are, which an algorithm does not
					return in
				}
			}
		},
		Optimum: func(in *speculation.Instance) float64 {
			out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in, "hungarian"), nil)
			fail.On(t, err)
			return *speculation.Problem.Check(in, out.Solution).Objective
		},
	}.Rows(t, 43, 5)
}
