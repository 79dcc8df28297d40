package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
)

// A Policy decides how many slots of one pool, Map or Reduce, each active job shall hold until the next epoch.
type Policy struct {
	models.Policy
	// Dated policies see deadlines whatever the metric is.
	Dated bool
	// Targets fills targets, one a job of in and 0 before, with 0 ≤ targets[j] ≤ Max and Σ targets ≤ Slots; the engine rounds
	// fractions. A policy that waives the minima may go below Min.
	//
	// in's jobs are those with unfinished tasks in the pool, by arrival: Work is the estimate of the remaining work, Max the
	// number of unfinished tasks, Min the job's share of the pool's minimum; deadlines and steps count from now on. in is valid
	// during the call only. The result must depend on in only: the engine does not ask again while in stays the same. Runs may
	// call it concurrently.
	Targets func(in *flex.Instance, targets []float64)
}

// goalTolerance is the rounding error forgiven in a policy's targets, in slots.
const goalTolerance = 1e-6

// checkTargets says which limit the goals of a policy break.
func checkTargets(in *flex.Instance, goals []float64) error {
	total := 0.0
	for j, g := range goals {
		if !(g >= -goalTolerance && g <= float64(in.Jobs[j].Max)+goalTolerance) {
			return fmt.Errorf("target of job %s is %v slots, not between 0 and %d", in.Jobs[j].ID, g, in.Jobs[j].Max)
		}
		total += g
	}
	if total > float64(in.Slots)+goalTolerance*float64(len(goals)) {
		return fmt.Errorf("targets add up to %v of %d slots", total, in.Slots)
	}
	return nil
}

// roundTargets rounds goals to integers of the same total by largest remainder, ties in the jobs' order. As minima and
// maxima are integers, no result leaves the range that its goal was in.
func roundTargets(goals []float64, slots int, rounded []int) {
	total, floors := 0.0, 0
	for j, g := range goals {
		rounded[j] = int(math.Floor(g + goalTolerance))
		floors += rounded[j]
		total += g
	}
	rest := min(slots, int(math.Round(total))) - floors
	if rest <= 0 {
		return
	}
	order := make([]int, 0, len(goals))
	for j, g := range goals {
		if g-float64(rounded[j]) > goalTolerance {
			order = append(order, j)
		}
	}
	// Remainders that differ by rounding alone are ties.
	remainder := func(j int) float64 { return math.Round((goals[j] - float64(rounded[j])) / goalTolerance) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainder(b), remainder(a)) })
	for _, j := range order[:min(rest, len(order))] {
		rounded[j]++
	}
}

// shareMinimum sets the minima of jobs that share a pool's minimum (section 4.2): everyone gets a slot, if the slots
// suffice, so that its work can be estimated; the rest of the pool's minimum is shared equally, the remainder of the
// division going to the first, and nobody gets more than its maximum.
func shareMinimum(jobs []flex.Job, slots, minimum int) {
	open := 0 // jobs below their maxima
	for j := range jobs {
		jobs[j].Min = 0
		if slots > 0 {
			slots--
			minimum--
			jobs[j].Min = 1
			if jobs[j].Max > 1 {
				open++
			}
		}
	}
	for minimum > 0 && open > 0 {
		share := max(1, minimum/open) // a last round gives one each to the first ones
		for j := range jobs {
			room := jobs[j].Max - jobs[j].Min
			if jobs[j].Min == 0 || room == 0 {
				continue
			}
			add := min(share, room)
			jobs[j].Min += add
			minimum -= add
			if minimum == 0 {
				return
			}
			if add == room {
				open--
			}
		}
	}
}
