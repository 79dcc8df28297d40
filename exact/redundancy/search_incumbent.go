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

// newIncumbent begins with what a ledger knows; nil: nothing is known, and nothing is reported.
func newIncumbent(in *redundancy.Instance, l *models.Ledger[redundancy.Solution]) incumbent {
	i := incumbent{arrivals: arrivals(in)}
	if l == nil {
		i.Incumbent = tree.NewIncumbent[redundancy.Solution](nil)
		return i
	}
	i.Incumbent = tree.NewIncumbent(l.Announce)
	i.learn(l)
	return i
}

// learn takes what others have found.
func (i *incumbent) learn(l *models.Ledger[redundancy.Solution]) {
	if s, value, ok := l.Best(); ok && value < i.Best && (s.Speed == 0 || s.Speed == 1) {
		i.Best, i.Plan, i.Found = value, s, true
	}
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

// tell enters the best schedule and what a search has proven whose root and open nodes have the given bounds: nothing better than
// the threshold was looked for. Bounds of nodes are below what they prove by all rounding.
func (i *incumbent) tell(l *models.Ledger[redundancy.Solution], root, open float64) {
	if i.Found {
		l.Offer(i.Plan)
	}
	l.Bound(max(root, min(open, i.threshold())))
}

func arrivals(in *redundancy.Instance) float64 {
	sum := 0.0
	for j := range in.Jobs {
		sum += in.Jobs[j].Arrival
	}
	return sum
}
