package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// maxClaim bounds a max objective by bisection and water filling, with the prices that prove it: 1 until some moment, 0 from
// then on. All jobs with a value below the bound would need more slots until then than there are. The bound is lowered by
// what rounding may have added: by no more than value and bound of an optimum may differ by, if that will do; the claim is nil if
// it is more than usual.
func maxClaim(ctx context.Context, in *flex.Instance) (float64, *proof.Claim) {
	s := newTargets(in)
	lo, _, _ := s.bisect(ctx)
	prices := proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}
	claim := &proof.Claim{Kind: proof.Prices, Lines: []any{&prices}}
	if in.Objective.Metric == flex.Tardiness && lo <= 0 {
		return 0, claim
	}
	scale := math.Abs(lo)
	for j := range in.Jobs {
		_, rounding := s.due(j, lo)
		scale = max(scale, in.Factor(j)*rounding/exactTolerance)
	}
	allowed := flex.Problem.Accuracy(in, 0).Allowed(lo)
	lower := []float64{allowed / 8, provenPart * allowed}
	for margin := 1e-13; margin < 1e-9; margin *= 4 {
		lower = append(lower, margin*scale)
	}
	slices.Sort(lower)
	for _, by := range lower {
		bound := lo - by
		if in.Objective.Metric == flex.Tardiness {
			bound = max(0, bound)
		}
		end, refuted := s.overload(bound)
		if refuted {
			if end > 0 {
				prices = proof.Multipliers{Grid: []float64{0, end}, Price: []float64{1}}
			}
			return bound, claim
		}
	}
	return lo, nil
}

// overload finds the moment τ at which the least work until τ of jobs with values of at most target exceeds S·τ most. A job runs at its
// minimum, and at its maximum from the latest moment that lets it complete in time. infeasible says that there is such a moment or, at 0,
// that a job cannot be in time by itself.
func (s *targets) overload(target float64) (moment float64, infeasible bool) {
	type bend struct{ at, slope float64 }
	var bends []bend
	slope := -float64(s.in.Slots)
	works := 0.0
	for j := range s.in.Jobs {
		job := &s.in.Jobs[j]
		low, high := float64(job.Min), float64(job.Max)
		c, rounding := s.due(j, target)
		if c < flex.Earliest(s.in, j)-rounding {
			return 0, true
		}
		works += job.Work
		slope += low
		if job.Min == job.Max {
			bends = append(bends, bend{job.Work / high, -high})
			continue
		}
		x := max(0, (high*c-job.Work)/(high-low))
		if job.Min > 0 && c >= job.Work/low {
			bends = append(bends, bend{job.Work / low, -low})
			continue
		}
		bends = append(bends, bend{x, high - low}, bend{max(c, x), -high})
	}
	slices.SortFunc(bends, func(a, b bend) int { return cmp.Compare(a.at, b.at) })
	excess, now, most := 0.0, 0.0, 0.0
	for _, b := range bends {
		excess += slope * (b.at - now)
		now = b.at
		slope += b.slope
		if excess > most {
			most, moment = excess, now
		}
	}
	rounding := min(1e-12, 4e-15*float64(len(s.in.Jobs)+4)) // of the verifier's sums, too
	return moment, most > rounding*(works+float64(s.in.Slots)*moment)
}
