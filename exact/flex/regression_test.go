package flex

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"schedgap/exact/flex/oracle"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

// Instances that once broke a method: works over eight orders of magnitude, a rigid job with a far deadline, one job whose
// lateness is almost 0. All methods end with a proof, and the chain lb ≤ opt ≤ opt-mps holds.
func TestRegressions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no instances: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			fail.On(t, err)
			in, err := flex.Problem.ParseInstance(file, data)
			fail.On(t, err)
			chain(t, in)
		})
	}
}

// Rigid jobs, minimum equal to maximum, with deadlines far beyond their times: due dates cancel to the last bits.
func TestRigidJobs(t *testing.T) {
	rng := trials.Rand(t, 3, 5)
	for i := range trials.Count(300) {
		in := oracle.RandomInstance(rng, 1+i%4)
		in.Objective = flex.Objective{Metric: flex.Lateness, Aggregate: []flex.Aggregate{flex.Max, flex.Sum}[i%2]}
		left := in.Slots
		for j := range in.Jobs {
			job := &in.Jobs[j]
			d := 1000 * rng.Float64()
			job.Deadline, job.Work = &d, job.Work*rng.Float64()+1e-3
			if m := min(job.Max, left-(len(in.Jobs)-1-j)); m > 0 && rng.IntN(3) > 0 {
				job.Min, job.Max = m, m
			}
			left -= job.Min
		}
		if in.TotalMin() > in.Slots {
			continue
		}
		in.Name = fmt.Sprint("rigid-", i)
		chain(t, in)
	}
}

func chain(t *testing.T, in *flex.Instance) {
	t.Helper()
	status, opt, _ := solve(t, Opt, in)
	if status != models.Optimal {
		t.Fatalf("opt ends as %s\n%s", status, show(in))
	}
	status, mps, _ := solve(t, OptMPS, in)
	if status != models.Optimal || mps < opt-1e-9*sizeOf(in) {
		t.Fatalf("opt-mps is %v (%s), opt %v\n%s", mps, status, opt, show(in))
	}
	out, err := LB.Run(t.Context(), pass(in))
	if err != nil || *out.Bound > opt {
		t.Fatalf("lb is %v, opt %v (%v)\n%s", *out.Bound, opt, err, show(in))
	}
	order := flex.OrderBy(in, func(j int) float64 {
		return flex.Completions(in, flex.NewPacker(in).Pack(permutation(len(in.Jobs))))[j]
	})
	best := bestInOrder
	if in.Objective.Aggregate == flex.Max {
		best = bestMaxInOrder
	}
	if s, err := best(in, order); err != nil || value(t, in, s) < opt-1e-9*sizeOf(in) {
		t.Fatalf("order %v: %v\n%s", order, err, show(in))
	}
}

func permutation(n int) []int {
	order := make([]int, n)
	for j := range order {
		order[j] = j
	}
	return order
}
