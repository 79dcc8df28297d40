package verify

import (
	"math/big"

	"schedgap/models/flex"
)

// FlexPairs lists the pairs of jobs of a sum of convex penalties that some optimal schedule completes in one order, all at
// once: before[i][j] says that i completes no later than j, and that schedule ends by Σ W/S + max W/M. Wherever j completes
// before i the two may change places (docs/proofs.md). Among equals the file order decides. Everything is exact.
func FlexPairs(in *flex.Instance) (before [][]bool) {
	n := len(in.Jobs)
	shapes := make([]shape, n)
	last := flexHorizon(in)
	for j := range in.Jobs {
		shapes[j].fill(in, j, last)
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

// flexEarly is W_j/M_j, before which job j does not complete.
func flexEarly(in *flex.Instance, j int) *big.Rat {
	return new(big.Rat).Quo(exactly(in.Jobs[j].Work), natural(in.Jobs[j].Max))
}

// flexHorizon is ΣW/S + max W/M, by which every schedule ends that wastes nothing: until then either all slots work or each
// job that is left runs at its maximum.
func flexHorizon(in *flex.Instance) *big.Rat {
	total, longest := new(big.Rat), new(big.Rat)
	for j := range in.Jobs {
		total.Add(total, exactly(in.Jobs[j].Work))
		if early := flexEarly(in, j); early.Cmp(longest) > 0 {
			longest = early
		}
	}
	return total.Add(total.Quo(total, natural(in.Slots)), longest)
}

// flexEnd is the latest completion of job j in a schedule that wastes nothing and ends by last.
func flexEnd(in *flex.Instance, j int, last *big.Rat) *big.Rat {
	if job := &in.Jobs[j]; job.Min > 0 {
		if end := new(big.Rat).Quo(exactly(job.Work), natural(job.Min)); end.Cmp(last) < 0 {
			return end
		}
	}
	return last
}

func (s *shape) fill(in *flex.Instance, j int, last *big.Rat) {
	job := &in.Jobs[j]
	s.max, s.early, s.late = job.Max, flexEarly(in, j), flexEnd(in, j, last)
	s.share = big.NewRat(int64(job.Min), int64(job.Max))
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
