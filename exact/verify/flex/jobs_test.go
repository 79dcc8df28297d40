package flex

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"schedgap/exact/verify/core"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

func at(v float64) *float64 { return &v }

// TestPairs: by hand, a job leads another one if its maximum is no larger, it can end no later, whether it runs at its minimum or its
// maximum, and its penalty grows at least as fast from no later on; of equals the first in the file leads.
func TestPairs(t *testing.T) {
	type job = flex.Job
	base := job{Work: 4, Min: 1, Max: 2, Weight: 1, Deadline: at(3)}
	for name, c := range map[string]struct {
		change     func(j *job) // of the second
		ab, ba     bool
		metric     flex.Metric
		unweighted bool
	}{
		"equals":                         {func(*job) {}, true, false, flex.Response, false},
		"a larger maximum":               {func(j *job) { j.Max, j.Work, j.Min = 4, 8, 2 }, true, false, flex.Response, false},
		"more work":                      {func(j *job) { j.Work = 5 }, true, false, flex.Response, false},
		"less work":                      {func(j *job) { j.Work = 3 }, false, true, flex.Response, false},
		"more weight, and more work":     {func(j *job) { j.Work, j.Weight = 5, 2 }, false, false, flex.Response, false},
		"less weight":                    {func(j *job) { j.Weight = 0.5 }, true, false, flex.Response, false},
		"more weight":                    {func(j *job) { j.Weight = 2 }, false, true, flex.Response, false},
		"weights that do not count":      {func(j *job) { j.Weight = 2 }, true, false, flex.Response, true},
		"a minimum less":                 {func(j *job) { j.Min = 0 }, true, false, flex.Response, false},
		"a minimum more":                 {func(j *job) { j.Min = 2 }, false, true, flex.Response, false},
		"a minimum more, some work more": {func(j *job) { j.Min, j.Work = 2, 5 }, false, false, flex.Response, false},
		"a minimum more, as much work more as that": {func(j *job) { j.Min, j.Work = 2, 8 }, true, false, flex.Response, false},
		"due as early":          {func(*job) {}, true, false, flex.Tardiness, false},
		"due later":             {func(j *job) { j.Deadline = at(3.5) }, true, false, flex.Tardiness, false},
		"due earlier":           {func(j *job) { j.Deadline = at(2.5) }, false, true, flex.Tardiness, false},
		"due before it can end": {func(j *job) { j.Deadline = at(1) }, false, true, flex.Tardiness, false},
		"due after it must end": {func(j *job) { j.Deadline, j.Weight = at(4), 5 }, true, false, flex.Tardiness, false},
		"due just before that":  {func(j *job) { j.Deadline, j.Weight = at(3.99), 5 }, false, false, flex.Tardiness, false},
	} {
		b := base
		c.change(&b)
		jobs := []flex.Job{base, b}
		jobs[0].ID, jobs[1].ID = "a", "b"
		in := &flex.Instance{Slots: 4, Jobs: jobs, Objective: flex.Objective{Metric: c.metric, Aggregate: flex.Sum, Weighted: !c.unweighted}}
		before := Pairs(in)
		if before[0][1] != c.ab || before[1][0] != c.ba || before[0][0] || before[1][1] {
			t.Errorf("%s: a before b %v, b before a %v", name, before[0][1], before[1][0])
		}
		in.Jobs = []flex.Job{jobs[1], jobs[0]}
		before = Pairs(in)
		if both := c.ab && name == "equals" || name == "weights that do not count" || name == "due as early"; !both &&
			(before[1][0] != c.ab || before[0][1] != c.ba) {
			t.Errorf("%s, in the other order of the file: a before b %v, b before a %v", name, before[1][0], before[0][1])
		}
	}
	early := []flex.Job{base, base} // both are due before they can end: from then on both grow
	early[0].Deadline, early[1].Deadline = at(1), at(0.5)
	if before := Pairs(&flex.Instance{Slots: 4, Jobs: early, Objective: flex.Objective{Metric: flex.Tardiness, Aggregate: flex.Sum}}); !before[0][1] {
		t.Error("due dates before the first possible end tell jobs apart")
	}
}

// TestWorks: the works in their greatest common divisor, of instances in which jobs have no minima and can hold all slots.
func TestWorks(t *testing.T) {
	one := func(change func(in *flex.Instance)) *flex.Instance {
		in := &flex.Instance{Slots: 2, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}}
		in.Jobs = []flex.Job{{ID: "a", Work: 1.5, Max: 2}, {ID: "b", Work: 1, Max: 3}}
		change(in)
		return in
	}
	for name, c := range map[string]struct {
		change func(in *flex.Instance)
		works  []int
	}{
		"halves":               {func(*flex.Instance) {}, []int{3, 2}},
		"a minimum":            {func(in *flex.Instance) { in.Jobs[1].Min = 1 }, nil},
		"a maximum":            {func(in *flex.Instance) { in.Jobs[0].Max = 1 }, nil},
		"the largest penalty":  {func(in *flex.Instance) { in.Objective.Aggregate = flex.Max }, nil},
		"as many as there may": {func(in *flex.Instance) { in.Jobs[0].Work, in.Jobs[1].Work = 1<<20-1, 1 }, []int{1<<20 - 1, 1}},
		"one more":             {func(in *flex.Instance) { in.Jobs[0].Work, in.Jobs[1].Work = 1<<20, 1 }, nil},
		"many jobs": {func(in *flex.Instance) {
			in.Jobs = slices.Repeat([]flex.Job{{Work: 0.25, Max: 2}}, 2048)
		}, slices.Repeat([]int{1}, 2048)},
		"too many jobs": {func(in *flex.Instance) { in.Jobs = slices.Repeat([]flex.Job{{Work: 1, Max: 2}}, 2049) }, nil},
	} {
		works, total, err := Works(one(c.change))
		sum := 0
		for _, w := range c.works {
			sum += w
		}
		if (err == nil) != (c.works != nil) || !slices.Equal(works, c.works) || err == nil && total != sum {
			t.Errorf("%s: %d works, %d in all, %v", name, len(works), total, err)
		}
	}
}

// TestMachineCosts: penalties in whole units, rounded down, at each unit of time.
func TestMachineCosts(t *testing.T) {
	in := &flex.Instance{Slots: 2, Objective: flex.Objective{Metric: flex.Tardiness, Aggregate: flex.Sum, Weighted: true}}
	in.Jobs = []flex.Job{
		{ID: "a", Work: 1.5, Max: 2, Weight: 3, Deadline: at(0.3)}, {ID: "b", Work: 1, Max: 2, Weight: 1, Deadline: at(1)},
	}
	costs := func(bits int) [][]int64 {
		t.Helper()
		p, err := Machine(in, bits)
		fail.On(t, err)
		if p.Total != 5 || !slices.Equal(p.Work, []int{3, 2}) {
			t.Fatalf("%+v", p)
		}
		return p.Cost
	}
	for _, c := range []struct {
		name   string
		metric flex.Metric
		due    float64 // of a
		bits   int
		want   [][]int64 // at 0, 1/4, …, 5/4
	}{
		{"tardiness", flex.Tardiness, 0.3, 0, [][]int64{{0, 0, 0, 1, 2, 2}, {0, 0, 0, 0, 0, 0}}},
		{"four times that", flex.Tardiness, 0.3, 2, [][]int64{{0, 0, 2, 5, 8, 11}, {0, 0, 0, 0, 0, 1}}},
		{"a quarter of that", flex.Tardiness, 0.3, -2, [][]int64{{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}}},
		{"lateness", flex.Lateness, 0.3, 2, [][]int64{{-4, -1, 2, 5, 8, 11}, {-4, -3, -2, -1, 0, 1}}},
		{"response", flex.Response, 0.3, 2, [][]int64{{0, 3, 6, 9, 12, 15}, {0, 1, 2, 3, 4, 5}}},
		{"tardy", flex.Tardy, 0.3, 0, [][]int64{{0, 0, 3, 3, 3, 3}, {0, 0, 0, 0, 0, 1}}},
		{"due at a unit", flex.Tardy, 0.5, 0, [][]int64{{0, 0, 0, 3, 3, 3}, {0, 0, 0, 0, 0, 1}}},
		{"due never", flex.Tardy, 9, 0, [][]int64{{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1}}},
		{"due at the end", flex.Tardy, 1.25, 0, [][]int64{{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1}}},
	} {
		in.Objective.Metric, in.Jobs[0].Deadline = c.metric, at(c.due)
		if got := costs(c.bits); !slices.EqualFunc(got, c.want, slices.Equal[[]int64]) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	in.Objective.Metric, in.Objective.Weighted = flex.SLA, false
	in.Jobs[0].Steps = []flex.Step{{At: 0.3, Penalty: 2}, {At: 0.8, Penalty: 5}}
	in.Jobs[1].Steps = []flex.Step{{At: 0.25, Penalty: 1}, {At: 0.3, Penalty: 3}, {At: 9, Penalty: 7}}
	if got, want := costs(1), [][]int64{{0, 0, 4, 4, 10, 10}, {0, 0, 6, 6, 6, 6}}; !slices.EqualFunc(got, want, slices.Equal[[]int64]) {
		t.Errorf("steps: %v, want %v", got, want)
	}
	for bits, reason := range map[int]string{mostBits: "", mostBits + 1: "strange scale", -mostBits: "", -mostBits - 1: "strange scale"} {
		in.Objective.Metric, in.Jobs[0].Deadline, in.Jobs[1].Deadline = flex.Tardiness, at(9), at(9)
		if _, err := Machine(in, bits); (err == nil) != (reason == "") || err != nil && !strings.Contains(err.Error(), reason) {
			t.Errorf("2^%d: %v", bits, err)
		}
	}
	if rank := func() []int {
		in.Jobs[0].Deadline, in.Jobs[1].Deadline = at(1), at(0.3)
		p, err := Machine(in, 2)
		fail.On(t, err)
		return p.Rank
	}(); !slices.Equal(rank, []int{1, 0}) {
		t.Errorf("the alphabet is %v", rank)
	}
	for bits, want := range map[int]*big.Rat{0: big.NewRat(1, 1), 3: big.NewRat(8, 1), -3: big.NewRat(1, 8)} {
		if got := power(bits); got.Cmp(want) != 0 {
			t.Errorf("2^%d is %v", bits, got)
		}
	}
	if v := scaledDown(-3, 1); v != -1.5 {
		t.Errorf("%v", v)
	}
}

// TestSteps: a step is passed after its time with the tolerance, not at it, and lower bounds never count one more.
func TestSteps(t *testing.T) {
	in := &flex.Instance{Slots: 2, Objective: flex.Objective{Metric: flex.Tardy, Aggregate: flex.Sum}}
	in.Jobs = []flex.Job{{ID: "a", Work: 1, Max: 1, Weight: 1, Deadline: at(3)}, {ID: "b", Work: 4, Min: 1, Max: 2, Weight: 1, Deadline: at(2)}}
	jobs := exactJobs(in)
	f := &jobs[0]
	passed := f.steps[0].passed
	after := new(big.Rat).Add(passed, big.NewRat(1, 1<<60))
	if f.penalty(passed).Sign() != 0 || f.penalty(after).Cmp(big.NewRat(1, 1)) != 0 || f.penalty(big.NewRat(3, 1)).Sign() != 0 {
		t.Errorf("at %v it costs %v, then %v", passed, f.penalty(passed), f.penalty(after))
	}
	if f.least(3) != 0 || f.least(3.1) > 1 || f.least(3.1) < 1-1e-12 {
		t.Errorf("at 3 it costs %v at least, at 3.1 %v", f.least(3), f.least(3.1))
	}
	// b must end by 2 at its maximum of 2 slots, and a by 3 or never.
	for _, c := range []struct {
		passes []int
		meets  bool
	}{{[]int{0, 0}, true}, {[]int{1, 1}, true}} {
		if got := MeetsSteps(in, c.passes); got != c.meets {
			t.Errorf("%v steps passed: %v", c.passes, got)
		}
	}
	in.Jobs[0].Deadline = at(1) // and both slots are b's until 2
	if MeetsSteps(in, []int{0, 0}) || !MeetsSteps(in, []int{1, 0}) || !MeetsSteps(in, []int{0, 1}) {
		t.Error("one of both passes a step, and either may")
	}
}

// TestMostOrdered: orders are distinguished for so many jobs.
func TestMostOrdered(t *testing.T) {
	for n, refused := range map[int]bool{mostOrdered: false, mostOrdered + 1: true} {
		in := &flex.Instance{Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}, Jobs: make([]flex.Job, n)}
		if err := haveOrders(in); (err != nil) != refused {
			t.Errorf("%d jobs: %v", n, err)
		}
	}
}

// TestWorkLeft: by hand, the integral of the work of a set that is left, beside others that hold their minima until they end. It is from
// below by no more than rounding.
func TestWorkLeft(t *testing.T) {
	for name, c := range map[string]struct {
		jobs []flex.Job
		set  []int
		want float64
	}{
		"alone":                   {[]flex.Job{{Work: 4, Max: 2}}, []int{0}, 4}, // 4·2/2
		"beside one without":      {[]flex.Job{{Work: 4, Max: 2}, {Work: 9, Max: 2}}, []int{0}, 4},
		"beside one that ends":    {[]flex.Job{{Work: 4, Max: 2}, {Work: 1, Min: 1, Max: 2}}, []int{0}, 3.5 + 2.25}, // 4 → 3 at 1, then 3·1.5/2
		"beside one that goes on": {[]flex.Job{{Work: 4, Max: 2}, {Work: 9, Min: 1, Max: 2}}, []int{0}, 8},
		"beside two, one by one":  {[]flex.Job{{Work: 4, Max: 3}, {Work: 1, Min: 1, Max: 1}, {Work: 2, Min: 1, Max: 1}}, []int{0}, -1},
		"two of them":             {[]flex.Job{{Work: 3, Max: 2}, {Work: 1, Min: 1, Max: 2}}, []int{0, 1}, 4},
	} {
		in := &flex.Instance{Slots: 2, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}, Jobs: c.jobs}
		if c.want < 0 { // three slots: one until 1, two until 2, then three: 4 → 3 → 1 → 0
			in.Slots, c.want = 3, 3.5+2+1.0/6
		}
		tree := &orderTree{tree: newTree(nil, in), n: len(c.jobs)}
		if got := tree.left(c.set); got > c.want || got < c.want-1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestParallel: by hand, the inequality of two jobs, one of which has a fixed number of slots.
func TestParallel(t *testing.T) {
	in := &flex.Instance{Slots: 4, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}, Jobs: []flex.Job{
		{ID: "a", Work: 4, Min: 1, Max: 2}, {ID: "b", Work: 6, Min: 3, Max: 3},
	}}
	tree := &orderTree{tree: newTree(nil, in), n: 2}
	c, err := tree.parallel(&proof.ParallelCut{Jobs: []int{0, 1}, At: []float64{3, 0}})
	// At 3 a has e = 1: g = 9/2 + 3 − 1/2 = 7, with the slope e·M/(M − m) = 2, so that g ≤ 2C + 1. b has 36/6 = 6. Left is 10²/8.
	if err != nil || !slices.Equal(c.jobs, []int{0}) || c.coef[0].Lo > 2 || c.coef[0].Hi < 2 || c.rhs > 12.5-7 || c.rhs < 12.5-7-1e-12 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestDueDates: a job that is due between the points of a grid pays least if it ends then: half of it at 2, half at 1.
func TestDueDates(t *testing.T) {
	in := &flex.Instance{Slots: 4, Objective: flex.Objective{Metric: flex.Tardiness, Aggregate: flex.Sum, Weighted: true}}
	in.Jobs = []flex.Job{{ID: "a", Work: 4, Max: 4, Weight: 10, Deadline: at(2.5)}}
	r, err := core.Written([]any{proof.Multipliers{Grid: []float64{0, 2, 4, 10}, Price: []float64{2, 1, 0}}})
	fail.On(t, err)
	prices, err := core.ReadRelaxation(r, 1, 1, func(int) string { return "a" })
	fail.On(t, err)
	if v := newPricing(in, prices).least(0); v > 6 || v < 6-1e-12 {
		t.Errorf("it costs %v, want 6", v)
	}
	in.Jobs = append(in.Jobs, flex.Job{ID: "b", Work: 12, Max: 4, Weight: 1, Deadline: at(9)}) // so that a may end by 7
	tree := &orderTree{tree: newTree(nil, in), n: 2}
	if v := tree.jobs[0].leastLess(4, false); v > -10 || v < -10-1e-12 { // −4·2.5
		t.Errorf("less 4 times its end it costs %v, want -10", v)
	}
}
