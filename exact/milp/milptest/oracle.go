package milptest

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"schedgap/exact/milp"
)

// small draws models of up to four integer columns in small boxes and at most one continuous column, with small integer
// data, so that enumerate solves them and no point is close to feasible without being so.
func small() *rapid.Generator[*milp.Model] {
	return rapid.Custom(func(t *rapid.T) *milp.Model {
		number := func(label string) float64 { return float64(rapid.IntRange(-5, 5).Draw(t, label)) }
		m := &milp.Model{Name: "random", Maximize: rapid.Bool().Draw(t, "maximize"), Offset: number("offset")}
		integers := rapid.IntRange(1, 4).Draw(t, "integers")
		for j := range integers {
			lo := rapid.IntRange(-3, 2).Draw(t, "lo")
			hi := rapid.IntRange(lo, lo+4).Draw(t, "hi")
			m.AddCol(milp.Col{Name: fmt.Sprint("x", j), Lo: float64(lo), Hi: float64(hi), Cost: number("cost"), Integer: true})
		}
		if rapid.Bool().Draw(t, "continuous") {
			c := milp.Col{Name: "y", Lo: -milp.Inf, Hi: milp.Inf, Cost: number("cost")}
			if rapid.Bool().Draw(t, "bounded below") {
				c.Lo = number("lo")
			}
			if rapid.Bool().Draw(t, "bounded above") {
				c.Hi = max(c.Lo, number("hi"))
			}
			m.AddCol(c)
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "rows") {
			var terms []milp.Term
			for j := range m.Cols {
				if v := number("coefficient"); v != 0 || rapid.Bool().Draw(t, "explicit zero") {
					terms = append(terms, milp.Term{Col: j, Coef: v})
				}
			}
			lo, hi := -milp.Inf, milp.Inf
			switch rapid.SampledFrom([]string{"<=", ">=", "=", "range"}).Draw(t, "kind") {
			case "<=":
				hi = number("rhs")
			case ">=":
				lo = number("rhs")
			case "=":
				lo = number("rhs")
				hi = lo
			case "range":
				lo = number("rhs")
				hi = lo + float64(rapid.IntRange(1, 4).Draw(t, "width"))
			}
			m.AddRow(fmt.Sprint("r", i), lo, hi, terms...)
		}
		return m
	})
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
		if lo > hi+exact { // quotients of small integers are equal or far apart
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
