package flex_test

import (
	"slices"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/flex"
)

// Each constraint has a schedule in which it alone is broken. The base: S = 4, jobs a (W 6, 1..3) and b (W 4, 0..4), both at
// 2 slots until 2, then a at 2 until 3: Σ C = 3 + 2.
func TestCheckNamesTheConstraint(t *testing.T) {
	in := instance(4, flex.Response, flex.Sum, flex.Job{Work: 6, Min: 1, Max: 3}, flex.Job{Work: 4})
	iv := func(start, end float64, changes ...flex.Share) flex.Interval {
		return flex.Interval{Start: start, End: end, Changes: changes}
	}
	a, b := func(s float64) flex.Share {
		return flex.Share{
			Job:   0,
			Slots: s,
		}
	}, func(s float64) flex.Share { return flex.Share{Job: 1, Slots: s} }
	for _, c := range []struct {
		name  string
		s     flex.Schedule
		want  []string
		value float64 // 0: some job never completes
	}{
		{"whole", flex.Schedule{iv(0, 2, a(2), b(2)), iv(2, 3, b(0))}, nil, 5},
		{"a below its minimum until 1", flex.Schedule{iv(0, 1, b(4)), iv(1, 3, a(3), b(0))}, []string{"minimum"}, 4},
		{"a above its maximum", flex.Schedule{iv(0, 1.5, a(4)), iv(1.5, 2.5, a(0), b(4))}, []string{"maximum"}, 4},
		{"five slots of four", flex.Schedule{iv(0, 2, a(3), b(2))}, []string{"slots"}, 4},
		{"a short of work", flex.Schedule{iv(0, 2, a(2), b(2))}, []string{"work"}, 0},
		{"b gets more than its work", flex.Schedule{iv(0, 2, a(2), b(2)), iv(2, 3)}, []string{"work", "maximum"}, 5},
		{"a moment of nine slots of four", flex.Schedule{iv(0, 2, a(2), b(2)), iv(2, 2, a(9)), iv(2, 3, a(2), b(0))}, nil, 5},
		{"a gap", flex.Schedule{iv(0, 2, a(2), b(2)), iv(2.5, 3.5, b(0))}, []string{"contiguity"}, 5.5},
		{"late start", flex.Schedule{iv(1, 3, a(2), b(2)), iv(3, 4, b(0))}, []string{"contiguity"}, 7},
		{
			"an interval that ends before it starts",
			flex.Schedule{iv(0, 2, a(2), b(2)), iv(2, 3, b(0)), iv(3, 2.9, a(0))},
			[]string{"contiguity"},
			5,
		},
	} {
		r := flex.Problem.Check(in, c.s)
		var got []string
		for _, v := range r.Violations {
			got = append(got, v.Constraint)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(slices.Compact(got), c.want) {
			t.Errorf("%s: %+v, want %v", c.name, r.Violations, c.want)
		}
		if (r.Objective == nil) != (c.value == 0) || r.Objective != nil && *r.Objective != c.value {
			t.Errorf("%s: objective %v, want %v", c.name, r.Objective, c.value)
		}
	}
}

// Tolerances are relative to the row's own magnitude: a large cluster makes no small minimum vacuous, and overlaps of
// intervals, each below the tolerance, do not add up.
func TestCheckTolerances(t *testing.T) {
	big := instance(2_000_000, flex.Response, flex.Sum, flex.Job{Work: 4, Min: 1}, flex.Job{Work: 1e6})
	idle := flex.Schedule{
		{Start: 0, End: 1, Changes: []flex.Share{{Job: 1, Slots: 1e6}}},
		{Start: 1, End: 2, Changes: []flex.Share{{Job: 0, Slots: 4}, {Job: 1}}},
	}
	if r := flex.Problem.Check(big, idle); r.Feasible(nil) {
		t.Error("a minimum of 1 on two million slots is not kept, and the checker does not mind")
	}
	small := instance(1, flex.Response, flex.Sum, flex.Job{Work: 1.009})
	overlaps := flex.Schedule{{Start: 0, End: 1, Changes: []flex.Share{{Job: 0, Slots: 1}}}}
	for range 10_000 {
		overlaps = append(overlaps, flex.Interval{Start: 1 - 0.9e-6, End: 1})
	}
	if r := flex.Problem.Check(small, overlaps); r.Feasible(nil) {
		t.Error("ten thousand overlaps give work for free")
	}
}

// Tolerances of rows, completions and due dates do not add up to a value that no schedule has. In the first case a needs all
// slots until 1, and b, which may hold one of them, waits for it, until 2; in the second no schedule ends before 1.
func TestCheckOfFalseOptima(t *testing.T) {
	for _, c := range []struct {
		instance, solution string
		least              float64
	}{
		{
			`{"problem":"flex","version":1,"name":"mixed","slots":1000000000,"objective":{"metric":"response","aggregate":"sum",
"weighted":true},"jobs":[{"id":"a","work":1000000000,"min":1000000000,"max":1000000000,"weight":1e-6},
{"id":"b","work":1,"min":0,"max":1,"weight":1},{"id":"c","metric":"tardy","work":1e-9,"min":0,"max":1,"weight":1e-6,"deadline":100}]}`,
			`{"problem":"flex","instance":"mixed","algorithm":"mine","intervals":[{"start":0,"end":1,"slots":{"a":1000000000,"b":1}},
{"start":1,"end":1.000000001,"slots":{"c":1}}]}`, 2.000001,
		},
		{
			`{"problem":"flex","version":1,"name":"tardy","slots":1,"objective":{"metric":"tardy","aggregate":"sum","weighted":false},
"jobs":[{"id":"a","work":1,"min":0,"max":1,"deadline":0.9999999985}]}`,
			`{"problem":"flex","instance":"tardy","algorithm":"mine","intervals":[{"start":0,"end":0.9999999991,
"slots":{"a":1.0000000009}}]}`, 1,
		},
		{ // late due dates make values large, not tolerances
			`{"problem":"flex","version":1,"name":"late","slots":1,"objective":{"metric":"lateness","aggregate":"sum","weighted":false},
"jobs":[{"id":"a","work":1,"min":0,"max":1,"deadline":1000},{"id":"b","work":1,"min":0,"max":1,"deadline":1000}]}`,
			`{"problem":"flex","instance":"late","algorithm":"mine","intervals":[{"start":0,"end":0.9999996,"slots":{"a":1}},
{"start":0.9999996,"end":1.9999992,"slots":{"b":1}}]}`, -1997 - 3e-9,
		},
		{ // b is late by 2.5e-13 of the time; other schedules have both in time, but this is not one of them
			`{"problem":"flex","version":1,"name":"packed","slots":3,"objective":{"metric":"tardiness","aggregate":"max","weighted":true},
"jobs":[{"id":"a","work":8796093022208,"min":1,"max":2,"weight":4,"deadline":6230570000000},
{"id":"b","work":9895604649984,"min":1,"max":3,"weight":4398046511104,"deadline":6230565890729.103}]}`,
			`{"problem":"flex","instance":"packed","algorithm":"mine","intervals":[{"start":0,"end":4398046511104,"slots":{"a":2,"b":1}},
{"start":4398046511104,"end":6230565890730.667,"slots":{"b":3}}]}`, 6.8e12,
		},
		{ // b is late by 2e-9 of its step; a malleable schedule has it in time, but this one does not
			`{"problem":"flex","version":1,"name":"step","slots":2,"objective":{"metric":"tardy","aggregate":"sum","weighted":false},
"jobs":[{"id":"a","work":1,"min":0,"max":1,"deadline":9},{"id":"b","work":2,"min":0,"max":2,"deadline":1.5}]}`,
			`{"problem":"flex","instance":"step","algorithm":"mine","intervals":[{"start":0,"end":0.999999994,"slots":{"a":1,"b":1}},
{"start":0.999999994,"end":1.000000000,"slots":{"a":1,"b":1}},{"start":1,"end":1.499999997,"slots":{"b":2}},
{"start":1.499999997,"end":1.500000003,"slots":{"b":1}}]}`, 1,
		},
		{ // c lacks 2e-12 of its work at its step, and has more slots later; a malleable schedule has it in time, but this one does not
			`{"problem":"flex","version":1,"name":"rest","slots":3,"objective":{"metric":"tardy","aggregate":"sum","weighted":false},
"jobs":[{"id":"a","work":1.0124563336388215,"min":1,"max":1,"deadline":0},{"id":"b","work":1.0124563336367964,"max":1,"deadline":1.35},
{"id":"c","work":1.0124563336388215,"max":2,"deadline":1.01245633262434}]}`,
			`{"problem":"flex","instance":"rest","algorithm":"mine","intervals":[{"start":0,"end":1.0124563336367964,"slots":{"a":1,"b":1,"c":1}},
{"start":1.0124563336367964,"end":1.012456333637809,"slots":{"a":1,"c":2}}]}`, 2,
		},
		{ // the jobs do 4e-12 more until the due date than the slot can, of which sums of float64s know nothing
			`{"problem":"flex","version":1,"name":"due","slots":1,"objective":{"metric":"tardiness","aggregate":"sum","weighted":false},
"jobs":[{"id":"a","metric":"tardy","work":1260,"max":1,"deadline":40000},
{"id":"b","metric":"tardy","work":0.000029999999999999997,"max":1,"deadline":96633.65},{"id":"c","metric":"tardy","work":348,"max":1,"deadline":37026.4},{"id":"d","work":119000,"max":1,"deadline":120608.00003}]}`,
			`{"problem":"flex","instance":"due","algorithm":"mine","intervals":[{"start":0,"end":1260,"slots":{"a":1}},
{"start":1260,"end":1260.00003,"slots":{"b":1}},{"start":1260.00003,"end":1608.00003,"slots":{"c":1}},
{"start":1608.00003,"end":120608.00003,"slots":{"d":1}}]}`, 4.3e-12,
		},
	} {
		in, err := flex.Problem.ParseInstance("instance", []byte(c.instance))
		fail.On(t, err)
		s, err := flex.Problem.ParseSolution("solution", []byte(c.solution), in)
		fail.On(t, err)
		if r := flex.Problem.Check(in, s.Solution); *r.Objective < c.least {
			t.Errorf("%s is worth %v, the optimum is %v at least", in.Name, *r.Objective, c.least)
		}
	}
}

// A job that is in time by 5e-13 of the step is in time, since sums of one job round by less.
func TestCheckInTime(t *testing.T) {
	in, err := flex.Problem.ParseInstance("instance", []byte(`{"problem":"flex","version":1,"name":"step","slots":2,
"objective":{"metric":"sla","aggregate":"sum","weighted":false},
"jobs":[{"id":"a","work":2.124604857766179,"max":1,"steps":[{"at":2.124604855642637,"penalty":3}]}]}`))
	fail.On(t, err)
	s := flex.Schedule{{End: 2.124604857766179, Changes: []flex.Share{{Job: 0, Slots: 1}}}}
	if r := flex.Problem.Check(in, s); len(r.Violations) > 0 || *r.Objective != 0 {
		t.Errorf("worth %v: %+v", *r.Objective, r.Violations)
	}
}
