package redundancy

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"schedgap/exact/parallel"
	"schedgap/models/redundancy"
)

// shareTolerance is the share of an interval's length above which copies count as chosen.
const shareTolerance = 1e-9

// settleTolerance is how far, relative to the sum of flowtimes, the bound of a program may be below its schedule's value.
const settleTolerance = 1e-9

// A shareSearch is a branch-and-bound over timelines, for machines that are shared (docs/design/redundancy.md#shared-machines).
// In the order of the periods between arrivals it decides which jobs complete in a period, then in what order, and after the
// last arrival which of the others completes next. The linear program of a timeline (program.go) then finds the lengths of the
// gaps and the shares; copies that it mixes are branched on.
type shareSearch struct {
	*periods
	order []int   // jobs as they arrive
	limit float64 // the threshold at the root
	nodes int64
	stack []*vertex
	incumbent
}

// A vertex of the tree is a timeline with prices of work and the bound that they prove.
type vertex struct {
	line  *timeline
	u     []float64
	bound float64
	value float64 // what u proves
}

// solveShares proves the optimum with multitasking.
func solveShares(ctx context.Context, p *redundancy.Pass, start *redundancy.Solution) (redundancy.Outcome, error) {
	in := p.Instance
	c := newCopySearch(ctx, in)
	c.found = parallel.NewIncumbents(math.Inf(1), p.Improved)
	if start != nil {
		if v, ok := completionSum(in, *start); ok {
			c.best, c.bestPlan = v, *start
		}
	}
	if len(c.env.y) == len(c.order) {
		c.dive(c.root())
	}
	m, root := ascend(ctx, in)
	if m == nil {
		return withNodes(interrupted(p, c.bestPlan)), nil
	}
	p.Bounded(lowered(root-c.arrivals, root))
	list := newPeriods(ctx, in, c.env)
	if !list.priced(m, root, c.threshold()) {
		return withNodes(interrupted(p, c.bestPlan)), nil
	}
	s := &shareSearch{periods: list, order: c.order, limit: c.threshold(), incumbent: c.incumbent}
	s.search(p.Threads)
	return s.outcome(p, root, s.nodes), nil
}

// A round of the search visits roundNodes nodes in each of roundParts subtrees, few as long as there are fewer, and then the best incumbent
// is known to all. So the tree depends on these counts, and neither on threads nor on time.
const (
	roundParts = 16
	roundNodes = 256
	fewNodes   = 8
)

// search visits the tree in rounds.
func (s *shareSearch) search(threads int) {
	threads = max(1, min(threads, roundParts))
	scratch := make([]*periods, threads) // curves are made by each thread for itself, all alike
	for i := range scratch {
		own := *s.periods
		own.curves = map[[4]int]*curve{}
		scratch[i] = &own
	}
	stacks := [][]*vertex{{{line: &timeline{}, u: make([]float64, len(s.order)), bound: s.periods.bound}}}
	for len(stacks) > 0 {
		for i := 0; i < len(stacks) && len(stacks) < roundParts; {
			if list := stacks[i]; len(list) > 1 { // the largest subtree becomes a part
				stacks[i] = list[1:]
				stacks = append(stacks, list[:1:1])
			} else {
				i++
			}
		}
		most := int64(roundNodes)
		if len(stacks) < roundParts {
			most = fewNodes
		}
		parts := make([]*shareSearch, len(stacks))
		parallel.Each(threads, len(parts), func(thread, i int) {
			part := *s
			part.periods, part.stack, part.nodes = scratch[thread], stacks[i], 0
			part.dive(most)
			parts[i] = &part
		})
		stacks = stacks[:0]
		for _, part := range parts {
			s.nodes += part.nodes
			s.open = min(s.open, part.open)
			if part.best < s.best {
				s.best, s.bestPlan = part.best, part.bestPlan
			}
			if len(part.stack) > 0 {
				stacks = append(stacks, part.stack)
			}
		}
		if s.ctx.Err() != nil {
			break
		}
	}
	for _, list := range stacks {
		for _, v := range list {
			s.open = min(s.open, v.bound)
		}
	}
}

// dive visits at most so many nodes of the stack.
func (s *shareSearch) dive(most int64) {
	for len(s.stack) > 0 && s.nodes < most && s.ctx.Err() == nil {
		v := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		if v.bound < s.threshold() {
			s.visit(v)
		}
	}
}

// visit bounds a node, and puts those that follow from it on the stack.
func (s *shareSearch) visit(v *vertex) {
	s.nodes++
	p := s.program(v.line)
	u := slices.Clone(v.u)
	value := p.solve(s.threshold(), u)
	if s.ctx.Err() != nil { // the program may not be solved
		s.stack = append(s.stack, v)
		return
	}
	v.bound, v.u, v.value = max(value, v.bound), u, value
	if v.bound >= s.threshold() {
		return
	}
	var children []*vertex
	switch {
	case !p.last:
		children = s.lists(v)
	case s.settled(p):
		children = s.split(v, p)
	default:
		children = s.orders(v, p)
	}
	slices.SortStableFunc(children, func(a, b *vertex) int { return cmp.Compare(b.bound, a.bound) })
	s.stack = append(s.stack, children...)
}

// pending are the jobs that a timeline does not complete and that have arrived by the beginning of its last period.
func (s *shareSearch) pending(line *timeline) []int {
	var list []int
	for _, j := range s.order {
		if s.of[j] > line.level {
			break
		}
		done := false
		for _, ends := range line.ends {
			done = done || slices.Contains(ends, j)
		}
		if !done {
			list = append(list, j)
		}
	}
	return list
}

// lists are the timelines that decide of a job whether it completes in the next period, or, once that is known of all, in what order.
func (s *shareSearch) lists(v *vertex) (children []*vertex) {
	k, last := v.line.level, len(s.begin)-1
	u := slices.Clone(v.u)
	threshold := s.threshold()
	line := *v.line
	line.now, line.later = slices.Clone(line.now), slices.Clone(line.later)
	pick, most := -1, -1.0
	var pickNow, pickLater float64
	for _, j := range s.pending(v.line) {
		if s.of[j] == k {
			all := s.curve(j, k, k, last, s.limit)
			most := math.Inf(-1)
			for i, v := range all.value {
				if v := v + s.unit[i]*all.work; v > most {
					most, u[j] = v, s.unit[i]
				}
			}
		}
		if slices.Contains(line.now, j) || slices.Contains(line.later, j) {
			continue
		}
		var now, later float64
		if s.of[j] == k {
			now, later = s.cost[j][k]-s.least[j], slices.Min(s.cost[j][k+1:])-s.least[j]
		} else {
			all, _, _ := s.curve(j, k, k, last, s.limit).at(s.unit, u[j])
			now, _, _ = s.curve(j, k, k, k, s.limit).at(s.unit, u[j])
			later, _, _ = s.curve(j, k, k+1, last, s.limit).at(s.unit, u[j])
			now, later = now-all, later-all
		}
		now, later = v.value+now, v.value+later
		now, later = lowered(now, v.value), lowered(later, v.value)
		switch {
		case now >= threshold && later >= threshold:
			return nil
		case now >= threshold:
			line.later = append(line.later, j)
		case later >= threshold:
			line.now = append(line.now, j)
		default:
			if m := min(now, later); m > most {
				pick, most, pickNow, pickLater = j, m, now, later
			}
		}
	}
	if pick >= 0 {
		a, b := line, line
		a.now = append(slices.Clone(a.now), pick)
		b.later = append(slices.Clone(b.later), pick)
		return append(children, &vertex{line: &a, u: v.u, bound: max(v.bound, pickNow)}, &vertex{line: &b, u: v.u, bound: max(v.bound, pickLater)})
	}
	used := make([]bool, len(line.now))
	var list []int
	var arrange func(of []int)
	arrange = func(of []int) {
		if len(list) == len(of) {
			line := &timeline{level: k + 1, ends: append(slices.Clone(v.line.ends), slices.Clone(list))}
			b := max(v.bound, s.program(line).bound(u, nil))
			if b < threshold {
				children = append(children, &vertex{line: line, u: u, bound: b})
			}
			return
		}
		for x, j := range of {
			if used[x] || s.twinBefore(of, used, x) {
				continue
			}
			used[x] = true
			list = append(list, j)
			arrange(of)
			list = list[:len(list)-1]
			used[x] = false
		}
	}
	slices.Sort(line.now)
	arrange(line.now)
	return children
}

// twinBefore reports whether a job equal to the x-th one comes before it and is not used.
func (s *shareSearch) twinBefore(of []int, used []bool, x int) bool {
	for y := range x {
		if !used[y] && twins(&s.in.Jobs[of[y]], &s.in.Jobs[of[x]]) {
			return true
		}
	}
	return false
}

func twins(a, b *redundancy.Job) bool { return a.Arrival == b.Arrival && a.Work == b.Work }

// orders are the timelines that say which of the jobs that are left after the last arrival completes next.
func (s *shareSearch) orders(v *vertex, p *program) (children []*vertex) {
	used := make([]bool, len(p.open))
	for x, j := range p.open {
		if s.twinBefore(p.open, used, x) {
			continue
		}
		u := v.u
		if y := s.env.y[len(p.open)-1]; u[j] > y {
			u = slices.Clone(u)
			u[j] = y
		}
		line := *v.line
		line.after = append(slices.Clone(line.after), j)
		b := max(v.bound, s.program(&line).bound(u, nil))
		if b < s.threshold() {
			children = append(children, &vertex{line: &line, u: u, bound: b})
		}
	}
	return children
}

// settled reports whether the jobs whose turn is open cost, in the order of their work left, what the program says.
func (s *shareSearch) settled(p *program) bool {
	cost := 0.0
	left := make([]float64, len(p.open))
	for i, c := range p.basis {
		if c.gap == mixed && p.x[i] > 0 {
			cost += p.x[i] * c.cost
			for x, j := range p.open {
				if p.work[j] < 0 || slices.ContainsFunc(c.hold, func(h portion) bool { return h.job == j }) {
					left[x] += p.x[i] * s.in.Jobs[j].Work
				}
			}
		}
	}
	v := s.env.weigh(left)
	return v-cost <= 1e-12*v
}

// split settles a full timeline, or splits the copies that its program mixes.
func (s *shareSearch) split(v *vertex, p *program) []*vertex {
	type mixture struct{ time, copies, most float64 }
	type key struct{ gap, job int }
	length := p.lengths()
	hold := map[key][]float64{} // by copies
	for i, c := range p.basis {
		if c.gap < 0 || p.x[i] <= 0 {
			continue
		}
		for _, h := range c.hold {
			at := key{c.gap, h.job}
			if hold[at] == nil {
				hold[at] = make([]float64, s.in.Machines+1)
			}
			hold[at][h.copies] += p.x[i] * h.share
		}
	}
	worst, excess, mean := key{-1, 0}, 0.0, 0
	for q := range p.gaps {
		g := &p.gaps[q]
		for x, j := range g.jobs {
			m := mixture{}
			for r, t := range hold[key{q, j}] {
				if t > shareTolerance*length[q] {
					m = mixture{m.time + t, m.copies + t*float64(r), max(m.most, t)}
				}
			}
			if m.time-m.most > excess {
				worst, excess = key{q, j}, m.time-m.most
				mean = min(g.most[x]-1, max(1, g.least[x], int(m.copies/m.time)))
			}
		}
	}
	if worst.gap < 0 {
		s.settle(v, p, length)
		return nil
	}
	var children []*vertex
	for _, l := range []limit{{worst.gap, worst.job, 0, mean}, {worst.gap, worst.job, mean + 1, s.in.Machines}} {
		line := *v.line
		line.limit = append(slices.Clone(line.limit), l)
		children = append(children, &vertex{line: &line, u: v.u, bound: v.bound})
	}
	return children
}

// settle keeps the schedule of a solved program if it is the best so far.
func (s *shareSearch) settle(v *vertex, p *program, length []float64) {
	plan := s.plan(p, length)
	value, ok := completionSum(s.in, plan)
	if ok && value < s.best {
		s.best, s.bestPlan = value, plan
		s.found.Found(value, plan)
	}
	// Rounding may be in the way of a schedule that is better, or of the program's value as a bound.
	if !ok || v.bound < s.best-settleTolerance*(s.best-s.arrivals) {
		s.open = min(s.open, v.bound)
	}
}

// plan is the schedule of a solved program.
func (s *shareSearch) plan(p *program, length []float64) redundancy.Solution {
	t := s.begin[0]
	var path []redundancy.Interval
	left := make([]float64, len(s.order))
	for j := range left {
		left[j] = s.in.Jobs[j].Work
	}
	for q := range p.gaps {
		g := &p.gaps[q]
		iv := redundancy.Interval{Start: t, End: t + length[q]}
		for i, c := range p.basis {
			if c.gap != q || p.x[i] <= 0 {
				continue
			}
			for _, h := range c.hold {
				x := slices.IndexFunc(iv.Alloc, func(a redundancy.Allocation) bool { return a.Job == h.job })
				if x < 0 {
					x = len(iv.Alloc)
					iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: h.job})
				}
				a := &iv.Alloc[x]
				share := h.share * p.x[i] / length[q]
				if share > a.Share-shareTolerance {
					a.Copies = h.copies
				}
				a.Share += share
			}
		}
		iv.Alloc = slices.DeleteFunc(iv.Alloc, func(a redundancy.Allocation) bool { return a.Share <= shareTolerance })
		for i := range iv.Alloc {
			a := &iv.Alloc[i]
			a.Share = min(1, a.Share)
		}
		if g.ends < 0 || iv.End > s.begin[g.period+1] {
			iv.End = s.begin[g.period+1]
		}
		span := iv.End - iv.Start
		if span <= 0 || length[q] <= 0 {
			continue
		}
		for _, a := range iv.Alloc {
			left[a.Job] -= s.env.h[a.Copies] * a.Share * span
		}
		if g.ends >= 0 && !slices.ContainsFunc(iv.Alloc, func(a redundancy.Allocation) bool { return a.Job == g.ends }) {
			share := shareTolerance * min(1, s.in.Jobs[g.ends].Work/span)
			iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: g.ends, Copies: 1, Share: share})
		}
		slices.SortFunc(iv.Alloc, func(a, b redundancy.Allocation) int { return cmp.Compare(a.Job, b.Job) })
		path = append(path, iv)
		t = iv.End
	}
	rest := &state{t: s.begin[len(s.begin)-1]}
	for _, j := range append(slices.Clone(p.line.after), p.open...) {
		if left[j] <= tieTolerance*s.in.Jobs[j].Work {
			continue
		}
		i, _ := slices.BinarySearch(rest.left, left[j])
		rest.jobs, rest.left = slices.Insert(rest.jobs, i, j), slices.Insert(rest.left, i, left[j])
	}
	return redundancy.Solution{Speed: 1, Intervals: fromZero(append(path, finish(s.in, s.env, rest)...))}
}

var errTimeline = errors.New("redundancy: no times meet the order of events and the copies of the point")
