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

// An incumbent is the best schedule of a search, by its sum of flowtimes, with what the search left unproven.
type incumbent struct {
	best     float64
	arrivals float64 // their sum, by which completion times are more
	bestPlan redundancy.Solution
	open     float64 // least bound among the nodes that were left
	found    *parallel.Incumbents[redundancy.Solution]
}

func newIncumbent(in *redundancy.Instance, improved func(redundancy.Solution)) incumbent {
	none := math.Inf(1)
	return incumbent{best: none, arrivals: arrivals(in), open: none, found: parallel.NewIncumbents(none, improved)}
}

// offer keeps a schedule if it is feasible and the best so far.
func (i *incumbent) offer(in *redundancy.Instance, s redundancy.Solution) {
	r := redundancy.Problem.Check(in, s)
	if !r.Feasible(nil) || r.Objective == nil || s.Speed != 0 && s.Speed != 1 || *r.Objective >= i.best {
		return
	}
	i.best, i.bestPlan = *r.Objective, s
	i.found.Found(i.best, s)
}

// threshold is the sum from which on a bound closes a node. It is taken off the flowtimes: jobs that arrive late have large
// completion times, a small share of which may be all their flowtime.
func (i *incumbent) threshold() float64 {
	if math.IsInf(i.best, 1) {
		return i.best
	}
	return i.best - max(pruneTolerance*i.best, timeTolerance*(i.best+i.arrivals))
}

// outcome is what a search returns whose root had the given bound.
func (i *incumbent) outcome(p *redundancy.Pass, root float64, nodes int64) redundancy.Outcome {
	out := redundancy.Outcome{
		Solution: i.bestPlan, Found: !math.IsInf(i.best, 1), Status: models.Optimal,
		Stats: models.Stats{Work: models.Work{Nodes: &nodes}},
	}
	bound := i.best
	if i.open < i.threshold() || !out.Found {
		out.Status, bound = models.Timeout, max(root, min(i.open, i.best))
	}
	bound = lowered(bound, bound+i.arrivals)
	p.Bounded(bound)
	// Of an optimum the bound is its value; what is taken off here for rounding may be much of it, where jobs arrive late.
	if out.Status != models.Optimal {
		out.Bound = &bound
	}
	return out
}

func arrivals(in *redundancy.Instance) float64 {
	sum := 0.0
	for j := range in.Jobs {
		sum += in.Jobs[j].Arrival
	}
	return sum
}
