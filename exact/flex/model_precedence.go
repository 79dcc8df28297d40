package flex

import (
	"fmt"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/flex"
)

// Precedence is the precedence based model: x[i,j], i < j, says that job i completes no later than job j. Interval i ends
// with job i's completion; job j is active in it when i precedes j.
var Precedence = &exact.Formulation[*flex.Instance, flex.Schedule]{
	Name: "precedence",
	Doc:  "pairwise precedence of completions\n\ndocs/problems/flex.md#models; linear ordering with its three-cycle inequalities.",
	Rows: append(slices.Clone(orderRows),
		exact.Row{Name: "cycle", Statement: "0 ≤ x_ij + x_jk − x_ik ≤ 1 for i < j < k: no cycles; a_jq is x_qj, or 1 − x_jq for j < q"},
		exact.Row{Name: "load", Statement: "S·C_i ≥ W_i + Σ_k (W_k if job k precedes i, else min(W_k, m_k·E_i)), E_i the earliest " +
			"end of job i", Cut: true},
		exact.Row{Name: "dominance", Statement: "x_ij = 1 where dominance completes job i before j", Cut: true}),
	Applies: oneMetric,
	Build:   func(in *flex.Instance) (*exact.Built[flex.Schedule], error) { return buildPrecedence(in, false), nil },
	Exact:   func(in *flex.Instance) (*exact.Built[flex.Schedule], error) { return buildPrecedence(in, true), nil },
}

func buildPrecedence(in *flex.Instance, exactly bool) *exact.Built[flex.Schedule] {
	b := newModelBuilder(in, "precedence", exactly)
	n := len(in.Jobs)
	col := make([][]int, n)
	names := make([]string, n)
	for i := range n {
		names[i] = fmt.Sprintf("[%s]", in.Jobs[i].ID)
		col[i] = make([]int, n)
		for j := i + 1; j < n; j++ {
			col[i][j] = b.m.Binary(fmt.Sprintf("x[%s,%s]", in.Jobs[i].ID, in.Jobs[j].ID), 0)
		}
	}
	// before is 1 when i precedes j.
	before := func(i, j int) []milp.Term {
		if i < j {
			return []milp.Term{{Col: col[i][j], Coef: 1}}
		}
		return []milp.Term{{Col: col[j][i], Coef: -1}, constant(1)}
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			for k := j + 1; k < n; k++ {
				b.m.AddRow(fmt.Sprintf("cycle[%d,%d,%d]", i, j, k), 0, 1, milp.Term{Col: col[i][j], Coef: 1},
					milp.Term{Col: col[j][k], Coef: 1}, milp.Term{Col: col[i][k], Coef: -1})
			}
		}
	}
	for i, row := range b.before {
		for j, leads := range row {
			if leads {
				x, first := col[min(i, j)][max(i, j)], 0.0
				if i < j {
					first = 1
				}
				b.m.AddRow(fmt.Sprintf("dominance[%s,%s]", in.Jobs[i].ID, in.Jobs[j].ID), first, first, milp.Term{Col: x, Coef: 1})
			}
		}
	}
	b.allocation(names, func(j, q int) []milp.Term {
		if j == q {
			return nil
		}
		return before(q, j)
	})
	b.precedenceLoads(in, exactly, before)
	return &exact.Built[flex.Schedule]{
		Model: b.m,
		Decode: func(x []float64) (flex.Schedule, error) {
			ahead := make([]int, n) // how many jobs precede
			for i := range n {
				for j := i + 1; j < n; j++ {
					if x[col[i][j]] > 0.5 {
						ahead[j]++
					} else {
						ahead[i]++
					}
				}
			}
			return b.rebuild(x, models.OrderBy(n, func(j int) int { return ahead[j] }))
		},
		Encode: func(s flex.Schedule) ([]float64, error) {
			s, _, order, err := b.ordered(s)
			if err != nil {
				return nil, err
			}
			x, _, err := b.encode(s, func(q int) int { return order[q] })
			if err != nil {
				return nil, err
			}
			for p, i := range order {
				for _, j := range order[p+1:] {
					if i < j {
						x[col[i][j]] = 1
					}
				}
			}
			return x, nil
		},
	}
}

// precedenceLoads adds rows: the work done by the completion of a job, and the least work of the others, fits into the slots
// until then.
func (b *modelBuilder) precedenceLoads(in *flex.Instance, exactly bool, before func(i, j int) []milp.Term) {
	for i := range in.Jobs {
		load := milp.Row{Name: fmt.Sprintf("load[%s]", in.Jobs[i].ID), Lo: in.Jobs[i].Work / b.unit, Hi: milp.Inf}
		load.Terms = append(load.Terms, milp.Term{Col: b.end[i], Coef: float64(in.Slots)})
		for k := range in.Jobs {
			if k == i {
				continue
			}
			whole, least := b.amounts(k, b.m.Cols[b.end[i]].Lo)
			load.Lo += least
			for _, t := range before(k, i) {
				if t.Col < 0 {
					load.Lo += (whole - least) * t.Coef
				} else {
					load.Terms = append(load.Terms, milp.Term{Col: t.Col, Coef: -(whole - least) * t.Coef})
				}
			}
		}
		if exactly {
			load.Lo *= 1 - rounding
		}
		b.m.Rows = append(b.m.Rows, load)
	}
}
