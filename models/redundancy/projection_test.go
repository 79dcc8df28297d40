package redundancy_test

import (
	"fmt"
	"math"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

// A job that has all its work before its last interval has the rate 0 there. That must not end the replay of the others: forged
// schedules were once worth up to 2e-4 less than the optimum, whose values have proofs.
func TestFinishedBeforeItsLastInterval(t *testing.T) {
	for _, c := range []struct {
		instance, solution string
		optimum            float64
	}{
		{
			`{"problem":"redundancy","version":1,"name":"x","machines":3,"multitasking":true,"speed":1,"speedup":[1,1.6,2.0],"jobs":[{"id":"j0","arrival":1.5,"work":2},{"id":"j1","arrival":0,"work":1e-06},{"id":"j2","arrival":0,"work":3}]}`,
			`{"problem":"redundancy","instance":"x","algorithm":"opt","speed":1,"intervals":[{"start":0.0,"end":6.249998125e-07,"alloc":{"j1":{"copies":2,"share":1},"j2":{"copies":1,"share":1}}},{"start":6.249998125e-07,"end":1.49999955,"alloc":{"j2":{"copies":3,"share":1}}},{"start":1.49999955,"end":1.4999999406248827,"alloc":{"j0":{"copies":1,"share":1},"j2":{"copies":2,"share":1}}},{"start":1.4999999406248827,"end":2.4999994453124414,"alloc":{"j0":{"copies":3,"share":1}}}]}`,
			2.5000012109375,
		},
		{
			`{"problem":"redundancy","version":1,"name":"x","machines":2,"multitasking":true,"speed":1,"speedup":[1,1.6],"jobs":[{"id":"j0","arrival":1.0015,"work":0.002},{"id":"j1","arrival":1.0,"work":0.002},{"id":"j2","arrival":1.0,"work":0.002}]}`,
			`{"problem":"redundancy","instance":"x","algorithm":"opt","speed":1,"intervals":[{"start":0,"end":1,"alloc":{}},{"start":1,"end":1.0015,"alloc":{"j1":{"copies":1,"share":1},"j2":{"copies":1,"share":1}}},{"start":1.0015,"end":1.00199999955,"alloc":{"j1":{"copies":1,"share":1},"j2":{"copies":1,"share":1}}},{"start":1.00199999955,"end":1.002,"alloc":{"j2":{"copies":1,"share":1}}},{"start":1.002,"end":1.00325,"alloc":{"j0":{"copies":2,"share":1}}}]}`,
			0.0057499999999999435,
		},
	} {
		in, err := redundancy.Problem.ParseInstance("i", []byte(c.instance))
		fail.On(t, err)
		s, err := redundancy.Problem.ParseSolution("s", []byte(c.solution), in)
		fail.On(t, err)
		rep := redundancy.Problem.Check(in, s.Solution)
		if rep.Feasible(nil) && *rep.Objective < c.optimum*(1-1e-9) {
			t.Errorf("%v, and the optimum is %v", *rep.Objective, c.optimum)
		}
	}
}

// A long job that is short of work by as little as the rounding of a float64 lets thousands of tiny jobs begin that much earlier,
// which adds up. The jobs arrive when the long one lacks 2^-k of its work, so that it is done first, and the sum is a closed form.
func TestManyTinyJobs(t *testing.T) {
	rng := trials.Rand(t, 41, 9)
	accepted, ahead := 0, 0
	for range trials.Count(400) {
		machines, n, missing := 1+rng.IntN(3), 1+rng.IntN(20_000), math.Ldexp(1, -21-rng.IntN(26))
		tiny := missing * float64(1+rng.IntN(4))
		in := &redundancy.Instance{
			Header: models.Header{Name: "tiny"}, Machines: machines, Multitasking: rng.IntN(2) == 0, Speed: float64(1 + rng.IntN(2)),
			Speedup: []float64{1, 2, 3}[:machines], Jobs: []redundancy.Job{{ID: "long", Work: float64(machines)}},
		}
		var s redundancy.Solution
		run := func(job int, until float64) {
			from := 0.0
			if k := len(s.Intervals); k > 0 {
				from = s.Intervals[k-1].End
			}
			alloc := []redundancy.Allocation{{Job: job, Copies: machines, Share: 1}}
			s.Intervals = append(s.Intervals, redundancy.Interval{Start: from, End: until, Alloc: alloc})
		}
		run(0, 1-missing)
		for k := range n {
			in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprint(k), Arrival: 1 - missing, Work: tiny * float64(machines)})
			run(k+1, 1-missing+tiny*float64(k+1))
		}
		r := redundancy.Problem.Check(in, s)
		if len(r.Violations) > 0 {
			continue
		}
		accepted++
		own := 1 - missing + tiny*float64(n)*float64(n+1)/2
		optimum := own + missing*float64(n+1)
		if own < optimum*(1-1e-9) {
			ahead++
		}
		if *r.Objective < optimum*(1-1e-9) {
			t.Errorf("%v, the optimum is %v: %d jobs of %v, %d machines, %v is missing", *r.Objective, optimum, n, tiny, machines, missing)
		}
	}
	t.Logf("%d accepted, %d ahead at their own times", accepted, ahead)
	if ahead < accepted/4 || accepted == 0 {
		t.Error("the attacks are too weak to show anything")
	}
}

// TestCompletionByRounding: a job whose last work is done by rounding alone, before its last interval, counts with its flowtime.
// The schedule is ahead of the optimum at its own times, by work that is missing within the tolerance.
func TestCompletionByRounding(t *testing.T) {
	const later, end = 0.7444025352398779, 2.7444006607996316
	in := &redundancy.Instance{
		Header: models.Header{Name: "lost"}, Machines: 3, Speed: 1, Speedup: []float64{1, 1.45, 1.9},
		Jobs: []redundancy.Job{
			{ID: "j", Work: 1.4143646755193005},
			{ID: "b", Arrival: 0.7444024607996318, Work: 3.8},
			{ID: "t", Arrival: end, Work: 1.9e-05},
		},
	}
	var s redundancy.Solution
	from := 0.0
	for i, to := range []float64{in.Jobs[1].Arrival, later, end, 2.7444106607996317} {
		alloc := []redundancy.Allocation{{Job: []int{0, 0, 1, 2}[i], Copies: 3, Share: 1}}
		s.Intervals = append(s.Intervals, redundancy.Interval{Start: from, End: to, Alloc: alloc})
		from = to
	}
	const optimum = 2.7444141366
	if r := redundancy.Problem.Check(in, s); len(r.Violations) > 0 || *r.Objective < optimum {
		t.Errorf("%+v, the optimum is %v", r, optimum)
	}
}

// A schedule without fault keeps its value, and one within the tolerances has at least that of its decisions carried out to the
// letter, worked out by hand.
func TestProjection(t *testing.T) {
	job := func(arrival, work float64) redundancy.Job { return redundancy.Job{Arrival: arrival, Work: work} }
	const less, sliver = 1 - 9e-7, 1e-7
	type projection struct {
		name   string
		h      []float64
		shared bool
		jobs   []redundancy.Job
		s      redundancy.Solution
		want   float64
	}
	// a has its work at 2, where c arrives, and next to nothing more until 4; b beside them ends with c at 5; six more jobs wait.
	finished := func(work float64) projection {
		next := 2e-7 * work
		p := projection{
			"all work before the last interval",
			[]float64{1},
			true,
			[]redundancy.Job{job(0, work), job(0, 4.5-work-2*next), job(2, 0.5)},
			schedule(until(0, 2, run(0, 1, work/2), run(1, 1, 1-work/2)), until(2, 4, run(0, 1, next), run(1, 1, 1-next)),
				until(4, 5, run(1, 1, 0.5), run(2, 1, 0.5))), 4 + 5 + 3,
		}
		for k := range 6 {
			at := 5 + float64(k)/2
			p.jobs = append(p.jobs, job(0, 0.5))
			p.s.Intervals = append(p.s.Intervals, until(at, at+0.5, run(3+k, 1)))
			p.want += at + 0.5
		}
		return p
	}
	for _, c := range []projection{
		{
			"late dates, and nothing in between",
			[]float64{1},
			false,
			[]redundancy.Job{job(5, 1), job(8, 1)},
			schedule(until(0, 5), until(5, 6, run(0, 1)), until(6, 8), until(8, 9, run(1, 1))), 2,
		},
		{"half a machine is enough", []float64{1}, true, []redundancy.Job{job(0, 0.25)}, schedule(until(0, 0.5, run(0, 1, 0.5))), 0.5},
		{
			"half a machine, later",
			[]float64{1},
			true,
			[]redundancy.Job{job(0, 1), job(0, 0.25)},
			schedule(until(0, 1, run(0, 1)), until(1, 1.5, run(1, 1, 0.5))), 2.5,
		},
		{
			"shares of what completes and what does not",
			[]float64{1},
			true,
			[]redundancy.Job{job(0, 1), job(0, 0.5)},
			schedule(until(0, 1, run(0, 1, 0.5), run(1, 1, 0.5)), until(1, 1.5, run(0, 1))), 2.5,
		},
		// 1 + 9e-7 machines do two works of 1 in 2·(1 − 9e-7).
		{
			"shares of more than a machine",
			[]float64{1},
			true,
			[]redundancy.Job{job(0, 1), job(0, 1)},
			schedule(until(0, 2*less, run(0, 1, 0.5/less), run(1, 1, 0.5/less))), 4,
		},
		{
			"shares of more than two machines",
			[]float64{1, 1.5},
			true,
			[]redundancy.Job{job(0, 1.5), job(0, 1.5)},
			schedule(until(0, 2*less, run(0, 2, 0.5/less), run(1, 2, 0.5/less))), 4,
		},
		{"less work than all", []float64{1, 1}, true, []redundancy.Job{job(0, 0.5+4e-7)}, schedule(until(0, 0.5, run(0, 1))), 0.5 + 4e-7},
		{
			"a sliver after a completion, before an arrival",
			[]float64{1},
			false,
			[]redundancy.Job{job(0, 1), job(0, 1), job(1+5*sliver, 1)},
			schedule(until(0, 1, run(0, 1)), until(1, 1+sliver), until(1+sliver, 2+sliver, run(1, 1)), until(2+sliver, 3+sliver, run(2, 1))),
			5 - 3*sliver,
		},
		{
			"a sliver of one of two jobs",
			[]float64{1, 1},
			false,
			[]redundancy.Job{job(0, 1), job(0, 2), job(0, 1), job(1+5*sliver, 1)},
			schedule(until(0, 1, run(0, 1), run(1, 1)), until(1, 1+sliver, run(1, 1)), until(1+sliver, 2, run(1, 1), run(2, 1)),
				until(2, 3, run(3, 1))),
			7 - 5*sliver,
		},
		{
			"one after two that end together",
			[]float64{1},
			true,
			[]redundancy.Job{job(0, 0.25), job(0, 0.75), job(0, 1)},
			schedule(until(0, 1, run(0, 1, 0.25), run(1, 1, 0.75)), until(1, 2, run(2, 1))), 4,
		},
		{
			"less work than all in two intervals",
			[]float64{1},
			false,
			[]redundancy.Job{job(0, 1), job(0, 1+8e-7), job(1.5, 1)},
			schedule(until(0, 1, run(0, 1)), until(1, 1.5, run(1, 1)), until(1.5, 2, run(1, 1)), until(2, 3, run(2, 1))), 4.5 + 16e-7,
		},
		finished(1), finished(1e-6),
		{"a sliver at the end", []float64{1}, false, []redundancy.Job{job(0, 1)}, schedule(until(0, 1, run(0, 1)), until(1, 1+sliver)), 1},
	} {
		in := &redundancy.Instance{Machines: len(c.h), Multitasking: c.shared, Speed: 2, Speedup: c.h, Jobs: c.jobs}
		if r := redundancy.Problem.Check(in, c.s); len(r.Violations) > 0 || !(math.Abs(*r.Objective-c.want) <= 1.5e-9*c.want) {
			t.Errorf("%s: %v and %v, want %v", c.name, *r.Objective, r.Violations, c.want)
		}
	}
}

// One job after the other, of works whose ends are rounded, keeps its value.
func TestProjectionOfRoundedEnds(t *testing.T) {
	rng := trials.Rand(t, 41, 10)
	for range trials.Count(400) {
		in := &redundancy.Instance{Machines: 1, Multitasking: rng.IntN(2) == 0, Speed: 1, Speedup: []float64{1}}
		var s redundancy.Solution
		at, want := 0.0, 0.0
		for j := range 1 + rng.IntN(8) {
			work := math.Pow(10, 3*rng.Float64()-1)
			in.Jobs = append(in.Jobs, redundancy.Job{Work: work})
			s.Intervals = append(s.Intervals, until(at, at+work, run(j, 1)))
			at += work
			want += at
		}
		if r := redundancy.Problem.Check(in, s); len(r.Violations) > 0 || !(math.Abs(*r.Objective-want) <= 1e-9*want) {
			t.Fatalf("%v and %v, want %v", *r.Objective, r.Violations, want)
		}
	}
}
