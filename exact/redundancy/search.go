package redundancy

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"schedgap/exact/parallel"
	"schedgap/exact/verify"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// A search is a branch-and-bound over completion orders, completion windows and copies
// (docs/design/redundancy.md#the-search). Its nodes are those of a proof, exact/verify makes their children and says what
// closes them, and a record of them is one.
type search struct {
	*program
	incumbent
	ctx    context.Context
	env    *envelope
	cutoff float64 // a proof's bound, 0: the search is for schedules
	stack  []*vertex
	nodes  int64
	err    error // that ends a proof
}

// A vertex is a node that is open. Of a proof it has the record.
type vertex struct {
	*verify.RedundancyNode
	bound  float64
	known  []*column
	record *record
}

// A record is a node of a proof, nil children: the prices close it.
type record struct {
	node       proof.TreeNode
	open       bool
	less, more *record
}

// list appends the nodes in pre-order.
func (r *record) list(nodes []proof.TreeNode) []proof.TreeNode {
	if r == nil || !r.open {
		return nodes
	}
	return r.more.list(r.less.list(append(nodes, r.node)))
}

// settleTolerance is how far, relative to the sum of flowtimes, the bound of a node with nothing left to branch on may be
// below the best schedule.
const settleTolerance = 1e-9

var (
	errBetter = errors.New("redundancy: a schedule may be worth less than the bound")
	errNodes  = errors.New("redundancy: the proof has too many nodes")
)

// solve proves the optimum.
func solve(ctx context.Context, p *redundancy.Pass, start *redundancy.Solution) (redundancy.Outcome, error) {
	in := p.Instance
	s := &search{program: newProgram(in), incumbent: newIncumbent(in, p.Improved), ctx: ctx}
	s.env = newEnvelope(ctx, in, len(in.Jobs))
	if start != nil {
		s.offer(in, *start)
	}
	if len(s.env.y) == len(in.Jobs) {
		s.offer(in, s.rounded(s.env, nil))
	}
	c, lines := priceLines(ctx, in)
	root := srptBound(ctx, in)
	if c != nil {
		root = max(root, c.Best.Safe())
	}
	p.Bounded(root)
	if s.open = root; root >= s.threshold() {
		return s.outcome(p, root, 0), nil
	}
	if c != nil && ctx.Err() == nil && !math.IsInf(s.best, 1) && len(in.Jobs) <= verify.RedundancyJobs {
		t, err := verify.NewRedundancyTree(in, lines)
		if err != nil {
			return redundancy.Outcome{}, err
		}
		s.open = math.Inf(1)
		s.rounds([]*vertex{{RedundancyNode: t.Root(), bound: root}}, p.Threads)
	}
	return s.outcome(p, root, s.nodes), nil
}

// threshold is the value from which on schedules are of no interest.
func (s *search) threshold() float64 {
	if s.cutoff > 0 {
		return s.cutoff
	}
	return s.incumbent.threshold()
}

// target is what the weights of a leaf are to prove, rounding and shorter weights left aside.
func (s *search) target() float64 {
	if s.cutoff > 0 {
		return s.cutoff * (1 + pruneTolerance)
	}
	return (s.best + s.threshold()) / 2
}

// A round of the search visits roundNodes nodes in each of roundParts subtrees, few as long as there are fewer, and then
// the best incumbent is known to all. So the tree depends on these counts, and neither on threads nor on time.
const (
	roundParts = 16
	roundNodes = 256
	fewNodes   = 8
)

// rounds visits the tree in rounds.
func (s *search) rounds(root []*vertex, threads int) {
	stacks := []*search{s.part(root)}
	for len(stacks) > 0 {
		for i := 0; i < len(stacks) && len(stacks) < roundParts; {
			if list := stacks[i].stack; len(list) > 1 { // the largest subtree becomes a part
				stacks[i].stack = list[1:]
				stacks = append(stacks, &search{stack: list[:1:1]})
			} else {
				i++
			}
		}
		most := int64(roundNodes)
		if len(stacks) < roundParts {
			most = fewNodes
		}
		for i, part := range stacks {
			stacks[i] = s.part(part.stack)
		}
		parallel.Each(max(1, threads), len(stacks), func(_, i int) { stacks[i].dive(most) })
		var left []*search
		for _, part := range stacks {
			s.nodes += part.nodes
			s.open = min(s.open, part.open)
			if part.best < s.best {
				s.best, s.bestPlan = part.best, part.bestPlan
			}
			if s.err == nil {
				s.err = part.err
			}
			if len(part.stack) > 0 {
				left = append(left, part)
			}
		}
		if s.cutoff > 0 && s.nodes > provenNodes {
			s.err = errNodes
		}
		if stacks = left; s.ctx.Err() != nil || s.err != nil {
			break
		}
	}
	for _, part := range stacks {
		for _, v := range part.stack {
			s.open = min(s.open, v.bound)
		}
	}
}

// part is a search of a subtree.
func (s *search) part(stack []*vertex) *search {
	part := *s
	part.stack, part.nodes = stack, 0
	return &part
}

// dive visits at most so many nodes of the stack.
func (s *search) dive(most int64) {
	for len(s.stack) > 0 && s.nodes < most && s.ctx.Err() == nil && s.err == nil {
		v := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.visit(v)
	}
}

// visit closes a node or puts its children on the stack.
func (s *search) visit(v *vertex) {
	s.nodes++
	if (v.record == nil && v.bound >= s.threshold()) || v.Closed(s.threshold()) {
		return
	}
	var q *branching
	known := v.known
	if s.tooMany(v.RedundancyNode) {
		q = s.split(v.RedundancyNode)
	} else {
		x, err := s.program.solve(v, v.known, s.target())
		if err != nil {
			s.leave(v, err)
			return
		}
		if s.closes(v, x) {
			return
		}
		v.bound, known = max(v.bound, x.bound), x.known
		gaps, chain := s.gaps(x)
		if v.record == nil && len(x.columns) > 0 {
			before := s.best
			s.offer(s.in, s.rounded(s.env, gaps))
			if chain && s.in.Multitasking {
				if plan, ok := s.shared(s.env, gaps); ok {
					s.offer(s.in, plan)
				}
			}
			if s.best < before && s.closes(v, x) {
				return
			}
		}
		q = s.branch(v.RedundancyNode, x, gaps)
	}
	if q == nil {
		s.leave(v, errBetter)
		return
	}
	less, more, err := v.Children(q.node)
	if err != nil {
		s.leave(v, err)
		return
	}
	children := []*vertex{{RedundancyNode: more, bound: v.bound, known: known}, {RedundancyNode: less, bound: v.bound, known: known}}
	if v.record != nil {
		*v.record = record{node: q.node, open: true, less: &record{}, more: &record{}}
		children[0].record, children[1].record = v.record.more, v.record.less
	}
	if !q.first {
		slices.Reverse(children)
	}
	s.stack = append(s.stack, children...)
}

// leave gives up a node, and a proof with it.
func (s *search) leave(v *vertex, err error) {
	if v.record != nil {
		s.err = err
	}
	if v.bound < s.best*(1-settleTolerance) { // else rounding, of tables too, is all that is between
		s.open = min(s.open, v.bound)
	}
}

// mostSets is the largest number of sets of jobs in an interval that a linear program is made of.
const mostSets = 1 << 14

func (s *search) tooMany(n *verify.RedundancyNode) bool {
	for k := range s.begin {
		if sets, err := n.Sets(k); err != nil || len(sets) > mostSets {
			return true
		}
	}
	return false
}

// closes reports whether the weights of a point close a node, and records them.
func (s *search) closes(v *vertex, x *point) bool {
	if !(x.bound >= s.target()) {
		return false
	}
	if v.record == nil {
		w := slices.Clone(x.weights) // after the last arrival no rounding may be left
		for j := range w {
			w[j] -= 1e-13 * math.Abs(w[j])
		}
		proven, err := v.Bound(w)
		return err == nil && proven >= s.threshold()
	}
	w := shortest(v.RedundancyNode, x.weights, s.cutoff)
	if w == nil {
		return false
	}
	*v.record = record{node: proof.TreeNode{Weights: w}, open: true}
	return true
}

// shortest are the weights with as few digits as prove the bound, nil: none do.
func shortest(n *verify.RedundancyNode, weights []float64, bound float64) []float64 {
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
