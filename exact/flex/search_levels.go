package flex

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/lp"
	"schedgap/exact/tree"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// A levelSearch is a branch-and-bound for penalties that are step functions, tardy and sla, over the levels that jobs reach.
// By the grid property (docs/design/flex.md#grid-property-and-water-filling) a job of a level ends at the level's time, so
// its least work by any moment is known, and a linear program over the steps that jobs pass bounds a node
// (docs/design/flex.md#step-penalties).
type levelSearch struct {
	incumbent
	options [][]option
	first   []int // the variable of each job's first step
	vars    int
	job     []int // of each variable
	most    []float64
	moments []moment
	floor   float64       // what all jobs cost at their least
	size    float64       // of the program's objective
	fit     *flex.Filling // without rates
	times   []float64
}

// A moment is the work that jobs must have done by a time. Its row is written when a program wants it: the rows of all moments are as
// many numbers as there are steps times steps.
type moment struct {
	time     float64
	possible float64 // the work that the slots can do by it
	steps    float64 // the most that one job's steps are worth of it
}

// A levelNode restricts jobs to some of their levels.
type levelNode struct {
	treeNode
	from, to []int
	y        []float64 // the program's steps
}

// newLevelSearch forgives what water filling does, or nothing where goal is to be proven.
func newLevelSearch(known incumbent, goal *float64) (*levelSearch, *levelNode) {
	in := known.in
	n, h := len(in.Jobs), flex.Horizon(in)
	s := &levelSearch{incumbent: known, fit: flex.NewFilling(in), times: make([]float64, n)}
	s.proves = goal
	var costs, ends []float64
	forgiven := 0.0
	for j := range in.Jobs {
		list := optionsOf(in, j, h)
		s.options, s.first = append(s.options, list), append(s.first, s.vars)
		s.floor += list[0].penalty
		for k, o := range list {
			ends = append(ends, o.time)
			if k > 0 {
				costs = append(costs, o.penalty-list[k-1].penalty)
				s.size += o.penalty - list[k-1].penalty
				s.job, s.most = append(s.job, j), append(s.most, 1)
				s.vars++
			}
		}
		forgiven += 2 * flex.RealizeTolerance * in.Jobs[j].Work
	}
	if s.size == 0 {
		s.size = 1
	}
	for i := range costs {
		costs[i] /= s.size
	}
	slices.Sort(ends)
	for _, t := range slices.Compact(ends) {
		possible := float64(in.Slots) * t
		if goal == nil {
			possible = possible*(1+flex.RealizeTolerance) + forgiven
		}
		least, steps := -possible, 0.0
		for j, list := range s.options {
			least += s.done(j, list[0].time, t)
			steps = max(steps, s.done(j, list[0].time, t)-s.done(j, list[len(list)-1].time, t))
		}
		if least <= 0 || steps <= 0 {
			continue
		}
		s.moments = append(s.moments, moment{t, possible, steps})
	}
	o := &levelNode{
		treeNode: treeNode{d: lp.New[*rowOrigin](costs), bound: -inf}, from: make([]int, n), to: make([]int, n),
		y: make([]float64, s.vars),
	}
	for j, list := range s.options {
		o.to[j] = len(list) - 1
	}
	return s, o
}

// done is the least work of job j by t when it completes at end.
func (s *levelSearch) done(j int, end, t float64) float64 {
	job := &s.in.Jobs[j]
	if t >= end {
		return job.Work
	}
	return max(float64(job.Min)*t, job.Work-float64(job.Max)*(end-t))
}

// row is a moment's row, coef·y ≥ need, the largest coefficient being 1.
func (s *levelSearch) row(m moment) (coef []float64, need float64, origin *rowOrigin) {
	coef, need = make([]float64, s.vars), -m.possible
	for j, list := range s.options {
		before := s.done(j, list[0].time, m.time)
		need += before
		for k := 1; k < len(list); k++ {
			after := s.done(j, list[k].time, m.time)
			coef[s.first[j]+k-1] = max(0, before-after)
			before = after
		}
	}
	scale := slices.Max(coef)
	for i := range coef {
		coef[i] /= scale
	}
	// After that time all is done that is due by it.
	return coef, need / scale, &rowOrigin{line: math.Nextafter(math.Nextafter(m.time, inf), inf), unit: s.size / scale}
}

func solveSteps(ctx context.Context, p *flex.Pass) (models.End, error) {
	if t := newDueTable(p.Instance); t != nil {
		return solveDueTable(ctx, p, t)
	}
	if s := newMachineSearch(p.Instance); s != nil {
		return solveMachine(ctx, p, s, func(ctx context.Context) (models.End, error) { return solveLevels(ctx, p) })
	}
	return solveLevels(ctx, p)
}

// mostSteps is the largest number of steps of all jobs whose levels are searched: each row of the program has as many numbers, and prices
// have the better bound long before.
const mostSteps = 50_000

func manySteps(in *flex.Instance) bool {
	steps := 0
	for j := range in.Jobs {
		steps += len(in.StepTimes(j))
	}
	return steps > mostSteps
}

// tooLarge is the end of a search that does not begin: the bound at once.
func tooLarge(ctx context.Context, p *flex.Pass, why string) (models.End, error) {
	b, err := safeBound(ctx, p.Instance)
	p.Bound(b)
	return models.Ended(ctx, why, models.Stats{Work: models.Work{Nodes: new(int64(0))}}), err
}

func solveLevels(ctx context.Context, p *flex.Pass) (models.End, error) {
	in := p.Instance
	// Where a step lies so far out that a job's work is lost beside it, the search finds times that no schedule meets.
	if _, _, found := p.Ledger.Best(); !found {
		p.Offer(flex.NewPacker(in).Pack(flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work })))
	}
	if manySteps(in) {
		return tooLarge(ctx, p, fmt.Sprintf("levels are searched of at most %d steps", mostSteps))
	}
	s, root := newLevelSearch(newIncumbent(in, p.Ledger), nil)
	t := s.tree(p.Threads, math.MaxInt64, p.Bound)
	t.Plant(root)
	var search exact.Resuming
	search = func(ctx context.Context) (models.End, error) {
		s.learn(p.Ledger)
		t.Run(ctx)
		end := tell(ctx, p.Ledger, t, &s.incumbent, s.floor)
		end.Resume = search
		return end, nil
	}
	return search(ctx)
}

// proveSteps is the tree that proves that no schedule is worth less than goal, or as much of it as there is when ctx ends.
func proveSteps(ctx context.Context, known incumbent, goal float64) []any {
	s, root := newLevelSearch(known, &goal)
	return written(grow(ctx, s.tree(1, math.MaxInt64, func(float64) {}), root), s.goal())
}

func (s *levelSearch) tree(threads int, budget int64, bounded func(float64)) *tree.Tree[*levelNode, flex.Schedule] {
	return newTree(branching[*levelNode](s), threads, budget, budget, bounded, func() branching[*levelNode] {
		w := *s
		w.incumbent, w.fit, w.times = s.forThread(), flex.NewFilling(s.in), make([]float64, len(s.times))
		return &w
	})
}

// Begin implements tree.Search.
func (s *levelSearch) Begin(context.Context, *levelNode, bool) {}

func (s *levelSearch) child(o *levelNode, c decision, second bool) *levelNode {
	x := &levelNode{treeNode: treeNode{d: o.d.Clone()}, from: slices.Clone(o.from), to: slices.Clone(o.to), y: slices.Clone(o.y)}
	x.d.Prune()
	if second {
		x.from[c.a] = c.b + 1
	} else {
		x.to[c.a] = c.b
	}
	return x
}

// goal is the program's value at the threshold.
func (s *levelSearch) goal() float64 { return (s.Threshold() - s.floor) / s.size }

// relax tightens o's program until it is closed or its rows hold.
func (s *levelSearch) relax(ctx context.Context, o *levelNode, _ bool) {
	o.verdict = s.solve(ctx, o)
	o.bound = s.floor + o.d.Bound(s.most)*s.size
}

func (s *levelSearch) solve(ctx context.Context, o *levelNode) verdict {
	goal, renewed := s.goal(), false
	for programs := 0; programs < 1000 && ctx.Err() == nil; programs++ {
		switch end := o.d.Optimize(ctx, goal); {
		case end == lp.Exhausted:
			return undecided
		case end == lp.NoPoint && renewed, end == lp.CutOff && o.d.Bound(s.most) >= goal*(1-boundTolerance):
			return closed
		case end != lp.Solved && renewed:
			return undecided
		case end != lp.Solved:
			o.d, renewed = o.d.Fresh(), true
			continue
		}
		for i := range o.y {
			o.y[i] = o.d.X(i)
		}
		if !s.limits(o) && !s.cut(ctx, o) {
			return undecided
		}
	}
	return undecided
}

// settle returns the cost of the node's levels if they can be met exactly, else infinity. offer has tried to meet them, but the checker may
// value its schedule higher where rounding could have brought a job to the other side of a step. For a proof it returns the node's bound,
// which a leaf states.
func (s *levelSearch) settle(_ context.Context, o *levelNode) float64 {
	if s.proves != nil {
		return o.bound
	}
	value, passes := s.floor, make([]int, len(s.options))
	for j, options := range s.options {
		level := options[o.from[j]]
		s.times[j], passes[j] = level.time, level.level
		value += level.penalty - options[0].penalty
	}
	// Rational numbers decide only what float64s cannot.
	if value < s.Threshold() && flex.Possible(s.in, s.times) && verifyflex.MeetsSteps(s.in, passes) {
		return value
	}
	return inf
}

func (s *levelSearch) line(c decision) any {
	return proof.DeadlineLine{Level: &proof.Level{Job: c.a, Level: s.options[c.a][c.b].level}}
}

func (s *levelSearch) leaf(o *levelNode) proofLeaf {
	l := &levelLeaf{value: o.d.Bound(s.most)}
	l.Empty = o.verdict == closed && o.d.Value < s.goal()
	for _, m := range o.d.Multipliers(l.Empty) {
		if m.Tag != nil {
			l.At, l.Price = append(l.At, m.Tag.line.(float64)), append(l.Price, significant(m.Y*m.Tag.unit, 12))
		}
	}
	return l
}

// A levelLeaf closes a node: prices of moments.
type levelLeaf struct {
	proof.DeadlineLeaf
	value float64 // the bound that they prove, if the node is not empty
}

func (l *levelLeaf) bound() float64 {
	if l.Empty {
		return inf
	}
	return l.value
}

func (l *levelLeaf) reaches(goal float64) bool { return l.bound() >= goal }

func (l *levelLeaf) write(w *proofWriter) {
	w.lines = append(w.lines, proof.DeadlineLine{Leaf: &l.DeadlineLeaf})
}

// limits adds the violated rows 1 ≥ y_j1 ≥ y_j2 ≥ … and those of the levels that are ruled out.
func (s *levelSearch) limits(o *levelNode) bool {
	found := false
	coef := make([]float64, s.vars)
	for i, y := range o.y {
		j := s.job[i]
		k := i - s.first[j] + 1 // y: job j reaches level k
		switch {
		case k <= o.from[j] && y < 1-stepTolerance:
			coef[i] = 1
			o.d.Add(coef, 1, false, nil)
		case k > o.to[j] && y > stepTolerance:
			coef[i] = -1
			o.d.Add(coef, 0, false, nil)
		case k == 1 && y > 1+stepTolerance:
			coef[i] = -1
			o.d.Add(coef, -1, false, nil)
		case k > 1 && y > o.y[i-1]+stepTolerance:
			coef[i-1], coef[i] = 1, -1
			o.d.Add(coef, 0, false, nil)
		default:
			continue
		}
		found = true
		clear(coef[max(0, i-1) : i+1])
	}
	return found
}

// stepTolerance is the allowed difference of a step from its place, wholeTolerance from a whole number: a smaller share of a
// step mends no row.
const (
	stepTolerance  = cutTolerance
	wholeTolerance = 1e-12
)

// cut adds the moments that are violated most.
func (s *levelSearch) cut(ctx context.Context, o *levelNode) bool {
	type part struct {
		job         int
		time, share float64
	}
	var parts []part // of jobs that complete at a time
	for j, list := range s.options {
		reached := 1.0
		for k, option := range list {
			next := 0.0
			if k+1 < len(list) {
				next = o.y[s.first[j]+k]
			}
			if reached != next {
				parts = append(parts, part{j, option.time, reached - next})
			}
			reached = next
		}
	}
	type violation struct {
		m  int
		by float64
	}
	var list []violation
	for i, m := range s.moments {
		by := -m.possible
		for _, p := range parts {
			by += p.share * s.done(p.job, p.time, m.time)
		}
		if by > 0 {
			list = append(list, violation{i, by / m.steps})
		}
		if ctx.Err() != nil {
			return false
		}
	}
	slices.SortStableFunc(list, func(a, b violation) int { return cmp.Compare(b.by, a.by) })
	added := 0
	for _, v := range list {
		coef, need, origin := s.row(s.moments[v.m])
		by := need
		for k, c := range coef {
			by -= c * o.y[k]
		}
		if by > stepTolerance {
			o.d.Add(coef, need, false, origin)
			added++
		}
		if added == mostCuts || ctx.Err() != nil {
			break
		}
	}
	return added > 0
}

// mostCuts is how many moments a program gets at once.
const mostCuts = 4

// offer takes every step that is taken in part, and then back what need not be taken, the dearest first.
func (s *levelSearch) offer(o *levelNode) {
	if s.proves != nil {
		return
	}
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
	if !s.fit.Fits(s.times, flex.RealizeTolerance) {
		return
	}
	if value < s.Threshold() { // before steps are taken back, since times that just fit may be worth more than they say
		s.take(s.times)
	}
	slices.SortStableFunc(list, func(a, b step) int { return cmp.Compare(b.gain, a.gain) })
	for _, t := range list {
		options := s.options[t.job]
		for at[t.job] > 0 {
			s.times[t.job] = options[at[t.job]-1].time
			if !s.fit.Fits(s.times, flex.RealizeTolerance) {
				s.times[t.job] = options[at[t.job]].time
				break
			}
			value -= options[at[t.job]].penalty - options[at[t.job]-1].penalty
			at[t.job]--
		}
	}
	if value < s.Threshold() {
		s.take(s.times)
	}
}

const trialSteps = 4

// candidates are the steps that are taken most nearly half, weighted by cost; if none is taken in part, one that is not settled.
func (s *levelSearch) candidates(o *levelNode) (list []decision) {
	var unsettled []decision
	for i, y := range o.y {
		j := s.job[i]
		c := decision{a: j, b: i - s.first[j], score: min(y, 1-y) * o.d.Costs[i]}
		if c.b < o.from[j] || c.b >= o.to[j] {
			continue
		}
		unsettled = append(unsettled[:0], c)
		if min(y, 1-y) > wholeTolerance {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return unsettled
	}
	slices.SortStableFunc(list, func(a, b decision) int { return cmp.Compare(b.score, a.score) })
	return list[:min(len(list), trialSteps)]
}
