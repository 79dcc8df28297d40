package flex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/flex"
)

// Intervals is the model by intervals of a grid: Z[j,k] says that job j completes in the k-th. What jobs have done by the points of the
// grid bounds the times, and pairs of jobs make them exact (docs/design/flex.md#intervals).
var Intervals = &exact.Formulation[*flex.Instance, flex.Schedule]{
	Name: "intervals",
	Doc: "intervals of time in which jobs complete, and pairs of jobs\n\ndocs/problems/flex.md#models, " +
		"docs/design/flex.md#intervals: conditions for times that can be met (Dyer and Wolsey 1990 for the grid). In stages: linear " +
		"programs first, whose prices exclude times and whose orders refine the grid (Boland et al. 2017).",
	Rows: []exact.Row{
		{Name: "slots", Statement: "W_i + Σ_j U_ij ≤ S·C_i, U_ij the work that job j has done by C_i"},
		{Name: "work", Statement: "U_ij ≥ W_j·x_ji; x_ji is 1 if job j completes before i, a number where dominance or the times that are left say so"},
		{Name: "minimum", Statement: "U_ij ≥ m_j·C_i − max(0, m_j·C̄_i − W_j)·x_ji; V_jkq ≥ m_j·g_q·Z_jk"},
		{Name: "maximum", Statement: "U_ij ≥ W_j − M_j·(C_j − C_i) − M_j·(C̄_i − E_j)·x_ji; V_jkq ≥ (W_j − M_j·(a_jk − g_q))·Z_jk − M_j·D_jk"},
		{Name: "order", Statement: "C_i − C_j ≤ (C̄_i − E_j)·(1 − x_ij)"},
		{Name: "one", Statement: "Σ_k Z_jk = 1: job j completes in interval k of the grid, at a_jk or D_jk after it, where [a_jk, b_jk] is left of it"},
		{Name: "end", Statement: "C_j = Σ_k (a_jk·Z_jk + D_jk)"},
		{Name: "cell", Statement: "D_jk ≤ (b_jk − a_jk)·Z_jk"},
		{Name: "done", Statement: "X_jk = X_j(k−1) + Z_jk: job j completes in interval k or before"},
		{Name: "load", Statement: "Σ_j (Σ_(k<q) W_j·Z_jk + Σ_(k≥q) V_jkq) ≤ S·g_q, g_q the end of interval q", Cut: true},
	},
	Applies: func(in *flex.Instance) error {
		if err := oneMetric(in); err != nil {
			return err
		}
		o := in.Objective
		switch {
		case o.Aggregate != flex.Sum || o.Metric != flex.Response && o.Metric != flex.Stretch && o.Metric != flex.Lateness:
			return fmt.Errorf("it states sums of response, stretch or lateness, not the %s of %s", o.Aggregate, o.Metric)
		case !moderate(in):
			return errors.New("works span more than six decades")
		}
		return nil
	},
	Build: func(in *flex.Instance, _ exact.BuildOptions) (*exact.BuiltModel[flex.Schedule], error) {
		v := newIntervals(in)
		built := v.model(true).built()
		built.Narrow = v.narrow
		return built, nil
	},
}

// A span is a closed interval of times, in units of the horizon.
type span struct{ lo, hi float64 }

// A cell is what is left to a job of an interval of the grid, with its columns.
type cell struct {
	span
	k       int // the interval, from grid[k] to grid[k+1]
	in, off int // columns of Z and D
	by      int // column of X; −1: none, it is 1
	work    []partWork
}

// partWork is the column V of the work by a point of the grid, where it is not linear in the cell.
type partWork struct{ q, col int }

// intervals are a grid of times and the times that are left to each job.
type intervals struct {
	in   *flex.Instance
	unit float64
	grid []float64 // from 0 to 1
	left [][]span  // by job, increasing
}

// gridStep is the least distance of the points that refine the grid, in units of the horizon.
const gridStep = 0.002

// mostPoints is half of the most points of the first grid.
const mostPoints = 40

func newIntervals(in *flex.Instance) *intervals {
	b := newModelBuilder(in, "intervals")
	v := &intervals{in: in, unit: b.unit, grid: []float64{0, 1}}
	for j, end := range b.end {
		v.left = append(v.left, []span{{b.m.Cols[end].Lo, b.late[j]}})
	}
	// Half of the points are where jobs may complete first, and half are spread evenly, as completions become rarer with time.
	n, soonest := len(b.end), b.soonest()
	points := min(n, mostPoints)
	for i := range points {
		v.refine(1.05*soonest[(i+1)*n/points-1], 0.1/float64(points))
		v.refine(float64(i+1)/float64(points+1), 0.1/float64(points))
	}
	return v
}

// refine adds a point to the grid, unless it has one that is as near.
func (v *intervals) refine(t, apart float64) {
	q, _ := slices.BinarySearch(v.grid, t)
	if q > 0 && q < len(v.grid) && t-v.grid[q-1] >= apart && v.grid[q]-t >= apart {
		v.grid = slices.Insert(v.grid, q, t)
	}
}

// amounts are the work, the minimum and the maximum of job j.
func (v *intervals) amounts(j int) (work, least, most float64) {
	job := &v.in.Jobs[j]
	return job.Work / v.unit, float64(job.Min), float64(job.Max)
}

// done is the least work of job j by t ≤ c if it completes at c.
func (v *intervals) done(j int, c, t float64) float64 {
	work, least, most := v.amounts(j)
	return min(work, max(least*t, work-most*(c-t)))
}

// cells are the parts of the grid that are left to job j.
func (v *intervals) cells(j int) (list []cell) {
	for k := range len(v.grid) - 1 {
		c := cell{span: span{math.Inf(1), math.Inf(-1)}, k: k, by: -1}
		for _, s := range v.left[j] {
			if lo, hi := max(s.lo, v.grid[k]), min(s.hi, v.grid[k+1]); lo <= hi {
				c.lo, c.hi = min(c.lo, lo), max(c.hi, hi)
			}
		}
		if c.lo < c.hi || c.lo == c.hi && (k == 0 || c.lo > v.grid[k]) {
			list = append(list, c)
		}
	}
	return list
}

// kinks are the times of a cell between which the work of job j by each point of the grid is linear in its completion time.
func (v *intervals) kinks(j int, c cell) []float64 {
	work, least, most := v.amounts(j)
	list := []float64{c.lo, c.hi}
	for _, t := range v.grid[1 : c.k+1] {
		if x := work/most + t*(1-least/most); x > c.lo && x < c.hi {
			list = append(list, x)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// factors are the jobs' costs of time, the largest being 1.
func (v *intervals) factors() []float64 {
	list := make([]float64, len(v.in.Jobs))
	for j := range list {
		list[j] = v.in.Factor(j)
	}
	most := slices.Max(list)
	for j := range list {
		list[j] /= most
	}
	return list
}

// cost is what job j pays if it completes at a time of a cell: for the time, and at the prices of work by the points of the grid for
// what it then has done by each of them.
func (v *intervals) cost(j int, c cell, at, factor float64, price []float64) float64 {
	cost := factor * at
	work, _, _ := v.amounts(j)
	for q, p := range price {
		switch {
		case p == 0:
		case q+1 > c.k:
			cost += p * work
		default:
			cost += p * v.done(j, at, v.grid[q+1])
		}
	}
	return cost
}

// priced is the linear program of the best prices: the relaxation's dual, with all that a job can do as rows.
func (v *intervals) priced() *milp.Model {
	m, slots, factors, most := &milp.Model{Name: v.in.Name + "-prices", Maximize: true}, float64(v.in.Slots), v.factors(), 0.0
	for _, f := range factors {
		most += f // a delay costs no more
	}
	for q := range len(v.grid) - 1 {
		m.AddCol(milp.Col{Name: fmt.Sprintf("p[%d]", q), Hi: most, Cost: -v.grid[q+1]})
	}
	for j := range v.in.Jobs {
		payoff := m.AddCol(milp.Col{Name: fmt.Sprintf("v[%d]", j), Lo: -milp.Inf, Hi: milp.Inf, Cost: 1})
		work, _, _ := v.amounts(j)
		for _, c := range v.cells(j) {
			for _, at := range v.kinks(j, c) {
				sum := milp.Of(payoff, 1)
				for q := range len(v.grid) - 1 {
					done := work
					if q+1 <= c.k {
						done = v.done(j, at, v.grid[q+1])
					}
					sum = append(sum, milp.Of(q, -done/slots)...)
				}
				m.Relate(fmt.Sprintf("cell[%d,%d,%g]", j, c.k, at), -milp.Inf, factors[j]*at, sum)
			}
		}
	}
	return m
}

// exclude takes away the times at which a job makes every schedule cost more than the value, at any prices of work by the points of the
// grid, as long as they are not below 0.
func (v *intervals) exclude(price []float64, value float64) {
	factors := v.factors()
	bound, size := 0.0, math.Abs(value)
	for q := range price {
		price[q] = max(0, price[q]) / float64(v.in.Slots)
		income := price[q] * float64(v.in.Slots) * v.grid[q+1]
		bound, size = bound-income, size+income
	}
	costs, least := make([][][]float64, len(v.left)), make([]float64, len(v.left))
	for j := range v.left {
		least[j] = math.Inf(1)
		for _, c := range v.cells(j) {
			var row []float64
			for _, at := range v.kinks(j, c) {
				row = append(row, v.cost(j, c, at, factors[j], price))
			}
			costs[j], least[j] = append(costs[j], row), min(least[j], slices.Min(row))
		}
		bound += least[j]
	}
	for j := range v.left {
		room := value - bound + least[j] + encodeTolerance*size
		var left []span
		for i, c := range v.cells(j) {
			s := below(v.kinks(j, c), costs[j][i], room)
			s.lo, s.hi = max(c.lo, s.lo-encodeTolerance), min(c.hi, s.hi+encodeTolerance)
			switch n := len(left); {
			case s.lo > s.hi:
			case n > 0 && left[n-1].hi >= s.lo:
				left[n-1].hi = s.hi
			default:
				left = append(left, s)
			}
		}
		if len(left) > 0 { // there is none by rounding only, as the best schedule is left
			v.left[j] = left
		}
	}
}

// below is the interval in which a convex function, linear between its points, is at most y; empty, with lo > hi, if there is none.
func below(at, f []float64, y float64) span {
	s := span{math.Inf(1), math.Inf(-1)}
	see := func(t float64) { s.lo, s.hi = min(s.lo, t), max(s.hi, t) }
	for i := range at {
		if f[i] <= y {
			see(at[i])
		}
		if i > 0 && (f[i] <= y) != (f[i-1] <= y) {
			see(at[i-1] + (at[i]-at[i-1])*min(1, max(0, (y-f[i-1])/(f[i]-f[i-1]))))
		}
	}
	return s
}

// narrow solves relaxations: a point's order has a schedule, prices exclude times at which no schedule is as good as the best one, and the
// grid is refined where jobs complete. It returns the model that is left and the best schedule.
func (v *intervals) narrow(
	_ context.Context, start *flex.Schedule, solve func(*milp.Model) (*milp.Result, error),
) (*exact.BuiltModel[flex.Schedule], *flex.Schedule, error) {
	const rounds = 2
	var best []float64
	if start != nil {
		best = flex.Completions(v.in, *start)
	}
	for range rounds {
		model := v.model(false)
		r, err := solve(model.m)
		if err != nil || r.Status != milp.Optimal {
			return nil, start, err
		}
		s, err := model.decode(r.X)
		if err != nil { // no schedule has the order
			s = flex.NewPacker(v.in).Pack(model.order(r.X))
		}
		if times := flex.Completions(v.in, s); best == nil || v.in.Value(times) < v.in.Value(best) {
			start, best = &s, times
		}
		p, err := solve(v.priced())
		if err != nil || p.Status != milp.Optimal {
			return nil, start, err
		}
		value := 0.0
		for j, f := range v.factors() {
			value += f * best[j] / v.unit
		}
		v.exclude(p.X[:len(v.grid)-1], value)
		for j := range v.left {
			v.refine(best[j]/v.unit, gridStep)
		}
		for _, t := range model.ends(r.X) {
			v.refine(t, gridStep)
		}
	}
	return v.model(true).built(), start, nil
}
