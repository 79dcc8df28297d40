package flex

import (
	"cmp"
	"math"
	"slices"

	"schedgap/models/flex"
)

// An option is one level of a job's penalty with the latest completion time that has it.
type option struct {
	time    float64
	penalty float64
	level   int // among all levels, from 0, before the first step
}

// A tail is a job as the bound sees it: W of capacity saved for each unit of penalty; infinitely many: none.
type tail struct {
	job     int
	due     float64
	penalty float64
}

// optionsOf lists the levels of job j's penalty that it can reach.
func optionsOf(in *flex.Instance, j int, h float64) []option {
	end := flex.Latest(in, j, h)
	var out []option
	for k, t := range in.StepTimes(j) {
		if flex.After(flex.Earliest(in, j), t) {
			continue
		}
		due := t + flex.Tolerance*math.Abs(t) // a job that is not later than this is in time
		out = append(out, option{max(min(due, end), flex.Earliest(in, j)), in.Penalty(j, t), k})
		if due >= end {
			return out
		}
	}
	return append(out, option{end, in.Penalty(j, end), len(in.StepTimes(j))})
}

// stepBound bounds a sum of step penalties without searching: the least costs of all jobs, and the parts that they must give
// up. By each time t at which some job is due, the slots have done at most S·t less the minima of later jobs. In the order of
// these times jobs give up parts, at the rate of their first step per work, whenever the work due exceeds that: the fractional
// form of Moore and Hodgson's rule, which is optimal for its relaxation.
func stepBound(in *flex.Instance) float64 {
	h := flex.Horizon(in)
	var list []tail
	floor := 0.0
	for j := range in.Jobs {
		o := optionsOf(in, j, h)
		floor += o[0].penalty
		t := tail{j, o[0].time, math.Inf(1)}
		if len(o) > 1 {
			t.penalty = o[1].penalty - o[0].penalty
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(a, b tail) int {
		return cmp.Or(cmp.Compare(a.due, b.due), -cmp.Compare(a.penalty, b.penalty)) // those that give up nothing first
	})
	var given parts
	cost, due := 0.0, 0.0
	free := float64(in.Slots - in.TotalMin()) // jobs that end later hold their minima
	for _, t := range list {
		work := in.Jobs[t.job].Work
		due += work
		free += float64(in.Jobs[t.job].Min)
		if !math.IsInf(t.penalty, 1) {
			cost, due = given.giveUp(t.penalty/work, work, due, free*t.due*(1+flex.RealizeTolerance), cost)
		}
	}
	return floor + cost
}

// parts are jobs, or remaining parts of jobs, that can be given up, the cheapest per work first.
type parts []part

type part struct{ rate, work float64 }

// giveUp adds a job and gives up parts while the work due exceeds the slots' work. It returns the new cost and work due.
func (p *parts) giveUp(rate, work, due, possible, cost float64) (newCost, newDue float64) {
	i, _ := slices.BinarySearchFunc(*p, rate, func(p part, rate float64) int { return cmp.Compare(p.rate, rate) })
	*p = slices.Insert(*p, i, part{rate, work})
	for over := due - possible; over > 0 && len(*p) > 0; {
		first := &(*p)[0]
		give := min(over, first.work)
		cost += give * first.rate
		due -= give
		over -= give
		first.work -= give
		if first.work <= 0 {
			*p = slices.Delete(*p, 0, 1)
		}
	}
	return cost, due
}
