package redundancy

import (
	"cmp"
	"context"
	"slices"

	"schedgap/models/redundancy"
)

// A pending job of a relaxation may run from arrival on.
type pending struct{ arrival, work float64 }

// An envelope is the relaxation in which allocations may change at any time and jobs share machines at will: the rates x
// that some machine times allow are those with Σ g(x_j) ≤ M, g the inverse of the concave function through the points of
// h. Both kinds of instances are inside, as share·h(copies) lies below that function at share·copies.
//
// Without arrivals to come, it has an optimum that completes jobs by ascending work
// (docs/design/redundancy.md#optimum-once-all-jobs-have-arrived), and a dual solution that does not depend on the works: weights
// y_1 ≤ y_2 ≤ …, the k-th for the k-th largest work, such that k unfinished jobs earn y at a rate of at most k. So Σ y_k·(k-th
// largest work) is at most the sum of completion times.
type envelope struct {
	gain  []float64 // gain[r−1] is the largest h(s) − h(s−1) of s ≥ r: tables may miss being concave by 1e-9, bounds may not
	h     []float64 // h[r], h[0] = 0
	upper []float64 // upper[r] ≥ h(r) is the sum of the first r gains
	total []float64 // total[k]: the largest sum of rates of k jobs
	y     []float64 // y[k−1] = y_k
	price []float64 // price[k]: what one machine more would earn when the jobs of y_1 … y_k are unfinished
}

// newEnvelope prepares the weights of up to n jobs, fewer when ctx ends.
func newEnvelope(ctx context.Context, in *redundancy.Instance, n int) *envelope {
	e := &envelope{
		h: append([]float64{0}, in.Speedup...), total: []float64{0}, price: []float64{0},
		gain: gains(in.Speedup), upper: []float64{0},
	}
	for r, g := range e.gain {
		e.upper = append(e.upper, max(e.h[r+1], e.upper[r]+g))
	}
	earned, spare := make([]float64, in.Machines), make([]float64, in.Machines) // by each machine, descending
	for k := 1; k <= n && ctx.Err() == nil; k++ {
		e.total = append(e.total, e.most(k))
		y := float64(k) / e.upper[in.Machines]
		rest := 0.0
		for r := in.Machines - 1; r >= 1; r-- {
			rest += earned[in.Machines-1-r]
			y = min(y, (float64(k)-rest)/e.upper[r])
		}
		e.y = append(e.y, y)
		earned, spare = merge(spare, earned, y, e.gain), earned
		e.price = append(e.price, earned[in.Machines-1])
	}
	return e
}

// gains are the gains of an envelope: those of a table, none less than a later one.
func gains(h []float64) []float64 {
	list := make([]float64, len(h))
	next := 0.0
	for r := len(h) - 1; r >= 0; r-- {
		g := h[r]
		if r > 0 {
			g -= h[r-1]
		}
		next = max(next, g)
		list[r] = next
	}
	return list
}

// most is the largest sum of rates of k jobs: even numbers of machines.
func (e *envelope) most(k int) float64 {
	m := len(e.gain)
	if k >= m {
		return float64(m) * e.gain[0]
	}
	sum := float64(k) * e.upper[m/k]
	if m%k > 0 {
		sum += float64(m%k) * e.gain[m/k]
	}
	return sum
}

// merge fills list with the largest among earned and y times the gains, all descending and of the same length.
func merge(list, earned []float64, y float64, gain []float64) []float64 {
	i, r := 0, 0
	for k := range list {
		if v := y * gain[r]; v > earned[i] {
			list[k] = v
			r++
		} else {
			list[k] = earned[i]
			i++
		}
	}
	return list
}

// weigh is Σ y_k·(k-th largest work); it sorts works, descending.
func (e *envelope) weigh(works []float64) float64 {
	slices.SortFunc(works, func(a, b float64) int { return cmp.Compare(b, a) })
	sum := 0.0
	for k, w := range works {
		sum += e.y[k] * w
	}
	return sum
}

// allot returns the copies for k unfinished jobs that earn most, the shortest job first, at most len(y) machines' worth:
// the r-th machine of the i-th shortest of k jobs earns y_{k−i}·(h(r) − h(r−1)). With no arrival to come this is
// optimal.
func (e *envelope) allot(k int) []int {
	copies := make([]int, min(k, len(e.gain)))
	for range e.gain {
		best, most := -1, 0.0
		for i, r := range copies {
			if r == len(e.gain) {
				continue
			}
			if v := e.y[k-1-i] * e.gain[r]; v > most {
				best, most = i, v
			}
			if r == 0 {
				break // those after it earn no more
			}
		}
		if best < 0 {
			break
		}
		copies[best]++
	}
	return copies
}
