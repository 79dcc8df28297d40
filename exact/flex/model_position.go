package flex

import (
	"cmp"
	"fmt"
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
		exact.Row{Name: "position", Statement: "Σ_j y_jp = 1: every position has a job"}),
	Applies: oneMetric,
	Build:   func(in *flex.Instance) (*exact.Built[flex.Schedule], error) { return buildPosition(in, false), nil },
	Exact:   func(in *flex.Instance) (*exact.Built[flex.Schedule], error) { return buildPosition(in, true), nil },
}

func buildPosition(in *flex.Instance, exactly bool) *exact.Built[flex.Schedule] {
	b := newModelBuilder(in, "position", exactly)
	n := len(in.Jobs)
	y := make([][]int, n)
	names := make([]string, n)
	byPosition := make([]milp.Row, n)
	for p := range n {
		names[p] = fmt.Sprintf("[%d]", p)
		byPosition[p] = milp.Row{Name: fmt.Sprintf("position[%d]", p), Lo: 1, Hi: 1}
	}
	for j := range in.Jobs {
		one := milp.Row{Name: fmt.Sprintf("job[%s]", in.Jobs[j].ID), Lo: 1, Hi: 1}
		for p := range n {
			col := b.m.Binary(fmt.Sprintf("y[%s,%d]", in.Jobs[j].ID, p), 0)
			y[j] = append(y[j], col)
			one.Terms = append(one.Terms, milp.Term{Col: col, Coef: 1})
			byPosition[p].Terms = append(byPosition[p].Terms, milp.Term{Col: col, Coef: 1})
		}
		b.m.Rows = append(b.m.Rows, one)
	}
	b.m.Rows = append(b.m.Rows, byPosition...)
	b.allocation(names, func(j, q int) []milp.Term {
		if q == 0 {
			return nil
		}
		var terms []milp.Term
		for p := q; p < n; p++ {
			terms = append(terms, milp.Term{Col: y[j][p], Coef: 1})
		}
		return terms
	})
	return &exact.Built[flex.Schedule]{
		Model: b.m,
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
	}
}
