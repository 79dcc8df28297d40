package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
)

// stepSearch is a depth-first branch-and-bound for penalties that are step functions, tardy and sla: a node gives some jobs
// the time by which they must end. By the grid property (docs/decisions/0002-grid-and-water-filling.md) each then ends exactly at that time, or when
// its minimum ends it, so a node is feasible if and only if the pourer says so; no order is searched.
type stepSearch struct {
	in      *flex.Instance
	pourer  *pourer
	order   []int      // the order in which jobs are decided
	options [][]option // of job j by penalty, the least first
	times   []float64
	best    float64
	chosen  []float64 // the times of the best node
	nodes   int64
	open    float64
	stopped bool     // at a limit
	budget  int64    // of nodes; 0: none
	floor   float64  // what all jobs cost at their least
	tails   [][]tail // of each depth: what the undecided jobs could bring
}

// An option is one level of a job's penalty with the latest completion time that has it.
type option struct {
	time    float64
	penalty float64
}

// A tail is an undecided job as the bound sees it: W of capacity saved for each unit of penalty.
type tail struct {
	job     int
	due     float64
	penalty float64
}

// optionsOf lists the levels of job j's penalty that it can reach.
func optionsOf(in *flex.Instance, j int, h float64) []option {
	end := latest(in, j, h)
	var out []option
	for _, t := range in.StepTimes(j) {
		if flex.After(earliest(in, j), t) {
			continue
		}
		// A time that the job just makes, within the tolerance of comparisons, must not be made impossible by rounding.
		out = append(out, option{max(min(t, end), earliest(in, j)), in.Penalty(j, t)})
		if t >= end {
			return out
		}
	}
	return append(out, option{end, in.Penalty(j, end)})
}

// newStepSearch prepares the search; the undecided jobs, at first all, stand at their latest times.
func newStepSearch(in *flex.Instance) *stepSearch {
	n, h := len(in.Jobs), horizon(in)
	s := &stepSearch{
		in: in, pourer: newPourer(in), options: make([][]option, n), times: make([]float64, n),
		best: math.Inf(1), open: math.Inf(1),
	}
	for j := range in.Jobs {
		s.options[j] = optionsOf(in, j, h)
		s.times[j] = s.options[j][len(s.options[j])-1].time
		s.floor += s.options[j][0].penalty
	}
	// Jobs whose lateness costs most for their work are decided first: they are on time in most optima.
	s.order = flex.OrderBy(in, func(j int) float64 {
		o := s.options[j]
		return (o[0].penalty - o[len(o)-1].penalty) / in.Jobs[j].Work
	})
	s.tails = make([][]tail, n+1)
	return s
}

// tailsAt are the jobs undecided at a depth, by the time that they want to end.
func (s *stepSearch) tailsAt(depth int) []tail {
	if s.tails[depth] == nil {
		s.tails[depth] = make([]tail, 0, len(s.order)-depth)
		for _, j := range s.order[depth:] {
			if o := s.options[j]; len(o) > 1 {
				// Giving up the first level costs at least the step to the second.
				s.tails[depth] = append(s.tails[depth], tail{j, o[0].time, o[1].penalty - o[0].penalty})
			}
		}
		slices.SortStableFunc(s.tails[depth], func(a, b tail) int { return cmp.Compare(a.due, b.due) })
	}
	return s.tails[depth]
}

// rootBound bounds the optimum without searching.
func (s *stepSearch) rootBound() float64 { return s.floor + s.shortage(0) }

func solveSteps(ctx context.Context, p *flex.Pass, start *flex.Schedule) (flex.Outcome, error) {
	s := newStepSearch(p.Instance)
	var plan flex.Schedule
	if start != nil {
		if r := flex.Problem.Check(s.in, *start); r.Feasible(nil) && r.Objective != nil {
			s.best, plan = *r.Objective, *start
		}
	}
	p.Bounded(s.rootBound())
	s.visit(ctx, 0, s.floor)
	if s.chosen != nil {
		if !s.pourer.keepRates().fits(s.chosen, realizeTolerance) {
			return flex.Outcome{}, errNoSchedule
		}
		plan = s.pourer.schedule(s.chosen)
	}
	bound := min(s.best, s.open)
	out := flex.Outcome{
		Solution: plan, Found: plan != nil, Status: models.Optimal, Bound: &bound, Stats: models.Stats{Work: models.Work{Nodes: &s.nodes}},
	}
	if ctx.Err() != nil && s.open < s.best {
		out.Status = models.Timeout
	}
	return out, nil
}

// visit decides the jobs from depth on; floor is the penalty of the decided ones and the least possible of the others.
func (s *stepSearch) visit(ctx context.Context, depth int, floor float64) {
	s.nodes++
	const eps = 1e-10
	lower := floor + s.shortage(depth)
	if lower >= s.best-eps*math.Abs(s.best) {
		return
	}
	if s.stopped = s.stopped || s.nodes == s.budget || s.nodes%64 == 0 && ctx.Err() != nil; s.stopped {
		s.open = min(s.open, lower)
		return
	}
	// s.times has the undecided jobs at their latest: if even that does not fit, nothing below does.
	if !s.pourer.fits(s.times, realizeTolerance) {
		return
	}
	if depth == len(s.order) {
		s.best = floor
		s.chosen = slices.Clone(s.times)
		return
	}
	j := s.order[depth]
	options := s.options[j]
	for _, o := range options {
		s.times[j] = o.time
		s.visit(ctx, depth+1, floor+o.penalty-options[0].penalty)
	}
	s.times[j] = options[len(options)-1].time
}

// shortage is a lower bound on what the undecided jobs must give up beyond their least penalties: by each time that some of
// them want to end, the slots cannot have done more than S·t less what the minima of later jobs take. In the order of those times, jobs give up parts, at the rate
// of their first step per work, whenever the work due exceeds what is possible: the fractional form of Moore and Hodgson's
// rule, which is optimal for its relaxation.
func (s *stepSearch) shortage(depth int) float64 {
	var given parts
	cost, due := 0.0, 0.0
	free := float64(s.in.Slots - s.in.TotalMin()) // jobs that end later hold their minima
	decided := make([]tail, 0, len(s.order))
	for i, j := range s.order {
		if i < depth || len(s.options[j]) == 1 {
			decided = append(decided, tail{job: j, due: s.times[j]})
		}
	}
	slices.SortFunc(decided, func(a, b tail) int { return cmp.Compare(a.due, b.due) })
	d := 0
	for _, t := range s.tailsAt(depth) {
		for d < len(decided) && decided[d].due <= t.due {
			due += s.in.Jobs[decided[d].job].Work
			free += float64(s.in.Jobs[decided[d].job].Min)
			d++
		}
		work := s.in.Jobs[t.job].Work
		due += work
		free += float64(s.in.Jobs[t.job].Min)
		cost, due = given.giveUp(t.penalty/work, work, due, free*t.due*(1+realizeTolerance), cost)
	}
	return cost
}

// parts are jobs, or what is left of them, that can be given up, the cheapest per work first.
type parts []part

type part struct{ rate, work float64 }

// giveUp adds a job and gives up parts while the work due exceeds what is possible. It returns the new cost and work due.
func (p *parts) giveUp(rate, work, due, possible, cost float64) (newCost, newDue float64) {
	i, _ := slices.BinarySearchFunc(*p, rate, func(p part, rate float64) int { return cmp.Compare(p.rate, rate) })
	*p = slices.Insert(*p, i, part{rate, work})
	for over := due - possible; over > 0 && len(*p) > 0; {
		first := &(*p)[0]
		give := min(over, first.work)
		cost += give * first.rate
		due -= give
		over -= give
		if first.work -= give; first.work <= 0 {
			*p = slices.Delete(*p, 0, 1)
		}
	}
	return cost, due
}
