package redundancy

import (
	"math"

	"schedgap/models/redundancy"
)

// windows are what jobs cost at least at the prices of a relaxation, by the window between two arrivals that they complete in: window i
// lasts from the i-th arrival to the next one, the last one forever.
type windows struct {
	cost  [][]float64 // by job
	later [][]float64 // the least of it from a window on
	worth float64     // of the machines and rows
}

func newWindows(in *redundancy.Instance, order []int, m *multipliers) *windows {
	w := &windows{cost: make([][]float64, len(order)), later: make([][]float64, len(order)), worth: m.left(0)}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		w.cost[j], w.later[j] = make([]float64, len(order)), make([]float64, len(order))
		best := math.Inf(1)
		for i := len(order) - 1; i >= 0; i-- {
			from, to := in.Jobs[order[i]].Arrival, math.Inf(1)
			if i+1 < len(order) {
				to = in.Jobs[order[i+1]].Arrival
			}
			w.cost[j][i] = math.Inf(1)
			if to >= job.Arrival {
				w.cost[j][i] = m.cost(j, job.Arrival, job.Work, from, to)
			}
			best = min(best, w.cost[j][i])
			w.later[j][i] = best
		}
	}
	return w
}

// after extends an order of completions by job j: least[i] is what those in it cost at least when the last completes no later than in
// window i.
func (w *windows) after(least []float64, j int) []float64 {
	next := make([]float64, len(least))
	best := math.Inf(1)
	for i, v := range least {
		best = min(best, v+w.cost[j][i])
		next[i] = best
	}
	return next
}

// bound is one on the sum of completion times of an order of completions, to be followed by the jobs of rest.
func (w *windows) bound(least []float64, rest []int) float64 {
	best := math.Inf(1)
	for i := range least {
		best = min(best, w.rest(least[i], rest, i))
	}
	return best
}

// rest is a bound for jobs that cost paid and others that complete in the given window or later.
func (w *windows) rest(paid float64, jobs []int, window int) float64 {
	sum := paid
	for _, j := range jobs {
		sum += w.later[j][window]
	}
	if math.IsInf(sum, 1) {
		return sum
	}
	return lowered(sum-w.worth, sum+w.worth)
}
