package prices

import "schedgap/models/proof"

// Claim returns the best bound's point as a proof, for jobs of the given ids; nil when there is no bound.
func (c *Climb) Claim(ids []string) *proof.Claim {
	if c.Point.Price == nil {
		return nil
	}
	claim := &proof.Claim{Kind: proof.Prices, Lines: []any{proof.Multipliers{Grid: c.At, Price: c.Point.Price}}}
	for i, row := range c.Rows {
		if c.Point.Theta[i] == 0 {
			continue
		}
		line := &proof.Counts{Points: []int{row.Point}, Theta: []float64{c.Point.Theta[i]}, Most: []int{int(row.Most)}}
		for _, j := range row.Jobs {
			line.Jobs = append(line.Jobs, ids[j])
		}
		if row.Proof != nil {
			line.Proofs = append(line.Proofs, *row.Proof)
		}
		claim.Lines = append(claim.Lines, line)
	}
	return claim
}
