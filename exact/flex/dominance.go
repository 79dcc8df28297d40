package flex

import (
	"math"

	"schedgap/models/flex"
)

// dominance finds pairs that need be searched in one order only: some optimal schedule completes i no later than j for all pairs
// with before[i][j] at once (docs/design/flex.md#dominance-of-pairs). Among equals the file order decides, so the relation has
// no cycles.
func dominance(in *flex.Instance) [][]bool {
	n, h := len(in.Jobs), horizon(in)
	before := make([][]bool, n)
	for i := range before {
		before[i] = make([]bool, n)
		for j := range before[i] {
			before[i][j] = i != j && dominates(in, i, j, h) && (i < j || !dominates(in, j, i, h))
		}
	}
	return before
}

// dominates reports whether, wherever j completes before i, they may change places at no cost: i is no wider, could be done no later
// at its maximum even after any time at its minimum, and is no less pressing. h is the horizon.
func dominates(in *flex.Instance, i, j int, h float64) bool {
	a, b := &in.Jobs[i], &in.Jobs[j]
	if a.Max > b.Max {
		return false
	}
	least := earliest(in, j) - earliest(in, i)
	until := latest(in, i, h)
	share := float64(a.Min)/float64(a.Max) - float64(b.Min)/float64(b.Max)
	if least < 0 || least+until*share < 0 {
		return false
	}
	rate1, due1 := pressing(in, i, h)
	rate2, due2 := pressing(in, j, h)
	return rate1 >= rate2 && due1 <= due2
}

// pressing is the rate at which job j's penalty grows and the time from which on it does, among the times at which it may complete.
func pressing(in *flex.Instance, j int, h float64) (rate, from float64) {
	if in.Objective.Metric != flex.Tardiness {
		return in.Factor(j), math.Inf(-1)
	}
	if d := *in.Jobs[j].Deadline; d < latest(in, j, h) {
		return in.Factor(j), max(d, earliest(in, j))
	}
	return 0, math.Inf(1)
}
