package redundancy

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"schedgap/models/redundancy"
)

// shareTolerance is the share of an interval's length above which copies count as chosen.
const shareTolerance = 1e-9

// A shareSearch is a branch-and-bound over completion orders, their interleavings with the arrivals, and the copies of
// the jobs between two events, for machines that are shared. For an order, a linear program finds the lengths of the
// intervals up to the last arrival and the shares; what it leaves of the jobs then costs what the envelope's weights
// say.
type shareSearch struct {
	in     *redundancy.Instance
	env    *envelope
	orders *orderBound
	order  []int // jobs as they arrive
	ctx    context.Context
	nodes  int64
	prices *windows
	incumbent
}

// A timeline is an order of events up to the last arrival, with the jobs that complete after it in a given order.
type timeline struct {
	gaps  []span
	after []int // jobs unfinished at the last arrival, the first to complete first
}

// A span lies between two events.
type span struct {
	active     []int // jobs
	least      []int // the least and the most copies that each may have; 0 and 0: none
	most       []int
	unfinished int
	arrived    int // jobs of the order that have arrived
	ends       int // the job that completes at its end, −1: the next one arrives
}

func (s *shareSearch) arrival(i int) float64 { return s.in.Jobs[s.order[i]].Arrival }

func newShareSearch(ctx context.Context, in *redundancy.Instance) *shareSearch {
	env := newEnvelope(ctx, in, len(in.Jobs))
	return &shareSearch{
		in: in, env: env, orders: newOrderBound(env), order: byArrival(in), ctx: ctx,
		incumbent: newIncumbent(in),
	}
}

// solveShares proves the optimum with multitasking. It starts from the optimum without.
func solveShares(ctx context.Context, p *redundancy.Pass, start *redundancy.Solution) (redundancy.Outcome, error) {
	s := newShareSearch(ctx, p.Instance)
	s.improved = p.Improved
	unshared := *p.Instance
	unshared.Multitasking = false
	alone := *p
	alone.Instance, alone.Bounded = &unshared, func(float64) {}
	out, err := solveCopies(ctx, &alone, nil)
	if err != nil {
		return out, err
	}
	for _, plan := range []*redundancy.Solution{&out.Solution, start} {
		if plan == nil {
			continue
		}
		if v, ok := completionSum(s.in, *plan); ok && v < s.best {
			s.best, s.bestPlan = v, *plan
		}
	}
	if len(s.env.y) < len(s.order) { // ctx has ended
		return interrupted(p, s.bestPlan), nil
	}
	m, b := ascend(ctx, p.Instance)
	if m == nil {
		return interrupted(p, s.bestPlan), nil
	}
	s.prices = newWindows(s.in, s.order, m)
	root := max(s.root(), b)
	s.visit(nil, 0, make([]float64, len(s.order)))
	return s.outcome(p, root, s.nodes+*out.Stats.Nodes), nil
}

// root is a lower bound on the sum of completion times.
func (s *shareSearch) root() float64 {
	var jobs []pending
	for i := range s.order {
		jobs = append(jobs, pending{s.arrival(i), s.in.Jobs[s.order[i]].Work})
	}
	return s.orders.bound(s.arrival(0), jobs)
}

// visit extends an order of completions by all jobs that are not in it; weight is what those in it weigh, and least[i] what they cost
// at least at the prices when the last of them completes no later than in window i.
func (s *shareSearch) visit(done []int, weight float64, least []float64) {
	s.nodes++
	n := len(s.order)
	bound := float64(n)*s.arrival(0) + weight
	k := n - len(done) - 1
	rest := slices.DeleteFunc(slices.Clone(s.order), func(j int) bool { return slices.Contains(done, j) })
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(s.in.Jobs[a].Work, s.in.Jobs[b].Work) })
	for i, j := range rest {
		bound += s.env.y[k-i] * s.in.Jobs[j].Work
	}
	if len(rest) == 0 {
		bound += s.lag(done)
	}
	if bound = max(bound, s.prices.bound(least, rest)); bound >= s.threshold() {
		return
	}
	if s.ctx.Err() != nil {
		s.open = min(s.open, bound)
		return
	}
	if len(rest) == 0 {
		s.interleave(done, &timeline{}, 0, 1, bound, 0)
		return
	}
	for i, j := range rest {
		if i > 0 && twins(&s.in.Jobs[rest[i-1]], &s.in.Jobs[j]) {
			continue
		}
		s.visit(append(slices.Clone(done), j), weight+s.env.y[k]*s.in.Jobs[j].Work, s.prices.after(least, j))
	}
}

func twins(a, b *redundancy.Job) bool { return a.Arrival == b.Arrival && a.Work == b.Work }

// lag is the orders' bound for one order.
func (s *shareSearch) lag(done []int) float64 {
	o := &orderSearch{orderBound: s.orders, t: s.arrival(0)}
	for i, j := range done {
		job := &s.in.Jobs[j]
		earliest := job.Arrival + job.Work/s.env.h[s.in.Machines]
		o.jobs = append(o.jobs, waiting{job.Arrival, job.Work, earliest, len(done) - 1 - i})
		o.order = append(o.order, i)
	}
	for i := range s.order {
		if a := s.arrival(i); a > o.t && (len(o.gaps) == 0 || a > o.gaps[len(o.gaps)-1]) {
			o.gaps = append(o.gaps, a)
		}
	}
	return o.lag()
}

// interleave decides how many jobs of a completion order complete before each arrival; paid is what the completed ones cost at least at
// the prices.
func (s *shareSearch) interleave(completions []int, line *timeline, completed, arrived int, bound, paid float64) {
	for arrived < len(s.order) && s.arrival(arrived) == s.arrival(arrived-1) {
		arrived++
	}
	if arrived == len(s.order) {
		bound = max(bound, s.prices.rest(paid, completions[completed:], len(s.order)-1))
		line.after = completions[completed:]
		s.branch(line, bound)
		return
	}
	if s.prices.rest(paid, completions[completed:], arrived-1) >= s.threshold() {
		return
	}
	g := s.span(completions[completed:], arrived)
	next := completions[completed:]
	if len(next) > 0 && slices.Contains(g.active, next[0]) {
		job := &s.in.Jobs[next[0]]
		if job.Arrival+job.Work/s.env.h[s.in.Machines] <= s.arrival(arrived) {
			g.ends = next[0]
			line.gaps = append(line.gaps, g)
			s.interleave(completions, line, completed+1, arrived, bound, paid+s.prices.cost[next[0]][arrived-1])
			line.gaps = line.gaps[:len(line.gaps)-1]
		}
	}
	g.ends = -1
	line.gaps = append(line.gaps, g)
	s.interleave(completions, line, completed, arrived+1, bound, paid)
	line.gaps = line.gaps[:len(line.gaps)-1]
}

// span is one with these unfinished jobs, any copies allowed.
func (s *shareSearch) span(unfinished []int, arrived int) span {
	g := span{unfinished: len(unfinished), arrived: arrived}
	for _, j := range s.order[:arrived] {
		if slices.Contains(unfinished, j) {
			g.active = append(g.active, j)
			g.least, g.most = append(g.least, 1), append(g.most, s.in.Machines)
		}
	}
	return g
}

// A hold is how long, in all, a job has some copies in a gap: its share times the gap's length.
type hold struct{ gap, slot, copies int }

// relax solves the linear program of a timeline, in which a job may mix the copies that it is allowed in a gap. It
// returns the holds and gap lengths as one vector, gaps first, and the sum of completion times.
func (s *shareSearch) relax(line *timeline) (x []float64, holds []hold, sum float64, ok bool) {
	for q, g := range line.gaps {
		for k := range g.active {
			for r := max(1, g.least[k]); r <= g.most[k]; r++ {
				holds = append(holds, hold{q, k, r})
			}
		}
	}
	gaps, n := len(line.gaps), len(s.order)
	l := &linear{cost: make([]float64, gaps+len(holds))}
	sum = float64(n) * s.arrival(0)
	work := make([][]float64, n)
	for i, j := range line.after {
		y := s.env.y[len(line.after)-1-i]
		sum += y * s.in.Jobs[j].Work
		for c, h := range holds {
			if line.gaps[h.gap].active[h.slot] == j {
				l.cost[gaps+c] -= y * s.env.h[h.copies]
			}
		}
	}
	between := make([][]float64, n)
	for q, g := range line.gaps {
		l.cost[q] = float64(g.unfinished)
		all := make([]float64, len(l.cost))
		all[q] = -float64(s.in.Machines)
		single := make([][]float64, len(g.active))
		for k := range single {
			single[k] = make([]float64, len(l.cost))
			single[k][q] = -1
		}
		for c, h := range holds {
			if h.gap != q {
				continue
			}
			all[gaps+c] = float64(h.copies)
			single[h.slot][gaps+c] = 1
			j := g.active[h.slot]
			if work[j] == nil {
				work[j] = make([]float64, len(l.cost))
			}
			work[j][gaps+c] = s.env.h[h.copies]
		}
		l.row(all, 0, false)
		for _, row := range single {
			l.row(row, 0, false)
		}
		if between[g.arrived] == nil {
			between[g.arrived] = make([]float64, len(l.cost))
		}
		between[g.arrived][q] = 1
	}
	for j := range work {
		completes := !slices.Contains(line.after, j)
		if work[j] == nil {
			if completes {
				return nil, nil, 0, false
			}
			continue
		}
		l.row(work[j], s.in.Jobs[j].Work, completes)
	}
	for i, row := range between {
		if row != nil {
			l.row(row, s.arrival(i)-s.arrival(i-1), true)
		}
	}
	x, v, ok := l.solve()
	return x, holds, sum + v, ok
}

// branch splits the copies that the linear program mixes until it mixes none.
func (s *shareSearch) branch(line *timeline, bound float64) {
	s.nodes++
	if s.ctx.Err() != nil {
		s.open = min(s.open, bound)
		return
	}
	x, holds, sum, ok := s.relax(line)
	if !ok || sum >= s.threshold() {
		return
	}
	// The mixture with the largest lesser part is split at its mean.
	type mixture struct{ time, copies, most float64 }
	mixtures := map[[2]int]mixture{}
	var worst [2]int
	excess := 0.0
	for c, h := range holds {
		key, v := [2]int{h.gap, h.slot}, x[len(line.gaps)+c]
		if v <= shareTolerance*x[h.gap] {
			continue
		}
		m := mixtures[key]
		m = mixture{m.time + v, m.copies + v*float64(h.copies), max(m.most, v)}
		mixtures[key] = m
		if m.time-m.most > excess {
			worst, excess = key, m.time-m.most
		}
	}
	if excess == 0 {
		s.settle(line, x, holds, sum)
		return
	}
	g, k, m := &line.gaps[worst[0]], worst[1], mixtures[worst]
	mean := min(g.most[k]-1, max(g.least[k], int(m.copies/m.time)))
	least, most := g.least[k], g.most[k]
	g.most[k] = mean
	s.branch(line, sum)
	g.least[k], g.most[k] = mean+1, most
	s.branch(line, sum)
	g.least[k] = least
}

// settle keeps the schedule of a solved timeline if it is the best so far.
func (s *shareSearch) settle(line *timeline, x []float64, holds []hold, sum float64) {
	plan := s.plan(line, x, holds)
	v, ok := completionSum(s.in, plan)
	if !ok { // rounding in the way of a schedule that may be better
		s.open = min(s.open, sum)
		return
	}
	if v < s.best {
		s.best, s.bestPlan = v, plan
		s.improved(plan)
	}
}

var errTimeline = errors.New("redundancy: no times meet the order of events and the copies of the point")

// plan builds the schedule of a timeline's solution. A job that completes at the end of a gap in which it holds nothing,
// since less and less is better, holds a share too small to matter.
func (s *shareSearch) plan(line *timeline, x []float64, holds []hold) redundancy.Solution {
	t := s.arrival(0)
	var path []redundancy.Interval
	left := make([]float64, len(s.order))
	for j := range left {
		left[j] = s.in.Jobs[j].Work
	}
	for q, g := range line.gaps {
		iv := redundancy.Interval{Start: t, End: t + x[q]}
		if g.ends < 0 || iv.End > s.arrival(g.arrived) {
			iv.End = s.arrival(g.arrived)
		}
		length := iv.End - iv.Start
		for c, h := range holds {
			v := x[len(line.gaps)+c]
			if h.gap != q || v <= shareTolerance*x[q] || length <= 0 || x[q] <= 0 {
				continue
			}
			j := g.active[h.slot]
			iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: j, Copies: h.copies, Share: min(1, v/x[q])})
			left[j] -= s.env.h[h.copies] * v
		}
		holds := func(a redundancy.Allocation) bool { return a.Job == g.ends }
		if length > 0 && g.ends >= 0 && !slices.ContainsFunc(iv.Alloc, holds) {
			share := shareTolerance * min(1, s.in.Jobs[g.ends].Work/length)
			iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: g.ends, Copies: 1, Share: share})
		}
		slices.SortFunc(iv.Alloc, func(a, b redundancy.Allocation) int { return cmp.Compare(a.Job, b.Job) })
		if length > 0 {
			path = append(path, iv)
			t = iv.End
		}
	}
	rest := &state{t: s.arrival(len(s.order) - 1)}
	for _, j := range line.after {
		if left[j] <= tieTolerance*s.in.Jobs[j].Work {
			continue
		}
		i, _ := slices.BinarySearch(rest.left, left[j])
		rest.jobs, rest.left = slices.Insert(rest.jobs, i, j), slices.Insert(rest.left, i, left[j])
	}
	return redundancy.Solution{Speed: 1, Intervals: fromZero(append(path, finish(s.in, s.env, rest)...))}
}
