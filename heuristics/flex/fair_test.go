package flex

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/flex"
)

// The schedule of few changes has fair's completion times and no fault beyond rounding, from the smallest to the largest times, with
// ties, and with jobs that have no minimum or no room above it. Changes are at most five for each job.
func TestFairOfFewChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for round := range 600 {
		n := 1 + rng.IntN(40)
		unit := math.Pow(10, float64(rng.IntN(21)-8))
		in := &flex.Instance{Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}}
		for range n {
			job := flex.Job{Work: unit * float64(1+rng.IntN(5)), Min: rng.IntN(4)}
			if round%2 == 0 {
				job.Work = unit * math.Pow(10, 6*rng.Float64())
			}
			job.Max = max(1, job.Min+rng.IntN(9))
			in.Jobs = append(in.Jobs, job)
			in.Slots += job.Min
		}
		in.Slots = max(1, in.Slots) + rng.IntN(3*n)
		own, err := fairOwn(t.Context(), in)
		fail.On(t, err)
		times, err := fairTimes(t.Context(), in, nil)
		fail.On(t, err)
		few := flex.Sparse(in, times)
		if report := flex.Problem.Check(in, own); len(report.Violations) > 0 {
			t.Fatalf("%d: fair's own: %v", round, report.Violations)
		}
		if report := flex.Problem.Check(in, few); len(report.Violations) > 0 {
			t.Fatalf("%d: of few changes: %v", round, report.Violations)
		}
		changes, a, b := 0, flex.Completions(in, own), flex.Completions(in, few)
		for _, iv := range few {
			changes += len(iv.Changes)
		}
		if changes > 5*n {
			t.Errorf("%d: %d changes of %d jobs", round, changes, n)
		}
		for j := range a {
			if d := math.Abs(a[j] - b[j]); d > 1e-12*a[j] {
				t.Errorf("%d: job %d completes at %v and %v, %v apart", round, j, a[j], b[j], d)
			}
		}
	}
}
