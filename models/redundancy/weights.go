package redundancy

import (
	"context"
	"slices"

	"schedgap/models/heap"
)

// Weights are the dual prices of a unit of work for the jobs in line when no further jobs arrive. The k-th job from the end of the
// line has the price Y[k−1]: the largest number with which the best split of the machines among k jobs earns at most k per unit of
// time. That split is optimal then, and Y is a dual solution that does not depend on the works
// (docs/design/redundancy.md#optimum-once-all-jobs-have-arrived).
type Weights struct {
	Gain  []float64 // Gain[r−1] is the largest h(s) − h(s−1) of s ≥ r: tables may miss being concave by 1e-9, bounds may not
	Upper []float64 // Upper[r] ≥ h(r) is the sum of the first r gains
	Y     []float64
	Price []float64 // Price[k] is the earning of one more machine with k jobs
}

// NewWeights returns the weights of up to n jobs on machines with speedup h, fewer when ctx ends.
func NewWeights(ctx context.Context, h []float64, n int) *Weights {
	m := len(h)
	w := &Weights{Gain: Gains(h), Upper: []float64{0}, Price: []float64{0}}
	for r, g := range w.Gain {
		w.Upper = append(w.Upper, max(h[r], w.Upper[r]+g))
	}
	earned, spare := make([]float64, m), make([]float64, m) // on each machine by the jobs so far, descending
	for k := 1; k <= n && ctx.Err() == nil; k++ {
		y := float64(k) / w.Upper[m]
		left := 0.0 // earned on the machines that the job leaves
		for r := m - 1; r >= 1; r-- {
			left += earned[m-1-r]
			y = min(y, (float64(k)-left)/w.Upper[r])
		}
		w.Y = append(w.Y, y)
		earned, spare = merge(spare, earned, y, w.Gain), earned
		w.Price = append(w.Price, earned[m-1])
	}
	return w
}

// Gains are the gains of a table h, none less than a later one.
func Gains(h []float64) []float64 {
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

// Split returns the copies that earn most for the first of n jobs in line, all others having none, when behind others, of whose
// machines none are kept, are behind them: the r-th machine of the first one earns its weight times Gain[r−1].
func (w *Weights) Split(n, behind int) []int {
	first := n + behind - 1
	copies := make([]int, min(n, len(w.Gain)))
	most := heap.NewIndexed(len(copies)) // by what one machine more would earn
	for i := range copies {
		most.Set(int32(i), -w.Y[first-i]*w.Gain[0])
	}
	for range w.Gain {
		if most.Empty() || most.Least() >= 0 {
			break
		}
		i := int(most.Pop())
		copies[i]++
		if copies[i] < len(w.Gain) {
			most.Set(int32(i), -w.Y[first-i]*w.Gain[copies[i]])
		}
	}
	if last := slices.Index(copies, 0); last >= 0 {
		copies = copies[:last]
	}
	return copies
}
