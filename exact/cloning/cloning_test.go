package cloning

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"schedgap/exact"
	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/formulations"
	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/schedule"
	"schedgap/exact/milp/linked"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/exact/optimatest"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/trials"
)

func pass(in *cloning.Instance) *cloning.Pass {
	return &cloning.Pass{Instance: in, Threads: 1, Improved: func(cloning.Solution) {}, Bounded: func(float64) {}}
}

// value is the checker's objective of a feasible solution.
func value(t testing.TB, in *cloning.Instance, s cloning.Solution) float64 {
	t.Helper()
	r := cloning.Problem.Check(in, s)
	if !r.Feasible(nil) || r.Objective == nil {
		t.Fatalf("infeasible: %+v\n%+v\n%s", r.Violations, s, oracle.Show(in))
	}
	return *r.Objective
}

// solve runs an algorithm by a solver and model, empty for its own choice, and returns its proven optimum.
func solve(t testing.TB, tg *target, in *cloning.Instance, solver, model string) (cloning.Solution, float64) {
	t.Helper()
	a := tg.Algorithm(parts)
	p := pass(in)
	p.Solver, p.Model = solver, model
	out, err := a.Run(t.Context(), p)
	if err != nil {
		t.Fatalf("%s by %s %s: %v\n%s", tg.Name, solver, model, err, oracle.Show(in))
	}
	if out.Status != models.Optimal {
		t.Fatalf("%s by %s %s ends as %s\n%s", tg.Name, solver, model, out.Status, oracle.Show(in))
	}
	v := value(t, in, out.Solution)
	if out.Claimed != nil && math.Abs(*out.Claimed-v) > models.ClaimTolerance*max(1, v) {
		t.Fatalf("%s by %s %s claims %v, worth %v\n%s", tg.Name, solver, model, *out.Claimed, v, oracle.Show(in))
	}
	if tg == OptNonpreemptive && out.Solution.Regime != cloning.Nonpreemptive {
		t.Fatalf("%s by %s %s: regime %q", tg.Name, solver, model, out.Solution.Regime)
	}
	return out.Solution, v
}

var parts = exact.Deps[*cloning.Instance, cloning.Solution]{Solvers: linked.Solvers()}

// Every exact method and every bound against the independent oracle, in both regimes, and every solution through the models.
func TestAgainstOracle(t *testing.T) {
	for _, tiny := range optimatest.Some(t, cloning.Problem, trials.Count(80)) {
		in, pre, nonpre := tiny.In, tiny.Optima["opt"], tiny.Optima["opt-nonpreemptive"]
		againstBounds(t, in, pre)
		againstOracle(t, Opt, in, pre)
		s := againstOracle(t, OptNonpreemptive, in, nonpre)
		for _, f := range Opt.Formulations {
			throughModel(t, f, in, s, pre, nonpre)
		}
	}
}

func againstOracle(t *testing.T, tg *target, in *cloning.Instance, want float64) cloning.Solution {
	t.Helper()
	var last cloning.Solution
	for _, way := range linkedtest.Ways([2]string{"highs", "literal"}, [2]string{"highs", "strong"}, [2]string{"search", ""}) {
		s, got := solve(t, tg, in, way[0], way[1])
		if got != want {
			t.Fatalf("%s by %v is %v, the oracle says %v\n%s", tg.Name, way, got, want, oracle.Show(in))
		}
		for _, f := range tg.Formulations {
			throughModel(t, f, in, s, want, want)
		}
		last = s
	}
	return last
}

func againstBounds(t *testing.T, in *cloning.Instance, opt float64) {
	t.Helper()
	for name, b := range map[string]float64{"all": bounds.Lower(in), "path": bounds.Path(in), "srpt": bounds.SRPT(in)} {
		if b > opt || math.IsNaN(b) {
			t.Fatalf("bound %s is %v, the optimum %v\n%s", name, b, opt, oracle.Show(in))
		}
	}
}

// throughModel encodes a solution, which must give a point of the model worth opt..worth, and decodes it.
func throughModel(t *testing.T, f *formulations.Formulation, in *cloning.Instance, s cloning.Solution, opt, worth float64) {
	t.Helper()
	built, err := f.Build(in, exact.BuildOptions{})
	fail.On(t, err)
	fail.On(t, built.Model.Validate())
	x, err := built.Encode(s)
	if err != nil {
		t.Fatalf("into %s: %v\n%s", f.Name, err, oracle.Show(in))
	}
	if b := built.Model.Violation(x); b.Amount > 1e-9 {
		t.Fatalf("no point of %s: %+v\n%+v\n%s", f.Name, b, s, oracle.Show(in))
	}
	if obj := built.Model.Objective(x); obj < opt || obj > worth {
		t.Fatalf("worth %v in %s, %v to the checker, the optimum is %v\n%s", obj, f.Name, worth, opt, oracle.Show(in))
	}
	again, err := built.Decode(x)
	if err != nil {
		t.Fatalf("out of %s: %v\n%s", f.Name, err, oracle.Show(in))
	}
	if v := value(t, in, again); v < opt || v > worth {
		t.Fatalf("worth %v decoded from %s, was %v\n%s", v, f.Name, worth, oracle.Show(in))
	}
}

// Figure 2 of the paper: 28 is optimal, in both regimes.
func TestFigure2(t *testing.T) {
	in := read(t, "../../models/cloning/examples/fig2.json")
	for _, tg := range []*target{Opt, Preemptive, OptNonpreemptive} {
		for _, way := range linkedtest.Ways([2]string{"", ""}, [2]string{"highs", "literal"}, [2]string{"highs", "strong"},
			[2]string{"lpsolve", "strong"}) {
			if _, got := solve(t, tg, in, way[0], way[1]); got != 28 {
				t.Errorf("%s by %v is %v, want 28", tg.Name, way, got)
			}
		}
	}
}

// Search and strong model agree on instances that the oracle cannot solve, and preemption only helps.
func TestMethodsAgree(t *testing.T) {
	for i := range 12 {
		in := oracle.Clustered(rand.New(rand.NewPCG(5, uint64(i))), 2, 1+i%3, 3)
		_, pre := solve(t, Opt, in, "search", "")
		_, nonpre := solve(t, OptNonpreemptive, in, "search", "")
		if pre > nonpre {
			t.Fatalf("preemptive %v, nonpreemptive %v\n%s", pre, nonpre, oracle.Show(in))
		}
		againstBounds(t, in, pre)
		for tg, want := range map[*target]float64{Opt: pre, OptNonpreemptive: nonpre} {
			if linkedtest.Without("highs") {
				continue
			}
			if s, got := solve(t, tg, in, "highs", "strong"); got != want {
				t.Fatalf("%s by strong is %v, by search %v\n%s", tg.Name, got, want, oracle.Show(in))
			} else {
				throughModel(t, tg.Formulations[0], in, s, want, want)
			}
		}
	}
}

// A list schedule is a feasible point of every model, also where it is far from optimal, and is claimed for what it is worth.
func TestListsThroughModels(t *testing.T) {
	rng := trials.Rand(t, 3, 4)
	for range trials.Count(60) {
		in := oracle.RandomInstance(rng, 5)
		v := bounds.Of(in)
		order := rng.Perm(len(in.Jobs))
		copies := make([]int, len(order))
		for j := range copies {
			copies[j] = 1 + rng.IntN(3)
		}
		s, cost, ok := schedule.List(t.Context(), v, schedule.Rule{Order: order, Copies: copies, Fill: rng.IntN(2) == 0}, math.MaxInt)
		if !ok || value(t, in, s) != float64(cost) {
			t.Fatalf("claims %d, worth %v\n%s", cost, value(t, in, s), oracle.Show(in))
		}
		for _, tg := range []*target{Opt, OptNonpreemptive} {
			_, best := solve(t, tg, in, "search", "")
			for _, f := range tg.Formulations {
				throughModel(t, f, in, s, best, float64(cost))
			}
		}
	}
}

// A schedule with slots in which nothing runs is longer than the literal model's horizon, and is encoded without them.
func TestEncodeIdleSlots(t *testing.T) {
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1,
		Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}},
		Jobs: []cloning.Job{{ID: "j", Phases: []cloning.Phase{
			{ID: "p", Tasks: 1, Demand: []float64{1}, Mean: 2, Speedup: []float64{1}},
		}}},
	}
	s := cloning.Solution{Copies: []cloning.Copy{{Start: 3, End: 4}, {Start: 7, End: 8}}}
	for _, f := range Opt.Formulations {
		throughModel(t, f, in, s, 2, value(t, in, s))
	}
	if _, err := mustBuild(t, OptNonpreemptive.Formulations[0], in).Encode(s); err == nil {
		t.Error("a copy that stops before its task is done was encoded as nonpreemptive")
	}
}

// An optimum is claimed only of what can be counted: in slots of 4/3 a task of mean m is done after 3m/4, but whole units cut
// off a third of one in each slot. Waiting for the three short jobs that come at 1, which only the search finds, gives
// 1 + 2 + 3 + 4 + 3m/4; of tasks so long that the cut adds up to a slot it claims nothing.
func TestLongTasks(t *testing.T) {
	for _, mean := range []float64{12, 60, 9_000, 30_000, 90_000, 900_000} {
		in := &cloning.Instance{
			Header: models.Header{Name: "long"}, Resources: []string{"cpu"}, MaxCopies: 2, MaxCopiesPerServer: 2,
			Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}},
		}
		for j := range 4 {
			ph := cloning.Phase{ID: "p", Tasks: 1, Demand: []float64{1}, Mean: 1, Speedup: []float64{1, 1}}
			if j == 0 {
				ph.Demand, ph.Mean, ph.Speedup = []float64{0.5}, mean, []float64{1, 4. / 3}
			}
			in.Jobs = append(in.Jobs, cloning.Job{ID: fmt.Sprint("j", j), Arrival: min(j, 1), Phases: []cloning.Phase{ph}})
		}
		out, err := OptNonpreemptive.Algorithm(parts).Run(t.Context(), pass(in))
		fail.On(t, err)
		want := 10 + 3*mean/4
		got := value(t, in, out.Solution)
		if *out.Bound > want || got < want || out.Status == models.Optimal && got != want {
			t.Errorf("mean %v: %s, %v, bound %v, want %v", mean, out.Status, got, *out.Bound, want)
		}
		if long := mean > 40_000; long == (out.Status == models.Optimal) {
			t.Errorf("mean %v ends as %s", mean, out.Status)
		}
	}
}

func mustBuild(t *testing.T, f *formulations.Formulation, in *cloning.Instance) *exact.BuiltModel[cloning.Solution] {
	t.Helper()
	built, err := f.Build(in, exact.BuildOptions{})
	fail.On(t, err)
	return built
}

// What must not matter does not, and what can only help does, in both regimes. Adding capacity, servers, allowed copies, and
// dropping a precedence or an arrival never hurt; the optimum of twice the means is at most twice as large, as every slot may
// be doubled, when there are no arrivals.
func TestMetamorphic(t *testing.T) {
	rng := trials.Rand(t, 5, 6)
	for range trials.Count(60) {
		in := oracle.RandomInstance(rng, 5)
		for _, tg := range []*target{Opt, OptNonpreemptive} {
			_, base := solve(t, tg, in, "", "")
			change := func(name string, holds func(got float64) bool, f func(c *cloning.Instance)) {
				c := clone(in)
				f(c)
				if _, got := solve(t, tg, c, "", ""); !holds(got) {
					t.Fatalf("%s, %s: %v, was %v\n%s", tg.Name, name, got, base, oracle.Show(in))
				}
			}
			equal := func(got float64) bool { return got == base }
			noWorse := func(got float64) bool { return got <= base }
			change("order of jobs and servers", equal, func(c *cloning.Instance) {
				slices.Reverse(c.Jobs)
				slices.Reverse(c.Servers)
			})
			change("scale of a resource", equal, func(c *cloning.Instance) { scale(c, 0, 8) })
			change("a later start", equal, func(c *cloning.Instance) {
				for j := range c.Jobs {
					c.Jobs[j].Arrival += 3
				}
			})
			change("one more server", noWorse, func(c *cloning.Instance) {
				c.Servers = append(c.Servers, cloning.Server{ID: "more", Capacity: c.Servers[0].Capacity})
			})
			change("more capacity", noWorse, func(c *cloning.Instance) {
				c.Servers[0].Capacity = []float64{c.Servers[0].Capacity[0] * 1.5, c.Servers[0].Capacity[1] * 1.5}
			})
			change("more copies on a server", noWorse, func(c *cloning.Instance) { c.MaxCopiesPerServer = c.MaxCopies })
			change("no precedence", noWorse, func(c *cloning.Instance) {
				for k := range c.Jobs[0].Phases {
					c.Jobs[0].Phases[k].Parents = nil
				}
			})
			all := true
			for j := range in.Jobs {
				all = all && in.Jobs[j].Arrival == 0
			}
			if all {
				change("twice the work", func(got float64) bool { return got <= 2*base }, func(c *cloning.Instance) {
					for j := range c.Jobs {
						for k := range c.Jobs[j].Phases {
							c.Jobs[j].Phases[k].Mean *= 2
						}
					}
				})
			}
		}
	}
}

func clone(in *cloning.Instance) *cloning.Instance {
	c := *in
	c.Servers, c.Jobs = slices.Clone(in.Servers), slices.Clone(in.Jobs)
	for j := range c.Jobs {
		c.Jobs[j].Phases = slices.Clone(c.Jobs[j].Phases)
	}
	return &c
}

func scale(in *cloning.Instance, r int, by float64) {
	for s := range in.Servers {
		in.Servers[s].Capacity = slices.Clone(in.Servers[s].Capacity)
		in.Servers[s].Capacity[r] *= by
	}
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			ph := &in.Jobs[j].Phases[k]
			ph.Demand = slices.Clone(ph.Demand)
			ph.Demand[r] *= by
		}
	}
}

// Searches and proofs may end anywhere.
func TestInterrupted(t *testing.T) {
	rng := trials.Rand(t, 7, 8)
	for range trials.Count(100) {
		in := oracle.RandomInstance(rng, 8)
		optimatest.Ends(t, rng, Opt, in)
		optimatest.Ends(t, rng, OptNonpreemptive, in)
	}
}

// At limits the search, of what it nearly masters and of what is far beyond it, keeps an incumbent and a bound on the right side that the
// cheap one does not exceed.
func TestTimeout(t *testing.T) {
	for _, size := range [][3]int{{12, 4, 6}, {100, 10, 9}, {400, 20, 30}} {
		in := oracle.Clustered(rand.New(rand.NewPCG(1, 1)), size[0], size[1], size[2])
		for _, tg := range []*target{Opt, OptNonpreemptive} {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			out, err := tg.Algorithm(parts).Run(ctx, pass(in))
			cancel()
			if err != nil || !out.Found || out.Status != models.Timeout {
				t.Fatalf("%v, %s: %s %v", size, tg.Name, out.Status, err)
			}
			if v := value(t, in, out.Solution); *out.Bound > v || *out.Bound < bounds.Lower(in) {
				t.Errorf("%v, %s: bound %v, incumbent %v, cheap bound %v", size, tg.Name, *out.Bound, v, bounds.Lower(in))
			}
		}
	}
}

// Bounds take instances of any size, and models refuse what is beyond them. Of 1,000 jobs of 3 slots 100 run at once: the
// optimum is 100·(3 + 6 + … + 30) = 16,500.
func TestLarge(t *testing.T) {
	in := &cloning.Instance{Resources: []string{"cpu"}, MaxCopies: 2, MaxCopiesPerServer: 1}
	for s := range 100 {
		in.Servers = append(in.Servers, cloning.Server{ID: fmt.Sprint("s", s), Capacity: []float64{1}})
	}
	for j := range 1000 {
		in.Jobs = append(in.Jobs, cloning.Job{ID: fmt.Sprint("j", j), Phases: []cloning.Phase{
			{ID: "p", Tasks: 1, Demand: []float64{0.6}, Mean: 3, Speedup: []float64{1, 1}},
		}})
	}
	againstBounds(t, in, 16_500)
	if b := bounds.Lower(in); b < 0.9*16_500 {
		t.Errorf("bound %v of 16,500", b)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	in = oracle.Clustered(rng, 1500, 5000, 9)
	for j := range in.Jobs {
		in.Jobs[j].Arrival = rng.IntN(200)
		for k := range in.Jobs[j].Phases {
			in.Jobs[j].Phases[k].Tasks = 1 + rng.IntN(400)
		}
	}
	againstBounds(t, in, math.MaxFloat64)
	for _, f := range slices.Concat(Opt.Formulations, OptNonpreemptive.Formulations) {
		if f.Applies(in) == nil {
			t.Errorf("%s takes 600,000 tasks", f.Name)
		}
	}
}

// Arrivals may be dates: bounds, search and models give the same, and schedules lie where they are asked for. Three jobs that
// exclude each other for the most part, worth 13 by every method.
func TestDates(t *testing.T) {
	made := func(origin int) *cloning.Instance {
		in := &cloning.Instance{
			Resources: []string{"cpu"}, MaxCopies: 2, MaxCopiesPerServer: 2,
			Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}},
		}
		for j, job := range []struct {
			arrival      int
			demand, mean float64
		}{{0, 0.5, 3}, {1, 0.6, 2}, {3, 0.7, 4}} {
			in.Jobs = append(in.Jobs, cloning.Job{ID: fmt.Sprint("j", j), Arrival: origin + job.arrival, Phases: []cloning.Phase{{
				ID: "p", Tasks: 1, Demand: []float64{job.demand}, Mean: job.mean, SD: 1, Speedup: cloning.ParetoSpeedup(job.mean, 1, 2),
			}}})
		}
		return in
	}
	near := boundsOf(t, made(0))
	for _, origin := range []int{1, 1_750_000_000, 1_000_000_000_000} {
		in := made(origin)
		if far := boundsOf(t, in); !slices.Equal(far, near) {
			t.Errorf("from %d the bounds are %v, from 0 %v", origin, far, near)
		}
		for _, tg := range []*target{Opt, OptNonpreemptive} {
			for _, way := range linkedtest.Ways([2]string{"search", ""}, [2]string{"highs", "strong"}, [2]string{"highs", "literal"}) {
				if _, got := solve(t, tg, in, way[0], way[1]); got != 13 {
					t.Errorf("%s by %v from %d is %v, want 13", tg.Name, way, origin, got)
				}
			}
		}
	}
}

func boundsOf(t *testing.T, in *cloning.Instance) []float64 {
	t.Helper()
	return []float64{bounds.Lower(in), bounds.Path(in), bounds.SRPT(in)}
}

// A search that can do no more says that it has a schedule without proof, not that it came to a limit.
func TestBeyondTheSearch(t *testing.T) {
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1, Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}},
	}
	// All exclude each other, but not by a count of large demands: the bounds take the second for 0.6 of the server.
	for j, mean := range []float64{1e6, 2e6} {
		in.Jobs = append(in.Jobs, cloning.Job{ID: fmt.Sprint("j", j), Phases: []cloning.Phase{{
			ID: "p", Tasks: 1, Demand: []float64{0.5, 0.6}[j : j+1], Mean: mean, Speedup: []float64{1},
		}}})
	}
	out, err := Opt.Algorithm(parts).Run(t.Context(), pass(in))
	if err != nil || out.Status != models.Feasible || !out.Found || out.Bound == nil || value(t, in, out.Solution) != 4e6 ||
		out.Stats.Raw == "" {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestRows: no family of rows cuts off the optimum, for the strong model also with copies of a task that have to be on different
// ones of several servers, and with more tasks alike.
func TestRows(t *testing.T) {
	random := func(rng *rand.Rand, _ int) *cloning.Instance { return oracle.RandomInstance(rng, 4) }
	larger := func(rng *rand.Rand, i int) *cloning.Instance {
		in := oracle.RandomInstance(rng, 3)
		for in.MaxCopiesPerServer = 1; len(in.Servers) < 1+i%4; {
			server := in.Servers[0]
			server.ID = fmt.Sprint("s", len(in.Servers)+1)
			in.Servers = append(in.Servers, server)
		}
		in.Jobs[0].Phases[0].Tasks += i % 3
		return in
	}
	for _, tg := range []*target{Opt, OptNonpreemptive} {
		rows := linkedtest.RowTest[*cloning.Instance, cloning.Solution]{
			Formulations: tg.Formulations, Show: oracle.Show, Random: random,
			Optimum: func(in *cloning.Instance) float64 { _, v := solve(t, tg, in, "search", ""); return v },
		}
		rows.Rows(t, 43, 3)
		if tg == Opt {
			rows.Formulations, rows.Random = tg.Formulations[1:], larger
			rows.Rows(t, 43, 4)
		}
	}
}
