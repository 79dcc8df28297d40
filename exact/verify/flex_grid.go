package verify

import (
	"math"
	"math/big"

	"schedgap/models/flex"
)

// FlexGrid is a number such that the optimum is a whole multiple of it, computed from the instance's numbers in rationals; nil if
// none is known. Sums of step penalties (tardy, sla) are sums of the steps' heights. If no job has a minimum and every job can
// take all slots, jobs may be served one at a time in the order of their completions, each no later than before: then
// completions are sums of works over the number of slots, and sums of penalties that are linear or tardiness are whole multiples
// of the common divisor of these and of due dates times that of the weights. Rates 1/W, of stretch, hardly have a common
// divisor.
func FlexGrid(in *flex.Instance) *big.Rat {
	if in.Objective.Aggregate != flex.Sum || in.Mixed() || in.Objective.Metric == flex.Stretch {
		return nil
	}
	steps, times, rates := in.Objective.Metric.Steps(), new(big.Rat), new(big.Rat)
	jobs := flexJobs(in)
	for j := range jobs {
		f := &jobs[j]
		if !steps && (f.Min > 0 || f.Max < in.Slots) {
			return nil
		}
		before := new(big.Rat)
		for _, s := range f.steps {
			height := exactly(s.penalty)
			rates = divisor(rates, before.Mul(before.Sub(height, before), f.rate))
			before = height
		}
		if !steps {
			rates = divisor(rates, f.rate)
			times = divisor(divisor(times, f.early), exactly(f.due)) // early is W/S: it can take all slots
		}
	}
	if !steps {
		rates.Mul(rates, times)
	}
	if rates.Sign() == 0 {
		return nil
	}
	return rates
}

// divisor is the greatest common divisor of two rationals; 0 is a multiple of all.
func divisor(a, b *big.Rat) *big.Rat {
	x, y := new(big.Int).Mul(a.Num(), b.Denom()), new(big.Int).Mul(b.Num(), a.Denom())
	x.GCD(nil, nil, x.Abs(x), y.Abs(y))
	return new(big.Rat).SetFrac(x, new(big.Int).Mul(a.Denom(), b.Denom()))
}

// OnGrid raises a bound to the next multiple of a grid, and lowers that to a float64. Nil: there is no grid.
func OnGrid(bound float64, grid *big.Rat) float64 {
	if grid == nil || math.IsInf(bound, 0) || math.IsNaN(bound) {
		return bound
	}
	q := new(big.Rat).Quo(exactly(bound), grid)
	k := new(big.Int).Neg(q.Num())
	k.Neg(k.Div(k, q.Denom())) // Div rounds down where the divisor is positive
	return roundDown(q.Mul(grid, new(big.Rat).SetInt(k)))
}

// flexOptimum is the bound on the optimum that one proven by prices or leaves implies: a sum of penalties that are not negative
// is not below 0, and the optimum is on the grid.
func flexOptimum(in *flex.Instance, proven float64) float64 {
	if in.Objective.Metric != flex.Lateness {
		proven = max(proven, 0)
	}
	return OnGrid(proven, FlexGrid(in))
}
