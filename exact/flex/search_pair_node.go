package flex

import "slices"

// A pairNode says of some pairs which job completes first, and between which times each job does.
type pairNode struct {
	treeNode
	leq        []bool    // leq[i·n+j]: job i completes no later than j
	lags       []float64 // lags[i·n+j]: by how much job i completes later than j at most, in units; nil: nothing is known
	head, tail []float64 // in units
	times      []float64 // the program's, in units
	closing    *orderLeaf
}

func (o *pairNode) clone() *pairNode {
	c := &pairNode{
		treeNode: treeNode{d: o.d.Clone(), verdict: o.verdict, bound: o.bound}, leq: slices.Clone(o.leq), lags: o.lags,
		head: slices.Clone(o.head), tail: slices.Clone(o.tail), times: slices.Clone(o.times),
	}
	c.d.Prune()
	return c
}

// lag is the most by which job i completes later than j; infinity if that is not known.
func (o *pairNode) lag(i, j int) float64 {
	if o.lags == nil {
		return inf
	}
	return o.lags[i*len(o.times)+j]
}

// order adds that job i completes no later than j, and what follows.
func (s *pairSearch) order(o *pairNode, i, j int) {
	n := s.n
	if o.leq[i*n+j] {
		return
	}
	for a := range n {
		if a != i && !o.leq[a*n+i] {
			continue
		}
		for b := range n {
			if a != b && (b == j || o.leq[j*n+b]) {
				o.leq[a*n+b] = true
			}
		}
	}
}

// propagate carries heads and tails over along the order, and orders what they order. It reports false when nothing is left.
func (s *pairSearch) propagate(o *pairNode) bool {
	n := s.n
	for changed := true; changed; {
		changed = false
		for i := range n {
			for j := range n {
				if i == j {
					continue
				}
				if lag := o.lag(i, j); lag < inf {
					if o.head[j] < o.head[i]-lag {
						o.head[j], changed = o.head[i]-lag, true
					}
					if o.tail[i] > o.tail[j]+lag {
						o.tail[i], changed = o.tail[j]+lag, true
					}
				}
				if o.leq[i*n+j] {
					if o.head[j] < o.head[i] {
						o.head[j], changed = o.head[i], true
					}
					if o.tail[i] > o.tail[j] {
						o.tail[i], changed = o.tail[j], true
					}
				} else if o.tail[i] <= o.head[j] && !o.leq[j*n+i] {
					s.order(o, i, j)
					changed = true
				}
			}
		}
	}
	for j := range n {
		if o.head[j] > o.tail[j]+1e-12 {
			return false
		}
	}
	return true
}

// filter takes away the times, and the orders of pairs, that would cost too much at the node's prices, which bound the node. It
// reports false when nothing is left.
func (s *pairSearch) filter(o *pairNode, goal float64) bool {
	if s.proves != nil {
		return true
	}
	if !s.propagate(o) {
		return false
	}
	if s.curves == nil {
		return true
	}
	n, slack := s.n, boundTolerance*s.scale.size(s.Best)/s.program.size
	least := make([]float64, n)
	for {
		sum := -s.curves.dual
		for j := range n {
			least[j] = s.curves.job[j].least(o.head[j], max(o.head[j], o.tail[j]))
			sum += least[j]
		}
		gap := goal - sum
		if gap <= 0 {
			return false
		}
		o.bound = max(o.bound, (sum-slack)*s.program.size)
		changed := false
		for j := range n {
			from, to := s.curves.job[j].span(o.head[j], max(o.head[j], o.tail[j]), least[j]+gap)
			const little = 1e-6
			if from > o.head[j]+little {
				o.head[j], changed = from-1e-12, true
			}
			if to < o.tail[j]-little {
				o.tail[j], changed = to+1e-12, true
			}
		}
		if !changed {
			return true
		}
		if !s.propagate(o) {
			return false
		}
	}
}
