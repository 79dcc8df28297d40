package redundancy

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/exact/parallel"
	"schedgap/models/redundancy"
)

// tieTolerance is what may be left of a job's work when it counts as done.
const tieTolerance = 1e-12

// A copySearch is a depth-first branch-and-bound in continuous time for machines that are not shared. At an event it
// chooses the copies of all active jobs; they fix the time of the next event. Nothing else is left to choose, so the
// tree is finite.
type copySearch struct {
	in     *redundancy.Instance
	ctx    context.Context
	env    *envelope
	orders *orderBound
	prices *multipliers
	order  []int // jobs as they arrive
	path   []redundancy.Interval
	nodes  int64
	incumbent
}

// A state is what an event leaves behind.
type state struct {
	t       float64
	jobs    []int     // active ones, in order of their remaining work
	left    []float64 // that work
	arrived int       // how many of order have arrived
	sum     float64   // of the completion times so far
	paid    float64   // by their jobs, for completing when they do
}

func newCopySearch(ctx context.Context, in *redundancy.Instance) *copySearch {
	env := newEnvelope(ctx, in, len(in.Jobs))
	return &copySearch{
		in: in, ctx: ctx, env: env, orders: newOrderBound(env), order: byArrival(in), incumbent: newIncumbent(in),
	}
}

// byArrival lists the jobs as they arrive.
func byArrival(in *redundancy.Instance) []int {
	order := make([]int, len(in.Jobs))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(in.Jobs[i].Arrival, in.Jobs[j].Arrival) })
	return order
}

func (s *copySearch) arrival(i int) float64 { return s.in.Jobs[s.order[i]].Arrival }

// root is the first arrival.
func (s *copySearch) root() *state {
	at := &state{t: s.arrival(0)}
	s.admit(at)
	return at
}

// admit lets jobs arrive that arrive by now.
func (s *copySearch) admit(at *state) {
	for at.arrived < len(s.order) && s.arrival(at.arrived) <= at.t {
		j := s.order[at.arrived]
		w := s.in.Jobs[j].Work
		i, _ := slices.BinarySearch(at.left, w)
		at.jobs, at.left = slices.Insert(at.jobs, i, j), slices.Insert(at.left, i, w)
		at.arrived++
	}
}

// solveCopies proves the optimum without multitasking.
func solveCopies(ctx context.Context, p *redundancy.Pass, start *redundancy.Solution) (redundancy.Outcome, error) {
	s := newCopySearch(ctx, p.Instance)
	s.found = parallel.NewIncumbents(math.Inf(1), p.Improved)
	if start != nil {
		if v, ok := completionSum(p.Instance, *start); ok {
			s.best, s.bestPlan = v, *start
		}
	}
	root := s.root()
	if len(s.env.y) == len(s.order) {
		s.dive(root)
	}
	prices, v := ascend(ctx, p.Instance)
	if prices == nil {
		return withNodes(interrupted(p, s.bestPlan)), nil
	}
	s.prices = prices
	first := arrivals(p.Instance)
	bound := max(s.bound(root), v)
	p.Bounded(lowered(bound-first, bound))
	if root.arrived < len(s.order) {
		s.visit(root, bound)
	}
	return s.outcome(p, bound, s.nodes), nil
}

func withNodes(out redundancy.Outcome) redundancy.Outcome {
	out.Stats.Nodes = new(int64)
	return out
}

// dive keeps the greedy schedule, which is optimal once all jobs have arrived.
func (s *copySearch) dive(at *state) {
	var path []redundancy.Interval
	for at.arrived < len(s.order) {
		if s.ctx.Err() != nil {
			return
		}
		copies := s.env.allot(len(at.jobs))
		copies = append(copies, make([]int, len(at.jobs)-len(copies))...)
		next := s.next(at, copies)
		path = append(path, interval(at, copies, next.t))
		at = next
	}
	s.path = path
	s.settle(at)
	s.path = nil
}

// visit tries all copies of the active jobs, the most promising state first. bound is what was proven for the node.
func (s *copySearch) visit(at *state, bound float64) {
	if s.ctx.Err() != nil { // so that the way back does not prepare what it leaves out
		s.open = min(s.open, bound)
		return
	}
	s.nodes++
	type child struct {
		at     *state
		copies []int
		bound  float64
	}
	var children []child
	future := 0.0
	for i := at.arrived; i < len(s.order); i++ {
		future += s.prices.coming[s.order[i]]
	}
	now := make([]float64, len(s.order)) // by job: what it costs from here on
	for k, j := range at.jobs {
		now[j] = s.prices.cost(j, at.t, at.left[k], 0, math.Inf(1))
	}
	held := make([]int, len(s.order)) // by job: the machines of copies
	copies := make([]int, len(at.jobs))
	var try func(k, machines int)
	try = func(k, machines int) {
		if s.ctx.Err() != nil {
			return
		}
		if k < len(copies) {
			most := machines
			if k > 0 && at.left[k] == at.left[k-1] { // twins may change places
				most = min(most, copies[k-1])
			}
			for r := most; r >= 0; r-- {
				copies[k] = r
				try(k+1, machines-r)
			}
			return
		}
		next := s.next(at, copies)
		if next.arrived == len(s.order) {
			s.path = append(s.path, interval(at, copies, next.t))
			s.settle(next)
			s.path = s.path[:len(s.path)-1]
			return
		}
		for k, j := range at.jobs {
			held[j] = copies[k]
			if copies[k] > 0 && !slices.Contains(next.jobs, j) {
				next.paid += s.prices.paid(j, next.t)
			}
		}
		b := s.priced(next, at, future, now, held)
		if b < s.threshold() && len(next.jobs)+len(s.order)-next.arrived <= orderJobs {
			b = max(b, s.bound(next))
		}
		if b < s.threshold() {
			children = append(children, child{next, slices.Clone(copies), b})
		}
	}
	try(0, s.in.Machines)
	if s.ctx.Err() != nil {
		s.open = min(s.open, bound)
		return
	}
	slices.SortStableFunc(children, func(a, b child) int { return cmp.Compare(a.bound, b.bound) })
	for _, c := range children {
		if c.bound >= s.threshold() {
			break
		}
		s.path = append(s.path, interval(at, c.copies, c.at.t))
		s.visit(c.at, c.bound)
		s.path = s.path[:len(s.path)-1]
	}
}

// priced is a bound of the prices for a state after the state before, given what the jobs cost that had not arrived there; it is the best one
// unless a lesser one cuts the state off. What a job costs from now on is at least what it cost before, less what the machines cost that it
// held.
func (s *copySearch) priced(at, before *state, future float64, now []float64, held []int) float64 {
	worth := s.prices.left(at.t)
	price := (s.prices.left(before.t) - worth) / float64(s.in.Machines) // of a machine from before on
	arrived := s.order[before.arrived:at.arrived]
	sum := at.sum + at.paid + future - worth
	fastest := s.env.h[s.in.Machines]
	least := func(j int, left float64) float64 {
		return max(at.t+left/fastest, lowered(now[j]-float64(held[j])*price, now[j]+worth))
	}
	for k, j := range at.jobs {
		if !slices.Contains(arrived, j) {
			sum += least(j, at.left[k])
		}
	}
	for k, j := range at.jobs {
		if slices.Contains(arrived, j) {
			continue
		}
		if b := lowered(sum, sum+worth); b >= s.threshold() {
			return b
		}
		low := least(j, at.left[k])
		sum += max(low, s.prices.cost(j, at.t, at.left[k], 0, math.Inf(1))) - low
	}
	return lowered(sum, sum+worth)
}

// rest are the unfinished jobs.
func (s *copySearch) rest(at *state) []pending {
	var jobs []pending
	for _, w := range at.left {
		jobs = append(jobs, pending{at.t, w})
	}
	for i := at.arrived; i < len(s.order); i++ {
		jobs = append(jobs, pending{s.arrival(i), s.in.Jobs[s.order[i]].Work})
	}
	return jobs
}

// settle completes the schedule of the path to a state with no more arrivals.
func (s *copySearch) settle(at *state) {
	sum := at.sum + float64(len(at.left))*at.t + s.env.weigh(slices.Clone(at.left))
	if sum >= s.best {
		return
	}
	s.best = sum
	path := append(slices.Clone(s.path), finish(s.in, s.env, at)...)
	s.bestPlan = redundancy.Solution{Speed: 1, Intervals: fromZero(path)}
	s.found.Found(s.best, s.bestPlan)
}

// finish is the optimal end of a schedule once all jobs have arrived.
func finish(in *redundancy.Instance, env *envelope, at *state) (path []redundancy.Interval) {
	at = &state{t: at.t, jobs: at.jobs, left: at.left, arrived: len(in.Jobs)}
	for len(at.left) > 0 {
		c := env.allot(len(at.left))
		c = append(c, make([]int, len(at.left)-len(c))...)
		next := follow(in, env, at, c, math.Inf(1))
		path = append(path, interval(at, c, next.t))
		at = next
	}
	return path
}

// next is the state at the next event, nil if there is none.
func (s *copySearch) next(at *state, copies []int) *state {
	arrival := math.Inf(1)
	if at.arrived < len(s.order) {
		arrival = s.arrival(at.arrived)
	}
	to := follow(s.in, s.env, at, copies, arrival)
	if to != nil {
		s.admit(to)
	}
	return to
}

// follow is the state at the next completion, or at end if that is earlier.
func follow(in *redundancy.Instance, env *envelope, at *state, copies []int, end float64) *state {
	for k, r := range copies {
		if r > 0 {
			end = min(end, at.t+at.left[k]/env.h[r])
		}
	}
	if math.IsInf(end, 1) {
		return nil
	}
	to := &state{t: end, arrived: at.arrived, sum: at.sum, paid: at.paid}
	n := len(at.jobs)
	to.jobs, to.left = make([]int, 0, n+1), make([]float64, 0, n+1)
	for k, r := range copies {
		j := at.jobs[k]
		left := at.left[k] - env.h[r]*(end-at.t)
		if r > 0 && (left <= tieTolerance*in.Jobs[j].Work || at.t+at.left[k]/env.h[r] <= end) {
			to.sum += end
			continue
		}
		i, _ := slices.BinarySearch(to.left, left)
		to.jobs, to.left = slices.Insert(to.jobs, i, j), slices.Insert(to.left, i, left)
	}
	return to
}

// bound is a lower bound on the sum of all completion times from a state on.
func (s *copySearch) bound(at *state) float64 {
	return at.sum + s.orders.bound(at.t, s.rest(at))
}

// interval is what the active jobs get until end.
func interval(at *state, copies []int, end float64) redundancy.Interval {
	iv := redundancy.Interval{Start: at.t, End: end}
	for k, r := range copies {
		if r > 0 {
			iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: at.jobs[k], Copies: r, Share: 1})
		}
	}
	slices.SortFunc(iv.Alloc, func(a, b redundancy.Allocation) int { return cmp.Compare(a.Job, b.Job) })
	return iv
}

// fromZero copies intervals, with an idle one ahead of them if they begin later than 0.
func fromZero(list []redundancy.Interval) []redundancy.Interval {
	if len(list) == 0 || list[0].Start <= 0 {
		return slices.Clone(list)
	}
	return append([]redundancy.Interval{{End: list[0].Start}}, list...)
}
