package speculation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/exact"
	"schedgap/exact/milp/linked"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/exact/speculation/oracle"
	heuristics "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/speculation"
	"schedgap/models/trials/property"
)

// algorithm is opt with HiGHS and lp_solve.
func algorithm() *speculation.Algorithm {
	return Algorithms(exact.Deps[*speculation.Instance, speculation.Solution]{
		Solvers: linked.Solvers(),
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

// value is the checker's objective of a proven optimum.
func value(t rapid.TB, solver string, in *speculation.Instance) float64 {
	t.Helper()
	out, err := algorithm().Run(context.Background(), pass(in, solver))
	if err != nil || out.Status != models.Optimal {
		t.Fatalf("opt by %s: %s, %v\n%s", solver, out.Status, err, show(in))
	}
	r := speculation.Problem.CheckClaim(in, out.Solution, out.Claimed)
	if len(r.Violations) > 0 {
		t.Fatalf("opt by %s: %+v\n%s", solver, r.Violations, show(in))
	}
	return *r.Objective
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// draw draws tiny instances, with integers for ties or with real numbers, some slots alike, some pairs missing.
func draw(t *rapid.T) *speculation.Instance {
	coarse := rapid.Bool().Draw(t, "coarse")
	number := func(low, high float64, label string) float64 {
		if coarse {
			return float64(rapid.IntRange(int(low), int(high)).Draw(t, label))
		}
		return low + (high-low)*float64(rapid.IntRange(0, 997).Draw(t, label))/997
	}
	in := &speculation.Instance{
		EnergyWeight: rapid.SampledFrom([]float64{0, 0.01, 1, 100}).Draw(t, "weight"),
		Stragglers:   make([]speculation.Straggler, rapid.IntRange(1, 4).Draw(t, "stragglers")),
		Slots:        make([]speculation.Slot, rapid.IntRange(0, 4).Draw(t, "slots")),
	}
	in.Name = "drawn"
	for j := range in.Slots {
		in.Slots[j] = speculation.Slot{ID: fmt.Sprint("v", j), Start: number(0, 10, "start"), Power: number(0, 4, "power")}
	}
	for i := range in.Stragglers {
		in.Stragglers[i] = speculation.Straggler{
			ID: fmt.Sprint("s", i), Finish: number(5, 30, "finish"), Power: number(0, 4, "power"),
			Progress: rapid.Float64Range(0.1, 0.9).Draw(t, "progress"), Duration: number(1, 10, "duration"),
		}
		row := make([]float64, len(in.Slots))
		for j := range row {
			row[j] = number(1, 15, "copy")
			if rapid.IntRange(0, 5).Draw(t, "missing") == 0 {
				row[j] = math.NaN()
			}
		}
		in.CopyTime = append(in.CopyTime, row)
	}
	if n := len(in.Slots); n > 1 && rapid.Bool().Draw(t, "alike") {
		in.Slots[1].Start, in.Slots[1].Power = in.Slots[0].Start, in.Slots[0].Power
		for i := range in.CopyTime {
			in.CopyTime[i][1] = in.CopyTime[i][0]
		}
	}
	return in
}

// all calls see with the savings of every matching that is allowed, one straggler after the other.
func all(in *speculation.Instance, i int, taken []bool, time, energy float64, see func(time, energy float64)) {
	if i == len(in.Stragglers) {
		see(time, energy)
		return
	}
	all(in, i+1, taken, time, energy, see)
	s := in.Stragglers[i]
	for j, v := range in.Slots {
		copyTime := in.CopyTime[i][j]
		dt := s.Finish - (v.Start + copyTime)
		de := s.Power*dt - v.Power*copyTime
		if taken[j] || math.IsNaN(copyTime) || dt <= 1e-12 || de <= 1e-12 {
			continue
		}
		taken[j] = true
		all(in, i+1, taken, time+dt, energy+de, see)
		taken[j] = false
	}
}

// enumerated is the optimum by going through all matchings.
func enumerated(in *speculation.Instance) (best float64) {
	all(in, 0, make([]bool, len(in.Slots)), 0, 0, func(time, energy float64) { best = max(best, time+in.EnergyWeight*energy) })
	return best
}

// All ways to the optimum against the enumeration of all matchings.
func TestAgainstEnumeration(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		best := enumerated(in)
		for _, solver := range linkedtest.Names("hungarian", "highs", "lpsolve") {
			if got := value(t, solver, in); !near(got, best) {
				t.Errorf("opt by %s is %v, enumerated %v\n%s", solver, got, best, show(in))
			}
		}
	})
}

// Larger instances: both ways agree on windows of the paper's cluster with time and energy at odds.
func TestWaysAgree(t *testing.T) {
	for _, n := range []int{5, 7, 9} {
		in := cluster(t, n, n+2, 3)
		want := value(t, "hungarian", in)
		for _, solver := range linkedtest.Names("highs") {
			if got := value(t, solver, in); !near(got, want) {
				t.Errorf("opt of %d stragglers by %s is %v, by hungarian %v", n, solver, got, want)
			}
		}
	}
}

// What must hold between an instance and others made of it: another order of slots changes nothing; times in a unit of 1/f scale
// savings by f, powers in a unit of 1/f energy alone; one more slot, a slower straggler and a shorter copy never hurt.
func TestMetamorphic(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		opt := value(t, "hungarian", in)
		compare := func(what string, other *speculation.Instance, times float64, exact bool) {
			got := value(t, "hungarian", other)
			if exact && !near(got, times*opt) || got < times*opt*(1-1e-9) {
				t.Errorf("%s: opt %v, was %v\n%s", what, got, opt, show(in))
			}
		}
		reversed := clone(in)
		slices.Reverse(reversed.Slots)
		for _, row := range reversed.CopyTime {
			slices.Reverse(row)
		}
		compare("slots reversed", reversed, 1, true)

		const f = 3
		longer := clone(in)
		for j := range longer.Slots {
			longer.Slots[j].Start *= f
		}
		for i := range longer.Stragglers {
			longer.Stragglers[i].Finish *= f
			for j := range longer.CopyTime[i] {
				longer.CopyTime[i][j] *= f
			}
		}
		compare("another unit of time", longer, f, true)

		stronger := clone(in)
		stronger.EnergyWeight /= f
		for j := range stronger.Slots {
			stronger.Slots[j].Power *= f
		}
		for i := range stronger.Stragglers {
			stronger.Stragglers[i].Power *= f
		}
		compare("another unit of power", stronger, 1, true)

		more := clone(in)
		more.Slots = append(more.Slots, speculation.Slot{ID: "more", Start: 1, Power: 1})
		for i := range more.CopyTime {
			more.CopyTime[i] = append(more.CopyTime[i], 3)
		}
		compare("one more slot", more, 1, false)

		slower := clone(in)
		slower.Stragglers[0].Finish += 2
		compare("a slower straggler", slower, 1, false)

		if len(in.Slots) > 0 {
			faster := clone(in)
			faster.CopyTime[0][0] /= 2
			compare("a faster copy", faster, 1, false)
		}
	})
}

func clone(in *speculation.Instance) *speculation.Instance {
	c := *in
	c.Stragglers, c.Slots, c.CopyTime = slices.Clone(in.Stragglers), slices.Clone(in.Slots), nil
	for _, row := range in.CopyTime {
		c.CopyTime = append(c.CopyTime, slices.Clone(row))
	}
	return &c
}

// A countdown is a context that ends when it was asked for the n-th time, so that a run stops at a chosen place.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	c.left--
	if c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever the method is stopped, what it has is feasible, and its bound is no less than the optimum.
func TestStopped(t *testing.T) {
	in := cluster(t, 7, 7, 3)
	optimum := value(t, "hungarian", in)
	stops := 0
	for left := 0; ; left++ {
		p := pass(in, "hungarian")
		last := math.Inf(1)
		p.Bounded = func(bound float64) {
			if bound < optimum*(1-1e-12) || bound > last*(1+1e-9) {
				t.Errorf("stopped after %d: bound %v after %v, optimum %v", left, bound, last, optimum)
			}
			last = bound
		}
		out, err := algorithm().Run(&countdown{context.Background(), left}, p)
		fail.On(t, err)
		if out.Status == models.Optimal {
			break
		}
		stops++
		bound := math.Inf(1) // of a run stopped before its method began
		if out.Bound != nil {
			bound = *out.Bound
		}
		r := speculation.Problem.CheckClaim(in, out.Solution, out.Claimed)
		if len(r.Violations) > 0 || *r.Objective > bound || bound < optimum*(1-1e-12) {
			t.Errorf("stopped after %d: %v of %v, bound %v, %v", left, *r.Objective, optimum, bound, r.Violations)
		}
	}
	if stops < 5 {
		t.Errorf("stopped only %d times", stops)
	}
}

// Every heuristic's matching has a point in the assignment model, worth its objective, and comes back from it.
func TestThroughModel(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		built, err := assignment.Build(in, exact.BuildOptions{})
		fail.On(t, err)
		for _, rule := range []func(context.Context, *speculation.Instance) speculation.Matching{
			heuristics.WindowMatching, heuristics.DefaultMatching, heuristics.GreedyScalarMatching,
		} {
			s := speculation.Solution{Assign: rule(context.Background(), in)}
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

// The bound that is there at once lies above the optimum of random instances.
func TestUpperBound(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		bound, err := upperBound(context.Background(), in)
		if want := value(t, "hungarian", in); err != nil || bound < want {
			t.Fatalf("bound %v below the optimum %v (%v)", bound, want, err)
		}
	})
}

// TestRows: no family of rows cuts off the optimum.
func TestRows(t *testing.T) {
	linkedtest.RowTest[*speculation.Instance, speculation.Solution]{
		Formulations: Opt.Formulations, Show: show,
		Random: func(rng *rand.Rand, i int) *speculation.Instance {
			return oracle.RandomInstance(rng, oracle.Shapes[i%len(oracle.Shapes)], 7)
		},
		Optimum: func(in *speculation.Instance) float64 {
			out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in, "hungarian"), nil)
			fail.On(t, err)
			return *speculation.Problem.Check(in, out.Solution).Objective
		},
	}.Rows(t, 43, 5)
}
