package flex

import (
	"context"
	"math"
	"math/big"

	"schedgap/exact/lp"

	"schedgap/exact"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models/flex"
)

// LowerBound is a bound on the true optimum that works at any size: the true optimum itself for max objectives, the linear
// program of machine cuts for sums of convex penalties, Moore and Hodgson's relaxation for step penalties.
func LowerBound(ctx context.Context, in *flex.Instance) (float64, error) {
	switch {
	case in.Objective.Aggregate == flex.Max:
		return maxBound(ctx, in), nil
	case in.Objective.Metric == flex.Tardy || in.Objective.Metric == flex.SLA:
		return stepBound(in), nil
	case len(in.Jobs) > relaxationJobs:
		return machineBound(in), nil
	}
	r, d := newRelaxation(in)
	for round := 0; round < rootRounds; round++ {
		if end := d.Optimize(ctx, math.Inf(1)); end == lp.NoPoint {
			return 0, errNoSchedule
		} else if end != lp.Solved {
			break
		}
		for j := range r.times {
			r.times[j] = r.early[j] + d.X(j)
		}
		if !r.separateMachine(d) {
			break
		}
	}
	return r.bound(d), nil
}

// relaxationJobs is the largest number of jobs for which the linear program of cuts, dense and cubic, is used as a bound.
const relaxationJobs = 60

// maxBound bisects for the largest target that cannot be met.
func maxBound(ctx context.Context, in *flex.Instance) float64 {
	s := newTargets(in)
	lo, _, _ := s.bisect(ctx)
	return lo
}

// machineBound is the relaxation to one machine of speed S for any number of jobs, in O(n log n): with y_j the integral of
// job j's remaining work, y_j ≤ W_j C_j − W_j²/(2 M_j) and y(A) ≥ W(A)²/(2 S), so the greedy order by w_j/W_j minimises
// Σ w_j C_j; and each job alone needs W_j/M_j. For tardiness C_j − d_j is a bound on max(0, C_j − d_j).
func machineBound(in *flex.Instance) float64 {
	shared, single, before := 0.0, 0.0, 0.0
	for _, j := range flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) }) {
		job, f := &in.Jobs[j], in.Factor(j)
		shared += f * ((before+job.Work/2)/float64(in.Slots) + job.Work/(2*float64(job.Max)))
		before += job.Work
		if job.Deadline != nil && in.Objective.Metric.NeedsDeadline() {
			shared -= f * *job.Deadline
		}
		single += in.Penalty(j, flex.Earliest(in, j))
	}
	return max(shared, single)
}

// roundingTolerance lowers a bound, relative to the terms of the objective, so that rounding does not put it above the optimum.
const roundingTolerance = 1e-11

// safeBound is LowerBound less what rounding may have added to it, lifted.
func safeBound(ctx context.Context, in *flex.Instance) (float64, error) {
	b, err := LowerBound(ctx, in)
	return lifted(in, b-roundingTolerance*sizeOf(in)), err
}

// lifted is a bound on the grid of values; sums and maxima of penalties other than lateness are not below 0.
func lifted(in *flex.Instance, b float64) float64 { return onGrid(in, b, verifyflex.Grid(in)) }

// onGrid is lifted with the grid of values at hand.
func onGrid(in *flex.Instance, b float64, grid *big.Rat) float64 {
	if in.Objective.Metric != flex.Lateness {
		b = max(b, 0)
	}
	return exact.OnGrid(b, grid)
}

// LB is the lower bound as an algorithm.
var LB = exact.Bound[*flex.Instance, flex.Schedule]("lb",
	"lower bound on the malleable optimum\n\n"+
		"Max objectives: exact, by bisection with water filling (docs/design/flex.md#grid-property-and-water-filling). Convex sums: "+
		"Queyranne's parallel inequalities with slot minima and maxima (exact/flex/bound_relaxation.go), beyond 60 jobs their "+
		"greedy form. Tardy and sla: the fractional form of Moore and Hodgson's rule.", flex.Opt, safeBound)
