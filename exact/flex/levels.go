package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
)

// A levelSearch is a branch-and-bound for penalties that are step functions, tardy and sla, over the levels that jobs reach. By the
// grid property (docs/design/flex.md#grid-property-and-water-filling) a job of a level ends at the level's time, so what it must
// have done by any moment is known, and a linear program over the steps that jobs pass bounds a node
// (docs/design/flex.md#step-penalties).
type levelSearch struct {
	in      *flex.Instance
	threads int
	pourer  *pourer
	options [][]option
	first   []int // the variable of each job's first step
	vars    int
	job     []int // of each variable
	most    []float64
	moments []moments
	floor   float64 // what all jobs cost at their least
	worth   float64 // of the program's objective
	best    float64
	chosen  []float64 // the times of the best node
	nodes   int64
	budget  int64        // of nodes
	left    []*levelNode // what a part of the search left open
	bounded func(float64)
	open    float64
	times   []float64
}

// moments are what jobs must have done by a time: less by coef for each step that they pass, and by need in all.
type moments struct {
	coef []float64
	need float64
}

// A levelNode restricts jobs to some of their levels.
type levelNode struct {
	d        *dictionary
	from, to []int
	y        []float64 // the program's steps
	bound    float64   // on the objective
}

func (o *levelNode) clone() *levelNode {
	c := &levelNode{d: o.d.clone(), from: slices.Clone(o.from), to: slices.Clone(o.to), y: slices.Clone(o.y)}
	c.d.prune()
	return c
}

func newLevelSearch(in *flex.Instance) (*levelSearch, *levelNode) {
	n, h := len(in.Jobs), horizon(in)
	s := &levelSearch{
		in: in, threads: 1, pourer: newPourer(in), best: math.Inf(1), budget: math.MaxInt64, bounded: func(float64) {}, open: math.Inf(1),
		times: make([]float64, n),
	}
	var costs, ends []float64
	total := 0.0
	for j := range in.Jobs {
		list := optionsOf(in, j, h)
		s.options, s.first = append(s.options, list), append(s.first, s.vars)
		s.floor += list[0].penalty
		for k, o := range list {
			ends = append(ends, o.time)
			if k > 0 {
				costs = append(costs, o.penalty-list[k-1].penalty)
				s.worth += o.penalty - list[k-1].penalty
				s.job, s.most = append(s.job, j), append(s.most, 1)
				s.vars++
			}
		}
		total += in.Jobs[j].Work
	}
	if s.worth == 0 {
		s.worth = 1
	}
	for i := range costs {
		costs[i] /= s.worth
	}
	slices.Sort(ends)
	for _, t := range slices.Compact(ends) {
		m := moments{coef: make([]float64, s.vars)}
		// The pourer forgives every job some of its work.
		possible := float64(in.Slots)*t*(1+realizeTolerance) + 2*realizeTolerance*total
		least, scale := -possible, 0.0
		for j, list := range s.options {
			least += s.done(j, list[0].time, t)
			for k := 1; k < len(list); k++ {
				v := s.done(j, list[k-1].time, t) - s.done(j, list[k].time, t)
				m.coef[s.first[j]+k-1] = max(0, v)
				scale = max(scale, v)
			}
		}
		if least <= 0 || scale <= 0 {
			continue
		}
		for i := range m.coef {
			m.coef[i] /= scale
		}
		m.need = least / scale
		s.moments = append(s.moments, m)
	}
	o := &levelNode{d: newDictionary(costs), from: make([]int, n), to: make([]int, n), y: make([]float64, s.vars)}
	for j, list := range s.options {
		o.to[j] = len(list) - 1
	}
	return s, o
}

// done is what job j has done at least by t when it completes at end.
func (s *levelSearch) done(j int, end, t float64) float64 {
	job := &s.in.Jobs[j]
	if t >= end {
		return job.Work
	}
	return max(float64(job.Min)*t, job.Work-float64(job.Max)*(end-t))
}

func solveSteps(ctx context.Context, p *flex.Pass, start *flex.Schedule) (flex.Outcome, error) {
	s, root := newLevelSearch(p.Instance)
	var plan flex.Schedule
	if start != nil {
		if r := flex.Problem.Check(s.in, *start); r.Feasible(nil) && r.Objective != nil {
			s.best, plan = *r.Objective, *start
		}
	}
	s.threads, s.bounded = p.Threads, p.Bounded
	s.search(ctx, root)
	if s.chosen != nil {
		if !s.pourer.keepRates().fits(s.chosen, realizeTolerance) {
			return flex.Outcome{}, errNoSchedule
		}
		plan = s.pourer.schedule(s.chosen)
		s.best = s.in.Value(s.chosen) // added up as the checker does
	}
	bound := min(max(s.threshold(), s.floor), s.open)
	out := flex.Outcome{
		Solution: plan, Found: plan != nil, Status: models.Optimal, Bound: &bound, Stats: models.Stats{Work: models.Work{Nodes: &s.nodes}},
	}
	if s.open < s.threshold() {
		out.Status = models.Feasible
		if ctx.Err() != nil {
			out.Status = models.Timeout
		}
	}
	return out, nil
}

// search searches all of root, or what the budget allows.
func (s *levelSearch) search(ctx context.Context, root *levelNode) {
	v := s.solve(ctx, root)
	root.bound = s.bound(root)
	s.bounded(min(s.best, root.bound))
	if v == closed {
		return
	}
	workers := make([]levelSearch, max(1, s.threads))
	for i := range workers {
		workers[i] = *s
		workers[i].pourer, workers[i].times = newPourer(s.in), make([]float64, len(s.times))
	}
	found := make([]levelSearch, roundParts)
	f := frontier[*levelNode]{open: []*levelNode{root}, bound: func(o *levelNode) float64 { return o.bound }}
	f.work = func(ctx context.Context, thread, part int, o *levelNode) []*levelNode {
		w := &workers[thread]
		w.best, w.chosen = s.best, nil
		w.nodes, w.budget, w.left = 0, min(partNodes, 1+(s.budget-s.nodes)/roundParts), nil
		w.visit(ctx, o)
		found[part] = *w
		return w.left
	}
	f.merge = func(parts int, least float64) bool {
		for _, w := range found[:parts] {
			s.nodes += w.nodes
			if w.chosen != nil && w.best < s.best {
				s.best, s.chosen = w.best, w.chosen
			}
		}
		s.bounded(min(s.best, least))
		return s.nodes < s.budget
	}
	f.search(ctx, s.threads)
	s.open = f.least()
}

func (s *levelSearch) threshold() float64 {
	if math.IsInf(s.best, 1) {
		return s.best
	}
	return s.best - pruneTolerance*math.Abs(s.best)
}

// bound is a bound on the objective in o.
func (s *levelSearch) bound(o *levelNode) float64 { return s.floor + o.d.bound(s.most)*s.worth }

// goal is the program's value at the threshold.
func (s *levelSearch) goal() float64 { return (s.threshold() - s.floor) / s.worth }

// solve tightens o's program until it is closed or its rows hold.
func (s *levelSearch) solve(ctx context.Context, o *levelNode) verdict {
	goal, renewed := s.goal(), false
	for programs := 0; programs < 1000; programs++ {
		switch end := o.d.optimize(ctx, goal); {
		case end == exhausted:
			return undecided
		case end == noPoint && renewed, end == cutOff && o.d.bound(s.most) >= goal*(1-boundTolerance):
			return closed
		case end != solved && renewed:
			return undecided
		case end != solved:
			o.d, renewed = o.d.fresh(), true
			continue
		}
		for i := range o.y {
			o.y[i] = o.d.x(i)
		}
		if !s.limits(o) && !s.cut(o) {
			return undecided
		}
	}
	return undecided
}

// limits adds the violated rows 1 ≥ y_j1 ≥ y_j2 ≥ … and those of the levels that are ruled out.
func (s *levelSearch) limits(o *levelNode) bool {
	found := false
	coef := make([]float64, s.vars)
	for i, y := range o.y {
		j := s.job[i]
		k := i - s.first[j] + 1 // y: job j reaches level k
		clear(coef)
		switch {
		case k <= o.from[j]:
			if y >= 1-stepTolerance {
				continue
			}
			coef[i] = 1
			o.d.add(coef, 1, false)
		case k > o.to[j]:
			if y <= stepTolerance {
				continue
			}
			coef[i] = -1
			o.d.add(coef, 0, false)
		case k == 1:
			if y <= 1+stepTolerance {
				continue
			}
			coef[i] = -1
			o.d.add(coef, -1, false)
		default:
			if y <= o.y[i-1]+stepTolerance {
				continue
			}
			coef[i-1], coef[i] = 1, -1
			o.d.add(coef, 0, false)
		}
		found = true
	}
	return found
}

// stepTolerance is by how much a step may differ from where it belongs.
const stepTolerance = 1e-9

// cut adds the moments that are violated most.
func (s *levelSearch) cut(o *levelNode) bool {
	type violation struct {
		m  int
		by float64
	}
	var list []violation
	for i, m := range s.moments {
		by := m.need
		for k, v := range m.coef {
			by -= v * o.y[k]
		}
		if by > stepTolerance {
			list = append(list, violation{i, by})
		}
	}
	slices.SortStableFunc(list, func(a, b violation) int { return cmp.Compare(b.by, a.by) })
	for _, v := range list[:min(len(list), 4)] {
		m := &s.moments[v.m]
		o.d.add(m.coef, m.need, false)
	}
	return len(list) > 0
}

// round takes every step that is taken in part, and then back what need not be taken, the dearest first.
func (s *levelSearch) round(o *levelNode) {
	value := s.floor
	type step struct {
		job  int
		gain float64
	}
	var list []step
	at := make([]int, len(s.options))
	for j, options := range s.options {
		for at[j] = o.from[j]; at[j] < o.to[j] && o.y[s.first[j]+at[j]] > 1e-6; at[j]++ {
		}
		s.times[j] = options[at[j]].time
		value += options[at[j]].penalty - options[0].penalty
		if at[j] > 0 {
			list = append(list, step{j, options[at[j]].penalty - options[at[j]-1].penalty})
		}
	}
	if !s.pourer.fits(s.times, realizeTolerance) {
		return
	}
	slices.SortStableFunc(list, func(a, b step) int { return cmp.Compare(b.gain, a.gain) })
	for _, t := range list {
		options := s.options[t.job]
		for at[t.job] > 0 {
			s.times[t.job] = options[at[t.job]-1].time
			if !s.pourer.fits(s.times, realizeTolerance) {
				s.times[t.job] = options[at[t.job]].time
				break
			}
			value -= options[at[t.job]].penalty - options[at[t.job]-1].penalty
			at[t.job]--
		}
	}
	if value < s.threshold() {
		s.best, s.chosen = value, slices.Clone(s.times)
	}
}

// visit searches o, whose program is solved. What it has no nodes or time for it adds to what is left.
func (s *levelSearch) visit(ctx context.Context, o *levelNode) {
	if s.nodes >= s.budget || ctx.Err() != nil {
		s.left = append(s.left, o)
		return
	}
	s.nodes++
	s.round(o)
	if o.bound >= s.threshold() {
		return
	}
	list := s.candidates(o)
	if len(list) == 0 {
		// All levels are settled; round has seen whether they can be met.
		return
	}
	whole := s.goal() - o.d.value
	most := math.Inf(-1)
	var best [2]*levelNode
	var verdicts [2]verdict
	for _, i := range list {
		gain := 1.0
		var children [2]*levelNode
		var vs [2]verdict
		for side := range children {
			c := o.clone()
			j := s.job[i]
			if side == 0 {
				c.to[j] = i - s.first[j]
			} else {
				c.from[j] = i - s.first[j] + 1
			}
			vs[side] = s.solve(ctx, c)
			s.nodes++
			if vs[side] == closed {
				gain *= whole
			} else {
				gain *= max(min(c.d.value-o.d.value, whole), whole*1e-4)
			}
			children[side] = c
		}
		if gain > most || best[0] == nil {
			best, verdicts, most = children, vs, gain
		}
		if vs[0] == closed || vs[1] == closed {
			best, verdicts = children, vs
			break
		}
	}
	if best[1].d.value < best[0].d.value {
		best[0], best[1] = best[1], best[0]
		verdicts[0], verdicts[1] = verdicts[1], verdicts[0]
	}
	for side, c := range best {
		if verdicts[side] != closed {
			c.bound = max(o.bound, s.bound(c))
			s.visit(ctx, c)
		}
	}
}

const trialSteps = 4

// candidates are the steps that are taken most nearly half, by what they cost; if none is taken in part, one that is not settled.
func (s *levelSearch) candidates(o *levelNode) []int {
	type step struct {
		i     int
		score float64
	}
	var list []step
	unsettled := -1
	for i, y := range o.y {
		j := s.job[i]
		if k := i - s.first[j] + 1; k <= o.from[j] || k > o.to[j] {
			continue
		}
		unsettled = i
		if part := min(y, 1-y); part > 1e-6 {
			list = append(list, step{i, part * o.d.costs[i]})
		}
	}
	if len(list) == 0 {
		if unsettled < 0 {
			return nil
		}
		return []int{unsettled}
	}
	slices.SortStableFunc(list, func(a, b step) int { return cmp.Compare(b.score, a.score) })
	var out []int
	for _, t := range list[:min(len(list), trialSteps)] {
		out = append(out, t.i)
	}
	return out
}
