package flex

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/exact"
	"schedgap/exact/flex/oracle"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/exact/optimatest"
	heuristics "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

func pass(in *flex.Instance) *flex.Pass {
	return &flex.Pass{Instance: in, Threads: 1, Improved: func(flex.Schedule) {}, Bounded: func(float64) {}}
}

// value is the checker's objective of a feasible schedule.
func value(t *testing.T, in *flex.Instance, s flex.Schedule) float64 {
	t.Helper()
	r := flex.Problem.Check(in, s)
	if !r.Feasible(nil) || r.Objective == nil {
		t.Fatalf("%s: infeasible: %+v", show(in), r.Violations)
	}
	return *r.Objective
}

func show(in *flex.Instance) string {
	data, err := flex.Problem.MarshalInstance(in)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// solve runs a target's only or named method to its end.
func solve(t *testing.T, tg *target, in *flex.Instance) (models.Status, float64, float64) {
	t.Helper()
	out, err := tg.Alone(t.Context(), tg.Methods[0], pass(in), nil)
	if err != nil {
		t.Fatalf("%s: %v\n%s", tg.Name, err, show(in))
	}
	if !out.Found {
		return out.Status, math.NaN(), math.NaN()
	}
	v := value(t, in, out.Solution)
	if out.Bound != nil && *out.Bound > v+1e-9*math.Abs(v) {
		t.Fatalf("%s: bound %v above its own solution %v\n%s", tg.Name, *out.Bound, v, show(in))
	}
	return out.Status, v, v
}

// Every exact method, bound and heuristic against the independent oracle on random tiny instances of all metrics.
func TestAgainstOracle(t *testing.T) {
	for _, tiny := range optimatest.Some(t, flex.Problem, trials.Count(300)) {
		in, want, wantMPS := tiny.In, tiny.Optima["opt"], tiny.Optima["opt-mps"]
		status, got, _ := solve(t, Opt, in)
		if status != models.Optimal || !near(got, want) {
			t.Fatalf("opt is %v (%s), the oracle says %v\n%s", got, status, want, show(in))
		}
		status, mps, _ := solve(t, OptMPS, in)
		if status != models.Optimal || !near(mps, wantMPS) {
			t.Fatalf("opt-mps is %v (%s), the oracle says %v\n%s", mps, status, wantMPS, show(in))
		}
		wantMold, ok := tiny.Optima["opt-moldable"]
		status, mold, _ := solve(t, OptMoldable, in)
		if ok != (status == models.Optimal) || ok && !near(mold, wantMold) {
			t.Fatalf("opt-moldable is %v (%s), the oracle says %v %v\n%s", mold, status, wantMold, ok, show(in))
		}
		lb, err := LowerBound(t.Context(), in)
		if err != nil || lb > want+1e-9*max(1, math.Abs(want)) {
			t.Fatalf("lower bound %v above the optimum %v (%v)\n%s", lb, want, err, show(in))
		}
		if mb := machineBound(in); in.Objective.Aggregate == flex.Sum && in.Objective.Metric != flex.Tardy &&
			in.Objective.Metric != flex.SLA && mb > want+1e-9*max(1, math.Abs(want)) {
			t.Fatalf("machine bound %v above the optimum %v\n%s", mb, want, show(in))
		}
		for _, a := range heuristics.All {
			if a.Arg != "" || len(a.Waives) > 0 || a.Applies != nil && a.Applies(in, "") != nil {
				continue
			}
			p := pass(in)
			p.Params = models.Defaults(a.Params)
			out, err := a.Run(t.Context(), p)
			fail.On(t, err)
			v := value(t, in, out.Solution)
			if v < want-1e-9*max(1, math.Abs(want)) || a.Class == flex.OptMPS && v < wantMPS-1e-9*max(1, math.Abs(want)) {
				t.Fatalf("%s reaches %v, below the optimum %v or the best packing %v\n%s", a.Name, v, want, wantMPS, show(in))
			}
			for _, f := range Opt.Formulations {
				if f.Applies != nil && f.Applies(in) != nil {
					continue
				}
				built, err := f.Build(in, exact.BuildOptions{})
				fail.On(t, err)
				fail.On(t, built.Model.Validate())
				x, err := built.Encode(out.Solution)
				if err != nil {
					t.Fatalf("%s into %s: %v\n%s", a.Name, f.Name, err, show(in))
				}
				if b := built.Model.Violation(x); b.Amount > 1e-7 {
					t.Fatalf("%s is no point of %s: %+v\n%s", a.Name, f.Name, b, show(in))
				}
				slack := 1e-7 * max(1, math.Abs(v))
				obj, same := built.Model.Objective(x), f != Grid && !inverted(in, out.Solution)
				if obj > v+slack || obj < want-slack || same && obj < v-slack {
					t.Fatalf("%s is worth %v in %s, %v to the checker\n%s", a.Name, obj, f.Name, v, show(in))
				}
				s, err := built.Decode(x)
				if err != nil {
					t.Fatalf("%s out of %s: %v\n%s", a.Name, f.Name, err, show(in))
				}
				if again := value(t, in, s); again > v+1e-9*max(1, math.Abs(v)) || again < want-1e-9*max(1, math.Abs(want)) {
					t.Fatalf("%s decoded from %s is worth %v, was %v, optimum %v\n%s", a.Name, f.Name, again, v, want, show(in))
				}
			}
		}
	}
}

// inverted reports whether dominance exchanges completion times of s.
func inverted(in *flex.Instance, s flex.Schedule) bool {
	b, times := newModelBuilder(in, ""), flex.Completions(in, s)
	for i, row := range b.before {
		for j, leads := range row {
			if leads && times[j] < times[i] {
				return true
			}
		}
	}
	return false
}

// Searches and proofs may end anywhere.
func TestInterrupted(t *testing.T) {
	rng := trials.Rand(t, 16, 7)
	for range trials.Count(100) {
		in := oracle.RandomInstance(rng, 7)
		optimatest.Ends(t, rng, Opt, in)
		optimatest.Ends(t, rng, OptMPS, in)
	}
}

// TestRows: no family of rows cuts off the optimum.
func TestRows(t *testing.T) {
	linkedtest.RowTest[*flex.Instance, flex.Schedule]{
		Formulations: Opt.Formulations, Show: show,
		Random:  func(rng *rand.Rand, i int) *flex.Instance { return oracle.RandomInstance(rng, 1+i%5) },
		Optimum: func(in *flex.Instance) float64 { _, v, _ := solve(t, Opt, in); return v },
	}.Rows(t, 43, 1)
	linkedtest.RowTest[*flex.Instance, flex.Schedule]{
		Formulations: OptMoldable.Formulations, Show: show,
		Random: func(rng *rand.Rand, i int) *flex.Instance { return oracle.RandomInstance(rng, 1+i%5) },
		Optimum: func(in *flex.Instance) float64 {
			if Allocation.Applies(in) != nil {
				return math.NaN()
			}
			v, _ := oracle.Moldable(in)
			return v
		},
	}.Rows(t, 43, 6)
}
