package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/trials"
)

// The conformance suite: what holds for every registered algorithm on every problem's shared instances. An algorithm is
// covered as soon as it is in the catalog; one with an argument also needs an entry in arguments.

// arguments says what follows the colon of algorithms that need it, by problem and algorithm.
var arguments = map[string]func(t *testing.T, in *bench.Instance) string{
	"flex mps": func(t *testing.T, in *bench.Instance) string {
		var file struct{ Jobs []struct{ ID string } }
		if err := json.Unmarshal(in.JSON, &file); err != nil {
			t.Fatal(err)
		}
		ids := make([]string, len(file.Jobs))
		for i, j := range file.Jobs {
			ids[len(ids)-1-i] = j.ID
		}
		return strings.Join(ids, ",")
	},
	"redundancy laps+r": half,
	"redundancy laps":   half,
}

func half(*testing.T, *bench.Instance) string { return "0.5" }

// optima are optimal values known by hand, by problem and instance, of the classes named; the suite holds every algorithm
// against them as against a proven optimum.
var optima = map[string]map[string]float64{
	// Three jobs of work 2 rotate over two slots: 6/2 = 3. Any order gives two of them a slot each until 2, then the third
	// runs alone until 4.
	"flex rotate": {"opt": 3, "opt-mps": 4},
	// The same with deadlines at 10.
	"flex lateness-max": {"opt": -7, "opt-mps": -6},
	// Three jobs of work 6 on 7 slots: 18/7. In any order two jobs hold 3 slots and one 1 until 2; 4 of its work are left,
	// which take 4/3 at its maximum of 3.
	"flex rotate-minima": {"opt": 18. / 7, "opt-mps": 10. / 3},
	// One slot: SPT is optimal, 1 + 3 + 6.
	"flex one-slot": {"opt": 10, "opt-mps": 10},
	"flex one-job":  {"opt": 1.5, "opt-mps": 1.5, "opt-moldable": 1.5},
	// Work 16 on 4 slots, which no schedule leaves idle: makespan 4, also with one slot each.
	"flex ties": {"opt": 4, "opt-mps": 4, "opt-moldable": 4},
	// All five copies: 1 − 0.35^(1.5·6).
	"pocd example": {"opt": 1 - math.Pow(0.35, 9), "opt-all": 1 - math.Pow(0.35, 9)},
	// One copy turns a half into three quarters, wherever.
	"pocd halves": {"opt": 1.25, "opt-all": 1.25},
	// a has two tasks of R 1/2, 3/4, 7/8; b one of 0.2, 0.36, 0.488; two copies. Both to a: 9/16 + 0.2, where one to b gains
	// more than one to a: 0.16 against 1/8.
	"pocd not-concave": {"opt": 0.7625, "opt-all": 0.7625},
	// The same jobs: one copy each, ln(3/8·0.36) and min(3/8, 0.36).
	"pocd proportional": {"opt": math.Log(0.135), "opt-all": math.Log(0.135)},
	"pocd max-min":      {"opt": 0.36, "opt-all": 0.36},
	// Only good counts; two copies make 7/8.
	"pocd hopeless-log":         {"opt": math.Log(0.875), "opt-all": math.Log(0.875)},
	"pocd hopeless-sum":         {"opt": 2 * math.Sqrt(0.875), "opt-all": 2 * math.Sqrt(0.875)},
	"pocd all-hopeless":         {"opt": 0, "opt-all": 0},
	"pocd all-hopeless-max-min": {"opt": 1, "opt-all": 1},
	"pocd no-spare":             {"opt": -8. / 3, "opt-all": -8. / 3},
	// 1/2 + 3/4; with a copy each 3/4 + 15/16.
	"pocd no-stragglers": {"opt": 1.25, "opt-all": 1.6875},
	// Δt = 30 − 13, ΔE = 20·17 − 15·11: 17 + 1.75.
	"speculation example": {"opt": 18.75},
	// The slot N2 ends the straggler at 15 instead of 40; ΔE = 11·25 − 17·11.
	"speculation figure3":       {"opt": 25},
	"speculation no-slots":      {"opt": 0},
	"speculation nothing-helps": {"opt": 0},
	"speculation zero-power":    {"opt": 0},
	// 11 on the slots crosswise, 12 + 1 straight; energy is time here.
	"speculation crossing": {"opt": 22},
	// One slot for a, 15 + 25, or b, 25 + 45.
	"speculation one-slot": {"opt": 70},
	// Two of three stragglers that are alike, 6 + 2 each.
	"speculation ties": {"opt": 16},
	// (15, 50), (14, 80), (12, 112); 12 + 0.1·112 is the most.
	"speculation trade-off": {"opt": 23.2},
	// (15, 10), (12, 30), (10, 100), of which the second lies below the line between the others.
	"speculation unsupported":      {"opt": 15},
	"speculation weakly-dominated": {"opt": 160},
	// a:u 10 and b:v 8, although b:u alone is 15.
	"speculation missing-pairs": {"opt": 18},
	// s6 takes v1 from s1, which goes on v6: 20 + 8 + 4·10.
	"speculation rescheduling": {"opt": 68},
	// J2 and J3 with a clone each, 8/(4/3) = 6 slots, then J1: 6 + 6 + 16 (Figure 2 of the paper).
	"cloning fig2": {"opt": 28, "opt-nonpreemptive": 28},
	// Nothing fits beside anything else: the short job first, 2 + 8.
	"cloning chain": {"opt": 10, "opt-nonpreemptive": 10},
	// The maps side by side, then the reduce task in two copies: 2 + 3/1.5.
	"cloning mapreduce": {"opt": 4, "opt-nonpreemptive": 4},
	// Both jobs take no longer than alone: K beside the fork, b then c beside a; 1 + 4.
	"cloning forkjoin": {"opt": 5, "opt-nonpreemptive": 5},
	// b alone fits on the small server, a and c take turns on the big one, c first: 3 + (1 + 3).
	"cloning heterogeneous": {"opt": 7, "opt-nonpreemptive": 7},
	// 2, a pause, then 1 and 1 + 2.
	"cloning arrival-gap": {"opt": 6, "opt-nonpreemptive": 6},
	// Preemptive SRPT: 1 + 1 + 7. Without: wait for the first short job, and after it for the second: 1 + 1 + 9.
	"cloning release-dates": {"opt": 9, "opt-nonpreemptive": 11},
	// Four tasks of 2, 2 and 4 slots on two servers: if b ends at 2, 3 or 4, then a at 6, 5 or 4.
	"cloning one-copy": {"opt": 8, "opt-nonpreemptive": 8},
	// b in slot 1 beside one copy of a, which gets a second in slot 2: 1 + 1.5 = 2.5. Flows 1 and 2.
	"cloning fractional": {"opt": 3, "opt-nonpreemptive": 3},
	"cloning ties":       {"opt": 6, "opt-nonpreemptive": 6}, // 1 + 2 + 3
	// One GPU: y, then x, z beside them: 1 + 3 + 2.
	"cloning three-resources": {"opt": 6, "opt-nonpreemptive": 6},
	// 4/(4/3) = 3 slots in two copies, then b: 3 + 1.
	"cloning pareto-fit": {"opt": 4, "opt-nonpreemptive": 4},
	// a in two copies in slots 1 and 3 and in one beside b in slot 2: 1.5 + 1 + 1.5 = 4. Copies that do not stop: one in slots 1
	// and 2, two from slot 3 on: 4 slots.
	"cloning stop-clone": {"opt": 4, "opt-nonpreemptive": 5},
	// All four machines: 4/2.2.
	"redundancy example": {"opt": 20. / 11},
	// SPT on one machine, shared or not: 1 + 3 + 6. Preemptive: short at 2, long at 5.
	"redundancy one-machine":        {"opt": 10},
	"redundancy shared-one-machine": {"opt": 10},
	"redundancy preempt":            {"opt": 6},
	// With h(r) = r the cluster is one machine of speed 2, which SRPT is optimal on: 1 + 3, and 1 + 3 + 1/2.
	"redundancy linear":        {"opt": 4},
	"redundancy shared-linear": {"opt": 4.5},
	// With h(r) = 1 it is ordinary machines, on which neither preemption nor sharing helps (McNaughton): 1 + 2 + (1+3).
	"redundancy flat":        {"opt": 7},
	"redundancy shared-flat": {"opt": 7},
	// Two jobs on two machines, one after the other: (2·1.6 + 3.2)/1.6 = 4, side by side: 2·1.6 + 1.6/1.6 = 4.2.
	"redundancy in-turn": {"opt": 4},
	// One after the other: (2·1.2 + 2.4)/1.2 = 4, side by side: 2·1.2 + 1.2/1.2 = 3.4.
	"redundancy side-by-side": {"opt": 3.4},
	// Each job alone: 1.5/1.5 + 3/1.5.
	"redundancy gap":        {"opt": 3},
	"redundancy shared-gap": {"opt": 3},
	// 3 + 3 and 2 + 2 + 2.
}

// tooMuch lists instances, by problem, solver and model, that take the solver more than seconds, small as they are.
var tooMuch = map[string][]string{
	// lp_solve has no cuts, and the literal model's relaxation is weak.
	"cloning lpsolve literal": {"fig2"},
}

// timeLimit bounds one run; the shared instances are small enough for every exact method to be done long before.
const timeLimit = time.Minute

// tolerance is the relative error up to which two objectives count as equal.
const tolerance = 1e-6

func sharedInstances(t *testing.T, p *bench.Problem) []*bench.Instance {
	t.Helper()
	instances, err := p.Examples()
	if err != nil || len(instances) == 0 {
		t.Fatalf("problem %s has no shared instances: %v", p.Name, err)
	}
	return instances
}

// ways are all requests that reach an algorithm: by its own choice, by each solver, by each model with each MILP solver.
func ways(t *testing.T, r *bench.Registry, a *bench.Algorithm, in *bench.Instance) []bench.Request {
	name := a.Name
	if a.Arg != "" {
		arg := arguments[in.Problem.Name+" "+a.Name]
		if arg == nil {
			t.Fatalf("%s needs an argument: add one to the table of this test", a.Name)
		}
		name += ":" + arg(t, in)
	}
	base := request(a, name)
	list := []bench.Request{base}
	for _, solver := range a.Solvers {
		base.Solver = solver
		i := slices.IndexFunc(r.Solvers, func(s bench.Solver) bool { return s.Name == solver })
		switch {
		case i < 0: // a combinatorial method: it has no models
			list = append(list, base)
		case r.Solvers[i].Available:
			for _, m := range a.Models {
				if slices.Contains(tooMuch[strings.Join([]string{in.Problem.Name, solver, m}, " ")], in.Name) {
					continue
				}
				base.Model = m
				list = append(list, base)
			}
			base.Model = ""
		}
	}
	return list
}

// request has few evaluations: what a search promises does not depend on how long it goes on.
func request(a *bench.Algorithm, name string) bench.Request {
	q := bench.Request{Algorithm: name, Seed: 1, Threads: 1}
	if slices.ContainsFunc(a.Params, func(p models.Param) bool { return p.Name == "evaluations" }) {
		q.Params = map[string]any{"evaluations": 300}
	}
	return q
}

func label(q bench.Request) string {
	return strings.Join(slices.DeleteFunc([]string{q.Algorithm, q.Solver, q.Model}, func(s string) bool { return s == "" }), "/")
}

func solve(p *bench.Problem, in *bench.Instance, q bench.Request) *bench.Result {
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	var mu sync.Mutex // solvers report from threads of their own
	var bounds []float64
	var incumbents []json.RawMessage
	res := p.Run(ctx, in, q, bench.Observer{
		Incumbent: func(_ bench.Moment, solution json.RawMessage) {
			mu.Lock()
			defer mu.Unlock()
			incumbents = append(incumbents, slices.Clone(solution))
		},
		Bound: func(_ bench.Moment, b float64) {
			mu.Lock()
			defer mu.Unlock()
			bounds = append(bounds, b)
		},
	})
	if res.Status != bench.Optimal {
		return res
	}
	// What was known on the way contradicts no end.
	beyond := func(v, than float64) bool {
		return float64(p.Sense)*(than-v) > tolerance*max(1, math.Abs(than))+in.Accuracy.Rounding
	}
	for _, b := range bounds {
		if beyond(*res.Objective, b) {
			res.Status, res.Error = bench.Error, fmt.Sprintf("the bound %v on the way is beyond the optimum %v", b, *res.Objective)
		}
	}
	for _, file := range incumbents {
		rep, err := in.Check("incumbent", file)
		switch {
		case err != nil:
			res.Status, res.Error = bench.Error, err.Error()
		case rep.Worst(res.Waived) != nil:
			res.Status, res.Error = bench.Error, fmt.Sprintf("an incumbent breaks %s", rep.Worst(res.Waived).Constraint)
		case beyond(*rep.Objective, *res.Objective):
			res.Status, res.Error = bench.Error, fmt.Sprintf("the incumbent %v is better than the optimum %v", *rep.Objective,
				*res.Objective)
		}
	}
	return res
}

// TestConformance runs every way to every algorithm on every shared instance. Each must end as its kind promises with a solution
// that the checker accepts, waivers honoured, and leave the instance as it was; the same seed must give the same solution; and no
// value may be on the better side of a proven optimum of a class that holds the algorithm's. Every night all MILP solvers solve all
// models of all instances; else each instance's models go to one solver each, in turn, such that each solver gets each model.
func TestConformance(t *testing.T) {
	r := registry(t)
	for _, p := range r.Problems {
		var applied sync.Map // names of algorithms that ran on some instance, and their solvers and models
		instances := sharedInstances(t, p)
		t.Run(p.Name, func(t *testing.T) {
			for k, in := range instances {
				t.Run(in.Name, func(t *testing.T) {
					t.Parallel()
					conform(t, r, p, in, k, &applied)
				})
			}
		})
		for i := range p.Algorithms {
			a := &p.Algorithms[i]
			if _, ok := applied.Load(a.Name); !ok {
				t.Errorf("%s %s applies to no shared instance: add one", p.Name, a.Name)
			}
			for _, q := range ways(t, r, a, instances[0]) {
				_, some := applied.Load([2]string{a.Name, q.Model})
				if _, ok := applied.Load([3]string{a.Name, q.Model, q.Solver}); some && !ok {
					t.Errorf("%s %s solves no shared instance, other solvers do", p.Name, label(q))
				}
			}
		}
	}
}

// A value is what one way to an algorithm made of an instance.
type value struct {
	label      string
	algorithm  *bench.Algorithm
	result     *bench.Result
	comparable bool // nothing was waived, the machines are the optimum's
}

// fewest are models that suit fewer shared instances than there are solvers: all solvers solve all of them.
var fewest = []string{"grid"}

// turn reports whether a model of the k-th instance is the solver's to solve today.
func turn(r *bench.Registry, a *bench.Algorithm, k int, q bench.Request) bool {
	if q.Model == "" || trials.Whole() || slices.Contains(fewest, q.Model) {
		return true
	}
	linear := slices.DeleteFunc(slices.Clone(r.Solvers), func(s bench.Solver) bool {
		return !s.Available || !slices.Contains(a.Solvers, s.Name)
	})
	i := slices.IndexFunc(linear, func(s bench.Solver) bool { return s.Name == q.Solver })
	return (k+1+slices.Index(a.Models, q.Model))%len(linear) == i // not fig2 by cbc, which takes as long as all others
}

func conform(t *testing.T, r *bench.Registry, p *bench.Problem, in *bench.Instance, k int, applied *sync.Map) {
	untouched := contents(t, in)
	var values []value
	for i := range p.Algorithms {
		a := &p.Algorithms[i]
		for _, q := range ways(t, r, a, in) {
			if !turn(r, a, k, q) {
				continue
			}
			if err := p.Validate(in, q); err != nil {
				if na := new(models.NotApplicable); !errors.As(err, &na) {
					t.Errorf("%s: %v", label(q), err)
				}
				continue
			}
			res := solve(p, in, q)
			if res.Status == bench.Skipped {
				continue // a model or method that does not suit the instance
			}
			applied.Store(a.Name, true)
			if q.Model != "" {
				applied.Store([2]string{a.Name, q.Model}, true)
				applied.Store([3]string{a.Name, q.Model, q.Solver}, true)
			}
			values = append(values, value{label(q), a, res, len(a.Waives) == 0 && res.Augmentation == 1})
			if problem := promise(in, a, res); problem != "" {
				t.Errorf("%s: %s", label(q), problem)
				continue
			}
			if now := contents(t, in); now != untouched {
				t.Fatalf("%s changes the instance %s to %s", label(q), untouched, now)
			}
			if q.Solver != "" && !trials.Whole() {
				continue // a night repeats them
			}
			if again := solve(p, in, q); !bytes.Equal(res.Solution, again.Solution) || !equal(res.Bound, again.Bound) {
				t.Errorf("%s: the same seed gives another solution: %s, then %s", label(q), res.Solution, again.Solution)
			}
		}
	}
	for class, v := range optima[p.Name+" "+in.Name] {
		known := &bench.Algorithm{Kind: models.Exact, Reference: class, Class: class}
		values = append(values, value{
			"the optimum by hand", known, &bench.Result{Status: bench.Optimal, Findings: models.Findings{Objective: &v, Bound: &v}},
			true,
		})
	}
	compare(t, p, in, values)
}

// contents is the file of an instance as it is in memory, without its name and lineage; empty where instances cannot be copied.
func contents(t *testing.T, in *bench.Instance) string {
	if in.Problem.Moves == nil {
		return ""
	}
	draft, err := in.Draft("copy")
	if err != nil {
		t.Fatal(err)
	}
	copied, err := draft.Instance()
	if err != nil {
		t.Fatal(err)
	}
	return string(copied.JSON)
}

// promise says how a result falls short of what its algorithm's kind promises.
func promise(in *bench.Instance, a *bench.Algorithm, res *bench.Result) string {
	ended := fmt.Sprintf("ended as %s (%s)", res.Status, res.Error)
	switch {
	case a.Kind == models.Bound:
		if res.Status != bench.Feasible || res.Bound == nil || len(res.Solution) > 0 {
			return "a bound " + ended
		}
		return ""
	case a.Kind == models.Exact && res.Status == bench.Infeasible:
		return "" // the reference's class may be empty
	case a.Kind == models.Exact && res.Status != bench.Optimal && !unclaimed(in, res):
		return "an exact algorithm " + ended
	case a.Kind == models.Heuristic && res.Status != bench.Feasible:
		return "a heuristic " + ended
	case res.Feasible == nil || !*res.Feasible || res.Objective == nil:
		return fmt.Sprintf("the checker refuses the solution: %s", res.Solution)
	}
	return ""
}

// unclaimed reports whether the claim of a MILP solver was left out for a reason that holds: its tolerances are worth too much of the
// value. That is so where works span many decades, and elsewhere only of glpsol, whose tolerances cannot be set; they are then worth
// up to a hundred thousandth.
func unclaimed(in *bench.Instance, res *bench.Result) bool {
	if res.Status != bench.Feasible || res.Model == "" || !strings.Contains(res.Raw, "not claimed: ") {
		return false
	}
	_, worth, small := strings.Cut(res.Raw, "is small beside the model's numbers: the solver's tolerances are worth ")
	if works(in) >= 4 {
		return small || strings.Contains(res.Raw, "works span 10^")
	}
	lost, err := strconv.ParseFloat(worth, 64)
	return small && res.Solver == "glpsol" && err == nil && lost <= 1e-5*math.Abs(*res.Objective)
}

// works is how many decades the works of an instance's jobs span; 0: they have none.
func works(in *bench.Instance) float64 {
	var file struct{ Jobs []struct{ Work float64 } }
	if err := json.Unmarshal(in.JSON, &file); err != nil {
		return 0
	}
	least, most := math.Inf(1), 0.0
	for _, j := range file.Jobs {
		if j.Work > 0 {
			least, most = min(least, j.Work), max(most, j.Work)
		}
	}
	if most == 0 {
		return 0
	}
	return math.Log10(most / least)
}

// compare holds all values of an instance against its optima and bounds, minding the classes they speak of.
func compare(t *testing.T, p *bench.Problem, in *bench.Instance, values []value) {
	for _, opt := range values {
		bound := opt.result.Bound
		if bound == nil {
			continue
		}
		slack := tolerance * max(1, math.Abs(*bound))
		for _, v := range values {
			if !v.comparable || v.result.Objective == nil || !p.ReferenceWithin(v.algorithm.Class, opt.algorithm.Reference) {
				continue
			}
			if float64(p.Sense)*(*v.result.Objective-*bound) < -slack {
				t.Errorf("%s, of class %s, has %v, better than the bound %v that %s proves for %s",
					v.label, v.algorithm.Class, *v.result.Objective, *bound, opt.label, opt.algorithm.Reference)
			}
		}
		for _, v := range values {
			if v.algorithm.Kind != models.Exact || opt.algorithm.Kind != models.Exact ||
				v.algorithm.Reference != opt.algorithm.Reference || unclaimed(in, opt.result) || unclaimed(in, v.result) {
				continue
			}
			if v.result.Objective == nil || math.Abs(*v.result.Objective-*bound) > slack {
				t.Errorf("%s ends as %s at %v, but %s proves %v", v.label, v.result.Status, show(v.result.Objective), opt.label, *bound)
			}
		}
	}
}

func equal(a, b *float64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

func show(v *float64) any {
	if v == nil {
		return "nothing"
	}
	return *v
}

func registry(t *testing.T) *bench.Registry {
	t.Helper()
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return r
}
