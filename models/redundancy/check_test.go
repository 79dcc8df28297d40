package redundancy_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/trials/property"
)

// run is the allocation of copies of a job, at a share that is 1 unless it is given.
func run(job, copies int, share ...float64) redundancy.Allocation {
	return redundancy.Allocation{Job: job, Copies: copies, Share: append(share, 1)[0]}
}

// schedule is a solution at speed 1 of intervals that follow each other.
func schedule(ivs ...redundancy.Interval) redundancy.Solution {
	return redundancy.Solution{Speed: 1, Intervals: ivs}
}

func until(start, end float64, alloc ...redundancy.Allocation) redundancy.Interval {
	return redundancy.Interval{Start: start, End: end, Alloc: alloc}
}

func violation(constraint, where string, amount float64) models.Violation {
	return models.Violation{Constraint: constraint, Where: where, Amount: amount}
}

// Each constraint broken alone is reported alone, with where and by how much. Three machines, h = 1, 1.5, 1.5; a has work 3 and
// is there from 0, b has work 1 and arrives at 1. All three on a for 1 leaves 1.5 of it; then b beside two copies of a is done at
// 2 and so is a.
func TestCheckMutations(t *testing.T) {
	in := &redundancy.Instance{
		Machines: 3, Speed: 2, Speedup: []float64{1, 1.5, 1.5},
		Jobs: []redundancy.Job{{ID: "a", Work: 3}, {ID: "b", Arrival: 1, Work: 1}},
	}
	shared := *in
	shared.Multitasking = true
	first, second := until(0, 1, run(0, 2)), until(1, 2, run(0, 2), run(1, 1))
	fast := schedule(until(0, 1, run(0, 2)), until(1, 1.5, run(1, 3, 2./3)))
	fast.Speed = 2
	wrong := schedule(first, second)
	wrong.Speed = 1.5
	for _, c := range []struct {
		name  string
		in    *redundancy.Instance
		s     redundancy.Solution
		want  []models.Violation
		value float64 // NaN: none
	}{
		{"feasible", in, schedule(first, second), nil, 3},
		{"idle before an arrival", in, schedule(until(0, 1), until(1, 2, run(1, 1)), until(2, 4, run(0, 2))), nil, 5},
		{"no boundary at the arrival is needed", in, schedule(until(0, 2, run(0, 2)), until(2, 3, run(1, 1))), nil, 4},
		{"the instance's speed", &shared, fast, nil, 1.5},
		{"another speed", in, wrong, []models.Violation{
			violation("speed", "speed", 0.5), violation("work", "jobs[a]", 1.5), violation("work", "jobs[b]", 0.5),
		}, 3},
		{"four copies in all", in, schedule(first, until(1, 2, run(0, 3), run(1, 1))), []models.Violation{
			violation("machines", "intervals[1]", 1),
		}, 3},
		{
			"more copies than machines", &shared, schedule(first, until(1, 2, run(0, 4, 0.25), run(1, 2, 1)), until(2, 3.5, run(0, 1))),
			[]models.Violation{
				violation("machines", "jobs[a] in intervals[1]", 1), violation("work", "jobs[a]", 0.375), violation("work", "jobs[b]", 0.5),
			},
			4.5,
		},
		{"no copies", in, schedule(first, until(1, 2, run(0, 2), run(1, 0)), until(2, 3, run(1, 1))), []models.Violation{
			violation("machines", "jobs[b] in intervals[1]", 1),
		}, 4},
		{
			"a share of a machine that is not shared", in, schedule(first, until(1, 3, run(0, 2, 0.5), run(1, 1, 0.5))),
			[]models.Violation{
				violation("share", "jobs[a] in intervals[1]", 0.5), violation("share", "jobs[b] in intervals[1]", 0.5),
			},
			5,
		},
		{"shares of all machines", &shared, schedule(first, until(1, 3, run(0, 2, 0.5), run(1, 1, 0.5))), nil, 5},
		// b twice as fast as a machine is.
		{"a share above 1", &shared, schedule(until(0, 1), until(1, 1.5, run(1, 1, 2)), until(1.5, 3.5, run(0, 2))), []models.Violation{
			violation("share", "jobs[b] in intervals[1]", 1),
		}, 4},
		{
			"a share of nothing", &shared, schedule(first, until(1, 2, run(0, 2), run(1, 1, -1)), until(2, 3, run(1, 1))),
			[]models.Violation{
				violation("share", "jobs[b] in intervals[1]", 1),
			},
			4,
		},
		{
			"shares add up to more than the machines", &shared, schedule(first, until(1, 2, run(0, 3, 1), run(1, 2, 2./3))),
			[]models.Violation{
				violation("machines", "intervals[1]", 4./3),
			},
			3,
		},
		{
			"a boundary where nothing happens", in, schedule(first, until(1, 1.5, run(0, 2), run(1, 1)),
				until(1.5, 2, run(0, 2), run(1, 1))),
			[]models.Violation{violation("event", "intervals[1].end", 0.5)},
			3,
		},
		{"an end where nothing completes", in, schedule(first, second, until(2, 5)), []models.Violation{
			violation("event", "intervals[2].end", 3),
		}, 3},
		{"a gap", in, schedule(first, until(1.25, 2, run(0, 2), run(1, 1))), []models.Violation{
			violation("event", "intervals[1].start", 0.25),
		}, 3},
		// By their own starts and ends the jobs get 1.5·1 + 1.5 and 1.
		{"a gap with the right work on both sides", in, schedule(first, until(1.5, 2.5, run(0, 2), run(1, 1))), []models.Violation{
			violation("event", "intervals[1].start", 0.5),
		}, 4},
		{"an overlap with the right work", in, schedule(first, until(0.75, 1.75, run(0, 2), run(1, 1))), []models.Violation{
			violation("event", "intervals[1].start", 0.25),
		}, 2.5},
		{"a late start", in, schedule(until(0.5, 1, run(0, 2)), second), []models.Violation{
			violation("event", "intervals[0].start", 0.5),
		}, 3},
		{"an interval that runs backwards", in, schedule(first, until(1, 0.5), second), []models.Violation{
			violation("event", "intervals[1].end", 0.5),
		}, 3},
		{"before the arrival", in, schedule(until(0, 1, run(0, 2), run(1, 1)), until(1, 2, run(0, 2))), []models.Violation{
			violation("arrival", "jobs[b]", 1),
		}, 2},
		// a has 1.5·3 = 4.5 at 3.
		{"after the completion", in, schedule(first, second, until(2, 3, run(0, 2))), []models.Violation{
			violation("work", "jobs[a]", 1.5), violation("event", "intervals[2].end", 1),
		}, 3},
		{
			"after the completion at the first end", in, schedule(until(0, 1), until(1, 2, run(1, 1)), until(2, 4, run(0, 2)), until(4, 5, run(1, 0))),
			[]models.Violation{violation("machines", "jobs[b] in intervals[3]", 1), violation("event", "intervals[3].end", 1)},
			5,
		},
		{"all work at the end of an interval", in, schedule(first, second, until(2, 4, run(0, 1))), []models.Violation{
			violation("work", "jobs[a]", 2), violation("event", "intervals[2].end", 2),
		}, 3},
		{"all work at the end of the first interval", in, schedule(until(0, 2, run(0, 2)), until(2, 3, run(0, 2), run(1, 1))), []models.Violation{
			violation("work", "jobs[a]", 1.5),
		}, 4},
		{"a job twice", in, schedule(first, until(1, 2, run(0, 2), run(1, 1), run(1, 0))), []models.Violation{
			violation("machines", "intervals[1]: job 1 is unknown, out of order or comes twice", 1),
		}, 3},
		{"a job that is not there", in, schedule(first, until(1, 2, run(0, 2), run(1, 1), run(2, 1))), []models.Violation{
			violation("machines", "intervals[1]: job 2 is unknown, out of order or comes twice", 1),
		}, 3},
		{"less than no copies", in, schedule(first, until(1, 2, run(0, 2), run(1, -1)), until(2, 3, run(1, 1))), []models.Violation{
			violation("machines", "jobs[b] in intervals[1]", 2),
		}, 4},
		{"a share of 0", &shared, schedule(first, until(1, 2, run(0, 2), run(1, 1, 0)), until(2, 3, run(1, 1))), []models.Violation{
			violation("share", "jobs[b] in intervals[1]", 1e-6),
		}, 4},
		{"a completion inside an interval", in, schedule(first, until(1, 3, run(0, 1), run(1, 1))), []models.Violation{
			violation("work", "jobs[a]", 0.5), violation("work", "jobs[b]", 1),
		}, 5},
		{"a job that never completes", in, schedule(first, until(1, 2, run(0, 2))), []models.Violation{
			violation("work", "jobs[b]", 1),
		}, math.NaN()},
		{
			"no intervals", in, schedule(),
			[]models.Violation{violation("work", "jobs[a]", 3), violation("work", "jobs[b]", 1)},
			math.NaN(),
		},
	} {
		r := redundancy.Problem.Check(c.in, c.s)
		if diff := cmp.Diff(c.want, r.Violations, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s: violations (-want +got)\n%s", c.name, diff)
		}
		switch {
		case r.Objective == nil:
			if !math.IsNaN(c.value) {
				t.Errorf("%s: no objective", c.name)
			}
		case !(math.Abs(*r.Objective-c.value) < 1e-12):
			t.Errorf("%s: objective %v, want %v", c.name, *r.Objective, c.value)
		}
	}
}

// The rounding of an objective is that of its times: two completions at 2, arrivals at 0 and 1.
func TestCheckRounding(t *testing.T) {
	in := &redundancy.Instance{
		Machines: 2, Speed: 1, Speedup: []float64{1, 2}, Jobs: []redundancy.Job{{ID: "a", Work: 3}, {ID: "b", Arrival: 1, Work: 1}},
	}
	r := redundancy.Problem.Check(in, schedule(until(0, 1, run(0, 2)), until(1, 2, run(0, 1), run(1, 1))))
	if want := 5 * models.Unit; math.Abs(r.Rounding-want) > 1e-12*want {
		t.Errorf("rounding %v, want %v", r.Rounding, want)
	}
}

// What is forgiven is a millionth of what the shorter of the jobs on either side does, an interval of no length is no side, and
// late dates forgive their rounding.
func TestTolerances(t *testing.T) {
	four := redundancy.Instance{Machines: 4, Speed: 2, Speedup: []float64{1, 2, 3, 4}}
	with := func(jobs ...redundancy.Job) *redundancy.Instance {
		in := four
		in.Jobs = jobs
		return &in
	}
	long, short := redundancy.Job{ID: "long", Work: 100}, redundancy.Job{ID: "short", Work: 4} // which takes 1 on 4 machines
	both := func(start float64) redundancy.Solution {
		return schedule(until(0, 100, run(0, 1)), until(start, 101, run(1, 4)))
	}
	before := func(start float64) redundancy.Solution {
		return schedule(until(0, 1, run(1, 4)), until(start, 101, run(0, 1)))
	}
	fast := schedule(until(0, 0.5, run(0, 4)))
	fast.Speed = 2 * (1 + 7e-7)
	const late = 0x1p23 // with 15 digits: to 8e-9
	lateJob := redundancy.Job{ID: "short", Arrival: late, Work: 0x1p-10}
	at := func(end float64) redundancy.Solution { return schedule(until(0, late), until(late, end, run(0, 1))) }
	for _, c := range []struct {
		name string
		in   *redundancy.Instance
		s    redundancy.Solution
		want []string
	}{
		{"a short job late", with(long, short), both(100 + 5e-7), nil},
		{"a short job too late", with(long, short), both(100 + 5e-6), []string{"event"}},
		{"after a short job", with(long, short), before(1 + 5e-7), nil},
		{"too long after a short job", with(long, short), before(1 + 5e-6), []string{"event"}},
		{"nearly the speed", with(short), fast, nil},
		{
			"an end beside an arrival", with(long, redundancy.Job{ID: "short", Arrival: 1, Work: 4}),
			schedule(until(0, 1+5e-7, run(0, 1)), until(1+5e-7, 2+5e-7, run(0, 0), run(1, 4)), until(2+5e-7, 101, run(0, 1))),
			[]string{"machines"},
		},
		{"beside an interval of no length", with(long, redundancy.Job{ID: "tiny", Work: 1e-3}, redundancy.Job{ID: "short", Arrival: 1, Work: 4}), schedule(
			until(0, 1+5e-7, run(0, 1)), until(1+5e-7, 1+5e-7, run(1, 1)), until(1+8e-7, 2+5e-7, run(2, 4)),
			until(2+5e-7, 101+5e-7, run(0, 1)), until(101+5e-7, 101.001+5e-7, run(1, 1))), nil},
		{"a late date", with(lateJob), at(late + 0x1p-10 + 0x1p-28), nil},
		{"a late date, and too much work", with(lateJob), at(late + 0x1p-10 + 0x1p-24), []string{"work"}},
		{
			"rounding is not half of the work", with(lateJob, redundancy.Job{ID: "tiny", Arrival: late, Work: 1e-8}),
			schedule(until(0, late), until(late, late, run(1, 4)), until(late, late+0x1p-10, run(0, 1))),
			[]string{"work"},
		},
	} {
		var got []string
		for _, v := range redundancy.Problem.Check(c.in, c.s).Violations {
			got = append(got, v.Constraint)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// However late the times are, a boundary is held against what jobs can do in the time that it is off: a short job cannot be
// squeezed in beside an arrival whose time is large.
func TestToleranceOfTimes(t *testing.T) {
	const late = 1e6
	in := &redundancy.Instance{
		Machines: 1, Speed: 1, Speedup: []float64{1},
		Jobs: []redundancy.Job{{ID: "long", Work: 10}, {ID: "short", Arrival: late, Work: 0.5}},
	}
	for _, c := range []struct {
		off  float64 // how long after the arrival the short job starts
		want []string
	}{
		{0, nil},
		{1e-7, nil}, // a millionth of its work is 5e-7
		{1e-5, []string{"event"}},
		{0.5, []string{"event"}}, // less than a millionth of the time, and all of the job
		{-1e-7, nil},
		{-0.5, []string{"arrival", "event"}},
	} {
		at := late + c.off
		s := schedule(until(0, 10, run(0, 1)), until(10, at), until(at, at+0.5, run(1, 1)))
		var got []string
		for _, v := range redundancy.Problem.Check(in, s).Violations {
			got = append(got, v.Constraint)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v off the arrival: %v, want %v", c.off, got, c.want)
		}
	}
}

// Completions that differ by rounding alone may be one boundary or two.
func TestNearlyEqualCompletions(t *testing.T) {
	in := &redundancy.Instance{
		Machines: 2, Speed: 1, Speedup: []float64{1, 1.5},
		Jobs: []redundancy.Job{{ID: "a", Work: 3}, {ID: "b", Work: 3 + 1e-10}, {ID: "c", Arrival: 1, Work: 0.01}},
	}
	const end = 3 + 1e-10
	for _, s := range []redundancy.Solution{
		schedule(until(0, 3, run(0, 1), run(1, 1)), until(3, end, run(1, 1)), until(end, end+0.01, run(2, 1))),
		schedule(until(0, 3, run(0, 1), run(1, 1)), until(3, 3.01, run(2, 1))),
	} {
		if r := redundancy.Problem.Check(in, s); len(r.Violations) > 0 {
			t.Errorf("%v: %v", s, r.Violations)
		}
	}
}

// Malformed solutions are refused without a panic, infinite numbers included.
func TestCheckMalformed(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		s := drawSolution(t, in)
		odd := rapid.SampledFrom([]float64{math.Inf(1), math.NaN(), math.Inf(-1)}).Draw(t, "odd")
		s.Intervals = append(s.Intervals, until(odd, 3), until(3, odd, run(-1, 1), run(len(in.Jobs), 1)),
			until(1, 4, run(0, 1, odd), run(0, 1)))
		if r := redundancy.Problem.Check(in, s); r.Feasible(nil) {
			t.Errorf("accepted: %v", s)
		}
	})
}

// A schedule in another unit of time is as good: times and works scaled by one factor scale the objective, and no violation
// comes or goes, tiny and huge units included.
func TestCheckScales(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		factor := math.Pow(2, float64(rapid.IntRange(-40, 40).Draw(t, "exponent")))
		in := drawInstance(t)
		s := drawSolution(t, in)
		scaled, scaledSolution := *in, redundancy.Solution{Speed: s.Speed}
		scaled.Jobs = slices.Clone(in.Jobs)
		for j := range scaled.Jobs {
			scaled.Jobs[j].Arrival *= factor
			scaled.Jobs[j].Work *= factor
		}
		for _, iv := range s.Intervals {
			scaledSolution.Intervals = append(scaledSolution.Intervals, until(iv.Start*factor, iv.End*factor, iv.Alloc...))
		}
		want, got := redundancy.Problem.Check(in, s), redundancy.Problem.Check(&scaled, scaledSolution)
		if a, b := constraints(want), constraints(got); !slices.Equal(a, b) {
			t.Errorf("%v, scaled by %v %v", a, factor, b)
		}
		if (want.Objective == nil) != (got.Objective == nil) {
			t.Error("an objective came or went")
		} else if want.Objective != nil && math.Abs(*got.Objective-*want.Objective*factor) > 1e-9*math.Abs(*want.Objective)*factor {
			t.Errorf("%v, scaled by %v %v", *want.Objective, factor, *got.Objective)
		}
	})
}

func constraints(r models.Report) []string {
	var list []string
	for _, v := range r.Violations {
		list = append(list, fmt.Sprint(v.Constraint, v.Where))
	}
	return list
}

// The features reports draw ratios against; jobs that all arrive together have no load.
func TestFeatures(t *testing.T) {
	in := parse(t, good)
	want := map[string]any{
		"metric": "non-multitasking", "jobs_per_machine": 0.5, "speedup_share": 0.55, "speed": 2., "load": 4.5 / 4 / 1.5,
	}
	if diff := cmp.Diff(want, redundancy.Problem.Features(in), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	in.Jobs, in.Multitasking = in.Jobs[:1], true
	if f := redundancy.Problem.Features(in); f["load"] != nil || f["metric"] != "multitasking" {
		t.Error(f)
	}
}
