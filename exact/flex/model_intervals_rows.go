package flex

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/flex"
)

// An intervalModel has the columns of Intervals for one grid and what is left of the times.
type intervalModel struct {
	*modelBuilder
	*intervals
	cells [][]cell
	first [][]milp.Sum // first[i][j]: 1 if job i completes before j, 0 if after it; nil: a relaxation has no pairs
	by    [][]int      // by[i][j]: column of the work that job j has done when i completes; −1: all of it, or i is j
}

// model states the model, or its relaxation, which has no pairs and no integers and counts cost in units of the largest factor. It
// keeps the grid and the times of this moment, which narrow goes on to change.
func (v *intervals) model(whole bool) *intervalModel {
	now := *v
	now.grid, now.left = slices.Clone(v.grid), slices.Clone(v.left)
	m := &intervalModel{modelBuilder: newModelBuilder(v.in, "intervals"), intervals: &now}
	m.completions(whole)
	m.loads()
	if whole {
		m.pairs()
		return m
	}
	for j, f := range v.factors() {
		m.m.Cols[m.end[j]].Cost = f
	}
	return m
}

func (b *intervalModel) built() *exact.BuiltModel[flex.Schedule] {
	return &exact.BuiltModel[flex.Schedule]{Model: b.m, Grain: grain(b.in()), Decode: b.decode, Encode: b.encode}
}

func (b *intervalModel) in() *flex.Instance { return b.intervals.in }

// completions adds the cells in which jobs complete.
func (b *intervalModel) completions(whole bool) {
	m := b.m
	for j := range b.left {
		id := b.in().Jobs[j].ID
		cells := b.intervals.cells(j)
		m.Cols[b.end[j]].Lo, m.Cols[b.end[j]].Hi = cells[0].lo, cells[len(cells)-1].hi
		var one, before milp.Sum
		end := milp.Of(b.end[j], -1)
		for i := range cells {
			c, label := &cells[i], fmt.Sprintf("[%s,%d]", id, cells[i].k)
			c.in = m.AddCol(milp.Col{Name: "Z" + label, Hi: 1})
			c.off = m.AddCol(milp.Col{Name: "D" + label, Hi: c.hi - c.lo})
			m.Relate("cell"+label, -milp.Inf, 0, milp.Of(c.off, 1), milp.Of(c.in, c.lo-c.hi))
			one = append(one, milp.Of(c.in, 1)...)
			end = slices.Concat(end, milp.Of(c.in, c.lo), milp.Of(c.off, 1))
			if whole && i < len(cells)-1 {
				c.by = m.Binary("X"+label, 0)
				m.Relate("done"+label, 0, 0, before, milp.Of(c.in, 1), milp.Of(c.by, -1))
				before = milp.Of(c.by, 1)
			}
		}
		m.Relate("one["+id+"]", 1, 1, one)
		m.Relate("end["+id+"]", 0, 0, end)
		b.cells = append(b.cells, cells)
	}
}

// loads adds the conditions at the points of the grid.
func (b *intervalModel) loads() {
	rows := make([]milp.Sum, len(b.grid)-1)
	for j := range b.left {
		work, least, most := b.intervals.amounts(j)
		for i := range b.cells[j] {
			c := &b.cells[j][i]
			for q := range rows {
				t := b.grid[q+1]
				slow, fast := least*t, work-most*(c.lo-t) // at the beginning of the cell
				switch {
				case q+1 > c.k:
					rows[q] = append(rows[q], milp.Of(c.in, work)...)
				case fast <= slow:
					rows[q] = append(rows[q], milp.Of(c.in, min(work, slow))...)
				case work-most*(c.hi-t) >= slow:
					rows[q] = slices.Concat(rows[q], milp.Of(c.in, fast), milp.Of(c.off, -most))
				default:
					label := fmt.Sprintf("[%s,%d,%d]", b.in().Jobs[j].ID, c.k, q)
					col := b.m.AddCol(milp.Col{Name: "V" + label, Hi: max(fast, slow)})
					b.m.Relate("maximum"+label, 0, milp.Inf, milp.Of(col, 1), milp.Of(c.in, -fast), milp.Of(c.off, most))
					if slow > 0 {
						b.m.Relate("minimum"+label, 0, milp.Inf, milp.Of(col, 1), milp.Of(c.in, -slow))
					}
					c.work = append(c.work, partWork{q, col})
					rows[q] = append(rows[q], milp.Of(col, 1)...)
				}
			}
		}
	}
	for q, row := range rows {
		b.m.Relate(fmt.Sprintf("load[%d]", q), -milp.Inf, float64(b.in().Slots)*b.grid[q+1]*(1+rounding), row)
	}
}

// pairs adds who completes first, and the conditions at the completions.
func (b *intervalModel) pairs() {
	n, m := len(b.left), b.m
	b.first, b.by = make([][]milp.Sum, n), make([][]int, n)
	for i := range n {
		b.first[i], b.by[i] = make([]milp.Sum, n), slices.Repeat([]int{-1}, n)
	}
	lo := func(j int) float64 { return m.Cols[b.end[j]].Lo }
	hi := func(j int) float64 { return m.Cols[b.end[j]].Hi }
	label := func(i, j int) string { return fmt.Sprintf("[%s,%s]", b.in().Jobs[i].ID, b.in().Jobs[j].ID) }
	for i := range n {
		for j := range i {
			switch {
			case b.before[i][j] || !b.before[j][i] && hi(i) <= lo(j):
				b.first[i][j], b.first[j][i] = milp.Const(1), milp.Const(0)
			case b.before[j][i] || hi(j) <= lo(i):
				b.first[i][j], b.first[j][i] = milp.Const(0), milp.Const(1)
			default:
				col := m.Binary("x"+label(i, j), 0)
				b.first[i][j], b.first[j][i] = milp.Of(col, 1), slices.Concat(milp.Const(1), milp.Of(col, -1))
			}
			for _, p := range [][2]int{{i, j}, {j, i}} {
				x, big := b.first[p[0]][p[1]], hi(p[0])-lo(p[1])
				if big > 0 && !is(x, 0) {
					m.Relate("order"+label(p[0], p[1]), -milp.Inf, big, milp.Of(b.end[p[0]], 1), milp.Of(b.end[p[1]], -1), x.Times(big))
				}
			}
		}
	}
	for i := range n {
		whole, _, _ := b.intervals.amounts(i)
		row := slices.Concat(milp.Of(b.end[i], -float64(b.in().Slots)), milp.Const(whole))
		for j := range n {
			if j == i {
				continue
			}
			work, least, most := b.intervals.amounts(j)
			x := b.first[j][i]
			if is(x, 1) {
				row = append(row, milp.Const(work)...)
				continue
			}
			u := m.AddCol(milp.Col{Name: "U" + label(i, j), Hi: milp.Inf})
			b.by[i][j] = u
			row = append(row, milp.Of(u, 1)...)
			if !is(x, 0) {
				m.Relate("work"+label(i, j), 0, milp.Inf, milp.Of(u, 1), x.Times(-work))
			}
			if least > 0 {
				m.Relate("minimum"+label(i, j), 0, milp.Inf, milp.Of(u, 1), milp.Of(b.end[i], -least), x.Times(max(0, least*hi(i)-work)))
			}
			m.Relate("maximum"+label(i, j), work, milp.Inf, milp.Of(u, 1), milp.Of(b.end[j], most), milp.Of(b.end[i], -most),
				x.Times(most*max(0, hi(i)-lo(j))))
		}
		m.Relate(fmt.Sprintf("slots[%s]", b.in().Jobs[i].ID), -milp.Inf, float64(b.in().Slots)*rounding, row)
	}
}

// is reports whether a sum is a number.
func is(x milp.Sum, number float64) bool { return len(x) == 1 && x[0] == milp.Const(number)[0] }

func (b *intervalModel) decode(x []float64) (flex.Schedule, error) {
	return b.rebuild(x, b.order(x))
}

// order is that of the completions in a point.
func (b *intervalModel) order(x []float64) []int {
	return models.OrderBy(len(b.end), func(j int) float64 { return x[b.end[j]] })
}

// ends are the times at which a point of a relaxation completes jobs, and shares of jobs.
func (b *intervalModel) ends(x []float64) (list []float64) {
	const some = 0.01
	for j, end := range b.end {
		list = append(list, x[end])
		for _, c := range b.cells[j] {
			if x[c.in] > some {
				list = append(list, c.lo+x[c.off]/x[c.in])
			}
		}
	}
	return list
}

func (b *intervalModel) encode(s flex.Schedule) ([]float64, error) {
	_, times, order, err := b.ordered(s)
	if err != nil {
		return nil, err
	}
	x := b.m.Point()
	at := make([]float64, len(times))
	for place, j := range order {
		miss := func(c cell) float64 { return max(c.lo-times[j]/b.intervals.unit, times[j]/b.intervals.unit-c.hi) }
		nearest := slices.IndexFunc(b.cells[j], func(c cell) bool { return miss(c) <= 0 })
		if nearest < 0 {
			best := slices.MinFunc(b.cells[j], func(a, c cell) int { return cmp.Compare(miss(a), miss(c)) })
			if miss(best) > encodeTolerance {
				return nil, fmt.Errorf("job %s completes at a time at which all schedules are worse than one that is known", b.in().Jobs[j].ID)
			}
			nearest = slices.IndexFunc(b.cells[j], func(c cell) bool { return c.k == best.k })
		}
		c := b.cells[j][nearest]
		at[j] = min(c.hi, max(c.lo, times[j]/b.intervals.unit))
		x[b.end[j]], x[c.in], x[c.off] = at[j], 1, at[j]-c.lo
		for _, later := range b.cells[j][nearest:] {
			if later.by >= 0 {
				x[later.by] = 1
			}
		}
		for _, p := range c.work {
			x[p.col] = b.intervals.done(j, at[j], b.grid[p.q+1])
		}
		for _, i := range order[:place] {
			if sum := b.first[i][j]; len(sum) == 1 && sum[0].Col >= 0 {
				x[sum[0].Col] = 1
			}
			if u := b.by[i][j]; u >= 0 {
				x[u] = math.Max(b.intervals.done(j, at[j], at[i]), 0)
			}
			if u := b.by[j][i]; u >= 0 {
				x[u], _, _ = b.intervals.amounts(i)
			}
		}
	}
	return x, nil
}
