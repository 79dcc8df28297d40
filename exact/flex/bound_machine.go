package flex

import (
	"context"
	"math"
	"slices"

	"schedgap/exact/verify/onemachine"
)

// A relaxation of one machine is a lower bound at multipliers, one a job, with a cheapest path.
type machineRelaxation interface {
	Bound(multipliers []int64) int64
	Path() (jobs []int)
}

// machinePasses is the relaxation in which only no job follows itself: one pass over times and jobs, without a graph. By time it has
// the least cost of a path to there and the job that ends it, and the same of the paths that end with another job.
type machinePasses struct {
	p             *onemachine.Problem
	first, second []int64
	last, other   []int16
}

func newMachinePasses(p *onemachine.Problem) *machinePasses {
	n := p.Total + 1
	return &machinePasses{p: p, first: make([]int64, n), second: make([]int64, n), last: make([]int16, n), other: make([]int16, n)}
}

// Bound implements machineRelaxation.
func (r *machinePasses) Bound(multipliers []int64) (sum int64) {
	const unreached = math.MaxInt64 / 4
	for _, m := range multipliers {
		sum += m
	}
	r.first[0], r.last[0], r.second[0] = 0, -1, unreached
	for t := 1; t <= r.p.Total; t++ {
		first, second, last, other := int64(unreached), int64(unreached), int16(-1), int16(-1)
		for j, w := range r.p.Work {
			if w > t {
				continue
			}
			v := r.first[t-w]
			if r.last[t-w] == int16(j) {
				v = r.second[t-w]
			}
			if v == unreached {
				continue
			}
			v += r.p.Cost[j][t] - multipliers[j]
			switch {
			case v < first:
				first, second, last, other = v, first, int16(j), last
			case v < second:
				second, other = v, int16(j)
			}
		}
		r.first[t], r.second[t], r.last[t], r.other[t] = first, second, last, other
	}
	return r.first[r.p.Total] + sum
}

// Path implements machineRelaxation.
func (r *machinePasses) Path() (jobs []int) {
	after := int16(-1)
	for t := r.p.Total; t > 0; {
		j := r.last[t]
		if j == after {
			j = r.other[t]
		}
		jobs = append(jobs, int(j))
		after = j
		t -= r.p.Work[j]
	}
	slices.Reverse(jobs)
	return jobs
}

// The volume algorithm's numbers: how much of a new path enters the mean, and how a step's length changes.
const (
	leastShare, mostShare = .02, .2
	longer, shorter       = 1.1, .66
	mostFailures          = 12 // before the length falls
	leastLength           = 1e-3
)

// ascend climbs the bound of a relaxation from s.multipliers by the volume algorithm of Barahona and Anbil (2000). The direction is one
// visit to each job less the visits of a mean of the paths. It returns how far the visits of the last paths are from 1, by job.
func (s *machineSearch) ascend(ctx context.Context, r machineRelaxation, steps int) (off []float64) {
	n := len(s.p.Work)
	off = make([]float64, n)
	mean, visits := make([]float64, n), make([]float64, n)
	now, whole := slices.Clone(s.multipliers), make([]int64, n)
	best, failures := int64(math.MinInt64), 0
	for step := 0; step < steps && s.steps > 0 && ctx.Err() == nil; step++ {
		s.steps--
		round(now, whole)
		if s.p.Fits(whole) != nil {
			return off
		}
		v := r.Bound(whole)
		path := r.Path()
		clear(visits)
		for _, j := range path {
			visits[j]++
		}
		share := 1.0
		if step > 0 {
			share = closest(mean, visits)
		}
		exact, along, norm := true, 0.0, 0.0
		for j := range mean {
			along += (1 - visits[j]) * (1 - mean[j])
			exact = exact && visits[j] == 1
			off[j] = .9*off[j] + .1*math.Abs(visits[j]-1)
			mean[j] += share * (visits[j] - mean[j])
			norm += (1 - mean[j]) * (1 - mean[j])
		}
		if v > s.bound {
			s.bound, s.best = v, slices.Clone(whole)
		}
		if exact {
			s.offer(path)
		}
		if v > best {
			if along > 0 && step > 0 {
				s.length *= longer
			}
			best, failures = v, 0
			copy(s.multipliers, now)
		} else {
			failures++
		}
		if failures == mostFailures {
			failures = 0
			s.length *= shorter
		}
		if v >= s.target || s.length < leastLength || norm < 1e-9 {
			return off
		}
		scale := s.length * float64(s.target-best) / norm
		for j := range now {
			now[j] = s.multipliers[j] + scale*(1-mean[j])
		}
	}
	return off
}

// closest is the share of visits at which the mean comes closest to one visit of each job, within limits.
func closest(mean, visits []float64) float64 {
	up, down := 0.0, 0.0
	for j := range mean {
		d := visits[j] - mean[j]
		up += d * (1 - mean[j])
		down += d * d
	}
	if down == 0 {
		return mostShare
	}
	return min(mostShare, max(leastShare, up/down))
}

func round(values []float64, whole []int64) {
	for j, v := range values {
		whole[j] = int64(math.Round(v))
	}
}
