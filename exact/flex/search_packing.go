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
// unfinished jobs (docs/design/flex.md#packing-orders), so the completions of a prefix are bounded from below by packing it
// while each job behind it holds its minimum only until it could have ended at the earliest, and the capacity left for the jobs
// behind it is bounded from above by packing it while those hold their minima as long as these last.
type packingSearch struct {
	in       *flex.Instance
	packer   *flex.Packer
	best     float64
	order    []int // of the best
	found    bool
	improved func(order []int)
	nodes    int64
	open     float64
	scale    terms
	same     [][]bool // same[i][j]: i < j are interchangeable
	floor    float64  // no schedule at all is better
	sim      prefixSim
	ends     [][]float64 // of each depth: earliest ends known
	scratch  [][]float64
	forever  []float64 // how long minima last
	bySmith  []int     // jobs by work per factor
	due      []float64 // deadlines, 0 where the metric has none
	alone    []float64 // penalties of the jobs behind a prefix at their earliest ends
	rest     []int
	rank     []int // jobs that cannot go up first, then by place in bySmith
}

func solvePackings(ctx context.Context, p *flex.Pass) (models.End, error) {
	in := p.Instance
	n := len(in.Jobs)
	s := &packingSearch{
		in: in, packer: flex.NewPacker(in), best: math.Inf(1), open: math.Inf(1), forever: make([]float64, n), sim: newPrefixSim(in),
	}
	s.improved = func(order []int) { p.Offer(s.packer.Pack(order)) }
	s.bySmith = flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) })
	s.scale = newTerms(in)
	s.rank = make([]int, n)
	for i, j := range s.bySmith {
		s.rank[j] = i
		if in.Jobs[j].Min == in.Jobs[j].Max {
			s.rank[j] -= n
		}
	}
	s.due, s.alone = make([]float64, n), make([]float64, n)
	for j := range in.Jobs {
		if in.Objective.Metric.NeedsDeadline() {
			s.due[j] = *in.Jobs[j].Deadline
		}
	}
	s.same = interchangeable(in)
	for range n + 1 {
		s.ends = append(s.ends, make([]float64, n))
		s.scratch = append(s.scratch, make([]float64, n))
	}
	for j := range in.Jobs {
		s.ends[0][j] = flex.Earliest(in, j)
		s.forever[j] = inf
		if m := in.Jobs[j].Min; m > 0 {
			s.forever[j] = in.Jobs[j].Work / float64(m)
		}
	}
	for _, order := range s.firstOrders() {
		s.descend(ctx, order)
	}
	s.floor = s.rootBound(ctx)
	p.Bound(s.floor)
	if s.floor < s.threshold() {
		rest := slices.Clone(s.order)
		s.visit(ctx, make([]int, 0, n), rest)
	}
	// Nothing better than the threshold was looked for.
	p.Bound(max(s.floor, min(s.open, s.threshold())))
	return models.Ended(ctx, "", models.Stats{Work: models.Work{Nodes: &s.nodes}}), nil
}

func (s *packingSearch) threshold() float64 {
	return s.best - s.scale.proofTolerance(s.best)
}

// firstOrders are orders worth improving: by Smith's ratio, by due date and by work.
func (s *packingSearch) firstOrders() [][]int {
	orders := [][]int{s.bySmith}
	if m := s.in.Objective.Metric; m.NeedsDeadline() || m == flex.SLA {
		orders = append(orders, flex.OrderBy(s.in, func(j int) float64 { d, _ := s.in.DueDate(j); return d }))
	}
	if s.in.Objective.Aggregate == flex.Max {
		orders = append(orders, flex.OrderBy(s.in, func(j int) float64 { return -flex.Earliest(s.in, j) }))
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
		for i := 0; i+1 < n && ctx.Err() == nil; i++ {
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

// rootNodes bounds the search for the true optimum of step penalties before the search for packings begins.
const rootNodes = 2000

// rootBound is a lower bound on the optimum over all malleable schedules, which is no more than that of moldable ones (opt ≤ opt-mps). For
// max objectives, and for step penalties unless they take too long, it is that optimum.
func (s *packingSearch) rootBound(ctx context.Context) float64 {
	if s.in.StepTimes(0) != nil {
		known := newIncumbent(s.in, nil)
		known.Best = s.best // only a better value is of interest
		search, root := newLevelSearch(known, nil)
		t := search.tree(1, rootNodes, func(float64) {})
		t.Plant(root)
		t.Run(ctx)
		return min(search.Threshold(), t.Open())
	}
	b, err := LowerBound(ctx, s.in)
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
			if len(rest) == 2 {
				order[n-1], order[n-2] = order[n-2], order[n-1]
			}
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
		if ctx.Err() != nil {
			s.open = math.Inf(-1) // the floor of the node above still holds
			return
		}
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
		if ctx.Err() != nil {
			s.open = math.Inf(-1)
			return
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
// sets of them together by what path leaves them.
func (s *packingSearch) restBound(path []int, ends []float64) float64 {
	single := 0.0
	if s.in.Objective.Aggregate == flex.Max {
		single = math.Inf(-1)
	}
	s.rest = s.rest[:0]
	behind := s.sim.behind(path)
	for _, j := range s.bySmith {
		if behind[j] {
			s.alone[j] = s.in.Penalty(j, ends[j])
			single = s.combine(single, s.alone[j])
			s.rest = append(s.rest, j)
		}
	}
	if s.in.Objective.Aggregate == flex.Max || s.in.StepTimes(0) != nil {
		return single
	}
	s.sim.run(path, s.forever, s.scratch[len(s.scratch)-1])
	// Jobs that are bounded better alone leave the set: what remains is bounded by itself.
	together := s.rest
	for best := single; ; {
		total, alone, keep := 0.0, 0.0, together[:0]
		work, area := 0.0, 0.0
		for _, j := range together {
			job, f := &s.in.Jobs[j], s.in.Factor(j)
			work += job.Work
			next := s.sim.leftover(work)
			v := f * ((next-area)/job.Work + job.Work/(2*float64(job.Max)))
			area = next
			if s.due[j] != 0 {
				v -= f * s.due[j]
			}
			total += v
			alone += s.alone[j]
			if v > s.alone[j] {
				keep = append(keep, j)
			}
		}
		best = max(best, total+single-alone)
		if len(keep) == len(together) || len(keep) == 0 {
			return best
		}
		together = keep
	}
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
