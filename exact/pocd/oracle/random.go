package oracle

import (
	"fmt"
	"math"
	"math/rand/v2"

	"schedgap/models/pocd"
)

// Alphas are the kinds of fairness that tests go through.
var Alphas = []float64{0, 0.5, 0.9, 1, 1.5, 2, 10, math.Inf(1)}

// maxEligible is the most tasks of a random instance.
const maxEligible = 6

// RandomInstance makes a valid instance with few enough decisions to try them all. Twins, jobs past their deadline, tasks
// with q = 1 and no stragglers at all occur, as do capacities from none to more than enough.
func RandomInstance(rng *rand.Rand, alpha float64) *pocd.Instance {
	in := &pocd.Instance{Alpha: alpha, MaxCopies: rng.IntN(4)}
	in.Name = "random"
	jobs, eligible := 1+rng.IntN(4), 0
	for j := range jobs {
		id := fmt.Sprintf("j%d", j+1)
		if j > 0 && rng.IntN(5) == 0 && eligible+len(in.Jobs[j-1].Tasks) <= maxEligible {
			twin := in.Jobs[j-1]
			twin.ID = id
			eligible += len(twin.Tasks)
			in.Jobs = append(in.Jobs, twin)
			continue
		}
		job := pocd.Job{ID: id, Elapsed: float64(rng.IntN(4) * 20), Deadline: float64(100 + 20*rng.IntN(12))}
		if rng.IntN(12) == 0 {
			job.Elapsed = job.Deadline + float64(rng.IntN(2))
		}
		for i := range 1 + rng.IntN(3) {
			if i > 0 && eligible >= maxEligible-(jobs-1-j) {
				break
			}
			eligible++
			t := pocd.Task{
				ID: fmt.Sprintf("t%d", i+1), TMin: float64(20 + 10*rng.IntN(10)), Beta: 0.25 * float64(1+rng.IntN(10)),
				Progress: float64(rng.IntN(9)) / 10, Straggler: rng.IntN(4) > 0,
			}
			if rng.IntN(3) == 0 {
				t.TMin, t.Beta = t.TMin*(0.5+rng.Float64()), t.Beta*(0.5+rng.Float64())
			}
			job.Tasks = append(job.Tasks, t)
		}
		in.Jobs = append(in.Jobs, job)
	}
	in.Capacity = in.BaseLoad() + rng.IntN(eligible*in.MaxCopies+2)
	return in
}
