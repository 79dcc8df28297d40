package cloning_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/trials/property"
)

// Eq. (3) by hand: mean/sd = √5/2 makes α = 2.5 and h = 4/3, 13/9, 3/2; no deviation makes 1; endless deviation makes α = 2 and
// 2 − 1/r.
func TestParetoSpeedup(t *testing.T) {
	for _, c := range []struct {
		mean, sd float64
		want     []float64
	}{
		{math.Sqrt(5), 2, []float64{1, 4. / 3, 13. / 9, 1.5}},
		{7, 0, []float64{1, 1, 1, 1}},
		{1e-300, 1e300, []float64{1, 1.5, 5. / 3, 1.75}},
		{1e300, 1e-300, []float64{1, 1, 1, 1}},
	} {
		for i, h := range cloning.ParetoSpeedup(c.mean, c.sd, 4) {
			if math.Abs(h-c.want[i]) > 1e-12 {
				t.Errorf("mean %v, sd %v: h(%d) = %v, want %v", c.mean, c.sd, i+1, h, c.want[i])
			}
		}
	}
}

// The three closed forms of the paper's section 4.1, N jobs of demand 2^−j in both resources and mean 1 at time 0, as schedules
// that the checker measures. A slot is 1/3600 of the mean, so that rounding up to slots is small.
func TestClosedFormFlows(t *testing.T) {
	const n, scale = 5, 3600
	h := func(r int) float64 { return cloning.ParetoSpeedup(math.Sqrt(5), 2, 1<<n)[r-1] } // α = 2.5
	in := &cloning.Instance{
		Resources: cloning.DefaultResources(), MaxCopies: 1 << n, MaxCopiesPerServer: 1 << n,
		Servers: []cloning.Server{{ID: "s", Capacity: []float64{1, 1}}},
	}
	for j := 1; j <= n; j++ {
		demand := math.Pow(2, -float64(j))
		in.Jobs = append(in.Jobs, cloning.Job{ID: fmt.Sprint("j", j), Phases: []cloning.Phase{{
			ID: "p", Tasks: 1, Demand: []float64{demand, demand}, Mean: scale, Speedup: cloning.ParetoSpeedup(math.Sqrt(5), 2, 1<<n),
		}}})
	}
	flow := func(name string, s cloning.Solution) float64 {
		r := cloning.Problem.Check(in, s)
		if len(r.Violations) > 0 {
			t.Fatalf("%s: %v", name, r.Violations)
		}
		return *r.Objective / scale
	}
	launch := func(s *cloning.Solution, job, copies, start int) int {
		end := start + in.Jobs[job-1].Phases[0].Slots(cloning.Progress{}, copies)
		s.Copies = append(s.Copies, times(copies, run(job-1, 0, start, end))...)
		return end
	}
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 0.01 {
			t.Errorf("%s: flow %v, want %v", name, got, want)
		}
	}
	// All at once, job N, which leaves its own demand free, twice.
	var first, second, third cloning.Solution
	for j := 1; j < n; j++ {
		launch(&first, j, 1, 0)
	}
	launch(&first, n, 2, 0)
	flow1 := flow("scheme 1", first)
	near("scheme 1", flow1, n-1+1/h(2))
	// Job after job from the smallest on, each in as many copies as fit: job j waits for N − j others.
	at, want := 0, 0.
	for j := n; j >= 1; j-- {
		at = launch(&second, j, 1<<j, at)
		want += float64(j) / h(1<<j)
	}
	flow2 := flow("scheme 2", second)
	near("scheme 2", flow2, want)
	// Two copies each, jobs 2 to N first.
	end := 0
	for j := 2; j <= n; j++ {
		end = launch(&third, j, 2, 0)
	}
	launch(&third, 1, 2, end)
	flow3 := flow("scheme 3", third)
	near("scheme 3", flow3, (n+1)/h(2))
	if !(flow3 < flow1 && flow1 < flow2) {
		t.Errorf("flows %v, %v, %v are not in the paper's order for N > 2α − 1", flow1, flow2, flow3)
	}
}

// Slots is the least whole number after which the work is done, and progress the same in however many steps it is made: exactly,
// also where the need is a multiple of the speed or misses it by the last digit.
func TestSlots(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		p := cloning.Phase{Mean: math.Pow(10, rapid.Float64Range(-12, 13).Draw(t, "log mean")), SD: 1}
		p.Speedup = cloning.ParetoSpeedup(p.Mean, p.SD, 4)
		copies := rapid.IntRange(1, 6).Draw(t, "copies")
		multiple := rapid.Bool().Draw(t, "multiple")
		if multiple {
			p.Mean = math.Round(rapid.Float64Range(1, 1e4).Draw(t, "multiple")) * p.Rate(copies)
			p.Mean += 1e-9 + float64(rapid.IntRange(-2, 2).Draw(t, "digits"))*(math.Nextafter(p.Mean, math.Inf(1))-p.Mean)
		}
		var done cloning.Progress
		exact := new(big.Rat)
		rate := func(r int) *big.Rat { return new(big.Rat).SetFloat64(p.Rate(r)) }
		times := func(r *big.Rat, n int) *big.Rat { return new(big.Rat).Mul(r, new(big.Rat).SetInt64(int64(n))) }
		for range rapid.IntRange(0, 50).Draw(t, "steps") {
			n, r := rapid.IntRange(1, 1000).Draw(t, "slots"), rapid.IntRange(1, 4).Draw(t, "rate")
			if multiple {
				r = copies
			}
			next := new(big.Rat).Add(exact, times(rate(r), n))
			if next.Cmp(new(big.Rat).SetFloat64(p.Required())) >= 0 {
				break
			}
			exact, done = next, p.After(done, n, r)
		}
		n := p.Slots(done, copies)
		left := new(big.Rat).Sub(new(big.Rat).SetFloat64(p.Required()), exact)
		if n < 1 || times(rate(copies), n).Cmp(left) < 0 || n > 1 && times(rate(copies), n-1).Cmp(left) >= 0 {
			t.Fatalf("%v slots from %v to %v at %v a slot", n, exact, p.Required(), p.Rate(copies))
		}
		end := p.After(done, n, copies)
		if !p.Done(end) || n > 1 && p.Done(p.After(done, n-1, copies)) || p.Done(cloning.Progress{}) {
			t.Errorf("done is not what Slots says of %v slots", n)
		}
		if p.Slots(end, copies) != 1 {
			t.Error("a task that is done takes more than a slot, or none")
		}
		for r := range 7 {
			if v := p.Volume(max(r, 1)); r > 0 && v > r*p.Slots(cloning.Progress{}, r) || v != p.Slots(cloning.Progress{}, 1) {
				t.Errorf("a volume of %v, and %v slots of %v copies", v, p.Slots(cloning.Progress{}, r), r)
			}
		}
	})
}

// Tables may miss being concave by 1e-9, which the volume allows for: 10^10 at 1.0000000005 a copy and slot. Work is required to
// 1e-9, or 1e-14 of itself; copies that bring nothing do not help, and none make no progress.
func TestPhaseByHand(t *testing.T) {
	p := cloning.Phase{Mean: 1e10, Speedup: []float64{1, 2.000000001}}
	if v, least := p.Volume(2), 2*p.Slots(cloning.Progress{}, 2); v > least || v < least-2 {
		t.Errorf("volume %v, two copies take %v", v, least)
	}
	p.Mean = 1000*2.000000001 + 1e-9 // 1000 slots of two copies
	if v := p.Volume(2); v != 2000 {
		t.Errorf("volume %v", v)
	}
	p.Mean = 1e10
	if v := p.Volume(1); v != 1e10 {
		t.Errorf("volume of a copy %v", v)
	}
	for mean, want := range map[float64]float64{1e6: 1e6 - 1e-8, 1e-6: 1e-6 - 1e-9, 10: 10 - 1e-9} {
		p := cloning.Phase{Mean: mean}
		if got := p.Required(); math.Abs(got-want) > 1e-15*want {
			t.Errorf("%v of %v required", got, mean)
		}
	}
	for _, c := range []struct {
		speedup    []float64
		most, want int
	}{{[]float64{1, 1.5, 1.5}, 3, 2}, {[]float64{1, 1.5, 1.5}, 2, 2}, {[]float64{1, 1, 1}, 3, 1}, {[]float64{1}, 1, 1}} {
		p := cloning.Phase{Speedup: c.speedup}
		if got := p.Helpful(c.most); got != c.want {
			t.Errorf("%v: %v of %v copies help", c.speedup, got, c.most)
		}
	}
	p.Mean = 1e-10
	if p.Done(cloning.Progress{}) || !p.Done(p.After(cloning.Progress{}, 1, 1)) {
		t.Error("the least work takes no slot, or more than one")
	}
	if p.Rate(0) != 0 {
		t.Error("no copies make progress")
	}
}

// Graphs by their names: three phases in a line are a chain, two that have nothing to do with each other are not.
func TestShapes(t *testing.T) {
	for want, parents := range map[string][][]int{
		"single": {nil}, "chain": {nil, {0}, {1}}, "dag": {nil, nil}, "mixed": {nil, {0}},
	} {
		job := cloning.Job{}
		for _, list := range parents {
			job.Phases = append(job.Phases, cloning.Phase{Tasks: 2, Mean: 1, Speedup: []float64{1}, Demand: []float64{1}, Parents: list})
		}
		in := &cloning.Instance{
			Resources: []string{"cpu"}, MaxCopies: 1, Servers: []cloning.Server{{Capacity: []float64{1}}}, Jobs: []cloning.Job{job},
		}
		if want == "mixed" {
			in.Jobs = append(in.Jobs, cloning.Job{Phases: job.Phases[:1]})
		}
		f := cloning.Problem.Features(in)
		if f["dag"] != want || f["tasks_per_job"] != float64(2*len(parents)+2*(len(in.Jobs)-1))/float64(len(in.Jobs)) {
			t.Errorf("%s: %v", want, f)
		}
	}
}

// Rows hold the bars of each server by start, and copies are numbered by the least free number.
func TestChartOfCopies(t *testing.T) {
	in := shared(t, "layered")
	copies := []cloning.Copy{
		{Task: cloning.Task{Job: 0, Phase: 2, Index: 1}, Server: 0, Start: 5, End: 7},
		{Task: cloning.Task{Job: 0, Phase: 2, Index: 1}, Server: 1, Start: 4, End: 6},
		{Task: cloning.Task{Job: 0, Phase: 2, Index: 1}, Server: 0, Start: 6, End: 8}, // takes over the first's number
		{Task: cloning.Task{Job: 1, Phase: 0}, Server: 0, Start: 1, End: 2},
		{Task: cloning.Task{Job: 9}, Start: 1, End: 2},
	}
	want := []models.Bar{
		{Lane: "s1", Label: "b/p2 task 0", Job: "b", Start: 1, End: 2, Amount: 0.7},
		{Lane: "s1", Label: "a/p3 task 1, copy 2", Job: "a", Start: 5, End: 7, Amount: 0.5, Clone: true},
		{Lane: "s1", Label: "a/p3 task 1", Job: "a", Start: 6, End: 8, Amount: 0.5},
		{Lane: "s2", Label: "a/p3 task 1", Job: "a", Start: 4, End: 6, Amount: 1},
	}
	if diff := cmp.Diff(want, cloning.Problem.Chart(in, cloning.Solution{Copies: copies}).Bars); diff != "" {
		t.Error(diff)
	}
}

// Features of shared instances by hand; jobs that are all there at once offer no load.
func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		name string
		want map[string]any
	}{
		// Volume 0.6·(2+1+3+2) = 4.8 on capacity 1 over the longest path of 6.
		{"chain", map[string]any{
			"load": nil, "work_over_horizon": 4.8 / 6, "phases_per_job": 2., "dag": "mixed", "cv": 0.,
			"arrivals": "transient",
		}},
		// Map 2·2 + reduce 0.5·3 of cpu against 0.5·2·2 + 3 of mem: 5.5 on capacity 2 over 5; σ/θ 1/2, 1/2 and 2/3.
		{"mapreduce", map[string]any{
			"work_over_horizon": 5.5 / 2 / 5, "phases_per_job": 2., "dag": "chain", "cv": (0.5 + 0.5 + 2./3) / 3, "arrivals": "transient",
		}},
		{"forkjoin", map[string]any{
			"work_over_horizon": 3.5 / 4, "phases_per_job": 3., "dag": "mixed", "cv": 0.,
			"arrivals": "transient",
		}},
		// 0.9·7 over 3 slots of arrivals, and 5 more.
		{"release-dates", map[string]any{
			"load": 6.3 / 3, "work_over_horizon": 6.3 / 8, "phases_per_job": 1., "dag": "single", "cv": 0., "arrivals": "online",
		}},
		{"layered", map[string]any{"dag": "mixed"}},
	} {
		got := cloning.Problem.Features(shared(t, c.name))
		for key, want := range c.want {
			if g, ok := got[key].(float64); ok {
				if math.Abs(g-want.(float64)) > 1e-12 {
					t.Errorf("%s: %s is %v, want %v", c.name, key, g, want)
				}
			} else if got[key] != want {
				t.Errorf("%s: %s is %v, want %v", c.name, key, got[key], want)
			}
		}
	}
}

// The load of an instance is that of the resource that most is asked of: it doubles when jobs come twice as fast, and neither the
// order of the jobs nor that of the resources matters, nor whether a server is cut in two.
func TestLoadOfInstance(t *testing.T) {
	horizon := 0.0 // what it did so to the load over the horizon
	make := func(change func(in *cloning.Instance)) any {
		in := shared(t, "release-dates")
		for j := range in.Jobs {
			in.Jobs[j].Arrival *= 2
			in.Jobs[j].Phases[0].Demand = []float64{0.1, 0.2 * float64(j+1)}
		}
		in.Resources = []string{"cpu", "mem"}
		in.Servers = []cloning.Server{{ID: "s", Capacity: []float64{2, 4}}}
		change(in)
		f := cloning.Problem.Features(in)
		horizon = f["work_over_horizon"].(float64)
		return f["load"]
	}
	want := make(func(*cloning.Instance) {}).(float64)
	over := horizon
	for name, change := range map[string]func(in *cloning.Instance){
		"dates": func(in *cloning.Instance) {
			for j := range in.Jobs {
				in.Jobs[j].Arrival += 7
			}
		},
		"jobs": func(in *cloning.Instance) { slices.Reverse(in.Jobs) },
		"servers": func(in *cloning.Instance) {
			in.Servers = slices.Repeat([]cloning.Server{{Capacity: []float64{1, 2}}}, 2)
		},
		"resources": func(in *cloning.Instance) {
			slices.Reverse(in.Resources)
			slices.Reverse(in.Servers[0].Capacity)
			for j := range in.Jobs {
				slices.Reverse(in.Jobs[j].Phases[0].Demand)
			}
		},
		"half": func(in *cloning.Instance) {
			in.Servers[0].Capacity = []float64{1, 2} // and then half of the rate
			for j := range in.Jobs {
				in.Jobs[j].Arrival *= 2
			}
		},
	} {
		if got := make(change).(float64); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: load %v, want %v", name, got, want)
		}
		if name != "half" && math.Abs(horizon-over) > 1e-12 {
			t.Errorf("%s: work over the horizon %v, want %v", name, horizon, over)
		}
	}
	if twice := make(func(in *cloning.Instance) {
		for j := range in.Jobs {
			in.Jobs[j].Arrival /= 2
		}
	}).(float64); math.Abs(twice-2*want) > 1e-12 {
		t.Errorf("at twice the rate the load is %v, want %v", twice, 2*want)
	}
}
