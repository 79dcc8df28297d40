package flex

import "math"

// fix takes away times that would lift o's program to the goal: a row that asked for them would, with some multiplier and
// the others lowered so that no reduced cost is negative (reduced cost fixing). It reports whether something was taken away;
// nothing may remain.
func (s *pairSearch) fix(o *pairNode, goal float64) bool {
	d, n, early := o.d, s.n, s.program.early
	gap := goal - d.Value
	if gap <= 0 || math.IsInf(goal, 1) {
		return false
	}
	if s.sum == nil {
		s.sum, s.extra = make([]float64, len(d.Costs)), make([]float64, len(d.Costs))
	}
	goal += boundTolerance // dividing by a small multiplier enlarges rounding errors
	changed := false
	for j := range n {
		x := o.times[j] - early[j]
		clear(s.extra)
		for _, sign := range []float64{1, -1} {
			d.Express(j, sign, s.sum)
			rho := d.Ratio(s.sum)
			if !(rho > 0) {
				continue
			}
			end := early[j] + x + sign*gap/rho
			if sign > 0 && end > o.latest[j]-leastFixed || sign < 0 && end < o.earliest[j]+leastFixed {
				continue
			}
			s.extra[j] = sign
			// With x_j beyond t the bound is at least the goal.
			t := sign * (goal - d.BoundWith(s.sum, rho, s.extra, s.most)) / rho
			if end := early[j] + t + sign*1e-12; sign > 0 && end < o.latest[j]-leastFixed {
				o.latest[j], changed = end, true
			} else if sign < 0 && end > o.earliest[j]+leastFixed {
				o.earliest[j], changed = end, true
			}
		}
	}
	return changed
}

// leastFixed is the least part of the horizon by which a window is worth shrinking.
const leastFixed = 1e-3
