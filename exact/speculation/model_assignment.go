package speculation

import (
	"fmt"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/speculation"
)

type formulation = exact.Formulation[*speculation.Instance, speculation.Solution]

// assignment is the assignment problem: x[i,j] says that straggler i gets a copy on slot j. Only pairs that save time and energy
// have a column, and only a straggler or slot of more than one column has a row. The rows are those of a bipartite graph, so
// every vertex is whole, and a linear program is all that there is to solve.
var assignment = &formulation{
	Name: "assignment",
	Doc: "assignment of stragglers to slots, one column a pair that saves time and energy\n\n" +
		"docs/problems/speculation.md#models; max Σ (Δt_ij + energy_weight·ΔE_ij)·x_ij, Σ_j x_ij ≤ 1, Σ_i x_ij ≤ 1.",
	Rows: []exact.Row{
		{Name: "slot", Statement: "Σ_i x_ij ≤ 1 for every slot j that several stragglers could use"},
		{Name: "straggler", Statement: "Σ_j x_ij ≤ 1 for every straggler i that could use several slots"},
	},
	Build: buildAssignment,
}

func buildAssignment(in *speculation.Instance, _ exact.BuildOptions) (*exact.BuiltModel[speculation.Solution], error) {
	type pair struct{ straggler, slot int }
	var pairs []pair // a column each
	m := &milp.Model{Name: in.Name + "-assignment", Maximize: true}
	stragglers, slots := make([]milp.Sum, len(in.Stragglers)), make([]milp.Sum, len(in.Slots))
	for i := range in.Stragglers {
		for j, value := range in.Helping(i) {
			x := milp.Of(m.AddCol(milp.Col{Name: fmt.Sprintf("x[%s,%s]", in.Stragglers[i].ID, in.Slots[j].ID), Hi: 1, Cost: value}), 1)
			pairs = append(pairs, pair{i, j})
			stragglers[i], slots[j] = append(stragglers[i], x...), append(slots[j], x...)
		}
	}
	once := func(kind, id string, sum milp.Sum) {
		if len(sum) > 1 {
			m.Relate(fmt.Sprintf("%s[%s]", kind, id), -milp.Inf, 1, sum)
		}
	}
	for i, sum := range stragglers {
		once("straggler", in.Stragglers[i].ID, sum)
	}
	for j, sum := range slots {
		once("slot", in.Slots[j].ID, sum)
	}
	return &exact.BuiltModel[speculation.Solution]{
		Model: m,
		Decode: func(x []float64) (speculation.Solution, error) {
			list := speculation.NoCopies(in)
			for col, p := range pairs {
				if x[col] > 0.5 {
					list[p.straggler] = p.slot
				}
			}
			return speculation.Solution{Assign: list}, nil
		},
		Encode: func(s speculation.Solution) ([]float64, error) {
			if v := speculation.Problem.Check(in, s).Worst(nil); v != nil {
				return nil, fmt.Errorf("the matching breaks %s at %s by %g, so it has no point in the model", v.Constraint, v.Where, v.Amount)
			}
			x := make([]float64, len(pairs))
			for col, p := range pairs {
				if p.straggler < len(s.Assign) && s.Assign[p.straggler] == p.slot {
					x[col] = 1
				}
			}
			return x, nil
		},
	}, nil
}
