package pocd_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	heuristics "schedgap/heuristics/pocd"
	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/trials/property"
)

// decide runs an algorithm.
func decide(tb rapid.TB, a *pocd.Algorithm, in *pocd.Instance) pocd.Copies {
	tb.Helper()
	out, err := a.Run(context.Background(), &pocd.Pass{Instance: in})
	if err != nil || !out.Found || out.Status != models.Feasible {
		tb.Fatalf("%s ends as %s, %v", a.Name, out.Status, err)
	}
	return out.Solution
}

// draw draws instances of jobs near their deadlines, some hopeless, some of them alike, so that ties occur.
func draw(t *rapid.T) *pocd.Instance {
	in := &pocd.Instance{
		Alpha:     rapid.SampledFrom([]float64{0, 0.5, 0.9, 1, 2, 50, math.Inf(1)}).Draw(t, "alpha"),
		MaxCopies: rapid.IntRange(0, 4).Draw(t, "max_copies"),
		Jobs:      make([]pocd.Job, rapid.IntRange(1, 6).Draw(t, "jobs")),
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.ID = fmt.Sprint("j", j)
		job.Deadline = rapid.SampledFrom([]float64{200, 300, 400}).Draw(t, "deadline")
		job.Elapsed = rapid.SampledFrom([]float64{0, 60, 250}).Draw(t, "elapsed")
		job.Tasks = make([]pocd.Task, rapid.IntRange(1, 5).Draw(t, "tasks"))
		for i := range job.Tasks {
			job.Tasks[i] = pocd.Task{
				ID:        fmt.Sprint("t", i),
				Progress:  rapid.SampledFrom([]float64{0, 0.2, 0.5, 0.9}).Draw(t, "progress"),
				TMin:      120,
				Beta:      rapid.SampledFrom([]float64{0.3, 1.2, 2}).Draw(t, "beta"),
				Straggler: rapid.IntRange(0, 3).Draw(t, "straggler") > 0,
			}
		}
	}
	in.Capacity = in.BaseLoad() + rapid.IntRange(0, 40).Draw(t, "spare")
	return in
}

// Whatever the instance: what a rule does not waive it keeps, it spends nothing on hopeless jobs, and no value is below that
// of no copies.
func TestRulesAreFeasible(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		least := in.Value(pocd.NoCopies(in))
		for _, a := range heuristics.All {
			c := decide(t, a, in)
			r := pocd.Problem.Check(in, c)
			if !r.Feasible(a.Waives) {
				t.Errorf("%s: %v", a.Name, r.Violations)
			}
			if *r.Objective < least {
				t.Errorf("%s makes %v of %v", a.Name, *r.Objective, least)
			}
			for _, j := range in.Hopeless() {
				if slices.Max(c[j]) > 0 {
					t.Errorf("%s spends copies on hopeless job %d: %v", a.Name, j, c)
				}
			}
		}
	})
}

// rescan gives copies one at a time as the paper writes it, looking at everything again each time: pick returns the task that is
// next among those open, ties to the first.
func rescan(in *pocd.Instance, pick func(c pocd.Copies, open [][]int) (job, task int)) pocd.Copies {
	c := pocd.NoCopies(in)
	for spare := in.Spare(); spare > 0; spare-- {
		open, any := make([][]int, len(in.Jobs)), false
		for j := range in.Jobs {
			for i, k := range in.Jobs[j].Tasks {
				if k.Straggler && c[j][i] < in.MaxCopies && !in.Jobs[j].Hopeless() {
					open[j], any = append(open[j], i), true
				}
			}
		}
		if !any {
			break
		}
		j, i := pick(c, open)
		c[j][i]++
	}
	return c
}

// least returns the index of the first key that is least up to rounding; an infinite one is out.
func least(n int, key func(int) float64) int {
	low := math.Inf(1)
	for i := range n {
		low = min(low, key(i))
	}
	for i := range n {
		if k := key(i); !math.IsInf(k, 1) && k <= low+1e-13*math.Abs(low) {
			return i
		}
	}
	return -1
}

// poorest is the job with least p_j among those with open tasks.
func poorest(in *pocd.Instance, c pocd.Copies, open [][]int) int {
	return least(len(in.Jobs), func(j int) float64 {
		if len(open[j]) == 0 {
			return math.Inf(1)
		}
		return in.Jobs[j].LogP(c[j])
	})
}

// Shed+ with its heaps is Algorithm 1, which scans all jobs and all tasks for every copy.
func TestShedPlusRescanned(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		want := rescan(in, func(c pocd.Copies, open [][]int) (int, int) {
			j := poorest(in, c, open)
			k := least(len(open[j]), func(k int) float64 {
				i := open[j][k]
				return pocd.LogR(in.Jobs[j].LogMiss(i), c[j][i])
			})
			return j, open[j][k]
		})
		if diff := cmp.Diff(want, decide(t, heuristics.ShedPlus, in)); diff != "" {
			t.Errorf("α %v, spare %d: (-rescan +heap)\n%s", in.Alpha, in.Spare(), diff)
		}
	})
}

// Greedy-gain with its heaps is worth what the rescanning rule on plain utilities is. Copies may differ: gains that are equal
// up to rounding are not ties to both.
func TestGreedyGainRescanned(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		want := rescan(in, func(c pocd.Copies, open [][]int) (int, int) {
			after := func(j, i int) float64 {
				more := slices.Clone(c[j])
				more[i]++
				return in.Jobs[j].LogP(more)
			}
			best := make([]int, len(open)) // the task that gains most in ln p, of each job
			for j := range open {
				if len(open[j]) > 0 {
					best[j] = open[j][least(len(open[j]), func(k int) float64 { return -after(j, open[j][k]) })]
				}
			}
			if math.IsInf(in.Alpha, 1) {
				j := poorest(in, c, open)
				return j, best[j]
			}
			j := least(len(open), func(j int) float64 {
				if len(open[j]) == 0 {
					return math.Inf(1)
				}
				return pocd.Utility(in.Alpha, in.Jobs[j].LogP(c[j])) - pocd.Utility(in.Alpha, after(j, best[j]))
			})
			return j, best[j]
		})
		a, b := in.Value(want), in.Value(decide(t, heuristics.GreedyGain, in))
		if math.Abs(a-b) > 1e-9*math.Abs(a) {
			t.Errorf("α %v, spare %d: rescanned %v, heaps %v", in.Alpha, in.Spare(), a, b)
		}
	})
}

// Shed against a rescan in the unit of whole jobs.
func TestShedRescanned(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		want, spare := pocd.NoCopies(in), in.Spare()
		for {
			j := least(len(in.Jobs), func(j int) float64 {
				if in.Jobs[j].Hopeless() || len(want[j]) > spare || want[j][0] == in.MaxCopies {
					return math.Inf(1)
				}
				return in.Jobs[j].LogP(want[j])
			})
			if j < 0 {
				break
			}
			for i := range want[j] {
				want[j][i]++
			}
			spare -= len(want[j])
		}
		if diff := cmp.Diff(want, decide(t, heuristics.Shed, in)); diff != "" {
			t.Errorf("spare %d: (-rescan +heap)\n%s", in.Spare(), diff)
		}
	})
}

// everyChoice calls visit with all decisions within the constraints.
func everyChoice(in *pocd.Instance, visit func(pocd.Copies)) {
	c := pocd.NoCopies(in)
	var rec func(j, i, spare int)
	rec = func(j, i, spare int) {
		if j == len(c) {
			visit(c)
			return
		}
		if i == len(c[j]) {
			rec(j+1, 0, spare)
			return
		}
		most := 0
		if in.Jobs[j].Tasks[i].Straggler {
			most = min(spare, in.MaxCopies)
		}
		for r := range most + 1 {
			c[j][i] = r
			rec(j, i+1, spare-r)
		}
		c[j][i] = 0
	}
	rec(0, 0, in.Spare())
}

// For α ≥ 1 greedy-gain is optimal: no choice at all is better.
func TestGreedyGainIsOptimal(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := draw(t)
		in.Alpha = rapid.SampledFrom([]float64{1, 1.5, 2, 10, math.Inf(1)}).Draw(t, "alpha from 1 on")
		in.Jobs = in.Jobs[:min(2, len(in.Jobs))]
		for j := range in.Jobs {
			in.Jobs[j].Tasks = in.Jobs[j].Tasks[:min(2, len(in.Jobs[j].Tasks))]
		}
		in.MaxCopies = min(3, in.MaxCopies)
		in.Capacity = in.BaseLoad() + rapid.IntRange(0, 8).Draw(t, "spare of few")
		got := in.Value(decide(t, heuristics.GreedyGain, in))
		everyChoice(in, func(c pocd.Copies) {
			if v := in.Value(c); v > got+1e-12*math.Abs(got) {
				t.Fatalf("α %v: %v makes %v, greedy-gain %v", in.Alpha, c, v, got)
			}
		})
	})
}

// job is one of a start at 0 with a deadline of 200 s, whose tasks have the given probabilities to miss it with one attempt.
func job(id string, miss ...float64) pocd.Job {
	j := pocd.Job{ID: id, Deadline: 200}
	for i, q := range miss {
		j.Tasks = append(j.Tasks, pocd.Task{ID: fmt.Sprint("t", i), TMin: 200 * q, Beta: 1, Straggler: true})
	}
	return j
}

// The rules by hand.
func TestRulesByHand(t *testing.T) {
	alike := []pocd.Job{job("a", 0.5, 0.5), job("b", 0.8)}
	ordinary := job("b", 0.5, 0.5)
	ordinary.Tasks[0].Straggler = false
	flat := func(id string, beta float64, miss ...float64) pocd.Job {
		j := job(id, miss...)
		for i := range j.Tasks {
			j.Tasks[i].Beta = beta
		}
		return j
	}
	for _, c := range []struct {
		name    string
		a       *pocd.Algorithm
		jobs    []pocd.Job
		spare   int
		most    int
		alpha   float64
		want    pocd.Copies
		comment string
	}{
		{
			"shed+ lifts the least job", heuristics.ShedPlus, alike, 4, 5, 0,
			pocd.Copies{{1, 1}, {2}},
			"b 0.2 to 0.36; a 0.25 to 0.375; b 0.36 to 0.488; a 0.375 to 0.5625 in its other task",
		},
		{
			"shed+ sets a saturated job aside", heuristics.ShedPlus, alike, 5, 1, 0,
			pocd.Copies{{1, 1}, {1}},
			"b has its one copy after the first step and stays least; a gets the rest",
		},
		{
			"shed+ leaves ordinary tasks alone", heuristics.ShedPlus,
			[]pocd.Job{ordinary},
			2, 5, 0,
			pocd.Copies{{0, 2}},
			"only the second task straggles",
		},
		{
			"shed+ is not optimal even for one job", heuristics.ShedPlus,
			[]pocd.Job{job("a", 0.5, 0.8)},
			3, 5, 0,
			pocd.Copies{{0, 3}},
			"0.2, 0.36 and 0.488 are less than 0.5: p = 0.5·0.5904 = 0.2952, whatever α",
		},
		{
			"greedy-gain is, for one job", heuristics.GreedyGain,
			[]pocd.Job{job("a", 0.5, 0.8)},
			3, 5, 0,
			pocd.Copies{{1, 2}},
			"0.75·0.488 = 0.366; the others make 0.2952, 0.875·0.36 = 0.315 and 0.9375·0.2 = 0.1875",
		},
		{
			"greedy-gain is greedy", heuristics.GreedyGain, alike, 2, 5, 0,
			pocd.Copies{{0, 0}, {2}},
			"0.16 against 0.125, then 0.128 against 0.125; the optimum is both to a, 0.3125",
		},
		{
			"greedy-gain at α = 1", heuristics.GreedyGain, alike, 2, 5, 1,
			pocd.Copies{{1, 0}, {1}},
			"ln 1.8, then ln 1.5 against ln(0.488/0.36) = ln 1.36",
		},
		{
			"shed lifts whole jobs", heuristics.Shed, alike, 4, 5, 0,
			pocd.Copies{{1, 1}, {2}},
			"b 0.2 to 0.36; a 0.25 to 9/16 for two; b 0.36 to 0.488 for the last machine",
		},
		{
			"shed goes on with a job that fits", heuristics.Shed,
			[]pocd.Job{job("a", 0.9, 0.9), job("b", 0.5)},
			1, 5, 0,
			pocd.Copies{{0, 0}, {1}},
			"a is least but needs two machines",
		},
		{
			"hadoop takes the likeliest to miss", heuristics.Hadoop,
			[]pocd.Job{job("a", 0.5, 0.7), job("b", 0.6)},
			2, 5, 0,
			pocd.Copies{{0, 1}, {1}},
			"0.7 and 0.6, one each",
		},
		{
			"hadoop breaks ties by file order", heuristics.Hadoop,
			[]pocd.Job{job("a", 0.5), job("b", 0.5)},
			1, 5, 0,
			pocd.Copies{{1}, {0}},
			"",
		},
		{
			"dolly", heuristics.Dolly,
			[]pocd.Job{job("a", 0.5)},
			9, 5, 0,
			pocd.Copies{{2}},
			"hadoop gives one copy: miss 1/4; log 0.05 / log 0.25 = 2.16, 3 attempts",
		},
		{
			"dolly is capped", heuristics.Dolly,
			[]pocd.Job{job("a", 0.9, 0.9)},
			9, 2, 0,
			pocd.Copies{{2, 2}},
			"hadoop: R = 0.19 each, miss 0.96; log(1 − √0.95)/log 0.96 = 100",
		},
		{
			"dolly drops what does not fit", heuristics.Dolly,
			[]pocd.Job{job("a", 0.9, 0.9), job("b", 0.5)},
			3, 2, 0,
			pocd.Copies{{0, 0}, {2}},
			"a wants four machines; hadoop's three copies make b's miss 1/4",
		},
		{
			"hopper takes its virtual size", heuristics.Hopper,
			[]pocd.Job{flat("a", 1.5, 0.5, 0.6, 0.4)},
			9, 5, 0,
			pocd.Copies{{0, 1, 0}},
			"2/1.5·3 = 4 machines, one beyond the tasks, to the likeliest to miss",
		},
		{
			"hopper begins with the small", heuristics.Hopper,
			[]pocd.Job{flat("a", 1, 0.5, 0.6), flat("b", 1, 0.1)},
			2, 5, 0,
			pocd.Copies{{0, 1}, {1}},
			"virtual sizes 4 and 2: b takes one, a the other of its two",
		},
		{
			"hopper goes in rounds", heuristics.Hopper,
			[]pocd.Job{flat("a", 0.5, 0.5, 0.6)},
			9, 5, 0,
			pocd.Copies{{3, 3}},
			"2/0.5·2 = 8 machines, six beyond the tasks",
		},
	} {
		in := &pocd.Instance{Alpha: c.alpha, MaxCopies: c.most, Jobs: c.jobs}
		in.Capacity = in.BaseLoad() + c.spare
		if diff := cmp.Diff(c.want, decide(t, c.a, in)); diff != "" {
			t.Errorf("%s (%s): (-want +got)\n%s", c.name, c.comment, diff)
		}
	}
}

// Dolly's count of clones at the ends of its formula, and where the quotient is an integer: a job of one task with p = 0.05 has
// log 0.05 / log 0.05 = 1 attempt.
func TestDollyClones(t *testing.T) {
	for _, c := range []struct {
		logP float64
		n    int
		want int
	}{
		{math.Log1p(-0.05), 1, 0},
		{math.Log1p(-0.06), 1, 1},
		{math.Log1p(-math.Sqrt(0.05)), 1, 1},
		{-1e-300, 3, 0}, // p = 0
		{-1e3, 3, 7},    // p = 1
	} {
		if got := heuristics.DollyClones(c.logP, c.n, 7); got != c.want {
			t.Errorf("ln PoCD %v, %d tasks: %d, want %d", c.logP, c.n, got, c.want)
		}
	}
}

// A rule whose context has ended says so, and what it has is feasible.
func TestRulesStop(t *testing.T) {
	jobs := []pocd.Job{job("a", 0.5, 0.7), job("b", 0.6)}
	in := &pocd.Instance{MaxCopies: 5000, Jobs: jobs, Capacity: 10_000}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, a := range heuristics.All {
		out, err := a.Run(ctx, &pocd.Pass{Instance: in})
		if err != nil || out.Status != models.Timeout || !pocd.Problem.Check(in, out.Solution).Feasible(a.Waives) {
			t.Errorf("%s ends as %s, %v", a.Name, out.Status, err)
		}
	}
}
