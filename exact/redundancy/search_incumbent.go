package redundancy

import (
	"math"

	"schedgap/exact/tree"
	"schedgap/models"
	"schedgap/models/redundancy"
)

// pruneTolerance is how much better, relative to the sum of flowtimes, a schedule must be to count: methods agree on optima to
// 1e-9. timeTolerance is the least difference that counts relative to the sum of completion times; smaller ones are rounding.
const (
	pruneTolerance = 1e-10
	timeTolerance  = 1e-15
)

// An incumbent is the best schedule of a search, by its sum of flowtimes.
type incumbent struct {
	tree.Incumbent[redundancy.Solution]
	arrivals float64 // their sum, by which completion times are more
}

func newIncumbent(in *redundancy.Instance, improved func(redundancy.Solution)) incumbent {
	return incumbent{tree.NewIncumbent(improved), arrivals(in)}
}

// Known implements tree.Search.
func (i *incumbent) Known() *tree.Incumbent[redundancy.Solution] { return &i.Incumbent }

// offer keeps a schedule if it is feasible and the best so far.
func (i *incumbent) offer(in *redundancy.Instance, s redundancy.Solution) {
	r := redundancy.Problem.Check(in, s)
	if r.Feasible(nil) && r.Objective != nil && (s.Speed == 0 || s.Speed == 1) {
		i.Keep(s, *r.Objective)
	}
}

// threshold is the sum from which on a bound closes a node. It is taken off the flowtimes: jobs that arrive late have large
// completion times, and a small share of these may be all their flowtime.
func (i *incumbent) threshold() float64 {
	if math.IsInf(i.Best, 1) {
		return i.Best
	}
	return i.Best - max(pruneTolerance*i.Best, timeTolerance*(i.Best+i.arrivals))
}

// outcome is the result of a search whose root and open nodes had the given bounds.
func (i *incumbent) outcome(p *redundancy.Pass, root, open float64, nodes int64) redundancy.Outcome {
	out := redundancy.Outcome{
		Solution: i.Plan, Found: i.Found, Status: models.Optimal,
		Stats: models.Stats{Work: models.Work{Nodes: &nodes}},
	}
	bound := i.Best
	if open < i.threshold() || !out.Found {
		out.Status, bound = models.Timeout, max(root, min(open, i.Best))
	}
	bound = lowered(bound, bound+i.arrivals)
	p.Bounded(bound)
	// The bound of an optimum is its value; the allowance for rounding may be much of it if jobs arrive late.
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
