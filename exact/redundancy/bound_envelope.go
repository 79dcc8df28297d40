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
	*redundancy.Weights
	h     []float64 // h[r], h[0] = 0
	total []float64 // total[k]: the largest sum of rates of k jobs
}

// newEnvelope prepares the weights of up to n jobs, fewer when ctx ends.
func newEnvelope(ctx context.Context, in *redundancy.Instance, n int) *envelope {
	e := &envelope{Weights: redundancy.NewWeights(ctx, in.Speedup, n), h: append([]float64{0}, in.Speedup...), total: []float64{0}}
	for k := range e.Y {
		e.total = append(e.total, e.most(k+1))
	}
	return e
}

// most is the largest sum of rates of k jobs: even numbers of machines.
func (e *envelope) most(k int) float64 {
	m := len(e.Gain)
	if k >= m {
		return float64(m) * e.Gain[0]
	}
	sum := float64(k) * e.Upper[m/k]
	if m%k > 0 {
		sum += float64(m%k) * e.Gain[m/k]
	}
	return sum
}

// weigh is Σ y_k·(k-th largest work); it sorts works, descending.
func (e *envelope) weigh(works []float64) float64 {
	slices.SortFunc(works, func(a, b float64) int { return cmp.Compare(b, a) })
	sum := 0.0
	for k, w := range works {
		sum += e.Y[k] * w
	}
	return sum
}
