package speculation

import (
	"context"
	"math"

	"schedgap/models"
	"schedgap/models/speculation"
)

// solveScalar is the combinatorial method of opt.
func solveScalar(ctx context.Context, p *speculation.Pass, start *speculation.Solution) (speculation.Outcome, error) {
	in := p.Instance
	m := newRelaxation(in)
	out := speculation.Outcome{Found: true, Status: models.Optimal}
	whole := m.solve(ctx)
	out.Solution.Assign = m.matching()
	claimed := in.Value(out.Solution.Assign)
	bound := claimed
	if !whole {
		out.Status, bound = models.Timeout, above(m.bound())
		if start != nil && in.Value(start.Assign) > claimed {
			out.Solution = *start
			claimed = in.Value(start.Assign)
		}
	}
	out.Claimed, out.Bound = &claimed, &bound
	p.Improved(out.Solution)
	p.Bounded(bound)
	return out, nil
}

// above moves an upper bound up by more than the rounding in its sum, never by a share that shows.
func above(v float64) float64 { return v + 1e-12*math.Abs(v) }
