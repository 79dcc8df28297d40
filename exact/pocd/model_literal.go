package pocd

import (
	"errors"
	"fmt"
	"sort"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/pocd"
)

// literalOf is the problem as it is written, with a binary for each task and number of copies: ln p_j is linear in them, so
// the objective is for α = 1. It knows nothing of frontiers. Encode maps a decision to its own copies; one that the model's
// floor rules out becomes the floor's point, which is worth more.
func literalOf(all bool) *formulation {
	return &formulation{
		Name: "literal",
		Doc: "one binary for each task and number of copies, Σ_j Σ_i Σ_r ln R_i(r)·x_ir, for α = 1\n\n" +
			"Eqs. 9 to 13 of Alamro et al. 2020 with logarithms; docs/problems/pocd.md#models.",
		Applies: func(in *pocd.Instance) error {
			if in.Alpha != 1 {
				return errors.New("logarithms make the objective linear for α = 1 alone")
			}
			return nil
		},
		Rows: []exact.Row{
			{Name: "capacity", Statement: "Σ_j Σ_i Σ_r r·x_ijr ≤ capacity − Σ_j (|tasks of j| + 1)"},
			{Name: "copies", Statement: "Σ_r x_ijr = 1 for every straggler: r extra copies, 0 ≤ r ≤ max_copies"},
		},
		Build: func(in *pocd.Instance) (*exact.Built[pocd.Copies], error) { return buildLiteral(in, all), nil },
	}
}

func buildLiteral(in *pocd.Instance, all bool) *exact.Built[pocd.Copies] {
	type item struct {
		job, task int
		menu
	}
	f, most := newFloor(in, modelFrontiers(in, all)), min(in.MaxCopies, in.Spare())
	m := &milp.Model{Name: in.Name + "-literal", Maximize: true}
	capacity := milp.Row{Name: "capacity", Lo: -milp.Inf, Hi: float64(in.Spare())}
	var items []item
	var fixed pocd.Sum
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if hopeless(job) {
			continue
		}
		for i := range job.Tasks {
			miss := job.LogMiss(i)
			if !all && !job.Tasks[i].Straggler {
				fixed.Add(pocd.LogR(miss, 0))
				continue
			}
			utility := func(r int) float64 { return pocd.LogR(miss, r) }
			low := sort.Search(most, func(r int) bool { return f.above(utility(r)) })
			list, copies := addMenu(m, fmt.Sprintf("%s,%s", job.ID, job.Tasks[i].ID), low, most, utility)
			items = append(items, item{j, i, list})
			capacity.Terms = append(capacity.Terms, copies...)
		}
	}
	m.Offset += fixed.Value()
	m.Rows = append(m.Rows, capacity)
	return &exact.Built[pocd.Copies]{
		Model: m,
		Decode: func(x []float64) (pocd.Copies, error) {
			c := pocd.NoCopies(in)
			for _, it := range items {
				c[it.job][it.task] = it.chosen(x)
			}
			return c, nil
		},
		Encode: func(c pocd.Copies) ([]float64, error) {
			if err := feasible(in, c, all); err != nil {
				return nil, err
			}
			for _, it := range items {
				if c[it.job][it.task] < it.low {
					c = f.copies
					break
				}
			}
			x := make([]float64, len(m.Cols))
			for _, it := range items {
				x[it.cols[c[it.job][it.task]-it.low]] = 1
			}
			return x, nil
		},
	}
}
