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
	m := scalarRelaxation(in)
	out := speculation.Outcome{Found: true, Status: models.Optimal}
	whole := m.solve(ctx) == solved
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

// scalarRelaxation is the assignment problem of the scalar objective, with nobody matched and all slots free of charge.
func scalarRelaxation(in *speculation.Instance) *relaxation {
	m := newRelaxation(len(in.Stragglers), len(in.Slots), len(in.Stragglers)*len(in.Slots))
	edge := int32(0)
	for i := range in.Stragglers {
		m.rows.start[i], m.rows.mate[i] = edge, -1
		for j := range in.Slots {
			if time, energy := in.Gain(i, j); speculation.Helps(time, energy) {
				m.rows.to[edge], m.rows.w[edge] = int32(j), in.Scalar(time, energy)
				m.rows.y[i] = max(m.rows.y[i], m.rows.w[edge])
				edge++
			}
		}
	}
	m.rows.start[len(in.Stragglers)] = edge
	for j := range m.columns.mate {
		m.columns.mate[j] = -1
	}
	return m
}

// above moves an upper bound up by more than the rounding in its sum, never by a share that shows.
func above(v float64) float64 { return v + 1e-12*math.Abs(v) }
