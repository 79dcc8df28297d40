package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
)

// packingSearch is a depth-first branch-and-bound over priority orders of the Malleable Packing Scheme: a node gives the
// first jobs of the order.
//
// In MPS every job's rate at any time is non-decreasing in the capacity and non-increasing in the set of the other
// unfinished jobs (docs/decisions/0004), so the completions of a prefix are bounded from below by packing it while each job
// behind it holds its minimum only until it could have ended at the earliest, and the capacity left for the jobs behind it
// is bounded from above by packing it while those hold their minima as long as these last.
type packingSearch struct {
	in       *flex.Instance
	packer   *flex.Packer
	best     float64
	order    []int // of the best
	found    bool
	improved func(order []int)
	nodes    int64
	open     float64
	same     [][]bool // same[i][j]: i < j are interchangeable
	floor    float64  // no schedule at all is better
	sim      prefixSim
	ends     [][]float64 // of each depth: earliest ends known
	scratch  [][]float64
	forever  []float64 // how long minima last
	bySmith  []int     // jobs by work per factor
	rank     []int     // jobs that cannot go up first, then by place in bySmith
	byWork   []int
	byDue    []int
}

func solvePackings(ctx context.Context, p *flex.Pass, start *flex.Schedule) (flex.Outcome, error) {
	in := p.Instance
	n := len(in.Jobs)
	s := &packingSearch{in: in, packer: flex.NewPacker(in), best: math.Inf(1), open: math.Inf(1), forever: make([]float64, n), sim: newPrefixSim(in)}
	s.improved = func(order []int) { p.Improved(s.packer.Pack(order)) }
	s.bySmith = byKey(in, func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) })
	s.rank = make([]int, n)
	for i, j := range s.bySmith {
		if s.rank[j] = i; in.Jobs[j].Min == in.Jobs[j].Max {
			s.rank[j] -= n
		}
	}
	s.byWork = byKey(in, func(j int) float64 { return in.Jobs[j].Work })
	if in.Objective.Metric.NeedsDeadline() {
		s.byDue = byKey(in, func(j int) float64 { return *in.Jobs[j].Deadline })
	}
	s.same = interchangeable(in)
	for range n + 1 {
		s.ends = append(s.ends, make([]float64, n))
		s.scratch = append(s.scratch, make([]float64, n))
	}
	for j := range in.Jobs {
		s.ends[0][j] = earliest(in, j)
		s.forever[j] = inf
		if m := in.Jobs[j].Min; m > 0 {
			s.forever[j] = in.Jobs[j].Work / float64(m)
		}
	}
	for _, order := range s.firstOrders() {
		s.descend(ctx, order)
	}
	s.floor = s.rootBound()
	p.Bounded(s.floor)
	if s.floor < s.threshold() {
		rest := slices.Clone(s.order)
		s.visit(ctx, make([]int, 0, n), rest)
	}
	out := flex.Outcome{Found: s.found, Status: models.Optimal, Stats: models.Stats{Nodes: &s.nodes}}
	if s.found {
		out.Solution = s.packer.Pack(s.order)
	}
	bound := min(s.best, max(s.floor, s.open))
	out.Bound = &bound
	if ctx.Err() != nil && bound < s.best {
		out.Status = models.Timeout
	}
	return out, nil
}

func (s *packingSearch) threshold() float64 { return s.best - pruneTolerance*math.Abs(s.best) }

// firstOrders are orders worth improving: by Smith's ratio, by due date and by work.
func (s *packingSearch) firstOrders() [][]int {
	orders := [][]int{s.bySmith}
	if s.byDue != nil {
		orders = append(orders, s.byDue)
	} else if s.in.Objective.Metric == flex.SLA {
		orders = append(orders, byKey(s.in, func(j int) float64 { return s.in.Jobs[j].Steps[0].At }))
	}
	if s.in.Objective.Aggregate == flex.Max {
		orders = append(orders, byKey(s.in, func(j int) float64 { return -earliest(s.in, j) }))
	}
	return orders
}

// descend improves an order by moving single jobs while that helps, and offers the result.
func (s *packingSearch) descend(ctx context.Context, order []int) {
	order = slices.Clone(order)
	n := len(order)
	value := s.in.Value(s.packer.Completions(order))
	for improved := true; improved && ctx.Err() == nil; {
		improved = false
		for i := 0; i+1 < n; i++ {
			order[i], order[i+1] = order[i+1], order[i]
			if v := s.in.Value(s.packer.Completions(order)); v < value {
				value, improved = v, true
			} else {
				order[i], order[i+1] = order[i+1], order[i]
			}
		}
	}
	s.offer(order, value)
}

func (s *packingSearch) offer(order []int, value float64) {
	if !s.found || value < s.best {
		s.best, s.order, s.found = value, slices.Clone(order), true
		s.improved(s.order)
	}
}

// rootBound is a bound on the true optimum, found quickly; for max objectives it is the true optimum.
func (s *packingSearch) rootBound() float64 {
	b, err := LowerBound(context.Background(), s.in)
	if err != nil {
		return math.Inf(-1)
	}
	return b
}

func (s *packingSearch) visit(ctx context.Context, prefix, rest []int) {
	s.nodes++
	n, depth := len(s.in.Jobs), len(prefix)
	if len(rest) <= 2 {
		order := append(append(make([]int, 0, n), prefix...), rest...)
		for range rest {
			if v := s.in.Value(s.packer.Completions(order)); v < s.best {
				s.offer(order, v)
			}
			order[n-1], order[n-2] = order[n-2], order[n-1]
		}
		return
	}
	type child struct {
		at    int // in rest
		bound float64
	}
	children := make([]child, 0, len(rest))
	known, ends, done := s.ends[depth], s.ends[depth+1], s.scratch[depth]
	copy(ends, known)
	path := append(prefix, 0)
	bounds := make([]float64, len(rest))
	for i, u := range rest {
		path[depth] = u
		s.sim.run(path, known, done)
		ends[u] = max(ends[u], done[u])
		v := s.in.Penalty(path[0], done[path[0]])
		for _, j := range path[1:] {
			if pen := s.in.Penalty(j, done[j]); s.in.Objective.Aggregate == flex.Max {
				v = max(v, pen)
			} else {
				v += pen
			}
		}
		bounds[i] = v
		// Of orders that give the same schedule only the one sorted by rank is searched.
		if depth > 0 && s.rank[u] < s.rank[path[depth-1]] && s.sim.swappable(path[depth-1], u) {
			bounds[i] = inf
		}
	}
	for i, u := range rest {
		if bounds[i] == inf || slices.ContainsFunc(rest, func(v int) bool { return s.same[v][u] }) {
			continue
		}
		path[depth] = u
		bound := s.combine(bounds[i], s.restBound(path, ends))
		if bound >= s.threshold() {
			continue
		}
		children = append(children, child{i, bound})
	}
	slices.SortStableFunc(children, func(a, b child) int { return cmp.Compare(a.bound, b.bound) })
	for _, c := range children {
		if c.bound >= s.threshold() {
			return
		}
		if ctx.Err() != nil {
			s.open = min(s.open, c.bound)
			return
		}
		next := make([]int, 0, len(rest)-1)
		next = append(append(next, rest[:c.at]...), rest[c.at+1:]...)
		path[depth] = rest[c.at]
		s.visit(ctx, path, next)
	}
}

func (s *packingSearch) combine(a, b float64) float64 {
	if s.in.Objective.Aggregate == flex.Max {
		return max(a, b)
	}
	return a + b
}

// restBound bounds the penalties of the jobs behind path from below: each job by the earliest end that is known of it, and
// all of them together by what path leaves them.
func (s *packingSearch) restBound(path []int, ends []float64) float64 {
	single := 0.0
	if s.in.Objective.Aggregate == flex.Max {
		single = math.Inf(-1)
	}
	behind := s.sim.behind(path)
	for j := range s.in.Jobs {
		if behind[j] {
			single = s.combine(single, s.in.Penalty(j, ends[j]))
		}
	}
	if s.in.Objective.Aggregate == flex.Max {
		return single
	}
	switch s.in.Objective.Metric {
	case flex.Response, flex.Stretch, flex.Lateness:
		s.sim.run(path, s.forever, s.scratch[len(s.scratch)-1])
		return max(single, s.sharedBound(behind))
	}
	return single
}

// sharedBound bounds Σ w_j C_j of the jobs behind the prefix that the simulator ran last, together: with U(t) the most
// work that they can have done by t, the work left of any set A of them is at least W(A) − U(t), and y_j, the integral of
// job j's remaining work, is at most W_j C_j − W_j²/(2 M_j). The least Σ w_j/W_j · y_j under y(A) ≥ ∫(W(A) − U)⁺ is greedy.
func (s *packingSearch) sharedBound(behind []bool) float64 {
	total, work, area := 0.0, 0.0, 0.0
	for _, j := range s.bySmith {
		if !behind[j] {
			continue
		}
		job := &s.in.Jobs[j]
		f := s.in.Factor(j)
		work += job.Work
		next := s.sim.leftover(work)
		total += f*(next-area)/job.Work + f*job.Work/(2*float64(job.Max))
		area = next
		if s.in.Objective.Metric == flex.Lateness {
			total -= f * *job.Deadline
		}
	}
	return total
}

// interchangeable finds pairs of jobs that differ in nothing that matters; the earlier in the file goes first.
func interchangeable(in *flex.Instance) [][]bool {
	same := make([][]bool, len(in.Jobs))
	for i := range same {
		same[i] = make([]bool, len(in.Jobs))
		for j := i + 1; j < len(in.Jobs); j++ {
			a, b := in.Jobs[i], in.Jobs[j]
			same[i][j] = a.Work == b.Work && a.Min == b.Min && a.Max == b.Max && in.Factor(i) == in.Factor(j) &&
				(!in.Objective.Metric.NeedsDeadline() || *a.Deadline == *b.Deadline) &&
				(in.Objective.Metric != flex.SLA || slices.Equal(a.Steps, b.Steps))
		}
	}
	return same
}
