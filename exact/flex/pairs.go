package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/exact/parallel"
	"schedgap/models"
	"schedgap/models/flex"
)

// pruneTolerance is how much better, relatively, a schedule must be to count: methods agree on optima to 1e-9.
const pruneTolerance = 1e-10

// A pairSearch is a depth-first branch-and-bound over which of two jobs completes first, for sum objectives with convex penalties. A node is
// bounded by a linear program over the completion times whose cuts know the orders that are settled, and by prices
// (docs/design/flex.md#convex-sums).
type pairSearch struct {
	in         *flex.Instance
	n          int
	threads    int
	relax      *relaxation
	curves     *curves // nil: no prices yet
	packer     *flex.Packer
	exact      *pourer
	best       float64
	bestPlan   flex.Schedule
	nodes      int64
	budget     int64       // of nodes; what is left then is open
	left       []*pairNode // what a part of the search left open
	scale      terms
	most       []float64 // of the program's variables
	incumbents *parallel.Incumbents[flex.Schedule]
	bounded    func(float64)
	open       float64 // least bound among the nodes that were left at a limit

	buf    curve
	hulls  []curve // of the node's windows, if hulled
	hulled bool
	cells  []float64
	terms  []term

	inverse             []float64 // of fix: the jobs' times in the nonbasic variables
	sum, extra, reduced []float64
}

const (
	firstNodes  = 200 // without prices
	ascents     = 4   // of the root's prices, each for the windows that the last one left
	ascentSteps = 1200
	rootRounds  = 200 // of cuts
	fullRounds  = 40
	trialRounds = 3 // for the children of a pair that is tried
	trialPairs  = 3
	mostStalled = 5
	mostFixes   = 3 // in a node
)

// solvePairs proves the optimum of a sum objective with convex penalties.
func solvePairs(ctx context.Context, p *flex.Pass, start *flex.Schedule) (flex.Outcome, error) {
	return searchPairs(ctx, p, start, firstNodes, ascentSteps)
}

// searchPairs turns to prices, ascended in so many steps at a time, after some nodes.
func searchPairs(ctx context.Context, p *flex.Pass, start *flex.Schedule, nodes int64, steps int) (flex.Outcome, error) {
	in, n := p.Instance, len(p.Instance.Jobs)
	s := &pairSearch{
		in: in, n: n, packer: flex.NewPacker(in), exact: newPourer(in).keepRates(), best: math.Inf(1), incumbents: parallel.NewIncumbents(math.Inf(1), p.Improved),
		bounded: p.Bounded, threads: p.Threads, terms: make([]term, n), hulls: make([]curve, n), scale: newTerms(in), budget: nodes,
	}
	if start != nil {
		if r := flex.Problem.Check(in, *start); r.Feasible(nil) && r.Objective != nil {
			s.best, s.bestPlan = *r.Objective, *start
		}
	}
	root := s.root(ctx)
	for i, row := range dominance(in) {
		copy(root.leq[i*n:], row)
	}
	s.polish(ctx, flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) }))
	v := s.solve(ctx, root, rootRounds)
	p.Bounded(s.bound(root))
	if v == undecided {
		s.polish(ctx, s.orderOf(root.times))
	}
	s.search(ctx, root, v)
	if s.open < s.threshold() && ctx.Err() == nil {
		pricer := newPricer(in, s.relax)
		for range ascents {
			if v != undecided || s.bound(root) >= s.threshold() || ctx.Err() != nil {
				break
			}
			if c := pricer.ascend(ctx, root.head, root.tail, s.best, steps); c != nil {
				s.curves = c
			}
			v = s.solve(ctx, root, rootRounds)
			p.Bounded(min(s.best, s.bound(root)))
			s.polish(ctx, s.orderOf(root.times))
		}
		s.budget = math.MaxInt64
		s.search(ctx, root, v)
	}
	out := flex.Outcome{Solution: s.bestPlan, Found: s.bestPlan != nil, Status: models.Optimal, Stats: models.Stats{Work: models.Work{Nodes: &s.nodes}}}
	floor := 0.0 // if every job had all slots: what rounding cannot take away where nobody need be tardy
	for j := range in.Jobs {
		floor += in.Penalty(j, earliest(in, j))
	}
	bound := min(s.best, max(floor, min(s.threshold(), s.open))) // nothing better than the threshold was looked for
	out.Bound = &bound
	if s.open < s.threshold() {
		out.Status = models.Feasible
		if ctx.Err() != nil {
			out.Status = models.Timeout
		}
	}
	return out, nil
}

// root is the node of all schedules, of the relaxation that s has from then on.
func (s *pairSearch) root(ctx context.Context) *pairNode {
	relax, d := newRelaxation(ctx, s.in)
	s.relax, s.most = relax, make([]float64, relax.vars)
	for j, t := range relax.tardyVar {
		s.most[j] = relax.late[j] - relax.early[j]
		if t >= 0 {
			s.most[t] = max(0, relax.late[j]-*s.in.Jobs[j].Deadline/relax.unit)
		}
	}
	return &pairNode{
		d: d, leq: make([]bool, s.n*s.n), head: slices.Clone(relax.early), tail: slices.Clone(relax.late),
		apart: slices.Repeat([]float64{math.Inf(1)}, s.n*s.n), times: make([]float64, s.n),
	}
}

// search searches all of root, which has the verdict v, or what the budget allows.
func (s *pairSearch) search(ctx context.Context, root *pairNode, v verdict) {
	s.open = math.Inf(1)
	if v == closed {
		return
	}
	first := root.clone()
	first.verdict, first.bound = v, s.bound(root)
	workers := make([]*pairSearch, max(1, s.threads))
	for i := range workers {
		workers[i] = s.worker(ctx)
	}
	found := make([]pairSearch, roundParts)
	f := frontier[*pairNode]{open: []*pairNode{first}, bound: func(o *pairNode) float64 { return o.bound }}
	f.work = func(ctx context.Context, thread, part int, o *pairNode) []*pairNode {
		w := workers[thread]
		w.curves, w.best, w.bestPlan, w.open = s.curves, s.best, nil, math.Inf(1)
		w.nodes, w.budget, w.left = 0, min(partNodes, 1+(s.budget-s.nodes)/roundParts), nil
		w.visit(ctx, o)
		found[part] = *w
		return w.left
	}
	f.merge = func(parts int, least float64) bool {
		for _, w := range found[:parts] {
			s.nodes += w.nodes
			s.open = min(s.open, w.open)
			if w.bestPlan != nil && w.best < s.best {
				s.keep(w.bestPlan, w.best)
			}
		}
		s.bounded(min(s.best, s.open, least))
		return s.nodes < s.budget
	}
	f.search(ctx, s.threads)
	s.open = min(s.open, f.least())
}

// worker is a search for parts of s, with memory of its own.
func (s *pairSearch) worker(ctx context.Context) *pairSearch {
	w := &pairSearch{
		in: s.in, n: s.n, packer: flex.NewPacker(s.in), exact: newPourer(s.in).keepRates(), scale: s.scale, most: s.most,
		terms: make([]term, s.n), hulls: make([]curve, s.n), incumbents: s.incumbents,
	}
	w.relax, _ = newRelaxation(ctx, s.in)
	return w
}

// threshold is the objective value from which on a bound cuts a node off.
func (s *pairSearch) threshold() float64 {
	if math.IsInf(s.best, 1) {
		return s.best
	}
	return s.best - s.scale.proofTolerance(s.best)
}

// bound is a bound on the objective in o.
func (s *pairSearch) bound(o *pairNode) float64 {
	return (o.d.bound(s.most) + s.relax.offset) * s.relax.worth
}

// worth is the size of the terms that the objective of in adds up; rounding errors go by it, also where they cancel, as
// lateness may.
func worth(in *flex.Instance) float64 { return newTerms(in).worth(math.Inf(1)) }

// terms are the parts of an objective's size: what completing at the horizon costs, and due dates.
type terms struct{ ends, due, dates float64 }

func newTerms(in *flex.Instance) (t terms) {
	h := horizon(in)
	for j := range in.Jobs {
		f := in.Factor(j)
		t.ends += f * h
		if !in.Objective.Metric.NeedsDeadline() {
			continue
		}
		// No job is tardy that is due after the horizon.
		if d := *in.Jobs[j].Deadline; d < h || in.Objective.Metric == flex.Lateness {
			t.due += f * max(0, d)
			t.dates += f * math.Abs(d)
		}
	}
	return t
}

// worth is the size of the terms in schedules whose sum is at most best: Σ f_j·C_j ≤ best + Σ f_j·d_j, which is far less than jobs of
// large factors cost at the horizon.
func (t terms) worth(best float64) float64 { return min(t.ends, max(0, best)+t.due) + t.dates }

// proofTolerance is by how much what a search cuts off may be better than the best value, for rounding.
func (t terms) proofTolerance(best float64) float64 {
	return pruneTolerance*math.Abs(best) + 1e-13*t.worth(best)
}

type verdict int8

const (
	undecided verdict = iota
	closed            // nothing better is in the node
	met               // the program's times can be met
)

// solve tightens o's program until it is closed, its times can be met, or nothing more is gained.
func (s *pairSearch) solve(ctx context.Context, o *pairNode, rounds int) verdict {
	goal := s.relax.cutoff(s.threshold())
	if !s.filter(o, goal+s.relax.offset) {
		return closed
	}
	last, stalled, renewed := math.Inf(-1), 0, false
	fixes := 0
	// more reports whether what can be fixed now gives the cuts another chance.
	more := func() bool {
		if rounds < fullRounds || fixes == mostFixes || renewed || !s.fix(o, goal) {
			return false
		}
		fixes++
		stalled = 0
		return true
	}
	for round, programs := 0, 0; ; programs++ {
		switch end := o.d.optimize(ctx, goal); {
		case end == exhausted:
			return undecided
		case end == noPoint && renewed, end == cutOff && o.d.bound(s.most) >= goal-boundTolerance*s.scale.worth(s.best)/s.relax.worth:
			return closed
		case end != solved && renewed:
			return undecided
		case end != solved: // through rounding on a long way of pivots, perhaps
			o.d, renewed = o.d.fresh(), true
			continue
		}
		for j := range o.times {
			o.times[j] = s.relax.early[j] + o.d.x(j)
		}
		if programs < 10*rounds+s.n && s.limits(o) { // rows that rounding keeps from holding are not added for ever
			continue
		}
		if round++; round > rounds {
			return undecided
		}
		if o.d.value-last < 0.01*(goal-o.d.value) {
			stalled++
		} else {
			stalled = 0
		}
		last = o.d.value
		found := false
		if stalled < mostStalled {
			copy(s.relax.times, o.times)
			found = s.moments(ctx, o)
			found = s.priced(o) || found
			found = s.relax.separateMachine(o.d) || found
			if !found && ctx.Err() == nil && s.excess(o) <= cutTolerance*float64(s.in.Slots) {
				return met
			}
		}
		if !found {
			if !more() {
				return undecided
			}
			if !s.filter(o, goal+s.relax.offset) {
				return closed
			}
		}
	}
}

// boundTolerance is what a bound may lack of the program's value by rounding.
const boundTolerance = 1e-12

// visit searches o. What it has no nodes or time for it adds to what is left.
func (s *pairSearch) visit(ctx context.Context, o *pairNode) {
	if s.nodes >= s.budget || ctx.Err() != nil {
		s.left = append(s.left, o)
		return
	}
	s.nodes++
	v := o.verdict
	if v == undecided {
		v = s.solve(ctx, o, fullRounds)
	}
	o.bound = max(o.bound, s.bound(o))
	if v == closed || o.bound >= s.threshold() {
		return
	}
	if v == met {
		s.take(o.times)
		if o.bound >= s.threshold() {
			return
		}
	} else {
		s.offer(s.orderOf(o.times))
	}
	list := s.candidates(o)
	if len(list) == 0 {
		s.settle(ctx, s.orderOf(o.times), o.bound)
		return
	}
	best := s.choose(ctx, o, list)
	if best[1].d.value < best[0].d.value {
		best[0], best[1] = best[1], best[0]
	}
	for _, c := range best {
		if c.verdict != closed {
			c.bound = max(o.bound, s.bound(c))
			s.visit(ctx, c)
		}
	}
}

// A pair of jobs in a node that does not say which of them completes first.
type pair struct {
	i, j  int
	score float64
}

// candidates are the pairs without an order through which jobs need most more than the slots; if there are none, one that there is.
func (s *pairSearch) candidates(o *pairNode) []pair {
	n := s.n
	score := make([]float64, n*n)
	for k := range n {
		sum := -float64(s.in.Slots) * o.times[k]
		for j := range n {
			sum += s.truly(o, j, k)
		}
		if sum <= 0 {
			continue
		}
		for j := range n {
			if j == k || o.leq[j*n+k] || o.leq[k*n+j] {
				continue
			}
			if lost := s.truly(o, j, k) - s.done(o, j, k).value; lost > 0 {
				score[min(j, k)*n+max(j, k)] += min(lost, sum)
			}
		}
	}
	var list []pair
	nearest := pair{i: -1, score: math.Inf(1)}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if v := score[i*n+j]; v > 0 {
				list = append(list, pair{i, j, v})
			}
			if d := math.Abs(o.times[i] - o.times[j]); d < nearest.score && !o.leq[i*n+j] && !o.leq[j*n+i] {
				nearest = pair{i, j, d}
			}
		}
	}
	if len(list) == 0 && nearest.i >= 0 {
		return []pair{nearest}
	}
	slices.SortStableFunc(list, func(a, b pair) int { return cmp.Compare(b.score, a.score) })
	return list[:min(len(list), trialPairs)]
}

// choose tries some pairs and returns the children of the one whose bounds rise most, by their product.
func (s *pairSearch) choose(ctx context.Context, o *pairNode, list []pair) (best [2]*pairNode) {
	whole := s.relax.cutoff(s.threshold()) - o.d.value
	most := math.Inf(-1)
	for _, p := range list {
		gain := 1.0
		var children [2]*pairNode
		for i, first := range []int{p.i, p.j} {
			c := o.clone()
			s.order(c, first, p.i+p.j-first)
			c.verdict = s.solve(ctx, c, trialRounds)
			s.nodes++
			if c.verdict == closed {
				gain *= whole
			} else {
				gain *= max(min(c.d.value-o.d.value, whole), whole*1e-4)
			}
			children[i] = c
		}
		if gain > most || best[0] == nil {
			best, most = children, gain
		}
		if children[0].verdict == closed || children[1].verdict == closed {
			return children
		}
	}
	return best
}

func (s *pairSearch) orderOf(times []float64) []int {
	return flex.OrderBy(s.in, func(j int) float64 { return times[j] })
}
