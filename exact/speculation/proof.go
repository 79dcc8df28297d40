package speculation

import (
	"context"

	verifyspeculation "schedgap/exact/verify/speculation"
	"schedgap/models/proof"
	"schedgap/models/speculation"
)

// proveScalar proves that s is optimal by the prices of slots, which it finds again, or else the bound that these give.
func proveScalar(ctx context.Context, in *speculation.Instance, s speculation.Solution, _, _ float64) (*proof.Claim, error) {
	m := newRelaxation(in)
	m.solve(ctx)
	claim := &proof.Claim{Kind: verifyspeculation.Prices, Lines: []any{verifyspeculation.Slots{Prices: m.columns.y}}}
	bound, err := verifyspeculation.Bound(in, m.columns.y)
	if err != nil {
		return nil, err
	}
	claim.Bound = &bound
	value, err := verifyspeculation.Value(in, s.Assign)
	if err == nil && bound-value <= 1e-9*value {
		claim.Value = &value
		claim.Lines = append([]any{verifyspeculation.Solution{Solution: s.Assign}}, claim.Lines...)
	}
	return claim, nil
}
