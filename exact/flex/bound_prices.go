package flex

import (
	"context"
	"math"
	"slices"

	"schedgap/exact/prices"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models"
	"schedgap/models/flex"
)

// LBPrice is the bound by prices and count rows as an algorithm.
var LBPrice = &flex.Algorithm{
	Name: "lb-price",
	Doc: "lower bound: prices of slots over time, and rows that count completions\n\n" +
		"Sums: a Lagrangian dual in which each job alone buys slots at non-increasing prices (exact/prices, " +
		"docs/bounds-and-proofs.md#prices); of one machine, " +
		"prices of jobs in a dynamic program (docs/design/flex.md#one-machine). Max objectives: lb less a margin for rounding.",
	Kind: models.Bound, Reference: flex.Opt, Proves: true,
	Params: []models.Param{prices.Steps},
	Run: func(ctx context.Context, p *flex.Pass) (flex.Outcome, error) {
		if p.Instance.Objective.Aggregate == flex.Max {
			b, claim := maxClaim(ctx, p.Instance)
			return flex.Outcome{Status: models.Feasible, Bound: &b, Proof: claim}, nil
		}
		if s := newMachineSearch(p.Instance); s != nil {
			if out := machinePrices(ctx, s, p.Params.Int("steps"), p.Bounded); out != nil {
				return *out, nil
			}
		}
		dates := 1e-14 * newTerms(p.Instance).dates // due dates that completions cancel are rounded, too
		grid := verifyflex.Grid(p.Instance)         // the instance's, once for all bounds: it takes a second with 10^5 steps
		lift := func(b float64) float64 { return onGrid(p.Instance, b-dates, grid) }
		c := priceBound(ctx, p.Instance, p.Params.Int("steps"), func(b float64) { p.Bounded(lift(b)) })
		b := lift(c.Best.Safe())
		ids := make([]string, len(p.Instance.Jobs))
		for j := range ids {
			ids[j] = p.Instance.Jobs[j].ID
		}
		return flex.Outcome{Status: models.Feasible, Bound: &b, Proof: c.Claim(ids)}, nil
	},
}

// priceBound ascends the bound by prices on a sum objective.
func priceBound(ctx context.Context, in *flex.Instance, steps int, bounded func(float64)) *prices.Climb {
	times, value := startTimes(in)
	r := &prices.Relaxation{
		Oracle: newPricing(in), Jobs: len(in.Jobs), At: priceGrid(in, times), Capacity: float64(in.Slots), Monotone: true,
	}
	c := &prices.Climb{
		Relaxation: r, Steps: steps, Bounded: bounded,
		Violated: func(ctx context.Context, slack float64) []prices.Row { return covers(ctx, in, r, slack) },
	}
	// At prices of 0 each job completes as early as it can alone.
	zero := prices.Point{Price: make([]float64, r.Intervals())}
	c.Ascend(ctx, []prices.Point{zero, startPrices(in, times, r.At)}, value)
	return c
}

// startTimes are the completion times of a schedule by a simple rule, and its value.
func startTimes(in *flex.Instance) (best []float64, value float64) {
	packer := flex.NewPacker(in)
	value = math.Inf(1)
	for _, rule := range []func(j int) float64{
		func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) },
		func(j int) float64 { d, _ := in.DueDate(j); return d },
	} {
		c := packer.Completions(flex.OrderBy(in, rule))
		if v := in.Value(c); v < value {
			best, value = slices.Clone(c), v
		}
	}
	return best, value
}

// startPrices are the worth of a unit of work more at each time if all jobs that are not done could then complete earlier, as
// they could on one machine.
func startPrices(in *flex.Instance, times, at []float64) prices.Point {
	price := make([]float64, len(at)-1)
	for j, c := range times {
		if in.StepTimes(j) != nil || in.Objective.Metric == flex.Tardiness && c <= *in.Jobs[j].Deadline {
			continue
		}
		for i := 0; i < len(price) && at[i] < c; i++ {
			price[i] += in.Factor(j) / float64(in.Slots)
		}
	}
	return prices.Point{Price: price}
}

// The first grid has about priceIntervals intervals, and as many points again for due dates and steps.
const priceIntervals = 40

// priceGrid is the first grid, up to the last of times: half of its points are at equal distances, half at equal shares of
// times, and there are points just after due dates and steps, where penalties change.
func priceGrid(in *flex.Instance, times []float64) []float64 {
	sorted := slices.Sorted(slices.Values(times))
	end := sorted[len(sorted)-1]
	grid := []float64{0, end}
	const half = priceIntervals / 2
	for i := range half {
		grid = append(grid, end*float64(i+1)/half, sorted[i*len(sorted)/half])
	}
	var dues []float64
	for j := range in.Jobs {
		if in.Objective.Metric == flex.Tardiness {
			dues = append(dues, *in.Jobs[j].Deadline)
		}
		for _, s := range in.StepTimes(j) {
			dues = append(dues, flex.JustAfter(s))
		}
	}
	slices.Sort(dues)
	for i := 0; i < len(dues); i += 1 + len(dues)/(2*priceIntervals) {
		if dues[i] > 0 && dues[i] < 2*end {
			grid = append(grid, dues[i])
		}
	}
	slices.Sort(grid)
	out := grid[:1]
	for _, t := range grid[1:] {
		if t > out[len(out)-1]+1e-10*end {
			out = append(out, t)
		}
	}
	return out
}
