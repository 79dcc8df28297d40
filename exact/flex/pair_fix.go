package flex

import "math"

// fix takes away times and orders of pairs that would lift o's program to the goal: a row that asked for them would, with
// some multiplier and the others lowered so that no reduced cost is negative. It reports whether something was taken away;
// what is left may be nothing.
func (s *pairSearch) fix(o *pairNode, goal float64) bool {
	d, n, early := o.d, s.n, s.program.early
	gap := goal - d.value
	if gap <= 0 || math.IsInf(goal, 1) {
		return false
	}
	if s.inverse == nil {
		s.inverse, s.sum = make([]float64, n*d.n), make([]float64, d.n)
		s.extra, s.reduced = make([]float64, d.n), make([]float64, d.n)
	}
	for j := range n {
		row := s.inverse[j*d.n : (j+1)*d.n]
		clear(row)
		if r := d.where[j]; r >= 0 {
			copy(row, d.a[r*d.n:(r+1)*d.n])
		} else {
			row[-1-r] = 1
		}
	}
	goal += boundTolerance // dividing by a small multiplier enlarges what was rounded
	changed := false
	for j := range n {
		x := o.times[j] - early[j]
		row := s.inverse[j*d.n : (j+1)*d.n]
		clear(s.extra)
		for _, sign := range []float64{1, -1} {
			for k, v := range row {
				s.sum[k] = sign * v
			}
			rho := d.ratio(s.sum)
			if !(rho > 0) {
				continue
			}
			end := early[j] + x + sign*gap/rho
			if sign > 0 && end > o.tail[j]-leastFixed || sign < 0 && end < o.head[j]+leastFixed {
				continue
			}
			s.extra[j] = sign
			// With x_j beyond t the bound is at least the goal.
			t := sign * (goal - d.boundWith(s.sum, rho, s.extra, s.most, s.reduced)) / rho
			if end := early[j] + t + sign*1e-12; sign > 0 && end < o.tail[j]-leastFixed {
				o.tail[j], changed = end, true
			} else if sign < 0 && end > o.head[j]+leastFixed {
				o.head[j], changed = end, true
			}
		}
	}
	for i := range n {
		for j := range n {
			if i == j || o.leq[i*n+j] || o.leq[j*n+i] {
				continue
			}
			a, b := s.inverse[i*d.n:(i+1)*d.n], s.inverse[j*d.n:(j+1)*d.n]
			for k, v := range a {
				s.sum[k] = v - b[k]
			}
			rho := d.ratio(s.sum)
			if !(rho > 0) || o.times[i]-o.times[j]+gap/rho > 0 {
				continue
			}
			clear(s.extra)
			s.extra[i], s.extra[j] = 1, -1
			t := early[i] - early[j] + (goal-d.boundWith(s.sum, rho, s.extra, s.most, s.reduced))/rho
			if t < 0 {
				s.order(o, i, j)
				changed = true
			}
		}
	}
	return changed
}

// leastFixed is the least part of the horizon by which a window is worth shrinking.
const leastFixed = 1e-3

// ratio is the largest multiplier that a row, given in the nonbasic variables, may have; 0: none, or any.
func (d *dictionary) ratio(row []float64) float64 {
	rho := math.Inf(1)
	for k, a := range row {
		if a > leastPivot && d.c[k] < rho*a {
			rho = d.c[k] / a
		}
	}
	if math.IsInf(rho, 1) {
		return 0
	}
	return rho
}

// boundWith is the bound with the row extra·x ≥ 0, which is row in the nonbasic variables, at a multiplier. As in bound, what
// pivots have rounded is not in it.
func (d *dictionary) boundWith(row []float64, multiplier float64, extra, most, reduced []float64) float64 {
	for j, c := range d.costs {
		reduced[j] = c - multiplier*extra[j]
	}
	value := 0.0
	for k, v := range d.nonbasic {
		m := d.c[k] - multiplier*row[k]
		if v < d.n || m <= 0 {
			continue
		}
		value += m * d.rows[v-d.n].rhs
		for j, a := range d.rows[v-d.n].coef {
			reduced[j] -= m * a
		}
	}
	for j, v := range reduced {
		value += min(0, v) * most[j]
	}
	return value
}
