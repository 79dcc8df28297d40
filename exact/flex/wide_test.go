package flex

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"schedgap/exact"
	heuristics "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

func parsed(t *testing.T, text string) *flex.Instance {
	t.Helper()
	in, err := flex.Problem.ParseInstance("test", []byte(text))
	fail.On(t, err)
	return in
}

// Works from 0.018 to 302767: bisection went by the spread of values, 10^7 here, and ended above spt's. The bound is below
// the value for every objective, and they meet.
func TestMaxObjectivesOfWideWorks(t *testing.T) {
	for _, metric := range []string{"response", "stretch"} {
		in := parsed(t, `{"problem":"flex","version":1,"name":"wide","slots":2,"objective":{"metric":"`+metric+`","aggregate":"max","weighted":false},
			"jobs":[{"id":"a","work":0.018},{"id":"b","work":47193,"min":1},{"id":"c","work":1287},{"id":"d","work":302767}]}`)
		out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in), nil)
		if err != nil || out.Status != models.Optimal {
			t.Fatalf("%v %v", out.Status, err)
		}
		got := value(t, in, out.Solution)
		if *out.Bound > got || *out.Bound < got-1e-12*got {
			t.Errorf("%s: bound %v, value %v", metric, *out.Bound, got)
		}
		for _, a := range heuristics.All {
			if a.Arg != "" || len(a.Waives) > 0 || a.Applies != nil && a.Applies(in, "") != nil {
				continue
			}
			p := pass(in)
			p.Params = models.Defaults(a.Params)
			if h, err := a.Run(t.Context(), p); err != nil || value(t, in, h.Solution) < got*(1-1e-13) {
				t.Errorf("%s: %s has %v, opt %v (%v)", metric, a.Name, value(t, in, h.Solution), got, err)
			}
		}
	}
}

// Ten jobs with 1,000 steps each: a table of what each step is worth at the time of each other would fill 800 MB, and the model grid
// would have about 10^8 coefficients.
func TestManySteps(t *testing.T) {
	in := &flex.Instance{Slots: 3, Objective: flex.Objective{Metric: flex.SLA, Aggregate: flex.Sum}}
	for j := range 10 {
		job := flex.Job{ID: fmt.Sprint("j", j), Work: float64(1 + j), Min: 0, Max: 3, Weight: 1}
		for k := range 1000 {
			job.Steps = append(job.Steps, flex.Step{At: float64(1+j)/3 + 0.02*float64(k), Penalty: float64(1 + k*(1+j%3))})
		}
		in.Jobs = append(in.Jobs, job)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, root := newLevelSearch(newIncumbent(in, nil), nil)
	root.d.Optimize(t.Context(), inf)
	found := s.cut(t.Context(), root)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; !found || used > 100<<20 {
		t.Errorf("the search begins with %d MB, moments found: %v", used>>20, found)
	}
	if Grid.Applies(in) == nil {
		t.Error("grid applies")
	}
	in.Jobs[9].Max = 2 // else the jobs are one machine's
	bounds := 0
	x := pass(in)
	x.Params, x.Bounded = models.Values{"steps": 400}, func(float64) { bounds++ }
	_, err := LBPrice.Run(t.Context(), x)
	before = after
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; err != nil || bounds < 10 || used > 50<<20 { // the grid of values alone takes 10 MB
		t.Errorf("%d bounds by prices take %d MB, %v", bounds, used>>20, err)
	}
}

// The pairs of 10^5 jobs would fill 100 GB: the search leaves them to prices, with a schedule and a bound.
func TestManyJobs(t *testing.T) {
	in := &flex.Instance{Slots: 1000, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}}
	for j := range 100_000 {
		in.Jobs = append(in.Jobs, flex.Job{ID: fmt.Sprint("j", j), Work: float64(1 + j%7), Max: 1, Weight: 1})
	}
	out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in), nil)
	v := value(t, in, out.Solution)
	if err != nil || out.Status != models.Feasible || !(*out.Bound <= v && *out.Bound > 0.999*v) {
		t.Errorf("%s, value %v, bound %v, %v", out.Status, v, *out.Bound, err)
	}
}

// Beyond 50,000 steps neither the search nor a proof has a program: its rows would fill all memory.
func TestMoreStepsThanAreSearched(t *testing.T) {
	in := &flex.Instance{Slots: 1000, Objective: flex.Objective{Metric: flex.SLA, Aggregate: flex.Sum}}
	for j := range mostSteps + 1 {
		in.Jobs = append(in.Jobs, flex.Job{
			ID: fmt.Sprint("j", j), Work: float64(1 + j%7), Max: 1, Weight: 1, Steps: []flex.Step{{At: 20, Penalty: float64(1 + j%3)}},
		})
	}
	out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in), nil)
	if err != nil || out.Status != models.Feasible || value(t, in, out.Solution) < *out.Bound {
		t.Errorf("%s, bound %v, %v", out.Status, *out.Bound, err)
	}
	claim, err := prove(t.Context(), in, out.Solution, value(t, in, out.Solution), *out.Bound)
	if claim != nil || err != nil {
		t.Errorf("proof %v, %v", claim, err)
	}
}

// Where nobody need be tardy the bound is 0, whatever the size of the dates that the search rounds.
func TestNobodyTardy(t *testing.T) {
	in := parsed(t, `{"problem":"flex","version":1,"name":"due","slots":1,"objective":{"metric":"tardiness","aggregate":"sum","weighted":false},
		"jobs":[{"id":"a","work":8084000,"deadline":8084000}]}`)
	out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in), nil)
	if err != nil || *out.Bound != 0 || value(t, in, out.Solution) != 0 {
		t.Errorf("bound %v (%v), want 0", *out.Bound, err)
	}
}

// A rate of 1e-8 beside 8 slots is a difference that keeps no digit of a work of 13: water filling takes it as it is.
func TestSmallRatesKeepTheirDigits(t *testing.T) {
	in := parsed(t, `{"problem":"flex","version":1,"name":"rates","slots":8,"objective":{"metric":"response","aggregate":"max","weighted":true},
		"jobs":[{"id":"a","work":15960,"min":3,"weight":0.1214},{"id":"b","work":5.782e-7,"min":2,"max":3,"weight":0.1795},
		{"id":"c","work":1e9,"max":1},{"id":"d","work":13.2,"max":5,"weight":1.253}]}`)
	out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in), nil)
	if err != nil || math.Abs(value(t, in, out.Solution)-1e9) > 1e-4 {
		t.Errorf("%v (%v), want 1e9", value(t, in, out.Solution), err)
	}
}

// By the definition what is later than a deadline by no more than 1e-9 of it is in time; a search that knows the deadline
// alone proves one tardy job where spt has none.
func TestDeadlinesAreForgiving(t *testing.T) {
	in := parsed(t, `{"problem":"flex","version":1,"name":"due","slots":1,"objective":{"metric":"tardy","aggregate":"sum","weighted":false},
		"jobs":[{"id":"a","work":1000000,"deadline":1000000},{"id":"b","work":0.0005,"deadline":1000000}]}`)
	if status, got, _ := solve(t, Opt, in); got != 0 || status != models.Optimal {
		t.Errorf("opt: %v tardy jobs (%s), want none", got, status)
	}
}

// A deadline before 0 and intervals that differ by rounding alone: the grid's columns of a job end before those of the others do.
func TestGridEncodesIntervalsOfRoundingAlone(t *testing.T) {
	in := parsed(t, `{"problem":"flex","version":1,"name":"grid","slots":20,"objective":{"metric":"tardy","aggregate":"sum","weighted":true},
		"jobs":[{"id":"a","work":1,"min":9,"max":19,"deadline":4},{"id":"b","work":5,"min":3,"deadline":-1},
		{"id":"c","work":4,"min":6,"max":6,"weight":10,"deadline":4},{"id":"d","work":3,"max":3,"deadline":0.1},{"id":"e","work":1,"deadline":6}]}`)
	built, err := Grid.Build(in, exact.BuildOptions{})
	fail.On(t, err)
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {3, 0, 2, 1, 4}, {4, 3, 2, 1, 0}} {
		x, err := built.Encode(flex.NewPacker(in).Pack(order))
		fail.On(t, err)
		if v := built.Model.Violation(x); v.Amount > 1e-7 {
			t.Errorf("order %v: %+v", order, v)
		}
	}
}

// Where all jobs can take all slots the order of W_j/w_j is optimal, and the search proves it, however few decades of the horizon
// are those of a job.
func TestWeightedOrdersOfWideWorks(t *testing.T) {
	rng := trials.Rand(t, 41, 10)
	for range trials.Count(400) {
		in := &flex.Instance{
			Header: models.Header{Name: "wide"}, Slots: 1 + rng.IntN(4),
			Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum, Weighted: true},
		}
		for j := range 1 + rng.IntN(6) {
			in.Jobs = append(in.Jobs, flex.Job{
				ID: fmt.Sprint(j), Max: in.Slots, Work: math.Pow(10, -8+20*rng.Float64()), Weight: math.Pow(10, -8+20*rng.Float64()),
			})
		}
		end, want := 0.0, 0.0
		for _, j := range flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work / in.Jobs[j].Weight }) {
			end += in.Jobs[j].Work / float64(in.Slots)
			want += in.Jobs[j].Weight * end
		}
		out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in), nil)
		if err != nil || out.Status != models.Optimal || !out.Found {
			t.Errorf("%v %v: %+v", out.Status, err, in)
			continue
		}
		if got := value(t, in, out.Solution); math.Abs(got-want) > 1e-9*want || *out.Bound > got || *out.Bound < got*(1-1e-9) {
			t.Errorf("value %v, bound %v, want %v: %+v", got, *out.Bound, want, in)
		}
	}
}
