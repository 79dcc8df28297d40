package redundancy

import (
	"math"

	"schedgap/exact/parallel"
	"schedgap/models"
	"schedgap/models/redundancy"
)

// pruneTolerance is how much better, relative to the sum of flowtimes, a schedule must be to count: methods agree on optima to
// 1e-9. timeTolerance is the least that counts relative to the sum of completion times, where rounding drowns what is less.
const (
	pruneTolerance = 1e-10
	timeTolerance  = 1e-15
)

// An incumbent is the best schedule of a search, by its sum of completion times, with what the search left unproven.
type incumbent struct {
	best     float64
	arrivals float64 // their sum, by which flowtimes are less
	bestPlan redundancy.Solution
	open     float64 // least bound among the nodes that were left
	found    *parallel.Incumbents[redundancy.Solution]
}

func newIncumbent(in *redundancy.Instance) incumbent {
	return incumbent{best: math.Inf(1), arrivals: arrivals(in), open: math.Inf(1), found: parallel.NewIncumbents(math.Inf(1), func(redundancy.Solution) {})}
}

// threshold is the sum from which on a bound cuts a node off. It is taken off the flowtimes: jobs that arrive late have large
// completion times, a small share of which may be all their flowtime.
func (i *incumbent) threshold() float64 {
	if math.IsInf(i.best, 1) {
		return i.best
	}
	return i.best - max(pruneTolerance*(i.best-i.arrivals), timeTolerance*i.best)
}

// outcome is what a search returns whose root had the given bound.
func (i *incumbent) outcome(p *redundancy.Pass, root float64, nodes int64) redundancy.Outcome {
	out := redundancy.Outcome{
		Solution: i.bestPlan, Found: !math.IsInf(i.best, 1), Status: models.Optimal, Stats: models.Stats{Work: models.Work{Nodes: &nodes}},
	}
	sum := i.best
	if i.open < i.threshold() || !out.Found {
		out.Status, sum = models.Timeout, max(root, min(i.open, i.best))
	}
	b := lowered(sum-arrivals(p.Instance), sum)
	p.Bounded(b)
	// Of an optimum the bound is its value; what is taken off here for rounding may be much of it, where jobs arrive late.
	if out.Status != models.Optimal {
		out.Bound = &b
	}
	return out
}

// interrupted is the outcome when ctx ended before a search began.
func interrupted(p *redundancy.Pass, plan redundancy.Solution) redundancy.Outcome {
	b := singles(p.Instance)
	b = lowered(b, b)
	p.Bounded(b)
	return redundancy.Outcome{Solution: plan, Found: len(plan.Intervals) > 0, Status: models.Timeout, Bound: &b}
}

func arrivals(in *redundancy.Instance) float64 {
	sum := 0.0
	for j := range in.Jobs {
		sum += in.Jobs[j].Arrival
	}
	return sum
}

// completionSum is the sum of completion times of a feasible schedule at speed 1, ok false for others.
func completionSum(in *redundancy.Instance, s redundancy.Solution) (sum float64, ok bool) {
	r := redundancy.Problem.Check(in, s)
	if !r.Feasible(nil) || r.Objective == nil || s.Speed != 0 && s.Speed != 1 {
		return 0, false
	}
	return *r.Objective + arrivals(in), true
}
