package makespantest

import (
	"fmt"

	"schedgap/exact"
	"schedgap/exact/milp"
)

// assignment is the MILP: column 0 is the makespan, column 1 + i·n + j is x[i,j], job j runs on machine i.
var assignment = &exact.Formulation[*Instance, Solution]{
	Name: "assignment", Doc: "one binary a machine and job\n\nMachines carry at most the makespan, which is minimised.",
	Rows: []exact.Row{{Name: "machine", Statement: "Σ_i x_ij = 1"}, {Name: "load", Statement: "Σ_j p_j·x_ij ≤ C_max"}},
	Build: func(in *Instance, _ exact.Form) (*exact.Built[Solution], error) {
		m, n := &milp.Model{Name: in.Name}, len(in.Times)
		makespan, jobs := m.AddCol(milp.Col{Name: "makespan", Hi: milp.Inf, Cost: 1}), make([][]milp.Term, n)
		for i := range in.Machines {
			load := []milp.Term{{Col: makespan, Coef: -1}}
			for j, p := range in.Times {
				x := m.Binary(fmt.Sprintf("x[%d,%d]", i, j), 0)
				jobs[j] = append(jobs[j], milp.Term{Col: x, Coef: 1})
				load = append(load, milp.Term{Col: x, Coef: float64(p)})
			}
			m.AddRow(fmt.Sprintf("load[%d]", i), -milp.Inf, 0, load...)
		}
		for j, terms := range jobs {
			m.AddRow(fmt.Sprintf("machine[%d]", j), 1, 1, terms...)
		}
		return &exact.Built[Solution]{
			Model: m,
			Decode: func(x []float64) (Solution, error) {
				machine := make([]int, n)
				for k, v := range x[1:] {
					if v > 0.5 {
						machine[k%n] = k / n
					}
				}
				return Solution{machine}, nil
			},
			Encode: func(s Solution) ([]float64, error) {
				x := make([]float64, len(m.Cols))
				for j, i := range s.Machine {
					x[1+i*n+j] = 1
				}
				x[makespan] = *check(in, s).Objective
				return x, nil
			},
		}, nil
	},
}
