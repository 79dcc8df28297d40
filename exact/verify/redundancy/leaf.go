package redundancy

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"schedgap/exact/verify/core"
)

// Bound is a lower bound on the sum of flowtimes of the node's schedules, or the bound that it was asked about if that is less. weights are
// of a unit of work of each job; on shared machines they are ≥ 0. While the jobs of a set are there and unfinished, the sum grows by their
// number in a unit of time, and the work of the machines weighs at most what they earn on the set. The bound is the least difference over
// the possible sets, and all work together weighs Σ weight·work.
func (n *Node) Bound(weights []float64) (float64, error) {
	if len(weights) != len(n.Lo) {
		return 0, fmt.Errorf("%d weights of %d jobs", len(weights), len(n.Lo))
	}
	sum := 0.0
	machines := n.t.in.Machines
	pricing := &pricingProblem{n: n, weights: weights, best: make([]float64, machines), spare: make([]float64, machines)}
	for j, u := range weights {
		if math.IsNaN(u) || math.IsInf(u, 0) || u < 0 && n.t.in.Multitasking {
			return 0, fmt.Errorf("weights: %v is no number, or negative", u)
		}
		sum = core.Below(sum, core.Down(u*n.t.in.Jobs[j].Work))
		pricing.worth = append(pricing.worth, timesUp(u, n.t.gain))
	}
	for k := range n.t.here {
		sets, err := n.Sets(k)
		if err != nil {
			return 0, err
		}
		n.Spend(len(sets) * machines * len(n.Lo))
		if err := n.Spent(); err != nil {
			return 0, err
		}
		least := math.Inf(1)
		for _, set := range sets {
			least = min(least, core.Below(float64(bits.OnesCount64(set)), -pricing.most(k, set)))
		}
		switch {
		case math.IsInf(least, 1): // no set can last
			return least, nil
		case k < len(n.t.length) && least >= 0:
			sum = core.Below(sum, core.Down(n.t.length[k].Lo*least))
		case k < len(n.t.length):
			sum = core.Below(sum, core.Down(n.t.length[k].Hi*least))
		case least < 0: // that may go on for any time
			return 0, fmt.Errorf("after the last arrival the machines earn more than one for each job")
		}
	}
	return sum, nil
}

// A pricingProblem finds what all machines earn at most in a unit of time, each unit of work being worth its job's weight.
type pricingProblem struct {
	n           *Node
	weights     []float64
	worth       [][]float64 // of each machine of a job with any copies
	best, spare []float64   // by machine, descending
}

func timesUp(u float64, list []float64) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = max(0, core.Up(u*v))
	}
	return out
}

// most is their largest earning while exactly the jobs of set are unfinished in interval k: on whole machines the least copies of
// all jobs, and the other machines go where they are worth most, one by one. −∞: the jobs need more machines than there
// are.
func (e *pricingProblem) most(k int, set uint64) float64 {
	in, limited, sum, free := e.n.t.in, e.n.Limited(k, set), 0.0, e.n.t.in.Machines
	clear(e.best)
	for rest := set; rest != 0; rest &= rest - 1 {
		j := bits.TrailingZeros64(rest)
		worth := e.worth[j]
		if limited {
			least, most := e.n.Copies(k, set, j)
			if in.Multitasking {
				worth = timesUp(e.weights[j], e.n.t.gains(least, most))
			} else {
				worth = worth[least:most]
				if least > 0 {
					free -= least
					sum = core.Above(sum, core.Up(e.weights[j]*in.Speedup[least-1]))
				}
			}
		}
		e.merge(worth)
	}
	if free < 0 {
		return math.Inf(-1)
	}
	for _, v := range e.best[:free] {
		sum = core.Above(sum, v)
	}
	return sum
}

// merge keeps the best of the known earnings of machines and of a list, both descending.
func (e *pricingProblem) merge(worth []float64) {
	a, b := 0, 0
	for i := range e.spare {
		if b < len(worth) && worth[b] > e.best[a] {
			e.spare[i] = worth[b]
			b++
		} else {
			e.spare[i] = e.best[a]
			a++
		}
	}
	e.best, e.spare = e.spare, e.best
}

// gains are upper bounds on the gains of a job's machines one after the other, descending, when it has least to most
// copies of a share, or none: a job with a share x of r copies does no more than x·r of these machines together.
func (t *Tree) gains(least, most int) []float64 {
	if least == 1 {
		return t.gain[:most]
	}
	list := slices.Clone(t.gain[:most])
	mean := core.Up(t.in.Speedup[least-1] / float64(least))
	if least < most {
		mean = max(mean, list[least])
	}
	for r := range least {
		list[r] = mean
	}
	return list
}
