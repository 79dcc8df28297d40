package redundancy

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/exact/milp/linked"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/exact/optimatest"
	"schedgap/exact/redundancy/oracle"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

func pass(in *redundancy.Instance) *redundancy.Pass {
	return &redundancy.Pass{Instance: in, Threads: 1, Improved: func(redundancy.Solution) {}, Bounded: func(float64) {}}
}

// algorithm returns one of Algorithms with HiGHS and lp_solve.
func algorithm(name string) *redundancy.Algorithm {
	list := Algorithms(exact.Deps[*redundancy.Instance, redundancy.Solution]{
		Solvers: linked.Solvers(),
	})
	return list[slices.IndexFunc(list, func(a *redundancy.Algorithm) bool { return a.Name == name })]
}

func show(in *redundancy.Instance) string {
	data, err := redundancy.Problem.MarshalInstance(in)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// value is the checker's objective of a feasible solution at speed 1.
func value(tb testing.TB, in *redundancy.Instance, s redundancy.Solution) float64 {
	tb.Helper()
	r := redundancy.Problem.Check(in, s)
	if !r.Feasible(nil) || s.Speed != 1 {
		tb.Fatalf("infeasible: %+v at speed %v\n%s", r.Violations, s.Speed, show(in))
	}
	return *r.Objective
}

// optimum is the proven optimum by a solver, or SOLVER/MODEL.
func optimum(tb testing.TB, in *redundancy.Instance, solver string) (float64, redundancy.Solution) {
	tb.Helper()
	p := pass(in)
	p.Solver, p.Model, _ = strings.Cut(solver, "/")
	out, err := algorithm(redundancy.Opt).Run(tb.Context(), p)
	if err != nil {
		tb.Fatalf("by %s: %v\n%s", solver, err, show(in))
	}
	if out.Status != models.Optimal {
		tb.Fatalf("by %s ends as %s\n%s", solver, out.Status, show(in))
	}
	v := value(tb, in, out.Solution)
	if out.Bound != nil && math.Abs(*out.Bound-v) > 1e-6*max(1, v) { // nil: the value itself
		tb.Fatalf("by %s: bound %v, the optimum is %v\n%s", solver, *out.Bound, v, show(in))
	}
	if out.Claimed != nil && math.Abs(*out.Claimed-v) > models.ClaimTolerance*v {
		tb.Fatalf("by %s claims %v, worth %v\n%s", solver, *out.Claimed, v, show(in))
	}
	return v, out.Solution
}

// bounds checks that no lower bound exceeds the optimum or falls short of the jobs' least flowtimes.
func bounds(tb testing.TB, in *redundancy.Instance, opt float64) {
	tb.Helper()
	for name, f := range map[string]func(context.Context, *redundancy.Instance) (float64, error){
		LBSRPT.Name: func(ctx context.Context, in *redundancy.Instance) (float64, error) { return srptBound(ctx, in), nil },
		"at once":   LowerBound,
	} {
		if b, err := f(tb.Context(), in); err != nil || b > opt || b < singles(in)*(1-1e-9) {
			tb.Fatalf("%s is %v, the optimum is %v, the jobs alone need %v (%v)\n%s", name, b, opt, singles(in), err, show(in))
		}
	}
}

// Both exact methods, the model by two solvers, and the bounds against the independent oracle. The instance with its flag
// turned shows that sharing machines never hurts.
func TestAgainstOracle(t *testing.T) {
	for _, multitasking := range []bool{false, true} {
		t.Run(fmt.Sprint("multitasking=", multitasking), func(t *testing.T) {
			t.Parallel()
			agreed, gained := map[string]int{}, 0
			for i, tiny := range optimatest.Some(t, redundancy.Problem, trials.Count(80)) {
				in, want := tiny.In, tiny.Optima["opt"]
				if in.Multitasking != multitasking {
					continue
				}
				var best redundancy.Solution
				for _, solver := range linkedtest.Names("bnb", "lpsolve/events", "highs/events", "highs/periods", "lpsolve/periods") {
					if solver == "highs/events" && i%2 == 0 || multitasking && strings.HasSuffix(solver, "/periods") {
						continue
					}
					got, s := optimum(t, in, solver)
					if !near(got, want) {
						t.Fatalf("by %s %v, the oracle says %v\n%s", solver, got, want, show(in))
					}
					agreed[solver]++
					best = s
					if solver == "bnb" {
						throughModel(t, in, best, want)
					}
				}
				bounds(t, in, want)
				turned := *in
				turned.Multitasking = !multitasking
				other, _ := optimum(t, &turned, "bnb")
				if multitasking {
					want, other = other, want
				}
				if other > want && !near(other, want) {
					t.Fatalf("with multitasking %v, without %v\n%s", other, want, show(in))
				}
				if !near(other, want) {
					gained++
				}
			}
			t.Logf("agreed: %v; sharing gains: %d", agreed, gained)
		})
	}
}

// throughModel encodes an optimal solution, which must be a point of the model of the same worth, and decodes it.
func throughModel(t *testing.T, in *redundancy.Instance, s redundancy.Solution, v float64) {
	t.Helper()
	for _, f := range Opt.Formulations {
		if f.Applies(in) == nil {
			throughModelOf(t, f, in, s, v)
		}
	}
}

func throughModelOf(t *testing.T, f *formulation, in *redundancy.Instance, s redundancy.Solution, v float64) {
	t.Helper()
	built, err := f.Build(in, exact.BuildOptions{})
	fail.On(t, err)
	fail.On(t, built.Model.Validate())
	x, err := built.Encode(s)
	if err != nil {
		t.Fatalf("%v\n%s", err, show(in))
	}
	if b := built.Model.Violation(x); b.Amount > 1e-8 {
		t.Fatalf("no point of the model: %+v\n%s", b, show(in))
	}
	if obj := built.Model.Objective(x); !near(obj, v) {
		t.Fatalf("worth %v in the model, %v to the checker\n%s", obj, v, show(in))
	}
	again, err := built.Decode(x)
	if err != nil {
		t.Fatalf("%v\n%s", err, show(in))
	}
	if w := value(t, in, again); !near(w, v) {
		t.Fatalf("decoded it is worth %v, was %v\n%s", w, v, show(in))
	}
}

// The shared instances, which reach into extreme scales, by every method and linked solver.
func TestSharedInstances(t *testing.T) {
	files, err := filepath.Glob("../../models/redundancy/examples/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, fs.ErrNotExist)
	}
	for _, file := range files {
		in := read(t, file)
		want, s := optimum(t, in, "bnb")
		throughModel(t, in, s, want)
		bounds(t, in, want)
		for _, solver := range linkedtest.Names("highs", "lpsolve") {
			if got, _ := optimum(t, in, solver); math.Abs(got-want) > 1e-6*want {
				t.Errorf("%s by %s is %v, by bnb %v", in.Name, solver, got, want)
			}
		}
	}
}

// drawn makes an instance of jobs that no two have in common: arrivals over span, h(r) = r^power.
func drawn(rng *rand.Rand, jobs, machines int, span, power float64) *redundancy.Instance {
	in := &redundancy.Instance{Machines: machines, Speed: 1}
	in.Name = fmt.Sprintf("drawn-%dx%d", jobs, machines)
	for r := range machines {
		in.Speedup = append(in.Speedup, math.Pow(float64(r+1), power))
	}
	for j := range jobs {
		job := redundancy.Job{ID: fmt.Sprint("j", j), Arrival: span * rng.Float64()}
		job.Work = 0.2 + 4*rng.Float64()
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

// srpt is the textbook's rule on one machine of a given speed, by steps from event to event.
func srpt(in *redundancy.Instance, speed float64) float64 {
	left := make([]float64, len(in.Jobs))
	for j := range left {
		left[j] = in.Jobs[j].Work
	}
	flow, t := 0.0, 0.0
	for {
		next, run := math.Inf(1), -1
		for j := range left {
			switch {
			case in.Jobs[j].Arrival > t:
				next = min(next, in.Jobs[j].Arrival)
			case left[j] > 0 && (run < 0 || left[j] < left[run]):
				run = j
			}
		}
		switch {
		case run < 0 && math.IsInf(next, 1):
			return flow
		case run < 0:
			t = next
		case t+left[run]/speed <= next:
			t += left[run] / speed
			left[run] = 0
			flow += t - in.Jobs[run].Arrival
		default:
			left[run] -= speed * (next - t)
			t = next
		}
	}
}

// Where theory knows the optimum: one machine and linear speedups are SRPT on one machine, to which lb-srpt is exact;
// flat speedups without arrivals are the rule of shortest processing times on M machines (Lemma 5 of the paper); and
// jobs that arrive together cost what their weights say, shared or not.
func TestKnownOptima(t *testing.T) {
	rng := trials.Rand(t, 3, 4)
	for range trials.Count(20) {
		for machines, speed := range map[int]float64{1: 1, 3: 3} {
			in := drawn(rng, 1+rng.IntN(5), machines, 6*rng.Float64(), 1)
			want := srpt(in, speed)
			if got, _ := optimum(t, in, "bnb"); !near(got, want) {
				t.Fatalf("on %d machines %v, SRPT has %v\n%s", machines, got, want, show(in))
			}
			if got := srptBound(t.Context(), in); !near(got, want) {
				t.Fatalf("lb-srpt is %v, SRPT has %v\n%s", got, want, show(in))
			}
		}
		in := drawn(rng, 1+rng.IntN(8), 3, 0, 0)
		slices.SortFunc(in.Jobs, func(a, b redundancy.Job) int { return int(math.Copysign(1, a.Work-b.Work)) })
		want := 0.0
		for j := range in.Jobs {
			want += math.Ceil(float64(len(in.Jobs)-j)/3) * in.Jobs[j].Work
		}
		if got, _ := optimum(t, in, "bnb"); !near(got, want) {
			t.Fatalf("%v, Lemma 5 says %v\n%s", got, want, show(in))
		}
		in = drawn(rng, 1+rng.IntN(8), 4, 0, rng.Float64())
		in.Multitasking = rng.IntN(2) == 0
		want = newEnvelope(t.Context(), in, len(in.Jobs)).weigh(workOf(in))
		if got, _ := optimum(t, in, "bnb"); !near(got, want) {
			t.Fatalf("%v, the weights say %v\n%s", got, want, show(in))
		}
	}
}

// Late jobs, such as those whose arrivals are dates, have completion times of which the flowtimes are a tiny share. The optimum
// here is 65/12, 1/4 below the greedy schedule's, whatever the time that arrivals are counted from.
func TestLateArrivals(t *testing.T) {
	jobs := [][2]float64{{3, 1}, {3, 2}, {2, 2}, {2, 0.5}}
	made := func(origin float64) *redundancy.Instance {
		in := &redundancy.Instance{Machines: 2, Speed: 1, Speedup: []float64{1, 1.5}}
		in.Name = "late"
		for j, aw := range jobs {
			in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprint("j", j), Arrival: origin + aw[0], Work: aw[1]})
		}
		return in
	}
	for _, origin := range []float64{0, 1e6, 1.75e9} {
		in := made(origin)
		for _, multitasking := range []bool{false, true} {
			in.Multitasking = multitasking
			v, s := optimum(t, in, "bnb")
			if want := 65. / 12; !multitasking && math.Abs(v-want) > 1e-6 || v > want+1e-6 {
				t.Errorf("from %g, multitasking %v: %v", origin, multitasking, v)
			}
			bounds(t, in, v+1e-6)
			// A start moves with the origin and back.
			if kept := later(later(s, -firstArrival(in)), firstArrival(in)); math.Abs(value(t, in, kept)-v) > 1e-6 {
				t.Errorf("from %g: moved to %v", origin, value(t, in, kept))
			}
		}
	}
	// A gap of 1e9 between jobs cannot be moved away: the pruning itself goes by flowtimes.
	in := made(0)
	in.Jobs = append([]redundancy.Job{{ID: "first", Work: 1.5}}, made(1e9).Jobs...)
	if v, _ := optimum(t, in, "bnb"); math.Abs(v-1-65./12) > 1e-5 {
		t.Errorf("after a long gap: %v, want %v", v, 1+65./12)
	}
}

func workOf(in *redundancy.Instance) (list []float64) {
	for j := range in.Jobs {
		list = append(list, in.Jobs[j].Work)
	}
	return list
}

// Three jobs of work 1 at 0, four of 1/2 at 1.5, two machines, flat speedup. Sharing ends the first three at 1, 1.5 and
// 1.5 and the others after 1/2, 1/2, 1 and 1: 7. Without it only two end before 1.5, at 1 each; then five halves need
// 1/2, 1/2, 1, 1 and 3/2, one of them 1.5 old: 2 + 1.5 + 4.5 = 8.
func TestSharingGains(t *testing.T) {
	in := &redundancy.Instance{Machines: 2, Speed: 1, Speedup: []float64{1, 1}}
	in.Name = "sharing-gains"
	for j := range 7 {
		job := redundancy.Job{ID: fmt.Sprint("j", j), Work: 1}
		if j >= 3 {
			job.Arrival, job.Work = 1.5, 0.5
		}
		in.Jobs = append(in.Jobs, job)
	}
	for multitasking, want := range map[bool]float64{false: 8, true: 7} {
		in.Multitasking = multitasking
		if got, _ := optimum(t, in, "bnb"); !near(got, want) {
			t.Errorf("multitasking %v: %v, want %v", multitasking, got, want)
		}
	}
	// A smaller one, which the model can solve as well: a1 and a2 do not just run side by side.
	in = &redundancy.Instance{Machines: 2, Speed: 1, Speedup: []float64{1, 1.25}, Jobs: []redundancy.Job{
		{ID: "a0", Work: 1},
		{ID: "a1", Work: 1.75},
		{ID: "a2", Work: 2},
		{ID: "b0", Arrival: 2.5, Work: 0.75},
		{ID: "b1", Arrival: 2.5, Work: 1},
	}}
	in.Name = "sharing-gains-5"
	alone, _ := optimum(t, in, "bnb")
	in.Multitasking = true
	want, s := optimum(t, in, "bnb")
	throughModel(t, in, s, want)
	if want > alone-0.05 {
		t.Errorf("%v with sharing, %v without", want, alone)
	}
	for _, solver := range linkedtest.Names("lpsolve") {
		if got, _ := optimum(t, in, solver); !near(got, want) {
			t.Errorf("%v by bnb, %v by %s", want, got, solver)
		}
	}
}

// What must not change the optimum, or only to one side.
func TestMetamorphic(t *testing.T) {
	rng := trials.Rand(t, 7, 8)
	for i := range trials.Count(40) {
		in := drawn(rng, 2+rng.IntN(4), 2+rng.IntN(3), 4*rng.Float64(), 0.2+0.8*rng.Float64())
		in.Multitasking = i%4 == 0 && len(in.Jobs) < 5
		base, _ := optimum(t, in, "bnb")
		bounds(t, in, base)
		changed := func(change func(c *redundancy.Instance)) float64 {
			c := *in
			c.Jobs, c.Speedup = slices.Clone(in.Jobs), slices.Clone(in.Speedup)
			change(&c)
			v, _ := optimum(t, &c, "bnb")
			return v
		}
		if v := changed(func(c *redundancy.Instance) {
			c.Machines++
			c.Speedup = append(c.Speedup, 2*c.Speedup[c.Machines-2]-append([]float64{0, 0}, c.Speedup...)[c.Machines-1])
		}); v > base && !near(v, base) {
			t.Fatalf("one machine more raises %v to %v\n%s", base, v, show(in))
		}
		if v := changed(func(c *redundancy.Instance) {
			rng.Shuffle(len(c.Jobs), func(a, b int) { c.Jobs[a], c.Jobs[b] = c.Jobs[b], c.Jobs[a] })
			for j := range c.Jobs {
				c.Jobs[j].ID = fmt.Sprint("renamed-", j)
			}
		}); !near(v, base) {
			t.Fatalf("other names and orders turn %v into %v\n%s", base, v, show(in))
		}
		if v := changed(func(c *redundancy.Instance) {
			for j := range c.Jobs {
				c.Jobs[j].Arrival, c.Jobs[j].Work = 1000*c.Jobs[j].Arrival, 1000*c.Jobs[j].Work
			}
		}); !near(v, 1000*base) {
			t.Fatalf("another unit of time turns %v into %v\n%s", base, v, show(in))
		}
		if v := changed(func(c *redundancy.Instance) {
			for j := range c.Jobs {
				c.Jobs[j].Arrival += 64
			}
			c.Speed = 3
		}); !near(v, base) {
			t.Fatalf("later, with faster machines for others, %v becomes %v\n%s", base, v, show(in))
		}
	}
}

// Searches, proofs and the bound at once may end anywhere.
func TestInterrupted(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	rng := trials.Rand(t, 9, 9)
	for i := range trials.Count(100) {
		in := oracle.RandomInstance(rng, i%2 == 0)
		optimatest.Ends(t, rng, Opt, in)
		if b, err := LowerBound(ended, in); err != nil || b > oracle.Opt(in) && !near(b, oracle.Opt(in)) {
			t.Fatalf("bound %v above the optimum %v (%v)\n%s", b, oracle.Opt(in), err, show(in))
		}
	}
}

// opt-multitasking is the same optimum, for instances that have it only, and the model refuses what it cannot hold.
func TestApplies(t *testing.T) {
	in := drawn(rand.New(rand.NewPCG(1, 1)), 3, 2, 2, 0.5)
	if OptMultitasking.Applies(in, "") == nil {
		t.Error("opt-multitasking applies without multitasking")
	}
	in.Multitasking = true
	want, _ := optimum(t, in, "bnb")
	out, err := algorithm(OptMultitasking.Name).Run(t.Context(), pass(in))
	if err != nil || OptMultitasking.Applies(in, "") != nil || !near(value(t, in, out.Solution), want) {
		t.Errorf("opt-multitasking: %v, want %v", err, want)
	}
	if Events.Applies(in) != nil || Events.Applies(drawn(rand.New(rand.NewPCG(1, 1)), 400, 4, 9, 0.5)) == nil {
		t.Error("the model's limit of columns")
	}
	fast := out.Solution
	fast.Speed = 2
	in.Speed = 2
	built, err := Events.Build(in, exact.BuildOptions{})
	fail.On(t, err)
	if _, err := built.Encode(fast); err == nil {
		t.Error("a schedule at another speed has a point in the model")
	}
}

// TestRows: no family of rows cuts off the optimum.
func TestRows(t *testing.T) {
	linkedtest.RowTest[*redundancy.Instance, redundancy.Solution]{
		Formulations: Opt.Formulations, Show: show,
		Random:  func(rng *rand.Rand, i int) *redundancy.Instance { return oracle.RandomInstance(rng, i%5 == 4) },
		Optimum: func(in *redundancy.Instance) float64 { v, _ := optimum(t, in, "bnb"); return v },
	}.Rows(t, 43, 2)
}

// Objectives near the tolerances of solvers: HiGHS called 3.5e-6 optimal where 2.7e-6 is.
func TestTinyObjectives(t *testing.T) {
	in := &redundancy.Instance{Machines: 3, Speed: 1, Speedup: []float64{1, 2, 3}}
	for j, at := range []float64{0, 1e-6, 1.1e-6, 1.66e-6, 1.66e-6} {
		in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprint("j", j+1), Arrival: at, Work: []float64{1.02e-6, 1.29e-6, 1.48e-6, 1.09e-6, 5.3e-7}[j]})
	}
	best, _ := optimum(t, in, "bnb")
	for _, solver := range linkedtest.Names("highs/events", "highs/periods", "lpsolve/periods") {
		if v, _ := optimum(t, in, solver); !near(v, best) {
			t.Errorf("%s has %v, the optimum is %v", solver, v, best)
		}
	}
}

// Where shares are worth more than whole copies, a relaxation mixes them, and the next one, with whole copies there, is tighter.
func TestPeriodsInStages(t *testing.T) {
	linkedtest.Need(t, "highs")
	in := &redundancy.Instance{Machines: 3, Speed: 1, Speedup: []float64{1, 1.5, 1.666667}}
	for j, at := range []float64{0, 5.57, 30.4, 37.63, 84.06} {
		in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprint("j", j+1), Arrival: at, Work: []float64{54.9, 33.94, 30.7, 27.67, 42.47}[j]})
	}
	best, _ := optimum(t, in, "bnb")
	if v, _ := optimum(t, in, "highs/periods"); !near(v, best) {
		t.Errorf("periods has %v, the optimum is %v", v, best)
	}
	built, err := buildPeriods(in, exact.BuildOptions{})
	fail.On(t, err)
	var bounds []float64
	for m := built.Relaxation; m != nil; {
		r, err := linked.Solvers()[0].Solve(t.Context(), m, milp.Options{})
		if err != nil || r.Status != milp.Optimal || r.Objective > best+1e-6*best {
			t.Fatalf("%+v, %v; the optimum is %v", r, err, best)
		}
		bounds = append(bounds, r.Objective)
		m = built.Refine(r.X)
	}
	if len(bounds) < 2 || bounds[0] > best-1e-6*best || bounds[len(bounds)-1] < best-1e-6*best {
		t.Errorf("relaxations have %v, the optimum is %v", bounds, best)
	}
	t.Log(bounds, best)
}

// Beside dates small values are rounded: a start is worth less than all schedules then, and solvers called the model infeasible.
func TestDatesBesideSmallValues(t *testing.T) {
	linkedtest.Need(t, "highs")
	in := &redundancy.Instance{Machines: 3, Speed: 1, Speedup: []float64{1, 1.25, 1.5}}
	for j, late := range []float64{0.0003872, 0.0001633, 0.0007474, 0.0006883, 0.00037} {
		work := []float64{6.119384584582868e-06, 2.4884331212581007e-05, 3.72497898844156e-05, 8.32544011030555e-06, 2.8199873695529457e-05}[j]
		in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprint("j", j+1), Arrival: 1700000000 + late, Work: work})
	}
	v, best := optimum(t, in, "bnb")
	built, err := buildPeriods(in, exact.BuildOptions{})
	fail.On(t, err)
	if _, err := built.Encode(best); err == nil {
		t.Error("a schedule whose times are rounded has a point")
	}
	for _, start := range []*redundancy.Solution{nil, &best} {
		left, _, err := built.Narrow(t.Context(), start, func(m *milp.Model) (*milp.Result, error) {
			return linked.Solvers()[0].Solve(t.Context(), m, milp.Options{})
		})
		if err != nil || left == nil {
			t.Fatalf("it is not narrowed: %v", err)
		}
		r, err := linked.Solvers()[0].Solve(t.Context(), left.Model, milp.Options{})
		if err != nil || r.Status != milp.Optimal || math.Abs(r.Objective-v) > 0.01*v {
			t.Errorf("narrowed it ends %+v, %v; the optimum is %v", r, err, v)
		}
	}
}

func read(tb testing.TB, file string) *redundancy.Instance {
	tb.Helper()
	data, err := os.ReadFile(file)
	fail.On(tb, err)
	in, err := redundancy.Problem.ParseInstance(file, data)
	fail.On(tb, err)
	return in
}
