package redundancy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"schedgap/exact/prices"
	"schedgap/exact/tree"
	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/models"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// A search is a branch-and-bound over completion orders, completion windows and copies
// (docs/design/redundancy.md#the-search). Its nodes are the verifier's: exact/verify makes their children and decides
// what closes them, so a record of them is a proof.
type search struct {
	*masterProblem
	incumbent
	env    *envelope
	judges *verifyredundancy.Tree
	cutoff float64 // a proof's bound, 0: the search is for schedules
}

// A vertex is a node that is open. Of a proof it has the record.
type vertex struct {
	*verifyredundancy.Node
	bound  float64
	known  []*column
	prices *ascent // nil: none are ascended
	record *record
}

// A record is a node of a proof, nil children: the prices close it.
type record struct {
	node       proof.TreeNode
	prices     []any // lines of further ones, where there is only the child less
	open       bool
	less, more *record
}

// A listing is a tree in pre-order, with the lines of its further prices.
type listing struct {
	nodes  []proof.TreeNode
	lines  []any
	prices int
}

// list appends the nodes.
func (l *listing) list(r *record) {
	if r == nil || !r.open {
		return
	}
	if r.prices != nil {
		l.prices++
		r.node.Prices, l.lines = l.prices, append(l.lines, r.prices...)
	}
	l.nodes = append(l.nodes, r.node)
	l.list(r.less)
	l.list(r.more)
}

var (
	errBetter = errors.New("redundancy: a schedule may be worth less than the bound")
	errNodes  = errors.New("redundancy: the proof has too many nodes")
)

// solve proves the optimum.
func solve(ctx context.Context, p *redundancy.Pass) (models.End, error) {
	in := p.Instance
	s := &search{masterProblem: newMasterProblem(in), incumbent: newIncumbent(in, p.Ledger)}
	s.env = newEnvelope(ctx, in, len(in.Jobs))
	if len(s.env.Y) == len(in.Jobs) {
		s.offer(in, s.rounded(s.env, nil))
	}
	root := srptBound(ctx, in)
	p.Bound(root)
	climbing, stop := context.WithCancel(ctx)
	defer stop()
	if root >= s.Threshold() {
		stop()
	}
	c, lines := priceLines(climbing, in, func(b float64) {
		p.Bound(b)
		if b >= s.Threshold() {
			stop() // nothing is left to prove
		}
	})
	if c != nil {
		root = max(root, c.Best.Safe())
	}
	p.Bound(root)
	why := ""
	switch {
	case root >= s.Threshold():
	case len(in.Jobs) > verifyredundancy.MostJobs:
		why = fmt.Sprintf("the tree takes at most %d jobs", verifyredundancy.MostJobs)
	case c == nil:
		why = "there are no prices for the tree to begin with"
	case math.IsInf(s.Best, 1):
		why = "there is no schedule for the tree to begin with"
	default:
		return s.plant(ctx, p, c, lines, root)
	}
	s.tell(p.Ledger, root, root)
	return models.Ended(ctx, why, models.Stats{Work: models.Work{Nodes: new(int64(0))}}), nil
}

// plant searches the tree.
func (s *search) plant(ctx context.Context, p *redundancy.Pass, c *prices.Climb, lines []any, root float64) (models.End, error) {
	n, err := verifyredundancy.NewTree(s.in, lines)
	if err != nil {
		return models.End{}, err
	}
	s.judges = n
	t := s.tree(p.Threads, math.MaxInt64)
	t.Bounded = p.Bound
	t.Plant(&vertex{Node: n.Root(), bound: root, prices: s.coarse(c)})
	var search func(ctx context.Context) (models.End, error)
	search = func(ctx context.Context) (models.End, error) {
		s.learn(p.Ledger)
		t.Run(ctx)
		s.tell(p.Ledger, root, t.Open())
		end := models.Ended(ctx, "", models.Stats{Work: models.Work{Nodes: new(t.Nodes)}})
		end.Resume = search
		return end, nil
	}
	return search(ctx)
}

// tree is the search as a driver runs it. Its threads share what no visit changes.
func (s *search) tree(threads int, budget int64) *tree.Tree[*vertex, redundancy.Solution] {
	return &tree.Tree[*vertex, redundancy.Solution]{
		Search: s, Threads: threads, Budget: budget, Bounded: func(float64) {},
		Worker: func() tree.Search[*vertex, redundancy.Solution] { w := *s; return &w },
	}
}

// Begin implements tree.Search.
func (s *search) Begin(context.Context, *vertex, bool) {}

// Bound implements tree.Search.
func (s *search) Bound(v *vertex) float64 { return v.bound }

// Threshold implements tree.Search: the value from which on schedules are of no interest.
func (s *search) Threshold() float64 {
	if s.cutoff > 0 {
		return s.cutoff
	}
	return s.incumbent.threshold()
}

// target is the bound that the weights of a leaf should prove, rounding and shorter weights left aside.
func (s *search) target() float64 {
	if s.cutoff > 0 {
		return s.cutoff * (1 + pruneTolerance)
	}
	return (s.Best + s.Threshold()) / 2
}

// Visit implements tree.Search.
func (s *search) Visit(ctx context.Context, v *vertex) (out tree.Visited[*vertex]) {
	if (v.record == nil && v.bound >= s.Threshold()) || v.Closed(s.Threshold()) {
		return out
	}
	var q *branching
	known, few := v.known, v.prices == nil || s.few(v)
	if v.prices != nil && (!few || float64(v.width()) <= narrowed*float64(v.prices.width)) {
		out.Long = true
		q = s.ascend(ctx, v)
		if v.Closed(s.Threshold()) {
			return out
		}
		few = s.few(v)
	}
	v.bound = max(v.bound, v.Least())
	switch {
	case !few && q != nil:
	case s.tooMany(v.Node):
		q = s.split(v.Node)
	default:
		x, err := s.solve(v, v.known, s.target())
		if err != nil {
			return s.leave(v, err)
		}
		known = x.known
		var closed bool
		q, closed = s.bySolution(v, x)
		if closed {
			return out
		}
	}
	if q == nil {
		return s.leave(v, errBetter)
	}
	less, more, err := v.Children(q.node)
	if err != nil {
		return s.leave(v, err)
	}
	out.Children = []*vertex{
		{Node: less, bound: v.bound, known: known, prices: v.prices},
		{Node: more, bound: v.bound, known: known, prices: v.prices},
	}
	if v.record != nil {
		*v.record = record{node: q.node, open: true, less: &record{}, more: &record{}}
		out.Children[0].record, out.Children[1].record = v.record.less, v.record.more
	}
	if !q.first {
		slices.Reverse(out.Children)
	}
	return out
}

// bySolution bounds a node by the solution of its program, offers the schedules that the solution's columns make, and picks a branching.
// closed says that there is nothing to branch for.
func (s *search) bySolution(v *vertex, x *lpSolution) (q *branching, closed bool) {
	if s.closes(v, x) {
		return nil, true
	}
	v.bound = max(v.bound, x.bound)
	gaps, chain := s.gaps(x)
	if v.record == nil && len(x.columns) > 0 {
		before := s.Best
		s.offer(s.in, s.rounded(s.env, gaps))
		if chain && s.in.Multitasking {
			if plan, ok := s.shared(s.env, gaps); ok {
				s.offer(s.in, plan)
			}
		}
		if s.Best < before && s.closes(v, x) {
			return nil, true
		}
	}
	return s.branch(v.Node, x, gaps), false
}

// leave gives up a node, and a proof with it.
func (s *search) leave(v *vertex, err error) (out tree.Visited[*vertex]) {
	if v.record != nil {
		out.Err = err
	}
	out.Undecided = v.bound < s.Threshold()
	return out
}

// mostSets is the largest number of sets of jobs in an interval that a linear program is made of.
const mostSets = 1 << 14

func (s *search) tooMany(n *verifyredundancy.Node) bool {
	for k := range s.begin {
		if sets, err := n.Sets(k); err != nil || len(sets) > mostSets {
			return true
		}
	}
	return false
}

// closes reports whether the weights of a point close a node, and records them.
func (s *search) closes(v *vertex, x *lpSolution) bool {
	if !(x.bound >= s.target()) {
		return false
	}
	if v.record == nil {
		w := slices.Clone(x.weights) // after the last arrival no rounding may be left
		for j := range w {
			w[j] -= 1e-13 * math.Abs(w[j])
		}
		proven, err := v.Bound(w)
		return err == nil && proven >= s.Threshold()
	}
	w := shortest(v.Node, x.weights, s.cutoff)
	if w == nil {
		return false
	}
	*v.record = record{node: proof.TreeNode{Weights: w}, open: true}
	return true
}

// shortest are the weights with as few digits as prove the bound, nil: none do.
func shortest(n *verifyredundancy.Node, weights []float64, bound float64) []float64 {
	for _, digits := range []int{3, 5, 8, 12, 15} {
		for less := range 2 { // one less in the last digit: after the last arrival no rounding may be left
			list := make([]float64, len(weights))
			for j, v := range weights {
				if v != 0 {
					unit := math.Floor(math.Log10(math.Abs(v))) - float64(digits) + 1
					whole := math.Floor(v/math.Pow(10, unit)*(1+1e-15)) - float64(less)
					list[j], _ = strconv.ParseFloat(strconv.FormatFloat(whole, 'f', 0, 64)+"e"+strconv.Itoa(int(unit)), 64)
				}
			}
			if v, err := n.Bound(list); err == nil && v >= bound {
				return list
			}
		}
	}
	return nil
}

// proof is the tree below a node of a bound that proves the search's cutoff.
func (s *search) proof(ctx context.Context, n *verifyredundancy.Node, bound float64, from *ascent) (*listing, error) {
	root, t := &record{}, s.tree(1, provenNodes)
	t.Plant(&vertex{Node: n, bound: bound, prices: from, record: root})
	t.Run(ctx)
	if t.Err == nil && ctx.Err() == nil && len(t.Left) > 0 {
		t.Err = errNodes
	}
	l := &listing{nodes: []proof.TreeNode{}}
	l.list(root)
	return l, cmp.Or(t.Err, ctx.Err())
}
