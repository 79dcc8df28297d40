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
	Build:   buildPrecedence,
}

func buildPrecedence(in *flex.Instance, _ exact.BuildOptions) (*exact.BuiltModel[flex.Schedule], error) {
	b := newModelBuilder(in, "precedence")
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
	before := func(i, j int) milp.Sum {
		if i < j {
			return milp.Of(col[i][j], 1)
		}
		return append(milp.Of(col[j][i], -1), milp.Const(1)...)
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			for k := j + 1; k < n; k++ {
				b.m.Relate(fmt.Sprintf("cycle[%d,%d,%d]", i, j, k), 0, 1, before(i, j), before(j, k), before(i, k).Times(-1))
			}
		}
	}
	for i, row := range b.before {
		for j, leads := range row {
			if leads {
				b.m.Relate(fmt.Sprintf("dominance[%s,%s]", in.Jobs[i].ID, in.Jobs[j].ID), 1, 1, before(i, j))
			}
		}
	}
	b.allocation(names, func(j, q int) milp.Sum {
		if j == q {
			return nil
		}
		return before(q, j)
	})
	b.precedenceLoads(before)
	return &exact.BuiltModel[flex.Schedule]{
		Model: b.m,
		Grain: grain(in),
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
	}, nil
}

// precedenceLoads adds rows: the work done by the completion of a job, and the least work of the others, fits into the slots
// until then.
func (b *modelBuilder) precedenceLoads(before func(i, j int) milp.Sum) {
	for i, job := range b.in.Jobs {
		load := append(milp.Of(b.end[i], float64(b.in.Slots)), milp.Const(-job.Work/b.unit)...)
		for k := range b.in.Jobs {
			if k != i {
				whole, least := b.amounts(k, b.m.Cols[b.end[i]].Lo)
				load = slices.Concat(load, milp.Const(-least), before(k, i).Times(least-whole))
			}
		}
		b.m.Relate(fmt.Sprintf("load[%s]", job.ID), 0, milp.Inf, load)
	}
}
