package flex

import (
	"context"
	"math"

	"schedgap/models"
	"schedgap/models/flex"
)

// exactTolerance is the share of a job's work that the feasibility test of a target forgives: rounding only.
const exactTolerance = 1e-14

// solveMax finds the optimum of a max objective. A target value gives every job the latest completion time at which its
// penalty does not exceed it; by the grid property (docs/design/flex.md#grid-property-and-water-filling) the target can be
// met if and only if every job can complete exactly then, which water filling decides. Bisection goes on until two
// neighbouring floats or the tolerance remain.
func solveMax(ctx context.Context, p *flex.Pass) (models.End, error) {
	s := newTargets(p.Instance)
	lo, hi, steps := s.bisect(ctx)
	s.filling.KeepRates()
	if !s.meets(hi) {
		return models.End{}, errNoSchedule
	}
	p.Offer(s.filling.Schedule(s.times))
	if s.filling.Prompt(s.times) { // they complete as late as the target allows, some of them later than they need to
		p.Offer(s.filling.Schedule(s.filling.Prompted()))
	}
	p.Bound(lo)
	return models.Ended(ctx, "", models.Stats{Work: models.Work{Nodes: &steps}}), nil
}

// bisect returns a target that cannot be beaten and one that can be met: neighbours unless ctx ended.
func (s *targets) bisect(ctx context.Context) (lo, hi float64, steps int64) {
	lo, hi = s.floor(), s.ceiling()
	if s.meets(lo) {
		return lo, lo, 1
	}
	for least := s.resolution(); hi-lo > least && ctx.Err() == nil; {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		steps++
		if s.meets(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo, hi, steps
}

// resolution is a difference of targets that moves no due date: a value near 0 is the difference of a completion time and a
// deadline that may be far from it.
func (s *targets) resolution() float64 {
	least := math.Inf(1)
	for j := range s.in.Jobs {
		d := 0.0
		if s.in.Objective.Metric.NeedsDeadline() {
			d = *s.in.Jobs[j].Deadline
		}
		least = min(least, 0x1p-54*s.in.Factor(j)*math.Abs(d))
	}
	return least
}

// targets tests target values of a max objective.
type targets struct {
	in      *flex.Instance
	filling *flex.Filling
	horizon float64
	times   []float64
	order   []int // if not nil, the order in which jobs must complete
}

func newTargets(in *flex.Instance) *targets {
	return &targets{in: in, filling: flex.NewFilling(in), horizon: flex.Horizon(in), times: make([]float64, len(in.Jobs))}
}

// due is the latest time at which job j's penalty is at most value, not bounded by when the job ends anyway, with the
// rounding error it may have: value and deadline may be far larger than their sum.
func (s *targets) due(j int, value float64) (time, rounding float64) {
	c := value / s.in.Factor(j)
	rounding = exactTolerance * (math.Abs(c) + flex.Earliest(s.in, j))
	if m := s.in.Objective.Metric; m == flex.Tardiness || m == flex.Lateness {
		d := *s.in.Jobs[j].Deadline
		c += d
		rounding += exactTolerance * math.Abs(d)
	}
	return c, rounding
}

// meets reports whether all penalties can be at most value.
func (s *targets) meets(value float64) bool {
	for j := range s.in.Jobs {
		d, rounding := s.due(j, value)
		first, last := flex.Earliest(s.in, j), flex.Latest(s.in, j, s.horizon)
		switch {
		case d < first-rounding:
			return false
		case d >= last-rounding:
			d = last
		}
		s.times[j] = max(first, d)
	}
	for k := len(s.order) - 2; k >= 0; k-- {
		j := s.order[k]
		s.times[j] = min(s.times[j], s.times[s.order[k+1]])
		if s.times[j] < flex.Earliest(s.in, j)-1e-12*s.horizon {
			return false
		}
	}
	return s.filling.Fits(s.times, exactTolerance)
}

// floor is a value that no schedule is below, ceiling one that some schedule meets.
func (s *targets) floor() float64 {
	v := math.Inf(-1)
	for j := range s.in.Jobs {
		v = max(v, s.in.Penalty(j, flex.Earliest(s.in, j)))
	}
	return v
}

func (s *targets) ceiling() float64 {
	v := math.Inf(-1)
	for j := range s.in.Jobs {
		v = max(v, s.in.Penalty(j, flex.Latest(s.in, j, s.horizon)))
	}
	return v
}
