package flex

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/flex"
)

// Position is the position based model: y[j,p] says that job j is the p-th to complete. Interval p ends with the p-th
// completion; job j is active in it when it completes at p or later.
var Position = &exact.Formulation[*flex.Instance, flex.Schedule]{
	Name: "position",
	Doc: "completion positions\n\ndocs/problems/flex.md#models: the linear program of a completion order with the order as " +
		"assignment binaries.",
	Rows: append(slices.Clone(orderRows),
		exact.Row{Name: "job", Statement: "Σ_p y_jp = 1: every job has a position; a_jq = Σ_(p≥q) y_jp"},
		exact.Row{Name: "position", Statement: "Σ_j y_jp = 1: every position has a job"},
		exact.Row{Name: "load", Statement: "S·t_p ≥ Σ_j Σ_(q≤p) W_j·y_jq + Σ_j Σ_(q>p) min(W_j, m_j·τ_p)·y_jq, " +
			"τ_p ≤ t_p, the p-th completion", Cut: true},
		exact.Row{Name: "first", Statement: "t_p ≥ Σ_j E_j·y_jp, E_j the earliest end of job j", Cut: true},
		exact.Row{Name: "sum", Statement: "Σ_j C_j = Σ_p (n − p + 1)·L_p", Cut: true},
		exact.Row{Name: "dominance", Statement: "Σ_(q≤p) y_jq ≤ Σ_(q<p) y_iq where dominance completes job i before j", Cut: true},
		exact.Row{Name: "window", Statement: "y_jp = 0 where dominance completes p jobs or more before j, or more than n − p after it", Cut: true}),
	Applies: oneMetric,
	Build:   buildPosition,
}

func buildPosition(in *flex.Instance, _ exact.BuildOptions) (*exact.BuiltModel[flex.Schedule], error) {
	b := newModelBuilder(in, "position")
	n := len(in.Jobs)
	y := make([][]int, n)
	names := make([]string, n)
	byPosition := make([][]int, n)
	for j := range in.Jobs {
		for p := range n {
			col := b.m.Binary(fmt.Sprintf("y[%s,%d]", in.Jobs[j].ID, p), 0)
			y[j], byPosition[p] = append(y[j], col), append(byPosition[p], col)
		}
		b.m.Relate(fmt.Sprintf("job[%s]", in.Jobs[j].ID), 1, 1, milp.Total(y[j]...))
	}
	for p, cols := range byPosition {
		names[p] = fmt.Sprintf("[%d]", p)
		b.m.Relate("position"+names[p], 1, 1, milp.Total(cols...))
	}
	b.allocation(names, func(j, q int) milp.Sum {
		if q == 0 {
			return nil
		}
		return milp.Total(y[j][q:]...)
	})
	b.dominance(y)
	if moderate(in) {
		b.loads(y)
	}
	return &exact.BuiltModel[flex.Schedule]{
		Model: b.m,
		Grain: grain(in),
		Decode: func(x []float64) (flex.Schedule, error) {
			order := make([]int, n)
			for j := range y {
				best := slices.MaxFunc(y[j], func(a, c int) int { return cmp.Compare(x[a], x[c]) })
				order[slices.Index(y[j], best)] = j
			}
			return b.rebuild(x, order)
		},
		Encode: func(s flex.Schedule) ([]float64, error) {
			x, order, err := b.encode(s, func(q int) int { return q })
			if err != nil {
				return nil, err
			}
			for p, j := range order {
				x[y[j][p]] = 1
			}
			return x, nil
		},
	}, nil
}

// dominance adds cuts: where i goes before j, the first positions that j may have are fewer by one than those of i; and j has
// none that the jobs before or after it need.
func (b *modelBuilder) dominance(y [][]int) {
	n := len(y)
	for j := range b.before {
		first, last := 0, n
		for i := range b.before {
			if b.before[j][i] {
				last--
			}
			if !b.before[i][j] {
				continue
			}
			first++
			if b.between(i, j) {
				continue // those rows add up to these
			}
			for p := range n - 2 {
				b.m.Relate(fmt.Sprintf("dominance[%s,%s,%d]", b.in.Jobs[i].ID, b.in.Jobs[j].ID, p+1), 0, milp.Inf,
					milp.Total(y[i][:p+1]...), milp.Total(y[j][:p+2]...).Times(-1))
			}
		}
		if first > 0 || last < n {
			none := slices.Concat(y[j][:first], y[j][last:])
			b.m.Relate(fmt.Sprintf("window[%s]", b.in.Jobs[j].ID), 0, 0, milp.Total(none...))
		}
	}
}

// between reports whether dominance puts a job between i and j.
func (b *modelBuilder) between(i, j int) bool {
	for k := range b.before {
		if b.before[i][k] && b.before[k][j] {
			return true
		}
	}
	return false
}

// moderate reports whether works are within six decades of each other. If they are not, rows that add them
// up lose the small ones in floating point: lp_solve then needs minutes for five jobs.
func moderate(in *flex.Instance) bool {
	least, most := math.Inf(1), 0.0
	for j := range in.Jobs {
		least, most = min(least, in.Jobs[j].Work), max(most, in.Jobs[j].Work)
	}
	return most <= 1e6*least
}

// loads adds cuts: the work done by the p-th completion, and the least work of the other jobs, fits into the slots until then;
// the job that completes there had the time that it needs at its maximum; and the completion times add up.
func (b *modelBuilder) loads(y [][]int) {
	n := len(y)
	var sum milp.Sum
	for p, soonest := range b.soonest() {
		until := milp.Total(b.length[:p+1]...)
		load, first := until.Times(float64(b.in.Slots)), until
		for j := range y {
			first = append(first, milp.Of(y[j][p], -b.m.Cols[b.end[j]].Lo)...)
			whole, least := b.amounts(j, soonest)
			load = slices.Concat(load, milp.Total(y[j][:p+1]...).Times(-whole), milp.Total(y[j][p+1:]...).Times(-least))
		}
		sum = slices.Concat(sum, milp.Of(b.end[p], 1), milp.Of(b.length[p], -float64(n-p)))
		b.m.Relate(fmt.Sprintf("load[%d]", p), 0, milp.Inf, load)
		b.m.Relate(fmt.Sprintf("first[%d]", p), 0, milp.Inf, first)
	}
	b.m.Relate("sum", 0, 0, sum)
}

// soonest are lower bounds on the first, second, … completion: each of p jobs ends at its earliest end or later, and the slots
// have done the p least works.
func (b *modelBuilder) soonest() []float64 {
	var ends, works []float64
	for j := range b.in.Jobs {
		ends, works = append(ends, b.m.Cols[b.end[j]].Lo), append(works, b.in.Jobs[j].Work/b.unit)
	}
	slices.Sort(ends)
	slices.Sort(works)
	done := 0.0
	for p := range ends {
		done += works[p]
		ends[p] = max(ends[p], done*(1-rounding)/float64(b.in.Slots))
	}
	return ends
}
