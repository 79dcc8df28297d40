package flex

import (
	"math/big"
	"slices"

	"schedgap/exact/verify/core"
	"schedgap/models/flex"
)

// Grid is a number such that the optimum is a whole multiple of it, computed from the instance's numbers in rationals; nil if
// none is known. Sums of step penalties (tardy, sla) are sums of the steps' heights. If no job has a minimum and every job can
// take all slots, jobs may be served one at a time in the order of their completions, each no later than before: then
// completions are sums of works over the number of slots, and sums of penalties that are linear or tardiness are whole multiples
// of the common divisor of these and of due dates times that of the weights. Rates 1/W, of stretch, hardly have a common
// divisor.
func Grid(in *flex.Instance) *big.Rat {
	if in.Objective.Aggregate != flex.Sum || in.Mixed() || in.Objective.Metric == flex.Stretch {
		return nil
	}
	steps, times, rates := in.Objective.Metric.Steps(), new(big.Rat), new(big.Rat)
	if !steps && slices.ContainsFunc(in.Jobs, func(j flex.Job) bool { return j.Min > 0 || j.Max < in.Slots }) {
		return nil
	}
	jobs := exactJobs(in)
	for j := range jobs {
		f := &jobs[j]
		before := new(big.Rat)
		for _, s := range f.steps {
			height := core.Exactly(s.penalty)
			rates = divisor(rates, before.Mul(before.Sub(height, before), f.rate))
			before = height
		}
		if !steps {
			rates = divisor(rates, f.rate)
			times = divisor(divisor(times, f.early), core.Exactly(f.due)) // early is W/S: it can take all slots
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

// optimum is the bound on the optimum that one proven by prices or leaves implies: a sum of penalties that are not negative
// is not below 0, and the optimum is on the grid.
func optimum(in *flex.Instance, proven float64) float64 {
	if in.Objective.Metric != flex.Lateness {
		proven = max(proven, 0)
	}
	return core.OnGrid(proven, Grid(in))
}
