package speculation

import (
	"context"
	"math"

	"schedgap/models"
	"schedgap/models/speculation"
)

// solveScalar is the combinatorial method of opt.
func solveScalar(ctx context.Context, p *speculation.Pass) (models.End, error) {
	m := newRelaxation(p.Instance)
	m.solve(ctx)
	p.Offer(speculation.Solution{Assign: m.matching()})
	p.Bound(above(m.bound()))
	return models.Ended(ctx, "", models.Stats{}), nil
}

// above moves an upper bound up by more than the rounding in its sum, never by a share that shows.
func above(v float64) float64 { return v + 1e-12*math.Abs(v) }
