package redundancy

import (
	"math/bits"
	"slices"

	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/models/proof"
)

// A branching splits a node in two; first says whether the first child is the more promising one.
type branching struct {
	node  proof.TreeNode
	first bool
}

// branch is on the decision that a point leaves open most: which of two jobs completes first, whether one does by a moment, or,
// when that is clear, how many copies one has; nil if nothing is open.
func (s *search) branch(n *verifyredundancy.Node, x *lpSolution, gaps []*gap) *branching {
	if q := s.branchOnOrder(n, x); q != nil {
		return q
	}
	if q := s.branchOnCopies(n, gaps); q != nil {
		return q
	}
	if s.in.Multitasking {
		return nil
	}
	return s.branchOnWaiting(n, gaps)
}

// branchOnOrder is on the order of two jobs, or where all are in one order on the window of a job, if the point says
// both: the one with the largest product of the times for which it does.
func (s *search) branchOnOrder(n *verifyredundancy.Node, x *lpSolution) (q *branching) {
	all, best := 0.0, 0.0
	for _, t := range x.time {
		all += t
	}
	better := func(a, b float64, node proof.TreeNode) {
		if min(a, b) > timeShare*all && a*b > best {
			best, q = a*b, &branching{node, a > b}
		}
	}
	open := make([]uint64, len(x.columns)) // jobs that complete later
	for i, c := range x.columns {
		open[i] = c.set | ^n.Here(c.interval)
	}
	for j := range n.Lo {
		for i := range j {
			if n.Ordered(i, j) || n.Ordered(j, i) {
				continue
			}
			first, second := 0.0, 0.0
			for q := range x.columns {
				switch open[q]>>i&1<<1 | open[q]>>j&1 {
				case 1:
					first += x.time[q]
				case 2:
					second += x.time[q]
				}
			}
			better(first, second, proof.TreeNode{Pair: []int{i, j}})
		}
	}
	for j := 0; j < len(n.Lo) && q == nil; j++ {
		for m := n.Lo[j] + 1; m <= n.Hi[j]; m++ {
			done, left := 0.0, 0.0
			for i, c := range x.columns {
				switch {
				case c.interval < m && open[i]>>j&1 == 0:
					done += x.time[i]
				case c.interval >= m && open[i]>>j&1 == 1:
					left += x.time[i]
				}
			}
			better(done, left, proof.TreeNode{Window: []int{j, m}})
		}
	}
	return q
}

// branchOnCopies is on the copies of a job that the point mixes between two events: the mixture with the largest lesser part,
// about its mean.
func (s *search) branchOnCopies(n *verifyredundancy.Node, gaps []*gap) (q *branching) {
	best := 0.0
	for _, g := range gaps {
		for j := range n.Lo {
			low, high, sum, machines, most, held := -1, 0, 0.0, 0.0, 0.0, g.held[j]
			if g.set>>j&1 == 0 {
				continue
			}
			for c := range s.in.Machines + 1 {
				v := 0.0
				if held != nil {
					v = held[c]
				}
				if c == 0 && !s.in.Multitasking { // none
					v = g.time
					for _, t := range held {
						v -= t
					}
				}
				if v <= timeShare*g.time {
					continue
				}
				if low < 0 {
					low = c
				}
				high, sum, machines, most = c, sum+v, machines+v*float64(c), max(most, v)
			}
			if v := sum - most; low < high && v > best {
				mean := min(high-1, max(low, int(machines/sum)))
				best, q = v, &branching{copiesNode(g, j, mean), machines/sum < float64(mean)+0.5}
			}
		}
	}
	return q
}

func copiesNode(g *gap, job, most int) proof.TreeNode {
	node := proof.TreeNode{Copies: []int{g.interval, job, most}}
	for rest := g.set; rest != 0; rest &= rest - 1 {
		node.Set = append(node.Set, bits.TrailingZeros64(rest))
	}
	return node
}

// branchOnWaiting is, on whole machines, on the copies of a job that the point lets complete while it holds nothing, so
// that others may change theirs: which of the jobs that complete there is the first, and then whether it has any.
func (s *search) branchOnWaiting(n *verifyredundancy.Node, gaps []*gap) *branching {
	for i, g := range gaps[:max(0, len(gaps)-1)] {
		next := gaps[i+1]
		if next.interval > g.interval {
			continue
		}
		var gone []int
		for rest := g.set &^ next.set; rest != 0; rest &= rest - 1 {
			gone = append(gone, bits.TrailingZeros64(rest))
		}
		if slices.ContainsFunc(gone, func(j int) bool { return g.most(j) > 0 }) {
			continue
		}
		first := gone[0]
		for _, j := range gone[1:] {
			switch {
			case !n.Ordered(first, j) && !n.Ordered(j, first):
				return &branching{proof.TreeNode{Pair: []int{first, j}}, true}
			case n.Ordered(j, first):
				first = j
			}
		}
		if low, high := n.Copies(g.interval, g.set, first); low == 0 && high > 0 {
			return &branching{copiesNode(g, first, 0), true}
		}
	}
	return nil
}

// split is on the widest window, or on the order of two jobs, where there are too many sets for a linear program.
func (s *search) split(n *verifyredundancy.Node) *branching {
	widest, most := -1, 0
	for j := range n.Lo {
		if w := n.Hi[j] - n.Lo[j]; w > most {
			widest, most = j, w
		}
	}
	if widest >= 0 {
		return &branching{proof.TreeNode{Window: []int{widest, n.Lo[widest] + (most+1)/2}}, true}
	}
	for j := range n.Lo {
		for i := range j {
			if !n.Ordered(i, j) && !n.Ordered(j, i) && n.Lo[i] == n.Lo[j] {
				return &branching{proof.TreeNode{Pair: []int{i, j}}, s.in.Jobs[i].Work < s.in.Jobs[j].Work}
			}
		}
	}
	return nil
}
