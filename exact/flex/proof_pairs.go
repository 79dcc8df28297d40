package flex

import (
	"math"

	"schedgap/exact/lp"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// An orderLeaf closes a node: multipliers of rows, with so many digits.
type orderLeaf struct {
	search *pairSearch
	terms  []lp.Multiplier[*rowOrigin] // Y as in the proof
	digits int
	empty  bool
	proven bool // it closes the node
}

// closing has the multipliers that close o, or bound it, with as few digits as will do.
func (s *pairSearch) closing(o *pairNode, empty bool) *orderLeaf {
	l := &orderLeaf{search: s, empty: empty}
	for _, m := range o.d.Multipliers(empty) {
		if m.Tag != nil {
			m.Y *= m.Tag.unit
			l.terms = append(l.terms, m)
		}
	}
	l.proven = l.reaches(s.goal())
	return l
}

func (l *orderLeaf) reaches(goal float64) bool {
	for _, l.digits = range []int{3, 5, 7, 9, 12, 17} {
		if v := l.value(); l.empty && v > 1e-12 || !l.empty && v >= goal {
			return true
		}
	}
	return false
}

func (l *orderLeaf) bound() float64 {
	if l.empty {
		return inf
	}
	return l.value()
}

// value is the bound that the multipliers prove with their digits.
func (l *orderLeaf) value() float64 {
	s := l.search
	a, sum := make([]float64, s.n), 0.0
	for _, t := range l.terms {
		y := significant(t.Y, l.digits) / t.Tag.unit
		sum += y * t.Rhs
		for j := range a {
			a[j] += y * t.Coef[j]
			sum += y * t.Coef[j] * s.program.early[j]
		}
	}
	return s.evaluate(a, sum, l.empty)
}

func (s *pairSearch) leaf(o *pairNode) proofLeaf {
	if o.closing == nil || !o.closing.proven {
		return s.closing(o, false)
	}
	return o.closing
}

func (s *pairSearch) line(c decision) any { return proof.OrderLine{Pair: []int{c.a, c.b}} }

// write writes a leaf, after the cuts that are new in it.
func (l *orderLeaf) write(w *proofWriter) {
	leaf := &proof.OrderLeaf{Empty: l.empty}
	for _, t := range l.terms {
		y := significant(t.Y, l.digits)
		if t.Tag.line == nil {
			leaf.Pairs, leaf.Of = append(leaf.Pairs, [2]int{t.Tag.i, t.Tag.j}), append(leaf.Of, y)
			continue
		}
		number, known := w.cuts[t.Tag]
		if !known {
			number = len(w.cuts)
			w.cuts[t.Tag] = number
			w.lines = append(w.lines, t.Tag.line)
		}
		leaf.Cuts, leaf.By = append(leaf.Cuts, number), append(leaf.By, y)
	}
	w.lines = append(w.lines, proof.OrderLine{Leaf: leaf})
}

// evaluate is the bound that inequalities a·C ≥ sum give together, in the program's units without its offset: each job alone
// takes the time at which penalty less a_j·C is least.
func (s *pairSearch) evaluate(a []float64, sum float64, empty bool) float64 {
	r := s.program
	for j, v := range a {
		at := []float64{r.early[j], r.late[j]}
		if s.in.Objective.Metric == flex.Tardiness {
			at = append(at, min(max(*s.in.Jobs[j].Deadline/r.unit, r.early[j]), r.late[j]))
		}
		least := math.Inf(1)
		for _, c := range at {
			f := -v * c
			if !empty {
				f += s.in.Penalty(j, c*r.unit) / r.size
			}
			least = min(least, f)
		}
		sum += least
	}
	if empty {
		return sum
	}
	return sum - r.offset
}
