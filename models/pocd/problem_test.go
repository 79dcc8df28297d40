package pocd

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
)

// Two jobs of three tasks, one of them hopeless; p of the other is 3/4 (two tasks would be 1/2·3/4).
func twoJobs(alpha float64) *Instance {
	return &Instance{Alpha: alpha, Capacity: 8, MaxCopies: 2, Jobs: []Job{
		{ID: "a", Deadline: 200, Tasks: []Task{{ID: "s", TMin: 50, Beta: 1, Straggler: true}}},
		{ID: "b", Deadline: 100, Elapsed: 100, Tasks: []Task{
			{ID: "s", TMin: 50, Beta: 1, Straggler: true}, {ID: "n", TMin: 50, Beta: 1},
		}},
	}}
}

// What reports say of an instance: 8 − 3 − 2 spare machines for 2 stragglers of 3 tasks.
func TestDescription(t *testing.T) {
	if d := cmp.Diff(models.Size{Jobs: 2, Tasks: 3, Machines: 8}, Problem.Size(twoJobs(1))); d != "" {
		t.Error(d)
	}
	in := twoJobs(1)
	want := map[string]any{
		"metric": "alpha 1", "load": 3. / 8, "straggler_share": 2. / 3, "hopeless_share": 1. / 2, "spare_per_straggler": 3. / 2,
	}
	if d := cmp.Diff(want, features(in)); d != "" {
		t.Error(d)
	}
	for j := range in.Jobs {
		in.Jobs[j].Tasks[0].Straggler = false
	}
	delete(want, "spare_per_straggler")
	want["straggler_share"] = 0.0
	if d := cmp.Diff(want, features(in)); d != "" {
		t.Error(d)
	}
}

// The unit of regret, and when values are compared by quotients: at α = 2 the utility without copies is −1/p = −4/3, at α = 0.5 it
// is 2·√p of 4. With p = 0.008 the utility is less than a hundredth of the largest at α = 0, of two jobs, and at +Inf, not at 0.5.
func TestComparison(t *testing.T) {
	for _, c := range []struct {
		alpha, scale float64
		want, late   models.Comparison
	}{
		{0, 2, models.Quotient, models.QuotientZero},
		{0.5, 4, models.Quotient, models.Quotient},
		{0.9, 20, models.Quotient, models.Quotient},
		{1, 2, models.Difference, models.Difference},
		{2, 4. / 3, models.Difference, models.Difference},
		{50, math.Pow(4./3, 49) / 49, models.Difference, models.Difference},
		{math.Inf(1), 1, models.Quotient, models.QuotientZero},
	} {
		in := twoJobs(c.alpha)
		if got := scale(in, ""); math.Abs(got-c.scale) > 1e-12*c.scale {
			t.Errorf("α %v: scale %v, want %v", c.alpha, got, c.scale)
		}
		if got := compare(in); got != c.want {
			t.Errorf("α %v: %v, want %v", c.alpha, got, c.want)
		}
		in.Jobs[0].Tasks[0].TMin = 198.4
		if got := compare(in); got != c.late {
			t.Errorf("α %v, p near 0: %v, want %v", c.alpha, got, c.late)
		}
	}
	in := twoJobs(2)
	in.Jobs = in.Jobs[1:]
	if got := scale(in, ""); got != 1 {
		t.Errorf("scale of hopeless jobs %v", got)
	}
}
