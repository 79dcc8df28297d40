package flex

import (
	"math"
	"testing"

	"schedgap/exact/flex/oracle"
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

// The table finds the best of all sets of jobs in time, and what the oracle finds, of works and penalties from 2^-20 to 2^30 times
// small whole numbers, with ties, due dates that a job meets to the last bit, and due dates that no job or every job meets.
func TestDueTable(t *testing.T) {
	rng := trials.Rand(t, 153, 1)
	for i := range trials.Count(500) {
		in := &flex.Instance{Slots: 1 << rng.IntN(3), Objective: flex.Objective{Metric: flex.Tardy, Aggregate: flex.Sum, Weighted: true}}
		unit, weight := math.Ldexp(1, rng.IntN(50)-20), math.Ldexp(float64(1+rng.IntN(9)), rng.IntN(50)-20)
		common := float64(1 + rng.IntN(12))
		for range 1 + rng.IntN(7) {
			due := unit * common / float64(in.Slots)
			if i%2 == 0 {
				due = unit * float64(1+rng.IntN(25)) / float64(in.Slots)
			}
			in.Jobs = append(in.Jobs, flex.Job{
				ID: string(rune('a' + len(in.Jobs))), Work: unit * float64(1+rng.IntN(9)), Max: in.Slots + rng.IntN(2),
				Weight: weight * float64(1+rng.IntN(4)), Deadline: &due,
			})
		}
		if newDueTable(in) == nil {
			t.Fatalf("there is no table of %s", show(in))
		}
		status, got, _ := solve(t, Opt, in)
		want := bestInTime(in)
		if len(in.Jobs) <= 3 && oracle.Opt(in) != want {
			t.Fatalf("of all sets %v is best, the oracle says %v\n%s", want, oracle.Opt(in), show(in))
		}
		if status != models.Optimal || got != want {
			t.Fatalf("opt is %v (%s), of all sets %v is best\n%s", got, status, want, show(in))
		}
	}
}

// bestInTime tries all sets of jobs in time on one machine.
func bestInTime(in *flex.Instance) float64 {
	best := math.Inf(1)
	for set := range 1 << len(in.Jobs) {
		lost, possible := 0.0, true
		for j := range in.Jobs {
			if set>>j&1 == 0 {
				lost += in.Jobs[j].Weight
				continue
			}
			work := 0.0
			for i := range in.Jobs {
				if set>>i&1 == 1 && *in.Jobs[i].Deadline <= *in.Jobs[j].Deadline {
					work += in.Jobs[i].Work
				}
			}
			possible = possible && work <= float64(in.Slots)**in.Jobs[j].Deadline
		}
		if possible {
			best = min(best, lost)
		}
	}
	return best
}

// A knapsack of 200 items whose weights are their works and a constant is one table.
func TestStronglyCorrelatedKnapsack(t *testing.T) {
	rng := trials.Rand(t, 154, 1)
	in := &flex.Instance{Slots: 1, Objective: flex.Objective{Metric: flex.Tardy, Aggregate: flex.Sum, Weighted: true}}
	total := 0.0
	for range 200 {
		w := float64(1 + rng.IntN(1000))
		in.Jobs = append(in.Jobs, flex.Job{Work: w, Max: 1, Weight: w + 100})
		total += w
	}
	due := math.Floor(total / 2)
	for j := range in.Jobs {
		in.Jobs[j].Deadline = &due
	}
	if status, got, _ := solve(t, Opt, in); status != models.Optimal {
		t.Fatalf("opt is %v (%s)", got, status)
	}
}

// There is no table where a sum would be rounded, where the tolerance for steps admits more, or where it would be too large.
func TestNoDueTable(t *testing.T) {
	job := func(work, weight, due float64) flex.Job {
		return flex.Job{Work: work, Max: 1, Weight: weight, Deadline: &due}
	}
	for name, jobs := range map[string][]flex.Job{
		"a third of a unit":  {job(1./3, 1, 1), job(1, 1, 1)},
		"penalties apart":    {job(1, 1e-8, 1), job(1, 1e12, 1)},
		"within tolerance":   {job(1, 1, 1), job(1, 1, 2-1e-9)},
		"too many columns":   {job(1e8, 1, 1e8+5), job(1e8+1, 1, 1e8+5)},
		"works that are far": {job(1e-8, 1, 1e12), job(1e12, 1, 1e12)},
	} {
		in := &flex.Instance{Slots: 1, Objective: flex.Objective{Metric: flex.Tardy, Aggregate: flex.Sum, Weighted: true}, Jobs: jobs}
		if newDueTable(in) != nil {
			t.Errorf("%s: there is a table", name)
		}
	}
}
