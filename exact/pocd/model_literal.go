package pocd

import (
	"fmt"
	"math"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/pocd"
)

// literalOf is the problem as it is written, with a binary for each task and number of copies: ln p_j is linear in them, so
// the objective is their sum for α = 1, and the least of them for α = ∞. For other α the products are linearised, see buildProducts. It
// knows nothing of frontiers, and no count is left out.
func literalOf(all bool) *formulation {
	return &formulation{
		Name: "literal",
		Doc: "one binary for each task and number of copies, ln p_j = Σ_i Σ_r ln R_i(r)·x_ir for α = 1 and inf, else products\n\n" +
			"Eqs. 9 to 13 of Alamro et al. 2020, with logarithms or linearised products; docs/problems/pocd.md#models.",
		Applies: func(in *pocd.Instance) error {
			if in.Alpha == 1 || math.IsInf(in.Alpha, 1) {
				return nil
			}
			return productsApply(in, all)
		},
		Rows: []exact.Row{
			{Name: "capacity", Statement: "Σ_j Σ_i Σ_r r·x_ijr ≤ capacity − Σ_j (|tasks of j| + 1)"},
			{Name: "copies", Statement: "Σ_r x_ijr = 1 for every straggler: r extra copies, 0 ≤ r ≤ max_copies"},
			{Name: "least", Statement: "z ≤ Σ_i Σ_r ln R_i(r)·x_ijr for every job j; α = inf, where the objective is e^z"},
			{Name: "pick", Statement: "y_ijr ≤ x_ijr for every straggler i of job j but the first, whose y is x; other α"},
			{Name: "chain", Statement: "Σ_r y_ijr = Σ_r s_i′(r)·y_i′jr, i′ the straggler before i, s_i(r) = R_i(r)^(1−α) over the largest " +
				"of these; other α, where job j is worth (1/(1−α))·Π_i (largest of i)·Σ_r s_i(r)·y_ijr, i the last"},
		},
		Build: func(in *pocd.Instance, _ exact.BuildOptions) (*exact.BuiltModel[pocd.Copies], error) {
			if in.Alpha != 1 && !math.IsInf(in.Alpha, 1) {
				return buildProducts(in, all), nil
			}
			return buildLiteral(in, all), nil
		},
	}
}

// unseen is a size of coefficients that solvers leave out themselves or complain about: their tolerances are no less.
const unseen = 1e-9

func buildLiteral(in *pocd.Instance, all bool) *exact.BuiltModel[pocd.Copies] {
	least, most := math.IsInf(in.Alpha, 1), min(in.MaxCopies, in.Spare())
	m := &milp.Model{Name: in.Name + "-literal", Maximize: true}
	if least {
		m.AddCol(milp.Col{Name: "z", Lo: -milp.Inf, Cost: 1})
	}
	var copies milp.Sum
	var items []taskMenu
	var fixed pocd.Sum
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if job.Hopeless() {
			continue
		}
		z := milp.Of(0, 1)
		for i := range job.Tasks {
			miss := job.LogMiss(i)
			utility := func(r int) float64 { return pocd.LogR(miss, r) }
			if !all && !job.Tasks[i].Straggler {
				fixed.Add(utility(0))
				z = append(z, milp.Const(-utility(0))...)
				continue
			}
			list := addMenu(m, fmt.Sprintf("%s,%s", job.ID, job.Tasks[i].ID), 0, most, utility)
			items = append(items, taskMenu{j, i, list})
			copies = append(copies, list.copies()...)
			for r, col := range list.cols {
				if c := utility(r); c < -unseen {
					z = append(z, milp.Of(col, -c)...)
				}
			}
		}
		if least {
			m.Relate(fmt.Sprintf("least[%s]", job.ID), -milp.Inf, 0, z)
		}
	}
	m.Relate("capacity", -milp.Inf, float64(in.Spare()), copies)
	built := &exact.BuiltModel[pocd.Copies]{
		Model: m,
		Decode: func(x []float64) (pocd.Copies, error) {
			c := pocd.NoCopies(in)
			for _, it := range items {
				it.decode(x, c)
			}
			return c, nil
		},
		Encode: func(c pocd.Copies) ([]float64, error) {
			if err := feasible(in, c, all); err != nil {
				return nil, err
			}
			x := make([]float64, len(m.Cols))
			for _, it := range items {
				x[it.cols[c[it.job][it.task]]] = 1
			}
			if least {
				x[0] = leastLog(m, x)
			}
			return x, nil
		},
	}
	m.Offset += fixed.Value()
	if least {
		// The sum of the jobs is no part of the objective.
		m.Offset = 0
		for _, it := range items {
			for _, col := range it.cols {
				m.Cols[col].Cost = 0
			}
		}
		built.Value = func(z float64) float64 { return pocd.Utility(in.Alpha, z) }
	}
	return built
}

// leastLog is the largest z that all rows of the least ln p_j allow, less what rounding may break them by.
func leastLog(m *milp.Model, x []float64) float64 {
	z := 0.0
	for _, r := range m.Rows {
		if len(r.Terms) == 0 || r.Terms[0].Col != 0 {
			continue
		}
		sum := r.Hi
		for _, t := range r.Terms[1:] {
			sum -= t.Coef * x[t.Col]
		}
		z = min(z, sum)
	}
	return z - 1e-12*math.Abs(z)
}
