package makespantest

import (
	"context"
	"slices"

	"schedgap/models"
)

// LPT has at most 4/3 of the least makespan.
var LPT = &models.Algorithm[*Instance, Solution]{
	Name: "lpt", Doc: "longest processing time first, on the machine with the least load\n\nGraham 1969.",
	Kind: models.Heuristic, Reference: "opt",
	Run: func(_ context.Context, p *models.Pass[*Instance, Solution]) (models.Outcome[Solution], error) {
		times := p.Instance.Times
		order, machine, loads := make([]int, len(times)), make([]int, len(times)), make([]int, p.Instance.Machines)
		for j := range order {
			order[j] = j
		}
		slices.SortStableFunc(order, func(a, b int) int { return times[b] - times[a] })
		for _, j := range order {
			machine[j] = slices.Index(loads, slices.Min(loads))
			loads[machine[j]] += times[j]
		}
		return models.Outcome[Solution]{Solution: Solution{machine}, Found: true, Status: models.Feasible}, nil
	},
}
