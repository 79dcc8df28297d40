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
	"schedgap/exact/highs"
	"schedgap/exact/linked"
	"schedgap/exact/linked/linkedtest"
	"schedgap/exact/milp"
	"schedgap/exact/speculation/oracle"
	heuristics "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// algorithm returns one of Algorithms with HiGHS and lp_solve.
func algorithm(name string) *speculation.Algorithm {
	list := Algorithms(exact.Parts[*speculation.Instance, speculation.Solution]{
		Solvers: linked.Solvers(),
		Start: func(ctx context.Context, in *speculation.Instance) (speculation.Solution, error) {
			return speculation.Solution{Assign: heuristics.WindowMatching(ctx, in)}, nil
		},
	})
	return list[slices.IndexFunc(list, func(a *speculation.Algorithm) bool { return a.Name == name })]
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
func value(t rapid.TB, name, solver string, in *speculation.Instance) (float64, speculation.Solution) {
	t.Helper()
	out, err := algorithm(name).Run(context.Background(), pass(in, solver))
	if err != nil || out.Status != models.Optimal {
		t.Fatalf("%s by %s: %s, %v\n%s", name, solver, out.Status, err, show(in))
	}
	r := speculation.Problem.CheckClaim(in, out.Solution, out.Claimed)
	if len(r.Violations) > 0 {
		t.Fatalf("%s by %s: %+v\n%s", name, solver, r.Violations, show(in))
	}
	return *r.Objective, out.Solution
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

// enumerated is the optimum and the front by going through all matchings.
func enumerated(in *speculation.Instance) (best float64, front [][2]float64) {
	var points [][2]float64
	all(in, 0, make([]bool, len(in.Slots)), 0, 0, func(time, energy float64) {
		best = max(best, time+in.EnergyWeight*energy)
		points = append(points, [2]float64{time, energy})
	})
	slices.SortFunc(points, func(a, b [2]float64) int { return slices.Compare([]float64{b[0], b[1]}, []float64{a[0], a[1]}) })
	const rounding = 1e-9
	for _, p := range points {
		if n := len(front); n == 0 || p[1] > front[n-1][1]+rounding {
			if n > 0 && p[0] > front[n-1][0]-rounding {
				front = front[:n-1]
			}
			front = append(front, p)
		}
	}
	slices.Reverse(front)
	return best, front
}

// Both ways to the scalar optimum and all ways to the front against the enumeration of all matchings: the same value, the same
// points, none of them twice.
func TestAgainstEnumeration(t *testing.T) {
	trials.Check(t, func(t *rapid.T) {
		in := draw(t)
		best, points := enumerated(in)
		for _, solver := range linkedtest.Names("hungarian", "highs", "lpsolve") {
			if got, _ := value(t, speculation.Opt, solver, in); !near(got, best) {
				t.Errorf("opt by %s is %v, enumerated %v\n%s", solver, got, best, show(in))
			}
		}
		for _, solver := range linkedtest.Names("hungarian", "highs") {
			_, s := value(t, speculation.Pareto, solver, in)
			same := len(s.Front) == len(points)
			for k := range points {
				same = same && near(s.Front[k].Time, points[k][0]) && near(s.Front[k].Energy, points[k][1])
			}
			if !same {
				t.Errorf("front by %s is %v, enumerated %v\n%s", solver, s.Front, points, show(in))
			}
		}
	})
}

// Larger instances: both ways agree on windows of the paper's cluster with time and energy at odds.
func TestWaysAgree(t *testing.T) {
	for _, n := range []int{5, 7, 9} {
		in := cluster(t, n, n+2, 3)
		for _, name := range []string{speculation.Opt, speculation.Pareto} {
			want, _ := value(t, name, "hungarian", in)
			for _, solver := range linkedtest.Names("highs") {
				if got, _ := value(t, name, solver, in); !near(got, want) {
					t.Errorf("%s of %d stragglers by %s is %v, by hungarian %v", name, n, solver, got, want)
				}
			}
		}
	}
}

// What must hold between an instance and others made of it, for the optimum and for the hypervolume: another order of slots
// changes neither; times in a unit of 1/f scale both savings by f, powers in a unit of 1/f energy alone; one more slot, a slower
// straggler and a shorter copy never hurt.
func TestMetamorphic(t *testing.T) {
	trials.Check(t, func(t *rapid.T) {
		in := draw(t)
		opt, _ := value(t, speculation.Opt, "hungarian", in)
		area, _ := value(t, speculation.Pareto, "hungarian", in)
		compare := func(what string, other *speculation.Instance, times, areas float64, exact bool) {
			gotOpt, _ := value(t, speculation.Opt, "hungarian", other)
			gotArea, _ := value(t, speculation.Pareto, "hungarian", other)
			if exact && (!near(gotOpt, times*opt) || !near(gotArea, areas*area)) ||
				gotOpt < times*opt*(1-1e-9) || gotArea < areas*area*(1-1e-9) {
				t.Errorf("%s: opt %v, was %v; area %v, was %v\n%s", what, gotOpt, opt, gotArea, area, show(in))
			}
		}
		reversed := clone(in)
		slices.Reverse(reversed.Slots)
		for _, row := range reversed.CopyTime {
			slices.Reverse(row)
		}
		compare("slots reversed", reversed, 1, 1, true)

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
		compare("another unit of time", longer, f, f*f, true)

		stronger := clone(in)
		stronger.EnergyWeight /= f
		for j := range stronger.Slots {
			stronger.Slots[j].Power *= f
		}
		for i := range stronger.Stragglers {
			stronger.Stragglers[i].Power *= f
		}
		compare("another unit of power", stronger, 1, f, true)

		more := clone(in)
		more.Slots = append(more.Slots, speculation.Slot{ID: "more", Start: 1, Power: 1})
		for i := range more.CopyTime {
			more.CopyTime[i] = append(more.CopyTime[i], 3)
		}
		compare("one more slot", more, 1, 1, false)

		slower := clone(in)
		slower.Stragglers[0].Finish += 2
		compare("a slower straggler", slower, 1, 1, false)

		if len(in.Slots) > 0 {
			faster := clone(in)
			faster.CopyTime[0][0] /= 2
			compare("a faster copy", faster, 1, 1, false)
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
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever a method is stopped, what it has is feasible, and its bound is no less than the optimum; the points of a front stopped
// after the first are on the whole front.
func TestStopped(t *testing.T) {
	in := cluster(t, 7, 7, 3)
	for name, solver := range map[string]string{speculation.Opt: "hungarian", speculation.Pareto: "hungarian"} {
		optimum, whole := value(t, name, solver, in)
		stops := 0
		for left := 0; ; left += 1 + left/4 {
			p := pass(in, solver)
			last := math.Inf(1)
			p.Bounded = func(bound float64) {
				if bound < optimum*(1-1e-12) || bound > last*(1+1e-9) {
					t.Errorf("%s stopped after %d: bound %v after %v, optimum %v", name, left, bound, last, optimum)
				}
				last = bound
			}
			out, err := algorithm(name).Run(&countdown{context.Background(), left}, p)
			if err != nil {
				t.Fatal(err)
			}
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
				t.Errorf("%s stopped after %d: %v of %v, bound %v, %v", name, left, *r.Objective, optimum, bound, r.Violations)
			}
			for _, p := range out.Solution.Front {
				proven := slices.ContainsFunc(whole.Front, func(q speculation.Point) bool {
					return near(p.Time, q.Time) &&
						near(p.Energy, q.Energy)
				})
				if !proven && len(out.Solution.Front) > 1 {
					t.Errorf("stopped after %d: (%v, %v) is not on the front", left, p.Time, p.Energy)
				}
			}
		}
		if stops < 5 {
			t.Errorf("%s stopped only %d times", name, stops)
		}
	}
}

// The ε-constraint at a limit has points of the front and a bound on its hypervolume; its model knows encode and decode.
func TestEpsilonStopped(t *testing.T) {
	linkedtest.Need(t, "highs")
	in := cluster(t, 8, 8, 1.5)
	optimum, _ := value(t, speculation.Pareto, "hungarian", in)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p, points := pass(in, "highs"), 0
	p.Improved = func(s speculation.Solution) {
		if points = len(s.Front); points == 2 {
			cancel()
		}
	}
	out, err := algorithm(speculation.Pareto).Run(ctx, p)
	if err != nil || out.Status != models.Timeout || len(out.Solution.Front) != 2 {
		t.Fatalf("%s with %d points, %v", out.Status, len(out.Solution.Front), err)
	}
	r := speculation.Problem.CheckClaim(in, out.Solution, out.Claimed)
	if len(r.Violations) > 0 || *r.Objective > optimum || *out.Bound < optimum {
		t.Errorf("%v of %v, bound %v, %v", *r.Objective, optimum, *out.Bound, r.Violations)
	}
}

// A forgetful solver finds nothing after some models, as lp_solve may.
type forgetful struct {
	milp.Solver
	left *int
}

func (f forgetful) Solve(ctx context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	if *f.left--; *f.left < 0 {
		return &milp.Result{Status: milp.Infeasible}, nil
	}
	return f.Solver.Solve(ctx, m, opt)
}

// The ε-constraint does not take a solver's word that nothing is left, and finds what its step leaves out: here one slot saves
// 9 and 90 − 4.444444·9 = 50.000004, the other 10 and 100 − 5·10 = 50, less than 1e-7 apart in energy.
func TestEpsilonCompletes(t *testing.T) {
	linkedtest.Need(t, "highs")
	in := cluster(t, 8, 8, 3)
	_, whole := value(t, speculation.Pareto, "hungarian", in)
	for left := range 5 {
		list := Algorithms(exact.Parts[*speculation.Instance, speculation.Solution]{
			Solvers: []milp.Solver{forgetful{highs.Solver{}, &left}},
		})
		out, err := list[1].Run(context.Background(), pass(in, "highs"))
		if err != nil || out.Status != models.Optimal || len(out.Solution.Front) != len(whole.Front) {
			t.Errorf("%s with %d points of %d, %v", out.Status, len(out.Solution.Front), len(whole.Front), err)
		}
	}
	tie := &speculation.Instance{
		Header:     models.Header{Name: "near-tie"},
		Stragglers: []speculation.Straggler{{ID: "s", Finish: 20, Power: 10, Progress: 0.5, Duration: 20}},
		Slots:      []speculation.Slot{{ID: "v1", Power: 5}, {ID: "v2", Start: 2, Power: 4.444444}},
		CopyTime:   [][]float64{{10, 9}},
	}
	for _, solver := range linkedtest.Names("hungarian", "highs", "lpsolve") {
		if _, s := value(t, speculation.Pareto, solver, tie); len(s.Front) != 2 {
			t.Errorf("%s finds %d points of 2", solver, len(s.Front))
		}
	}
}

// Stragglers of one job that draw the same can be exchanged: what a copy saves is a straggler's part plus a slot's; in the second
// window only within each of two jobs. Some 1,000 relaxations do; a search that goes through permutations needs a hundred times
// as many.
func TestExchangeable(t *testing.T) {
	one := exchangeable(t, 18, 1)
	two := clone(one)
	for i := range 9 {
		two.Stragglers[i].Power *= 1.5
		for j := range two.CopyTime[i] {
			two.CopyTime[i][j] *= 1.3
		}
	}
	for jobs, in := range []*speculation.Instance{one, two} {
		out, err := algorithm(speculation.Pareto).Run(context.Background(), pass(in, "hungarian"))
		if err != nil || out.Status != models.Optimal || *out.Stats.Nodes > 5000 {
			t.Errorf("%d jobs: %s after %d relaxations, %v", jobs+1, out.Status, *out.Stats.Nodes, err)
		}
	}
}

// Every heuristic's matching has a point in the assignment model, worth its objective, and comes back from it.
func TestThroughModel(t *testing.T) {
	trials.Check(t, func(t *rapid.T) {
		in := draw(t)
		built, err := assignment.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range []heuristics.Rule{heuristics.WindowMatching, heuristics.DefaultMatching, heuristics.GreedyScalarMatching} {
			s := speculation.Solution{Assign: rule(context.Background(), in)}
			x, err := built.Encode(s)
			if err != nil {
				t.Fatal(err)
			}
			if v := built.Model.Violation(x); v.Amount > 0 || !near(built.Model.Objective(x), in.Value(s.Assign)) {
				t.Errorf("%s by %v, objective %v of %v", v.Where, v.Amount, built.Model.Objective(x), in.Value(s.Assign))
			}
			if back, err := built.Decode(x); err != nil || !slices.Equal(back.Assign, s.Assign) {
				t.Errorf("%v comes back as %v, %v", s.Assign, back.Assign, err)
			}
		}
	})
	in := cluster(t, 2, 1, 1)
	built, err := assignment.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := built.Encode(speculation.Solution{Assign: speculation.Matching{0, 0}}); err == nil {
		t.Error("two stragglers on one slot have a point")
	}
}

// The bound that is there at once lies above the optimum of random instances.
func TestUpperBound(t *testing.T) {
	trials.Check(t, func(t *rapid.T) {
		in := draw(t)
		bound, err := upperBound(context.Background(), in)
		if want, _ := value(t, speculation.Opt, "hungarian", in); err != nil || bound < want {
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
			out, err := Opt.Methods[0].Solve(t.Context(), pass(in, "hungarian"), nil)
			if err != nil {
				t.Fatal(err)
			}
			return *speculation.Problem.Check(in, out.Solution).Objective
		},
	}.Rows(t, 43, 5)
}
