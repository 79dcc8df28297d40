package pocd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp/linked"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/exact/optimatest"
	"schedgap/exact/pocd/oracle"
	heuristics "schedgap/heuristics/pocd"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/pocd"
	"schedgap/models/trials"
)

func pass(in *pocd.Instance) *pocd.Pass {
	return &pocd.Pass{Instance: in, Threads: 1, Improved: func(pocd.Copies) {}, Bounded: func(float64) {}}
}

// algorithm returns one of Algorithms with HiGHS and lp_solve, which starts from start.
func algorithm(name string, start func(context.Context, *pocd.Instance) (pocd.Copies, error)) *pocd.Algorithm {
	list := Algorithms(exact.Deps[*pocd.Instance, pocd.Copies]{
		Solvers: linked.Solvers(), Start: start,
	})
	return list[slices.IndexFunc(list, func(a *pocd.Algorithm) bool { return a.Name == name })]
}

func show(in *pocd.Instance) string {
	data, err := pocd.Problem.MarshalInstance(in)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// value is the checker's objective of a solution without violations but those waived.
func value(t *testing.T, in *pocd.Instance, c pocd.Copies, waived []string) float64 {
	t.Helper()
	r := pocd.Problem.Check(in, c)
	if !r.Feasible(waived) {
		t.Fatalf("infeasible: %+v\n%s", r.Violations, show(in))
	}
	return *r.Objective
}

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// optimum is the proven optimum by a solver and model, "" for the target's choice.
func optimum(t *testing.T, a *pocd.Algorithm, in *pocd.Instance, solver, model string) float64 {
	t.Helper()
	p := pass(in)
	p.Solver, p.Model = solver, model
	out, err := a.Run(t.Context(), p)
	if err != nil {
		t.Fatalf("%s by %s, model %s: %v\n%s", a.Name, solver, model, err, show(in))
	}
	// A solver's optimum may be too small beside the logarithms for a claim; it is compared all the same.
	unclaimed := model != "" && out.Status == models.Feasible && strings.Contains(out.Stats.Raw, "not claimed: the value")
	if out.Status != models.Optimal && !unclaimed {
		t.Fatalf("%s by %s, model %s ends as %s\n%s", a.Name, solver, model, out.Status, show(in))
	}
	v := value(t, in, out.Solution, a.Waives)
	if !unclaimed && out.Claimed != nil && math.Abs(*out.Claimed-v) > models.ClaimTolerance*max(math.Abs(v), 1e-9) {
		t.Fatalf("%s by %s, model %s claims %v, worth %v\n%s", a.Name, solver, model, *out.Claimed, v, show(in))
	}
	return v
}

func noStart(_ context.Context, in *pocd.Instance) (pocd.Copies, error) {
	return pocd.NoCopies(in), nil
}

// Every exact method and model, the bound and every heuristic against the independent oracle, for all kinds of α, with and
// without the straggler constraint.
func TestAgainstOracle(t *testing.T) {
	agreed := map[string]int{}
	for _, tiny := range optimatest.Some(t, pocd.Problem, trials.Count(700)) {
		in, want := tiny.In, tiny.Optima
		for name, v := range want {
			a := algorithm(name, noStart)
			ways := [][2]string{{"dp", ""}, {"highs", "knapsack"}}
			if literal := literalOf(name == pocd.OptAll); in.Alpha == 1 || !math.IsInf(in.Alpha, 1) && literal.Applies(in) == nil {
				ways = append(ways, [2]string{"highs", "literal"})
			}
			for _, way := range linkedtest.Ways(ways...) {
				if got := optimum(t, a, in, way[0], way[1]); !near(got, v) {
					t.Fatalf("%s by %v is %v, the oracle says %v\n%s", name, way, got, v, show(in))
				}
				agreed[fmt.Sprint(in.Alpha, " ", name, " ", way[0], " ", way[1])]++
			}
		}
		if ub, v := UpperBound(t.Context(), in), want[pocd.Opt]; ub < v || in.Alpha >= 1 && !near(ub, v) {
			t.Fatalf("upper bound %v, the optimum is %v\n%s", ub, v, show(in))
		}
		againstHeuristics(t, in, want)
	}
	t.Log(agreed)
}

// againstHeuristics holds every heuristic against the optimum of its class and sends it through the models that know it.
func againstHeuristics(t *testing.T, in *pocd.Instance, want map[string]float64) {
	t.Helper()
	for _, h := range heuristics.All {
		p := pass(in)
		p.Params = models.Defaults(h.Params)
		out, err := h.Run(t.Context(), p)
		fail.On(t, err)
		tg, best := Opt, want[pocd.Opt]
		if len(h.Waives) > 0 {
			tg, best = OptAll, want[pocd.OptAll]
		}
		v := value(t, in, out.Solution, h.Waives)
		if v > best && !near(v, best) {
			t.Fatalf("%s reaches %v, the optimum is %v\n%s", h.Name, v, best, show(in))
		}
		if h == heuristics.GreedyGain && in.Alpha >= 1 && !math.IsInf(in.Alpha, 1) && !near(v, best) {
			t.Fatalf("greedy-gain reaches %v, the optimum is %v\n%s", v, best, show(in))
		}
		for _, f := range tg.Formulations {
			if f.Applies == nil || f.Applies(in) == nil {
				throughModel(t, f, in, out.Solution, v, best)
			}
		}
	}
}

// throughModel encodes a solution, which must give a point of the model worth at least as much, and decodes it.
func throughModel(t *testing.T, f *formulation, in *pocd.Instance, c pocd.Copies, v, best float64) {
	t.Helper()
	built, err := f.Build(in, exact.BuildOptions{})
	fail.On(t, err)
	fail.On(t, built.Model.Validate())
	x, err := built.Encode(c)
	if err != nil {
		t.Fatalf("into %s: %v\n%s", f.Name, err, show(in))
	}
	if b := built.Model.Violation(x); b.Amount > 0 {
		t.Fatalf("no point of %s: %+v\n%s", f.Name, b, show(in))
	}
	obj := built.ObjectiveOf(built.Model.Objective(x))
	if obj < v && !near(obj, v) || obj > best && !near(obj, best) {
		t.Fatalf("worth %v in %s, %v to the checker, the optimum is %v\n%s", obj, f.Name, v, best, show(in))
	}
	again, err := built.Decode(x)
	if err != nil {
		t.Fatalf("out of %s: %v\n%s", f.Name, err, show(in))
	}
	if w := *pocd.Problem.Check(in, again).Objective; !near(w, obj) {
		t.Fatalf("worth %v in %s, %v decoded\n%s", obj, f.Name, w, show(in))
	}
}

// All methods agree on instances too large to try every decision, whatever they start from.
func TestMethodsAgree(t *testing.T) {
	rng := trials.Rand(t, 13, 14)
	start := func(ctx context.Context, in *pocd.Instance) (pocd.Copies, error) {
		return heuristics.GreedyGainCopies(ctx, in), nil
	}
	for i := range trials.Count(80) {
		in := larger(rng, oracle.Alphas[i%len(oracle.Alphas)], 5+rng.IntN(20))
		for _, all := range []bool{false, true} {
			name := pocd.Opt
			if all {
				name = pocd.OptAll
			}
			want := optimum(t, algorithm(name, nil), in, "dp", "")
			a := algorithm(name, start)
			if got := optimum(t, a, in, "dp", ""); !near(got, want) {
				t.Fatalf("%s is %v, with a start %v\n%s", name, want, got, show(in))
			}
			for _, way := range linkedtest.Ways([2]string{"highs", "knapsack"}, [2]string{"highs", "literal"}) {
				in, want := in, want
				if way[1] == "literal" && in.Alpha != 1 { // its products take seconds of more than a few tasks
					few := *in
					few.Jobs = in.Jobs[:min(len(in.Jobs), max(2, 24/len(in.Jobs[0].Tasks)))]
					few.Capacity = few.BaseLoad() + (in.Capacity-in.BaseLoad())*len(few.Jobs)/len(in.Jobs)
					if math.IsInf(in.Alpha, 1) || literalOf(all).Applies(&few) != nil {
						continue
					}
					in, want = &few, optimum(t, algorithm(name, nil), &few, "dp", "")
				}
				if got := optimum(t, a, in, way[0], way[1]); !near(got, want) {
					t.Fatalf("%s by %s is %v, by dp %v\n%s", name, way[1], got, want, show(in))
				}
			}
			if fs, _ := frontiers(t.Context(), in, all); in.Alpha < 1 {
				if got := plain(newKnapsack(t.Context(), in, fs)); !near(got, want) {
					t.Fatalf("%s by the plain dynamic program is %v, over the core %v\n%s", name, got, want, show(in))
				}
			}
		}
		if ub, want := UpperBound(t.Context(), in), optimum(t, algorithm(pocd.Opt, nil), in, "", ""); ub < want {
			t.Fatalf("upper bound %v, the optimum is %v\n%s", ub, want, show(in))
		}
	}
}

// widen spreads the probabilities of in over many orders of magnitude at both ends.
func widen(rng *rand.Rand, in *pocd.Instance) {
	for j := range in.Jobs {
		job := &in.Jobs[j]
		left := job.Deadline - job.Elapsed
		for i := range job.Tasks {
			task := &job.Tasks[i]
			task.Beta = math.Exp(6*rng.Float64() - 4)
			switch kind := rng.IntN(3); {
			case left <= 0:
			case kind == 0: // q close to 1
				task.Progress, task.TMin = 0, left*(1-math.Exp(-18*rng.Float64()))
			case kind == 1: // q close to 0
				task.TMin = left * math.Exp(-30*rng.Float64())
			}
		}
	}
}

// Neither tiny nor huge utilities mislead a method, a model or the bound. Models refuse only what no float64 can hold.
func TestWideScales(t *testing.T) {
	alphas := []float64{0, 0.001, 0.5, 0.999999, 1, 1 + 1e-6, 2, 5, 20, pocd.MaxAlpha, math.Inf(1)}
	rng := trials.Rand(t, 77, 1)
	refused := 0
	for i := range trials.Count(440) {
		in := oracle.RandomInstance(rng, alphas[i%len(alphas)])
		widen(rng, in)
		for _, tg := range []*target{Opt, OptAll} {
			a := algorithm(tg.Name, nil)
			want := max(-math.MaxFloat64, oracle.Opt(in, tg == OptAll))
			if got := optimum(t, a, in, "dp", ""); !near(got, want) {
				t.Fatalf("%s is %v, the oracle says %v\n%s", tg.Name, got, want, show(in))
			}
			if ub := UpperBound(t.Context(), in); tg == Opt && ub < want {
				t.Fatalf("upper bound %v, the optimum is %v\n%s", ub, want, show(in))
			}
			for _, f := range tg.Formulations {
				if f.Applies(in) != nil {
					if f.Name == "knapsack" {
						refused++
						if want > -largest {
							t.Fatalf("%s refuses an optimum of %v", f.Name, want)
						}
					}
					continue
				}
				for _, solver := range linkedtest.Names("highs", "lpsolve") {
					if got := optimum(t, a, in, solver, f.Name); !near(got, want) {
						t.Fatalf("%s by %s and %s is %v, the oracle says %v\n%s", tg.Name, f.Name, solver, got, want, show(in))
					}
				}
			}
		}
	}
	if refused == 0 {
		t.Error("no utility beyond the range")
	}
}

// A decision with copies of other tasks than stragglers has no point in the models of opt.
func TestEncodeRefuses(t *testing.T) {
	in := read(t, "../../models/pocd/examples/no-stragglers.json")
	c := pocd.NoCopies(in)
	c[0][0] = 1
	for _, alpha := range []float64{0, 1, math.Inf(1)} {
		in.Alpha = alpha
		for _, all := range []bool{false, true} {
			built, err := knapsackOf(all).Build(in, exact.BuildOptions{})
			fail.On(t, err)
			if _, err := built.Encode(c); (err == nil) != all {
				t.Errorf("α = %v, copies for all %v: %v", alpha, all, err)
			}
		}
	}
}

// The shared instances, which reach into extreme scales, by every method, model and linked solver.
func TestSharedInstances(t *testing.T) {
	files, err := filepath.Glob("../../models/pocd/examples/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		in := read(t, file)
		for _, name := range []string{pocd.Opt, pocd.OptAll} {
			a := algorithm(name, nil)
			want := optimum(t, a, in, "dp", "")
			for _, solver := range linkedtest.Names("highs", "lpsolve") {
				for _, f := range Opt.Formulations {
					if f.Applies != nil && f.Applies(in) != nil {
						continue
					}
					if got := optimum(t, a, in, solver, f.Name); !near(got, want) {
						t.Errorf("%s: %s by %s and %s is %v, by dp %v", in.Name, name, solver, f.Name, got, want)
					}
				}
			}
			if ub := UpperBound(t.Context(), in); name == pocd.Opt && ub < want {
				t.Errorf("%s: upper bound %v below %v", in.Name, ub, want)
			}
		}
	}
}

// What must not change the optimum, or only to one side.
func TestMetamorphic(t *testing.T) {
	rng := trials.Rand(t, 7, 8)
	opt := algorithm(pocd.Opt, nil)
	for i := range trials.Count(400) {
		in := larger(rng, oracle.Alphas[i%len(oracle.Alphas)], 2+rng.IntN(20))
		base := optimum(t, opt, in, "", "")
		changed := func(change func(c *pocd.Instance)) float64 {
			c := *in
			c.Jobs = slices.Clone(in.Jobs)
			for j := range c.Jobs {
				c.Jobs[j].Tasks = slices.Clone(in.Jobs[j].Tasks)
			}
			change(&c)
			return optimum(t, opt, &c, "", "")
		}
		if v := changed(func(c *pocd.Instance) { c.Capacity++ }); v < base && !near(v, base) {
			t.Fatalf("one machine more lowers %v to %v\n%s", base, v, show(in))
		}
		if v := changed(func(c *pocd.Instance) { c.MaxCopies++ }); v < base && !near(v, base) {
			t.Fatalf("one more copy allowed lowers %v to %v\n%s", base, v, show(in))
		}
		if v := changed(func(c *pocd.Instance) {
			rng.Shuffle(len(c.Jobs), func(a, b int) { c.Jobs[a], c.Jobs[b] = c.Jobs[b], c.Jobs[a] })
			for j := range c.Jobs {
				c.Jobs[j].ID = fmt.Sprint("renamed-", j)
				slices.Reverse(c.Jobs[j].Tasks)
			}
		}); !near(v, base) {
			t.Fatalf("other names and orders turn %v into %v\n%s", base, v, show(in))
		}
		if v := changed(func(c *pocd.Instance) {
			for j := range c.Jobs {
				job := &c.Jobs[j]
				job.Deadline, job.Elapsed = 8*job.Deadline, 8*job.Elapsed
				for i := range job.Tasks {
					job.Tasks[i].TMin *= 8
				}
			}
		}); !near(v, base) {
			t.Fatalf("another unit of time turns %v into %v\n%s", base, v, show(in))
		}
		if v := optimum(t, algorithm(pocd.OptAll, nil), in, "", ""); v < base && !near(v, base) {
			t.Fatalf("copies for all tasks lower %v to %v\n%s", base, v, show(in))
		}
	}
}

// Searches, proofs and the bound at once may end anywhere.
func TestInterrupted(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	rng := trials.Rand(t, 9, 9)
	for i := range trials.Count(80) {
		in := oracle.RandomInstance(rng, oracle.Alphas[i%len(oracle.Alphas)])
		optimatest.Ends(t, rng, Opt, in)
		optimatest.Ends(t, rng, OptAll, in)
		if ub := UpperBound(ended, in); ub < oracle.Opt(in, false) {
			t.Fatalf("upper bound %v, the optimum is %v\n%s", ub, oracle.Opt(in, false), show(in))
		}
	}
}

// The frontier is the best over all ways to distribute a job's copies, and ln p is concave on it.
func TestFrontier(t *testing.T) {
	rng := trials.Rand(t, 11, 12)
	for range trials.Count(300) {
		in := oracle.RandomInstance(rng, 1)
		fs, _ := frontiers(t.Context(), in, true)
		for _, f := range fs {
			alone := *in
			alone.Jobs = in.Jobs[f.job : f.job+1]
			for b, p := range f.logP {
				alone.Capacity = alone.BaseLoad() + b
				if want := oracle.Opt(&alone, true); !near(p, want) {
					t.Fatalf("ln p(%d) = %v, the oracle says %v\n%s", b, p, want, show(&alone))
				}
				if b > 1 && f.gain[b-1] > f.gain[b-2] {
					t.Fatalf("gains %v rise", f.gain)
				}
			}
		}
	}
}

// TestRows: no family of rows cuts off the optimum.
func TestRows(t *testing.T) {
	for _, tg := range []*target{Opt, OptAll} {
		linkedtest.RowTest[*pocd.Instance, pocd.Copies]{
			Formulations: tg.Formulations, Show: show,
			Random: func(rng *rand.Rand, i int) *pocd.Instance {
				return oracle.RandomInstance(rng, []float64{0, 1, math.Inf(1)}[i%3])
			},
			Optimum: func(in *pocd.Instance) float64 { return optimum(t, algorithm(tg.Name, nil), in, "dp", "") },
		}.Rows(t, 43, 4)
	}
}
