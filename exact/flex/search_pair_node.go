package flex

import "slices"

// A pairNode says of some pairs which job completes first, and between which times each job does.
type pairNode struct {
	treeNode
	precedes         []bool    // precedes[i·n+j]: job i completes no later than j
	lags             []float64 // lags[i·n+j]: by how much job i completes later than j at most, in units; nil: nothing is known
	earliest, latest []float64 // in units
	times            []float64 // the program's, in units
	closing          *orderLeaf
}

func (o *pairNode) clone() *pairNode {
	c := &pairNode{
		treeNode: treeNode{d: o.d.Clone(), verdict: o.verdict, bound: o.bound}, precedes: slices.Clone(o.precedes), lags: o.lags,
		earliest: slices.Clone(o.earliest), latest: slices.Clone(o.latest), times: slices.Clone(o.times),
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
	if o.precedes[i*n+j] {
		return
	}
	for a := range n {
		if a != i && !o.precedes[a*n+i] {
			continue
		}
		for b := range n {
			if a != b && (b == j || o.precedes[j*n+b]) {
				o.precedes[a*n+b] = true
			}
		}
	}
}

// propagate carries the ends of completion windows over along the order, and orders what they order. It reports false when nothing is left.
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
					if o.earliest[j] < o.earliest[i]-lag {
						o.earliest[j], changed = o.earliest[i]-lag, true
					}
					if o.latest[i] > o.latest[j]+lag {
						o.latest[i], changed = o.latest[j]+lag, true
					}
				}
				if o.precedes[i*n+j] {
					if o.earliest[j] < o.earliest[i] {
						o.earliest[j], changed = o.earliest[i], true
					}
					if o.latest[i] > o.latest[j] {
						o.latest[i], changed = o.latest[j], true
					}
				} else if o.latest[i] <= o.earliest[j] && !o.precedes[j*n+i] {
					s.order(o, i, j)
					changed = true
				}
			}
		}
	}
	for j := range n {
		if o.earliest[j] > o.latest[j]+1e-12 {
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
			least[j] = s.curves.job[j].least(o.earliest[j], max(o.earliest[j], o.latest[j]))
			sum += least[j]
		}
		gap := goal - sum
		if gap <= 0 {
			return false
		}
		o.bound = max(o.bound, (sum-slack)*s.program.size)
		changed := false
		for j := range n {
			from, to := s.curves.job[j].span(o.earliest[j], max(o.earliest[j], o.latest[j]), least[j]+gap)
			const little = 1e-6
			if from > o.earliest[j]+little {
				o.earliest[j], changed = from-1e-12, true
			}
			if to < o.latest[j]-little {
				o.latest[j], changed = to+1e-12, true
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
