package verify

import (
	"math"
	"math/big"

	"schedgap/models/flex"
)

// FlexPairs lists the pairs of jobs of a sum of convex penalties that some optimal schedule completes in one order, all at once: before[i][j]
// says that i completes no later than j, and that schedule ends by Σ W/S + max W/M. Wherever j completes before i the two may change places
// (docs/proofs.md). Among equals the file order decides. Everything is exact.
func FlexPairs(in *flex.Instance) (before [][]bool) {
	n := len(in.Jobs)
	shapes := make([]shape, n)
	total, longest := new(big.Rat), new(big.Rat)
	for j := range in.Jobs {
		total.Add(total, exactly(in.Jobs[j].Work))
		s := &shapes[j]
		s.early = new(big.Rat).Quo(exactly(in.Jobs[j].Work), natural(in.Jobs[j].Max))
		if s.early.Cmp(longest) > 0 {
			longest = s.early
		}
	}
	horizon := total.Add(total.Quo(total, natural(in.Slots)), longest)
	for j := range in.Jobs {
		shapes[j].fill(in, j, horizon)
	}
	before = make([][]bool, n)
	for i := range before {
		before[i] = make([]bool, n)
		for j := range before[i] {
			before[i][j] = i != j && shapes[i].leads(&shapes[j]) && (i < j || !shapes[j].leads(&shapes[i]))
		}
	}
	return before
}

// A shape is what decides whether a job may change places with another one.
type shape struct {
	max         int
	early, late *big.Rat // its completion times
	share       *big.Rat // m/M
	rate, from  *big.Rat // the rate at which its penalty grows from some time on; nil: from the first, or never with rate 0
	never       bool
}

func (s *shape) fill(in *flex.Instance, j int, horizon *big.Rat) {
	job := &in.Jobs[j]
	s.max, s.late = job.Max, horizon
	s.share = big.NewRat(int64(job.Min), int64(job.Max))
	if job.Min > 0 {
		if end := new(big.Rat).Quo(exactly(job.Work), natural(job.Min)); end.Cmp(horizon) < 0 {
			s.late = end
		}
	}
	switch {
	case in.Objective.Metric == flex.Stretch:
		s.rate = new(big.Rat).Inv(exactly(job.Work))
	case in.Objective.Weighted:
		s.rate = exactly(job.Weight)
	default:
		s.rate = natural(1)
	}
	if in.Objective.Metric == flex.Tardiness {
		s.from = exactly(*job.Deadline)
		if s.from.Cmp(s.late) >= 0 {
			s.never, s.rate = true, new(big.Rat)
		} else if s.from.Cmp(s.early) < 0 {
			s.from = s.early
		}
	}
}

// leads reports whether a schedule in which b completes before s is not the only best one.
func (s *shape) leads(b *shape) bool {
	if s.max > b.max || s.early.Cmp(b.early) > 0 {
		return false
	}
	// W/M + τ (1 − m/M) must not be more than b's at τ = 0 and at the latest end.
	last := new(big.Rat).Sub(s.share, b.share)
	last.Add(last.Mul(last, s.late), b.early)
	if last.Cmp(s.early) < 0 || s.rate.Cmp(b.rate) < 0 {
		return false
	}
	return b.from == nil || b.never || !s.never && s.from.Cmp(b.from) <= 0
}

// flexWindow has the completion times of job j in a schedule that wastes nothing, rounded outwards.
func flexWindow(in *flex.Instance, j int) (early, late float64) {
	longest, total := 0.0, 0.0
	for i := range in.Jobs {
		total = above(total, in.Jobs[i].Work)
		longest = max(longest, point(in.Jobs[i].Work).over(integer(in.Jobs[i].Max)).hi)
	}
	job := &in.Jobs[j]
	late = above(point(total).over(integer(in.Slots)).hi, longest)
	if job.Min > 0 {
		late = math.Min(late, point(job.Work).over(integer(job.Min)).hi)
	}
	return point(job.Work).over(integer(job.Max)).lo, late
}
