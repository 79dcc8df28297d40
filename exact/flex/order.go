package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
)

// pruneTolerance is how much better, relatively, a schedule must be to count: methods agree on optima to 1e-9.
const pruneTolerance = 1e-10

// orderSearch is a depth-first branch-and-bound over completion orders: a node gives the first jobs to complete.
type orderSearch struct {
	in       *flex.Instance
	relax    *relaxation
	packer   *flex.Packer
	exact    *pourer
	best     float64
	bestPlan flex.Schedule
	nodes    int64
	rounding float64  // of the objective
	before   [][]bool // before[i][j]: some optimal schedule completes i no later than j, for all such pairs at once
	improved func(flex.Schedule)
	open     float64 // least bound among the nodes that were left at a limit
}

// solveOrders proves the optimum of a sum objective with convex penalties.
func solveOrders(ctx context.Context, p *flex.Pass, start *flex.Schedule) (flex.Outcome, error) {
	in := p.Instance
	s := &orderSearch{in: in, packer: flex.NewPacker(in), exact: newPourer(in).keepRates(), best: math.Inf(1), improved: p.Improved, open: math.Inf(1)}
	if start != nil {
		if r := flex.Problem.Check(in, *start); r.Feasible(nil) && r.Objective != nil {
			s.best, s.bestPlan = *r.Objective, *start
		}
	}
	s.before, s.rounding = dominance(in), 1e-13*worth(in)
	relax, root := newRelaxation(ctx, in)
	s.relax = relax
	all := make([]int, len(in.Jobs))
	for j := range all {
		all[j] = j
	}
	s.offer(flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) }))
	if !relax.tighten(root, nil, all, math.Inf(1)) {
		return flex.Outcome{}, errNoSchedule
	}
	p.Bounded(relax.bound(root))
	s.take()
	s.visit(ctx, root, nil, all)
	out := flex.Outcome{Solution: s.bestPlan, Found: true, Status: models.Optimal, Stats: models.Stats{Work: models.Work{Nodes: &s.nodes}}}
	bound := min(s.best, s.open)
	out.Bound = &bound
	if s.open < s.threshold() {
		out.Status = models.Feasible
		if ctx.Err() != nil {
			out.Status = models.Timeout
		}
	}
	return out, nil
}

// threshold is the objective value from which on a bound cuts a node off.
func (s *orderSearch) threshold() float64 {
	return s.best - pruneTolerance*math.Abs(s.best) - s.rounding
}

// worth is the size of the terms that the objective of in adds up; rounding errors go by it, also where they cancel, as
// lateness may.
func worth(in *flex.Instance) float64 {
	h, sum := horizon(in), 0.0
	for j := range in.Jobs {
		t := h
		if in.Objective.Metric.NeedsDeadline() {
			t += math.Abs(*in.Jobs[j].Deadline)
		}
		sum += in.Factor(j) * t
	}
	return sum
}

// offer packs an order and keeps the schedule if it is the best so far.
func (s *orderSearch) offer(order []int) {
	if v := s.in.Value(s.packer.Completions(order)); v < s.best {
		s.best, s.bestPlan = v, s.packer.Pack(order)
		s.improved(s.bestPlan)
	}
}

// take keeps the schedule that meets the relaxation's completion times, if there is one and it is the best so far.
func (s *orderSearch) take() {
	times := make([]float64, len(s.in.Jobs))
	for j, t := range s.relax.times {
		times[j] = t * s.relax.unit
	}
	if plan, v, ok := realize(s.in, s.exact, times); ok && v < s.best {
		s.best, s.bestPlan = v, plan
		s.improved(plan)
	}
}

// settle solves a whole order again, whose linear program should have been exact but whose times could not be met, through
// rounding on the long way down to it. If that fails again, what is there is unknown, and the bound remains open.
func (s *orderSearch) settle(ctx context.Context, order []int, bound float64) {
	plan, fresh, err := solveOrder(ctx, s.in, order)
	if err == nil {
		if r := flex.Problem.Check(s.in, plan); r.Feasible(nil) && r.Objective != nil && *r.Objective < s.best {
			s.best, s.bestPlan = *r.Objective, plan
			s.improved(plan)
		}
		bound = max(bound, fresh)
	}
	if bound < s.threshold() {
		s.open = min(s.open, bound)
	}
}

func (s *orderSearch) visit(ctx context.Context, d *dictionary, prefix, rest []int) {
	s.nodes++
	if s.relax.bound(d) >= s.threshold() {
		return
	}
	if ctx.Err() != nil {
		s.open = min(s.open, s.relax.bound(d))
		return
	}
	order := slices.Clone(rest)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.x(a)+s.relax.early[a], d.x(b)+s.relax.early[b]) })
	s.offer(append(slices.Clone(prefix), order...))
	type child struct {
		job   int
		d     *dictionary
		bound float64
	}
	var children []child
	for _, u := range order {
		if slices.ContainsFunc(rest, func(v int) bool { return v != u && s.before[v][u] }) {
			continue
		}
		if ctx.Err() != nil {
			s.open = min(s.open, s.relax.bound(d))
			return
		}
		c := d.clone()
		c.prune()
		s.relax.follow(c, u, rest)
		next := slices.DeleteFunc(slices.Clone(rest), func(v int) bool { return v == u })
		path := append(slices.Clone(prefix), u)
		if len(next) == 1 {
			path, next = append(path, next[0]), nil
		}
		s.nodes++
		if !s.relax.tighten(c, path, next, s.relax.cutoff(s.threshold())) {
			continue
		}
		bound := s.relax.bound(c)
		if bound >= s.threshold() {
			continue
		}
		// Where the relaxation's times can be met as they are, nothing below is better.
		s.take()
		if bound >= s.threshold() {
			continue
		}
		if len(next) == 0 {
			s.settle(ctx, path, bound)
			continue
		}
		children = append(children, child{u, c, bound})
	}
	slices.SortStableFunc(children, func(a, b child) int { return cmp.Compare(a.bound, b.bound) })
	for _, c := range children {
		next := slices.DeleteFunc(slices.Clone(rest), func(v int) bool { return v == c.job })
		s.visit(ctx, c.d, append(slices.Clone(prefix), c.job), next)
	}
}

// dominance finds pairs that need be searched in one order only. Let jobs i and j have the same minimum and maximum,
// W_i ≤ W_j, and f_i(t) − f_j(t) non-decreasing in t. Where j completes before i, both can be given mixtures of the two
// allocations such that i completes when j did and j when i did, which costs no more (docs/decisions/0003-order-search.md). Among equals the
// file order decides, so the relation has no cycles.
func dominance(in *flex.Instance) [][]bool {
	n := len(in.Jobs)
	before := make([][]bool, n)
	for i := range before {
		before[i] = make([]bool, n)
		for j := range before[i] {
			before[i][j] = i != j && dominates(in, i, j) && (i < j || !dominates(in, j, i))
		}
	}
	return before
}

func dominates(in *flex.Instance, i, j int) bool {
	a, b := &in.Jobs[i], &in.Jobs[j]
	if a.Min != b.Min || a.Max != b.Max || a.Work > b.Work || in.Factor(i) < in.Factor(j) {
		return false
	}
	return in.Objective.Metric != flex.Tardiness || *a.Deadline <= *b.Deadline
}
