package pocd

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models/pocd"
)

// A frontier is the best that a job can make of its extra copies.
//
// Copies go one by one to the task whose ln R_i gains most. That is optimal for every number b at once: ln p_j is a sum of
// one term a task, and ln R_i(r) = ln(1 − e^(a(r+1))), a = β_i ln q_i < 0, is concave in r, since its second derivative
// −a² e^(a(r+1)) / (1 − e^(a(r+1)))² is negative. So a task's gains fall from copy to copy, any r_i ≤ r_max form the
// first r_i entries of its list of gains, and no b entries of all lists together exceed the b largest; these can be taken,
// because within a list the larger come first. The gains taken fall with b: ln p_j(b) is concave, though p_j(b) is not.
type frontier struct {
	job   int
	logP  []float64 // ln p_j(b), best over all ways to give the job b extra copies; not decreasing
	gain  []float64 // ln p_j(b+1) − ln p_j(b), without the rounding of that difference
	order []int     // the task that copy b+1 goes to
}

// negligible is a −ln R_i at which a task gets no more copies. It cannot show in sums of powers of p. Utilities for α = 1
// may be that small in total, so the limit is 0 there.
const negligible = 1e-20

// frontiers returns the frontiers of the jobs that are not hopeless: those get no copies. Copies are for stragglers, or for
// all tasks. It is false if ctx ended first.
func frontiers(ctx context.Context, in *pocd.Instance, all bool) ([]frontier, bool) {
	limit, spare := negligible, in.Spare()
	if in.Alpha == 1 {
		limit = 0
	}
	var list []frontier
	for j := range in.Jobs {
		if ctx.Err() != nil {
			return nil, false
		}
		if f, ok := newFrontier(in, j, all, spare, limit); ok {
			list = append(list, f)
		}
	}
	return list, true
}

// newFrontier is false if job j is hopeless.
func newFrontier(in *pocd.Instance, j int, all bool, spare int, limit float64) (frontier, bool) {
	job := &in.Jobs[j]
	if job.Hopeless() {
		return frontier{}, false
	}
	type extra struct {
		task                int
		gain, before, after float64
	}
	var copies []extra
	var p pocd.Sum
	for i := range job.Tasks {
		miss := job.LogMiss(i)
		before := pocd.LogR(miss, 0)
		p.Add(before)
		if !all && !job.Tasks[i].Straggler {
			continue
		}
		for r := 1; r <= min(in.MaxCopies, spare) && -before > limit; r++ {
			after := pocd.LogR(miss, r)
			if after <= before {
				break
			}
			copies = append(copies, extra{i, after - before, before, after})
			before = after
		}
	}
	slices.SortStableFunc(copies, func(a, b extra) int { return cmp.Compare(b.gain, a.gain) })
	copies = copies[:min(len(copies), spare)]
	f := frontier{job: j, logP: []float64{p.Value()}}
	for b, c := range copies {
		p.Add(-c.before)
		p.Add(c.after)
		f.logP = append(f.logP, max(f.logP[b], p.Value()))
		f.gain, f.order = append(f.gain, c.gain), append(f.order, c.task)
	}
	return f, true
}

// most is the largest number of copies that the job has a use for.
func (f *frontier) most() int { return len(f.order) }

// need is the least number of copies that bring ln p_j to level, or most()+1 if none do.
func (f *frontier) need(level float64) int {
	b, _ := slices.BinarySearch(f.logP, level)
	return b
}

// needs is the copies that bring all jobs to level, or math.MaxInt if none do.
func needs(fs []frontier, level float64) int {
	sum := 0
	for k := range fs {
		b := fs[k].need(level)
		if b > fs[k].most() {
			return math.MaxInt
		}
		sum += b
	}
	return sum
}

// spread returns the copies of every task when choice[k] copies go to the job of fs[k].
func spread(in *pocd.Instance, fs []frontier, choice []int) pocd.Copies {
	c := pocd.NoCopies(in)
	for k, b := range choice {
		for _, i := range fs[k].order[:b] {
			c[fs[k].job][i]++
		}
	}
	return c
}

// usage returns how many of a solution's copies each job has a use for. Spread again they are worth at least as much.
func usage(fs []frontier, c pocd.Copies) []int {
	choice := make([]int, len(fs))
	for k := range fs {
		for _, r := range c[fs[k].job] {
			choice[k] += r
		}
		choice[k] = min(choice[k], fs[k].most())
	}
	return choice
}

// objective is its value when choice[k] copies go to the job of fs[k].
func objective(in *pocd.Instance, fs []frontier, choice []int) float64 {
	logP := make([]float64, len(choice))
	for k, b := range choice {
		logP[k] = fs[k].logP[b]
	}
	return in.Aggregate(logP)
}
