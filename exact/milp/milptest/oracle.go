package milptest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"schedgap/exact/milp"
)

// small makes a model of one to eight binaries, or of one to four integer columns in small boxes, and at most one
// continuous column, with small integer data, so that enumerate solves it and no point is close to feasible without
// being so.
func small(rng *rand.Rand) *milp.Model {
	between := func(lo, hi int) float64 { return float64(lo + rng.IntN(hi-lo+1)) }
	coin := func() bool { return rng.IntN(2) == 0 }
	m := &milp.Model{Name: "random", Maximize: coin(), Offset: between(-5, 5)}
	if coin() {
		for j := range 1 + rng.IntN(8) {
			m.Binary(fmt.Sprint("x", j), between(-5, 5))
		}
	} else {
		for j := range 1 + rng.IntN(4) {
			lo := between(-3, 2)
			m.AddCol(milp.Col{Name: fmt.Sprint("x", j), Lo: lo, Hi: lo + between(0, 4), Cost: between(-5, 5), Integer: true})
		}
	}
	if coin() {
		c := milp.Col{Name: "y", Lo: -milp.Inf, Hi: milp.Inf, Cost: between(-5, 5)}
		if coin() {
			c.Lo = between(-5, 5)
		}
		if coin() {
			c.Hi = max(c.Lo, between(-5, 5))
		}
		m.AddCol(c)
	}
	for i := range rng.IntN(5) {
		var terms []milp.Term
		for j := range m.Cols {
			if v := between(-5, 5); v != 0 || coin() {
				terms = append(terms, milp.Term{Col: j, Coef: v})
			}
		}
		lo := between(-5, 5)
		hi := lo
		switch rng.IntN(4) {
		case 0:
			lo = -milp.Inf
		case 1:
			hi = milp.Inf
		case 2:
			hi += between(1, 4)
		}
		m.AddRow(fmt.Sprint("r", i), lo, hi, terms...)
	}
	return m
}

// enumerate solves a model of small: it tries all integers and gives the continuous column its best value for each.
func enumerate(m *milp.Model) (milp.Status, float64) {
	sign, best, status := 1.0, math.Inf(1), milp.Infeasible
	if m.Maximize {
		sign = -1
	}
	x := make([]float64, len(m.Cols))
	var try func(j int)
	try = func(j int) {
		if j < len(m.Cols) && m.Cols[j].Integer {
			for v := m.Cols[j].Lo; v <= m.Cols[j].Hi; v++ {
				x[j] = v
				try(j + 1)
			}
			return
		}
		lo, hi := 0.0, 0.0
		if j < len(m.Cols) {
			x[j], lo, hi = 0, m.Cols[j].Lo, m.Cols[j].Hi
		}
		for _, r := range m.Rows {
			sum, coef := 0.0, 0.0
			for _, t := range r.Terms {
				if t.Col == j {
					coef = t.Coef
				} else {
					sum += t.Coef * x[t.Col]
				}
			}
			switch {
			case coef == 0 && (sum < r.Lo || sum > r.Hi):
				return
			case coef > 0:
				lo, hi = max(lo, (r.Lo-sum)/coef), min(hi, (r.Hi-sum)/coef)
			case coef < 0:
				lo, hi = max(lo, (r.Hi-sum)/coef), min(hi, (r.Lo-sum)/coef)
			}
		}
		if lo > hi+1e-9 { // quotients of small integers are equal or far apart
			return
		}
		if status == milp.Infeasible {
			status = milp.Optimal
		}
		if j < len(m.Cols) {
			switch cost := sign * m.Cols[j].Cost; {
			case cost > 0:
				x[j] = lo
			case cost < 0:
				x[j] = hi
			}
			if math.IsInf(x[j], 0) {
				status = milp.Unbounded
				return
			}
		}
		best = min(best, sign*m.Objective(x))
	}
	try(0)
	if status != milp.Optimal {
		return status, 0
	}
	return status, sign * best
}
